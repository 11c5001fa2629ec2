# run: serve the hub. test: the suite. check: what must hold before a commit. fix: what a machine can put right.
# The environment is .venv, made by the first target that needs it and again when the list of packages changes.

SHELL := /bin/sh
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
export TORCH
export MAKE_GOAL = $(firstword $(MAKECMDGOALS))

.PHONY: run test verify mutation check fix bench bench-dream bench-peers bench-scale set-up lock
.DEFAULT_GOAL := run

run: .venv/.set-up
	@exec $(BIN)/python manage.py serve

# Two processes where there are two cores; a file's tests stay together, and files are taken in order, the long ones first.
WORKERS ?= $(shell $(PYTHON) -c "import os; print(min(2, os.cpu_count() or 1))")
# Compiled once, whatever the environment says: tests start dozens of processes, and pytest rewrites every assertion.
test verify: export PYTHONDONTWRITEBYTECODE =
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
test: .venv/.set-up
	@$(PYTEST)

# All of it, and words that hypothesis has not tried before.
verify: .venv/.set-up
	@$(PYTEST) -m "long or not long" --hypothesis-profile=search
	@$(MAKE) --no-print-directory mutation

# Would a test notice if the gate were wrong? MUTANTS=0 tries all of them, which takes hours.
MUTANTS ?= 400
mutation: .venv/.set-up
	@$(BIN)/python .ci/mutation.py --sample $(MUTANTS)

# Changes nothing; every step runs, so that one run shows all that is wrong.
check: .venv/.set-up
	@failed=""; \
	step() { echo "== $$*"; "$$@" || failed="$$failed\n  $$*"; }; \
	step $(BIN)/ruff check . ; \
	step $(BIN)/ruff format --check . ; \
	step $(BIN)/mypy ; \
	step $(BIN)/lint-imports ; \
	step $(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run ; \
	if [ -f docs/openapi.json ]; then step $(BIN)/python .ci/openapi_is_current.py ; fi ; \
	if [ -n "$$failed" ]; then printf "\nNot in order:$$failed\n"; exit 1; fi; \
	echo "All in order."

fix: .venv/.set-up
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

bench: .venv/.set-up
	@$(BIN)/python manage.py bench

# What does a night cost? TURNS=file.jsonl for recorded turns, COPIES=10 for a second night over ten times as many.
TURNS ?=
COPIES ?= 1
bench-dream: .venv/.set-up
	@$(BIN)/python manage.py bench_dream $(TURNS) --copies $(COPIES)

# Beside two other memories, in one run and on two cores; they live in .venv-peers. ROUNDS=50 for a quick look.
ROUNDS ?= 300
bench-peers: .venv/.set-up .venv-peers/.set-up
	@$(BIN)/python manage.py bench_peers --rounds $(ROUNDS) --json build/bench-peers.json

# Does recall stay fast when much is stored? By default 2,000,000 entries: about 12 GB of disk, given back afterwards.
SCALE ?=
bench-scale: .venv/.set-up
	@$(BIN)/python manage.py bench_scale $(SCALE) --json build/bench-scale.json

set-up: .venv/.set-up

.venv/.set-up: pyproject.toml constraints.txt .ci/set_up.py
	@$(if $(PYTHON),,echo "Memory Hub needs Python 3.11; no python3 was found." >&2; exit 1;) $(PYTHON) .ci/set_up.py

.venv-peers/.set-up: .ci/peers.txt .ci/set_up.py
	@$(if $(PYTHON),,echo "Memory Hub needs Python 3.11; no python3 was found." >&2; exit 1;) \
	$(PYTHON) .ci/set_up.py .venv-peers .ci/peers.txt

# A new constraints.txt from a fresh resolve in an environment of its own.
lock:
	@$(PYTHON) .ci/lock.py
