# Two commands do everything: `make demo` and `make test`. Each works from a fresh clone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-input
DEMO := exports/landmarks-graph
HAS_CHROMIUM := { command -v chromium || command -v chromium-browser || command -v google-chrome; } \
    >/dev/null 2>&1

.PHONY: help demo test test-slow test-servers test-train bench fuzz lint screenshots clean

help:
	@echo 'make demo        install, build the graph of examples/landmarks.jsonl, ask it, draw it'
	@echo 'make test        all checks and tests but the slow ones'
	@echo 'make test-slow   the slow tests'
	@echo 'make test-servers install Virtuoso, run the tests against it'
	@echo 'make test-train  install the extra "train", run the tests that need it'
	@echo 'make bench       ready questions timed beside Oxigraph, DuckDB and rdflib (PAPERS=12000)'
	@echo 'make fuzz        readers and names fuzzed, FUZZ_SECONDS=600 for each of three targets'
	@echo 'make lint        ruff, mypy and import contracts alone'
	@echo 'make screenshots make the pictures of the README anew'
	@echo 'make clean       remove the virtual environment and caches'

demo: $(VENV)/.installed
	$(BIN)/kg build examples/landmarks.jsonl --graph $(DEMO)
	$(BIN)/kg query top-methods --graph $(DEMO)
	$(BIN)/kg view -o exports/landmarks.html --graph $(DEMO)
	$(BIN)/kg export exports/landmarks.gexf --graph $(DEMO)

test: lint $(VENV)/.chromium $(VENV)/.torch $(VENV)/.node
	$(BIN)/python -m pytest -m 'not slow and not servers'

test-slow: $(VENV)/.dev $(VENV)/.chromium
	$(BIN)/python -m pytest -m slow

test-servers: $(VENV)/.dev
	@command -v virtuoso-t >/dev/null || ./scripts/debian-package virtuoso-opensource-7-bin
	$(BIN)/python -m pytest -m servers

test-train: $(VENV)/.dev
	$(PIP) -e '.[dev,train]'
	$(BIN)/python -m pytest -m train

PAPERS ?= 12000
bench: $(VENV)/.dev
	$(BIN)/python tests/bench.py $(PAPERS)

# What is found stays in .fuzz, and the next run goes on from there.
FUZZ_SECONDS ?= 600
fuzz: $(VENV)/.dev
	for target in readers text curation; do \
	    mkdir -p .fuzz/$$target && $(BIN)/python tests/fuzz.py $$target .fuzz/$$target \
	        -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=.fuzz/ || exit 1; \
	done

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

screenshots: demo $(VENV)/.dev $(VENV)/.chromium
	$(BIN)/python tests/screenshots.py $(DEMO)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 'kg needs Python 3.11 or newer; name one: make PYTHON=python3.12 …' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || ./scripts/debian-package python3-venv
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(PIP) -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/.installed

# The browser tests need a Chromium. Without one they are skipped, but never in CI.
$(VENV)/.chromium: | $(BIN)/python
	@$(HAS_CHROMIUM) || ./scripts/debian-package chromium || test -z "$$CI"
	@if $(HAS_CHROMIUM); then touch $@; fi

# Some tests of `kg export` let graphology read the files. Without npm they are skipped.
$(VENV)/.node: tests/node/package-lock.json | $(BIN)/python
	@if command -v npm >/dev/null 2>&1; then \
	    npm ci --prefix tests/node --silent --no-audit --no-fund && touch $@; \
	else \
	    echo 'no npm here: what graphology reads is not tested (sudo apt-get install npm)'; \
	fi

# The tests of `kg train` need PyTorch, 200 MB as a CPU build and gigabytes as pip finds it by
# itself. Here it is taken only where a wheel lies on the disk (pip's setting find-links).
$(VENV)/.torch: | $(VENV)/.dev
	@if $(PIP) --no-index --no-deps 'torch==2.13.0' 2>/dev/null; then \
	    $(PIP) -e '.[dev,train]'; \
	else \
	    echo 'no wheel of PyTorch on the disk: tests of training are skipped (make test-train)'; \
	fi
	@touch $@
