# Each target does its own set-up, from nothing, and a second call costs nothing. `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
PACKAGES := python3 python3-venv gcc g++
# The tests of several hosts make networks, those of ordinary users give them ids for the users of their sandboxes. Those
# of limits boot a kernel of their own; Debian has it for x86_64 alone, and they are skipped elsewhere.
TEST_PACKAGES := docker.io runc iproute2 uidmap nodejs esbuild python3-numpy $(if $(filter x86_64,$(shell uname -m)),user-mode-linux)
# What only the full suite needs: large compilers, other runtimes.
FULL_PACKAGES := openjdk-17-jdk-headless golang-go rustc-web runsc crun
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --no-deps
LOCK := uv pip compile pyproject.toml --extra service --group build --universal --python-version 3.11 \
	--generate-hashes --exclude-newer "7 days" --quiet $(if $(UPGRADE),--upgrade)

.PHONY: help setup demo test test-full check docs images up bench fmt lock packages test-packages full-packages

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/.dev ## Install everything for development into .venv

demo: $(VENV)/.service ## Send a set of problems with known verdicts through a running service
	$(BIN)/sandbox-service demo

test: $(VENV)/.dev ## Run the tests, but for those that take minutes
	$(BIN)/pytest -m "not full" -n auto --maxprocesses 4 --dist loadfile

test-full: $(VENV)/.dev | full-packages ## Run all tests
	$(BIN)/pytest

check: $(VENV)/.dev ## Lint, types, imports, file lengths, locks, links of the documentation
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python .ci/check_tree.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

docs: $(VENV)/.dev ## Build the documentation into site/; a broken link is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

images: ## Build the images that programs run in
	@command -v docker >/dev/null || .ci/need docker.io
	runner_images/build.sh

up: $(VENV)/.service ## Start the service on this machine
	$(BIN)/sandbox-service up

bench: $(VENV)/.service ## Measure the service on this machine, beside plain subprocesses
	$(BIN)/sandbox-service bench

fmt: $(VENV)/.dev ## Format the code and mend what can be mended
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock: ## Bring the lock files in step with pyproject.toml (needs uv; UPGRADE=1 takes newer versions)
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(LOCK) -o requirements.lock
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(LOCK) --group dev -c requirements.lock -o requirements-dev.lock

packages:
	@.ci/need $(PACKAGES)

test-packages:
	@.ci/need $(PACKAGES) $(TEST_PACKAGES)

full-packages: | test-packages
	@.ci/need $(FULL_PACKAGES)

# Debian's Python first: one under a home folder cannot be seen from inside a sandbox.
$(BIN)/python: | packages
	@for python in /usr/bin/python3 python3; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			"$$python" -m venv $(VENV) && exit; fi; \
	done; echo "Python 3.11 or later is needed" >&2; exit 1

$(VENV)/.service: requirements.lock pyproject.toml | packages $(BIN)/python
	@echo "Installing the service into $(VENV)"
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml | test-packages $(BIN)/python
	@echo "Installing the service and the development tools into $(VENV)"
	@$(PIP) --require-hashes -r requirements-dev.lock
	@$(PIP) --no-build-isolation -e .
	@touch $@
