# Every command of the project. `make` alone lists them.
# Needed: Python 3.11 or newer with pip, and make. Choose an interpreter with `make test PYTHON=python3.13`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS := postgres,tokens
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PINNED := --constraint constraints.txt --build-constraint constraints.txt
# Faults, attacks and the documentation's examples run in `make test`.
FAST := tests/unit tests/contracts tests/surfaces tests/docs/test_structure.py tests/docs/test_case_register.py
PYTEST := $(BIN)/python -m pytest --numprocesses logical --dist worksteal

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check test-deep lint types imports docs bench bench-check constraints clean

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/core ## Show an agent's memory being assembled, changed, compared and rolled back
	@$(BIN)/reverie demo

test: lint types imports docs ## Check everything but the deep tier
	$(PYTEST)

check: lint types imports ## The fast tier: style, types, import rules and the quick tests of values, ports and surfaces
	$(PYTEST) $(FAST) -m "not deep and not slow" --hypothesis-profile quick

test-deep: $(VENV)/dev ## The long fault and property tests
	$(PYTEST) -m deep --hypothesis-profile deep

lint: $(VENV)/dev
	$(BIN)/ruff check src tests bench

types: $(VENV)/dev
	$(BIN)/mypy

imports: $(VENV)/dev
	$(BIN)/lint-imports

docs: $(VENV)/dev ## Build the documentation into site/, strictly
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(VENV)/dev ## Measure the figures and write them to bench/figures/
	$(BIN)/python -m bench

bench-check: $(VENV)/dev ## Measure again and fail beyond twice a committed figure
	$(BIN)/python -m bench --check

# The environment is made anew whenever what it is made of changes. `make demo` needs the core install only.
$(VENV)/core: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Reverie needs Python 3.11 or newer; '$(PYTHON)' is not. Choose one with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "Installing Reverie into $(VENV) ..."
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || \
	  { rm -rf $(VENV) && $(PYTHON) -m venv --without-pip $(VENV) && \
	    $(PYTHON) -m pip --quiet --python $(BIN)/python install --constraint constraints.txt pip; } || \
	  { echo "'$(PYTHON)' can make no virtual environment with pip in it. Install your system's packages for venv and pip" >&2; \
	    echo "(on Debian and Ubuntu: python3-venv), or choose another interpreter with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PIP) install --constraint constraints.txt pip
	@$(PIP) install $(PINNED) --editable .
	@touch $@

$(VENV)/dev: $(VENV)/core
	@echo "Installing what the tests need ..."
	@$(PIP) install $(PINNED) --editable '.[$(EXTRAS)]' --group dev
	@touch $@

constraints: ## Choose the newest allowed versions of everything and pin them
	rm -rf build/constraints
	$(PYTHON) -m venv build/constraints
	build/constraints/bin/python -m pip --quiet install --upgrade pip
	build/constraints/bin/python -m pip --quiet install --editable '.[$(EXTRAS)]' --group dev hatchling editables
	{ echo '# Exact versions of all that is installed or builds, written by `make constraints`.'; \
	  build/constraints/bin/python -m pip freeze --all --exclude-editable --exclude setuptools | grep '==' | LC_ALL=C sort -f; \
	} > constraints.txt.new
	mv constraints.txt.new constraints.txt
	rm -rf build/constraints

clean: ## Remove the environment and all that was built
	rm -rf $(VENV) build dist site .demo .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +
