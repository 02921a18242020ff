# The one door. On a machine with Python 3.11+, pip, make and a Rust toolchain:
#   make demo   shows what bayleaf does        make test   runs every test

PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= 2
FUZZ_SECONDS ?= 60

BIN   := $(VENV)/bin
PY    := $(BIN)/python
PIP   := $(PY) -m pip --quiet --disable-pip-version-check
LOCK  := requirements/dev.lock
RUST  := Cargo.toml $(wildcard Cargo.lock) $(shell find crates -not -path '*/fuzz/*' \( -name '*.rs' -o -name Cargo.toml \))
CARGO := PYO3_PYTHON=$(abspath $(PY)) cargo
# pip builds without isolation, so the maturin of the environment must be found.
export PATH := $(abspath $(BIN)):$(PATH)

# Each stamp says "this was done after the files it depends on last changed".
BASE    := $(VENV)/.base
PACKAGE := $(VENV)/.package
DEV     := $(VENV)/.dev
BENCH   := $(VENV)/.bench
RELEASE := $(VENV)/.release
SPARK   := $(VENV)/.spark

.DEFAULT_GOAL := help
.PHONY: help demo test test-spark check lint format docs examples serve bench bench-accuracy bench-mail bench-service \
	bench-spark bench-stream fuzz release-check lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(PACKAGE) ## the whole story on data that ships with it: arithmetic, digits, a mailbox, a table, pictures
	@$(PY) -m bayleaf.demo

test: $(PACKAGE) $(DEV) ## run the Python tests, the docs examples and the Rust tests
	$(PY) -m pytest -n $(JOBS) -m "not spark"
	$(CARGO) test --locked --quiet -p bayleaf-core

test-spark: $(PACKAGE) $(DEV) $(SPARK) ## run the tests on Apache Spark, which they start themselves: needs Java 17, 456 MB once
	$(PY) -m pytest -m spark --timeout 1200

check: lint docs ## format, lint, types, floors, docs: everything CI checks besides the tests

lint: $(PACKAGE) $(DEV)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(PY) -m mypy.stubtest bayleaf._core
	$(BIN)/lint-imports
	cargo fmt --all --check
	$(CARGO) clippy --locked --all-targets --quiet -- -D warnings
	cd crates/core/fuzz && CUSTOM_LIBFUZZER_PATH=unused/libunused.a cargo clippy --locked --quiet -- -D warnings

format: $(DEV) ## rewrite the sources in the common format
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	cargo fmt --all

docs: $(PACKAGE) $(DEV) ## build the site into site/
	$(BIN)/zensical build --clean --strict

examples: $(PACKAGE) $(DEV) ## write what the examples of the docs print, and draw the pictures, again
	$(PY) docs/claims.py
	$(PY) docs/outputs.py
	$(PY) docs/commands.py
	$(PY) docs/names.py
	$(PY) docs/shell.py
	$(PY) docs/routes.py
	$(PY) docs/pictures.py
	$(PY) docs/lectures.py
	$(PY) docs/page.py

serve: $(PACKAGE) $(DEV) ## show the site while you write it
	$(BIN)/zensical serve

bench: $(PACKAGE) $(BENCH) ## speed against scikit-learn, river, fastText and Vowpal Wabbit, as dated tables and pictures
	$(PY) -m benchmarks

bench-accuracy: $(PACKAGE) $(BENCH) ## accuracy and probabilities against the same, on texts and on small tables
	$(PY) -m benchmarks accuracy families

bench-mail: $(PACKAGE) $(BENCH) ## the mail filter beside bogofilter, bsfilter and SpamAssassin
	@benchmarks/install bogofilter-bdb bogofilter-sqlite bsfilter spamassassin spamd spamc
	$(PY) -m benchmarks mail

bench-service: $(PACKAGE) $(BENCH) ## load the daemon beside spamd and rspamd
	@benchmarks/install spamassassin spamd spamc rspamd
	$(PY) -m benchmarks service

bench-spark: $(PACKAGE) $(DEV) $(SPARK) ## measure against Spark MLlib on a cluster of this machine, write a dated table
	$(PY) -m benchmarks.spark

bench-stream: $(PACKAGE) $(BENCH) ## learn 10 GB of text from the disk: speed, memory, cost per key; needs 11 GB of disk
	$(PY) -m benchmarks.stream

# The fuzzer asks the compiler for instrumentation that stable Rust gives only under RUSTC_BOOTSTRAP.
fuzz: ## throw bytes, from golden files on to random ones, at each part of the native core for FUZZ_SECONDS (60)
	cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz
	cd crates/core && for target in $$(cargo fuzz list); do \
		mkdir -p fuzz/corpus/$$target && RUSTC_BOOTSTRAP=1 cargo fuzz run $$target fuzz/corpus/$$target \
			../../tests/golden -- -max_total_time=$(FUZZ_SECONDS) -timeout=10 -len_control=0 || exit 1; \
	done

release-check: $(PACKAGE) $(RELEASE) ## build wheels and sdist, and check them, licences, SBOM and citation
	$(PY) -m release

lock: $(BASE) ## choose the newest versions that pyproject.toml allows
	$(PIP) install uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-annotate --no-emit-index-url \
		--custom-compile-command "make lock" --group dev --group bench --group release --group spark --extra plot \
		-o $(LOCK) pyproject.toml

clean: ## remove everything that was built
	rm -rf $(VENV) target site out dist .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	rm -f src/bayleaf/_core*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BASE): $(LOCK)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "bayleaf needs Python 3.11 or newer: make PYTHON=...")'
	@command -v cargo >/dev/null || { echo "bayleaf needs a Rust toolchain (cargo) to build its core" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade "pip>=25.1"
	$(PIP) install -c $(LOCK) maturin
	@touch $@

# Editable: a changed Python file needs nothing, a changed Rust file is compiled again.
$(PACKAGE): pyproject.toml $(RUST) $(BASE)
	MATURIN_PEP517_ARGS=--locked $(PIP) install --no-build-isolation -c $(LOCK) -e '.[plot]'
	@touch $@

$(DEV): pyproject.toml $(BASE)
	$(PIP) install -c $(LOCK) --group dev
	@touch $@

$(BENCH): pyproject.toml $(BASE)
	$(PIP) install -c $(LOCK) --group bench || for peer in river fasttext-numpy2-wheel vowpalwabbit psutil; do \
		$(PIP) install -c $(LOCK) $$peer || echo "$$peer cannot be installed here; it is named as not run"; \
	done
	@touch $@

$(RELEASE): pyproject.toml $(BASE)
	$(PIP) install -c $(LOCK) --group release
	@touch $@

$(SPARK): pyproject.toml $(BASE)
	$(PIP) install -c $(LOCK) --group spark
	@touch $@
