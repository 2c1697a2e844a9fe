# syntax=docker/dockerfile:1

# The compiler runs on the machine that builds, and compiles for the platform
# that is asked for:
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=v1.2.3 .
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG TARGETOS
ARG TARGETARCH
ARG VERSION
ARG COMMIT
RUN --mount=type=cache,target=/go/pkg/mod \
    --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=${TARGETOS} GOARCH=${TARGETARCH} \
    go build -trimpath -buildvcs=false \
      -ldflags "-s -w -X main.version=${VERSION} -X main.commit=${COMMIT}" \
      -o /out/function-patchwork .

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/function-patchwork /function-patchwork
# 9443 is gRPC, 8080 is metrics and probes.
EXPOSE 9443 8080
# The number of nonroot: Kubernetes cannot tell that a name is not root.
USER 65532:65532
ENTRYPOINT ["/function-patchwork"]
