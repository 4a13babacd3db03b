# The two commands a newcomer needs: make run, make test. Everything else is below.
# Both install what is missing (Debian packages, the pinned upstream) and are quick the second time.
# make run takes the built-in pool, which needs Chromium and no Node; settings come from the
# environment or greenroom.toml.

CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)
SOAK ?= 1000
DENY_VERSION := 0.20.2
NEXTEST_VERSION := 0.9.151

.DEFAULT_GOAL := help
.PHONY: help setup run test check fmt lint conformance deny soak bench docs clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## install browsers, Node, the pinned upstream and the clients of the tests where missing
	@scripts/setup

run: ## build and serve browsers until Ctrl-C
	@scripts/setup run
	$(CARGO) run --quiet --release --locked -p greenroom -- serve

check: fmt lint ## formatting and lints, warnings are errors

fmt:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --workspace --all-targets --locked --quiet -- -D warnings

deny: ## licences, bans and sources of every dependency
	@command -v cargo-deny >/dev/null || $(CARGO) install --locked --version $(DENY_VERSION) cargo-deny
	@$(CARGO) fetch --locked --quiet
	cargo-deny --offline check bans licenses sources

test: setup check ## everything that must pass before a change lands
	@command -v cargo-nextest >/dev/null || $(CARGO) install --locked --version $(NEXTEST_VERSION) cargo-nextest
	@scripts/test

conformance: setup ## the official MCP conformance suites of both eras
	$(CARGO) build --quiet --locked -p greenroom-server --example conformance
	@conformance/run $(TARGET)/debug/examples/conformance $(TARGET)/conformance

soak: setup ## the same properties with the full counts (SOAK=1000)
	GREENROOM_SOAK=$(SOAK) PROPTEST_CASES=20000 scripts/test --profile soak

bench: setup ## side-by-side figures beside peers, in one run
	$(CARGO) build --quiet --release --locked -p greenroom -p greenroom-bench -p greenroom-testkit
	$(TARGET)/release/greenroom-bench pool server store engines

docs: ## regenerate the generated pages
	$(CARGO) run --quiet -p greenroom -- config reference > docs/configuration.md.new
	mv docs/configuration.md.new docs/configuration.md
	$(CARGO) run --quiet -p greenroom-server --example tools_reference > docs/tools.md.new
	mv docs/tools.md.new docs/tools.md

clean: ## remove what was built and installed here
	$(CARGO) clean
	rm -rf upstream/node_modules conformance/node_modules .venv
