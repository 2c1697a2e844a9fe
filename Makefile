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
VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo v0.0.0-dev)
XPKGFLAGS ?=
LDFLAGS   := -s -w -X main.version=$(VERSION)

# The tools have a module of their own, so that they add nothing to the server's.
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
generate: ## Generate the schemas of the input from its types, and the reference.
	$(GO) run -C tools ./generate ..
	$(GO) run ./docs/generate

.PHONY: test-tools
test-tools: ## Test the tools: the generated schemas as the API server and editors read them, and the packages.
	$(GO) test -C tools -timeout 30m ./...

.PHONY: pgo
pgo: ## Profile the benchmarks for the compiler, which reads default.pgo.
	@mkdir -p bin/profile
	$(GO) test ./fn -run '^$$' -bench '^BenchmarkRun$$/^(small|typical|wide|passthrough|large)$$' -benchtime 5s \
		-o bin/profile/pgo.test -cpuprofile bin/profile/pgo.cpu
	$(GO) tool pprof -proto bin/profile/pgo.test bin/profile/pgo.cpu > default.pgo

.PHONY: lint
lint: ## Run the linters, on both modules.
	$(TOOL) golangci-lint run
	cd tools && $(GO) tool golangci-lint run --config ../.golangci.yaml

.PHONY: fmt
fmt: ## Format the code.
	$(TOOL) golangci-lint fmt

.PHONY: tidy
tidy: ## Tidy the modules.
	$(GO) mod tidy
	$(GO) mod tidy -C tools
	$(GO) mod tidy -C tools/crossplane

.PHONY: tidy-check
tidy-check: ## Fail unless the modules are tidy.
	$(GO) mod tidy -diff
	$(GO) mod tidy -C tools -diff
	$(GO) mod tidy -C tools/crossplane -diff
