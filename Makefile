# Interlock. `make help` lists what can be made; plain `make` is what a change
# has to pass.

SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS   += --no-print-directory
.DEFAULT_GOAL := all

# The program needs no C; with it off, build and test share one build cache.
export CGO_ENABLED := 0

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION)
GOBUILD := go build -trimpath -ldflags '$(LDFLAGS)'
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# What the end-to-end tests run against; scripts/testenv pins the versions.
TESTENV := $(CURDIR)/.testenv
GOLANGCI_VERSION := v2.15.0
GOLANGCI := $(TESTENV)/bin/golangci-lint-$(GOLANGCI_VERSION)

# Packages for test and race; flags for the runs below.
PKGS      ?= ./...
TESTFLAGS ?=
FUZZTIME  ?= 20s
BENCH     ?= .
COUNT     ?= 5
DATA      ?= ../shared/data
OUT       ?= .eval
RUN       := $(or $(RUN),$(shell date -u +%Y%m%dT%H%M%S))
ENTRIES   ?= 10000000
MAXTIME   ?= 15m
GOTEST = INTERLOCK_TESTENV='$(TESTENV)' go test -json -timeout $(MAXTIME) $(TESTFLAGS)
REPORT = go run ./scripts/testreport

GOFILES = $(shell find . -name '*.go' -not -path './.*/*')

.PHONY: all help build up test testenv scenarios race fuzz update bench micro suites train eval attack log-lab drift-lab vet fmt fmt-check lint cross clean

all: fmt-check vet lint test scenarios ## Everything a change has to pass

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile

build: ## The program, as bin/interlock
	$(GOBUILD) -o bin/interlock ./cmd/interlock

up: build ## Start Interlock with sample sources; ARGS='--listen 127.0.0.1:9000' adds flags
	@scripts/testenv >/dev/null 2>&1 & # the reference servers join the sample when they are there
	bin/interlock up --sample --sample-mcp '$(TESTENV)' $(ARGS)

test: vet testenv ## Every test, end to end ones against real MCP servers and clients included
	$(GOTEST) $(PKGS) | $(REPORT)
	@scripts/testenv --check || echo 'make test: some end-to-end tests were left out, see above'

testenv: ## The real MCP servers and clients that tests run against, into .testenv, once
	@scripts/testenv

scenarios: ## The executable specifications alone
	go test -count=1 -run 'Scenario' ./router ./cmd/interlock

race: ## Tests under the race detector; PKGS='./router ./receipt' picks packages
	CGO_ENABLED=1 $(GOTEST) -race $(PKGS) | $(REPORT)

fuzz: ## Each fuzz target for FUZZTIME (20s)
	@scripts/fuzz $(FUZZTIME)

update: ## Rewrite generated pages and scenario outputs; read the difference before you commit it
	go test -count=1 -run 'TestReasonsPage' . -update
	go test -count=1 -run 'TestRulesPage' ./internal/diff -update
	go test -count=1 -run 'TestKindsPage' ./internal/drift -update
	go test -count=1 -run 'Scenario' ./router -update

bench: build ## Speed and memory of the whole beside their baselines, medians; ARGS=--quick is a minute
	go run ./bench --bin bin/interlock $(ARGS)

micro: ## Benchmarks inside the packages, medians of COUNT (5) runs; BENCH=Resolve picks some
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) -timeout 60m $(PKGS) | awk -f scripts/medians.awk

suites: ## The published corpora and the long measurements, whole
	INTERLOCK_SUITES=1 $(GOTEST) -count=1 -run 'NPM|Golden|Suite|Corpus|Published|Anchors' $(PKGS) | $(REPORT)

eval: build ## The case file of public requests in DATA, made anew in OUT, and a registered run over it; some minutes, no decision fails it
	go run ./scripts/opencases -data '$(DATA)' -out '$(OUT)'
	bin/interlock eval plan --cases '$(OUT)/cases.jsonl' --name 'open data' --out '$(OUT)/$(RUN).json'
	bin/interlock eval run --plan '$(OUT)/$(RUN).json' --out '$(OUT)/$(RUN)' || [ $$? -eq 3 -a -e '$(OUT)/$(RUN)/record.json' ]
	bin/interlock eval verify '$(OUT)/$(RUN)' --cases '$(OUT)/cases.jsonl'

train: ## The weights of gate.json from the labelled requests in DATA, learned weights of ranks beside those that ship, and how both do on sources left out; some minutes
	go run ./scripts/train -data '$(DATA)'

log-lab: ## Ten million receipts appended, recomputed and pruned; ENTRIES=1000000 is a minute
	INTERLOCK_LOG_ENTRIES=$(ENTRIES) go test -count=1 -timeout 120m -v -run 'TestSuiteLogLab' ./receipt

drift-lab: ## Services that stop doing what they document: how soon each kind is found; writes docs/drift-lab.md
	go test -count=1 -timeout 20m ./internal/driftlab -update

attack: ## 100,000 attacked calls under the race detector, and 10,000 registries on every face; some minutes
	INTERLOCK_ATTACK=100000 CGO_ENABLED=1 go test -race -v -count=1 -timeout 60m -run 'UnderAttack|KeepsApart' ./router
	INTERLOCK_INTERFERENCE=10000 go test -v -count=1 -timeout 60m -run 'OnEveryFace' ./cmd/interlock

vet: ## go vet over PKGS
	go vet $(PKGS)

fmt: ## Format every file
	gofmt -w $(GOFILES)

fmt-check: ## Say which files are not formatted
	@bad=$$(gofmt -l $(GOFILES)); if [ -n "$$bad" ]; then echo "not formatted, run make fmt:"; echo "$$bad"; exit 1; fi

lint: $(GOLANGCI) ## golangci-lint, and no file over 800 lines
	@$(GOLANGCI) run
	@wc -l $(GOFILES) | awk '$$2 != "total" && $$1 > 800 { print $$2 ": " $$1 " lines; over 800 a file is split"; bad = 1 } END { exit bad }'

$(GOLANGCI):
	@echo 'installing golangci-lint $(GOLANGCI_VERSION), once; this takes minutes'
	@mkdir -p $(@D)
	GOBIN='$(@D)' nice go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@mv '$(@D)/golangci-lint' $@

cross: ## The program for Linux, macOS and Windows, amd64 and arm64, under bin/cross
	@for p in $(PLATFORMS); do \
		os=$${p%/*}; arch=$${p#*/}; ext=; [ $$os = windows ] && ext=.exe; \
		echo "$$p"; \
		GOOS=$$os GOARCH=$$arch $(GOBUILD) -o bin/cross/interlock-$$os-$$arch$$ext ./cmd/interlock; \
	done

clean: ## Remove what was built and installed
	rm -rf bin .testenv
