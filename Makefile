# What to run while working on the project: make help.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

GO        ?= go
PKG       ?= ./...
FUZZTIME  ?= 60s
BENCHTIME ?= 1s
COUNT     ?= 1
SCENARIO  ?= typical
LOADFLAGS ?=
E2EFLAGS  ?=
VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo v0.0.0-dev)
XPKGFLAGS ?=
LDFLAGS   := -s -w -X main.version=$(VERSION)

# Modules of their own, so that they add nothing to the server's. Those that pin
# tools have no packages.
MODULES      := . tools test/e2e test/e2e/environment
TOOL_MODULES := tools/crossplane test/e2e/modules/crank-2.2 test/e2e/modules/crank-1.20
TOOL := $(GO) tool -modfile=tools/go.mod

.PHONY: help
help: ## Show this help.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | \
		while IFS=$$'\t' read -r name text; do printf '  %-14s %s\n' "$$name" "$$text"; done

.PHONY: build
build: ## Build the server to bin/.
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/function-patchwork .

# What the packages depend on besides the sources; without git there is no commit.
XPKG = $(GO) run -C tools ./xpkg -version '$(VERSION)' -revision "$$(git rev-parse HEAD 2>/dev/null || true)"
xpkg xpkg-push: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null)

.PHONY: xpkg
xpkg: ## Build an image and a Crossplane package for each platform to bin/xpkg/. XPKGFLAGS=-h tells the flags.
	@$(XPKG) $(XPKGFLAGS)

.PHONY: xpkg-push
xpkg-push: VERSION = $(lastword $(subst :, ,$(IMAGE)))
xpkg-push: ## Build the packages of the version in IMAGE=registry/org/name:v1.2.3, and push all as one.
	@$(XPKG) $(XPKGFLAGS) -push '$(or $(IMAGE),$(error IMAGE has to say where to push to: registry/org/name:v1.2.3))'

.PHONY: demo
demo: build ## Serve a complete example on a loopback port, and show what is composed.
	@$(GO) run ./example/demo -server bin/function-patchwork

.PHONY: test
test: ## Run all tests.
	$(GO) test $(PKG)

.PHONY: race
race: ## Run all tests with the race detector.
	$(GO) test -race $(PKG)

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME.
	@for pkg in $$($(GO) list $(PKG)); do \
		for target in $$($(GO) test -list '^Fuzz' "$$pkg" | grep '^Fuzz' || true); do \
			echo "== $$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$pkg"; \
		done; \
	done

.PHONY: bench
bench: ## Run the benchmarks, with allocations. COUNT=10 gives benchstat something to compare.
	$(GO) test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) -count $(COUNT) $(PKG)

.PHONY: benchstat
benchstat: ## Compare two outputs of make bench: OLD=old.txt NEW=new.txt.
	$(TOOL) benchstat $(OLD) $(NEW)

.PHONY: load
load: build ## Measure the built server beside a function that only decodes. LOADFLAGS=-h tells the flags.
	@$(GO) run ./test/load -server bin/function-patchwork $(LOADFLAGS)

# The test binary and the profiles stay, for go tool pprof.
PROFILE = bin/profile/$(SCENARIO)

.PHONY: profile
profile: BENCHTIME = 5s
profile: ## Write CPU and allocation profiles of SCENARIO to bin/profile/, and print the top of both.
	@mkdir -p bin/profile
	$(GO) test -run '^$$' -bench '^BenchmarkRun$$/^$(SCENARIO)$$' -benchmem -benchtime $(BENCHTIME) -o bin/profile/fn.test \
		-cpuprofile $(PROFILE).cpu.pprof -memprofile $(PROFILE).mem.pprof ./fn | tee $(PROFILE).txt
	@grep -q '^BenchmarkRun/' $(PROFILE).txt || { echo 'there is no scenario "$(SCENARIO)"' >&2; exit 1; }
	$(GO) tool pprof -top -nodecount 25 bin/profile/fn.test $(PROFILE).cpu.pprof
	$(GO) tool pprof -top -nodecount 25 -sample_index alloc_space bin/profile/fn.test $(PROFILE).mem.pprof

.PHONY: generate
generate: ## Generate the schemas of the input from its types, the reference, and the kinds of the end-to-end tests.
	$(GO) run -C tools ./generate ..
	$(GO) generate -C test/e2e ./provider
	$(GO) run ./docs/generate

.PHONY: test-tools
test-tools: ## Test the tools: the generated schemas as the API server and editors read them, and the packages.
	$(GO) test -C tools -timeout 30m ./...

.PHONY: pgo
pgo: ## Profile the benchmarks for the compiler, which reads default.pgo.
	@mkdir -p bin/profile
	$(GO) test ./fn -run '^$$' -bench '^BenchmarkRun$$/^(small|typical|conditions|wide|passthrough|large)$$' -benchtime 5s \
		-o bin/profile/pgo.test -cpuprofile bin/profile/pgo.cpu
	$(GO) tool pprof -proto bin/profile/pgo.test bin/profile/pgo.cpu > default.pgo

.PHONY: vet
vet: ## Run go vet on all modules.
	@for module in $(MODULES); do echo "vet $$module" && (cd "$$module" && $(GO) vet ./...); done

.PHONY: lint
lint: ## Run the linters on all modules.
	@linter=$$(cd tools && $(GO) tool -n golangci-lint) && for module in $(MODULES); do \
		echo "lint $$module" && (cd "$$module" && "$$linter" run --config '$(CURDIR)/.golangci.yaml'); \
	done

.PHONY: fmt
fmt: ## Format the code.
	$(TOOL) golangci-lint fmt

.PHONY: tidy
tidy: ## Tidy the modules.
	@for module in $(MODULES) $(TOOL_MODULES); do (cd "$$module" && $(GO) mod tidy); done

.PHONY: tidy-check
tidy-check: ## Fail unless the modules are tidy.
	@for module in $(MODULES) $(TOOL_MODULES); do (cd "$$module" && $(GO) mod tidy -diff); done

.PHONY: e2e
e2e: ## Test the function in a real Crossplane, in a sandbox. E2EFLAGS='-run Create' runs some of the tests.
	$(GO) test -C test/e2e ./cloud/... ./provider/...
	$(GO) test -C test/e2e/environment ./...
	$(GO) run -C test/e2e . $(E2EFLAGS)

.PHONY: e2e-shell
e2e-shell: ## Start what make e2e starts, and a shell to look around in.
	@$(GO) run -C test/e2e . -shell $(E2EFLAGS)
