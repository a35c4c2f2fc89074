# `make demo` and `make test` work as the first command in a fresh clone: scripts/setup installs what is missing,
# or, without root, says what to install.
PYTHON := .venv/bin/python
CODE := src stubs tests bench scripts

.PHONY: help setup demo test check quality bench soak lock clean

help:
	@echo "make demo    mirror the bundled site: no network needed once it is installed"
	@echo "make test    make check, then every test but the long ones"
	@echo "make check   linter, formatter, types, import rule"
	@echo "make quality scores of Markdown and main content over public examples; ARGS=--raise for a higher baseline"
	@echo "make bench   measure speed and memory"
	@echo "make soak    the long tests"
	@echo "make setup   only install what the above need, into .venv"
	@echo "make lock    pin the versions that .venv holds"
	@echo "make clean   remove .venv, the demo and what tools left behind"

setup:
	@scripts/setup dev

demo:
	@scripts/setup run
	@$(PYTHON) -m quire demo
	@echo "(the command quire is .venv/bin/quire here)"

test: check
	$(PYTHON) -m pytest -n 3 --dist worksteal

check: setup
	$(PYTHON) -m ruff check $(CODE)
	$(PYTHON) -m ruff format --check $(CODE) --exclude '*.md'
	$(PYTHON) -m mypy
	$(PYTHON) -m pytest tests/test_layers.py

quality: setup
	$(PYTHON) scripts/quality.py $(ARGS)

bench: setup
	bench/run

soak: setup
	$(PYTHON) -m pytest -m soak

lock: setup
	$(PYTHON) scripts/lock.py

clean:
	rm -rf .venv demo-output build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests bench scripts -name __pycache__ -prune -exec rm -rf {} +
