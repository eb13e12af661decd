# `make verify` and `make test` are the two commands; the rest are their parts. Each works in a fresh checkout:
# the first run makes .venv and installs into it.

GAME    ?= pilgrim
# Games of random play in `make verify`.
GAMES   ?= 40
PYTHON  ?= $(shell command -v python3.11 || command -v python3)
JOBS    ?= 2
PORT    ?= 8000
# The games whose proofs are part of `make test`: those of one file, and Pilgrim for so many players (`make prove PLAYERS="2 3 4"`).
PLAYERS ?= 3
PROVED  ?= $(sort $(basename $(notdir $(wildcard spec/classics/*.rules))))

BIN     := .venv/bin
STAMP   := .venv/.installed
PILGRIM := $(BIN)/pilgrim

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help verify test check lint types prove evidence samples pytest docs docs-open print bench soak fmt clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  (GAME=$(GAME) names the game of verify)"

verify: $(STAMP) ## check, prove and fuzz a game, and print the report
	$(PILGRIM) check $(GAME)
	$(PILGRIM) verify $(GAME) --games $(GAMES) $(if $(filter pilgrim,$(GAME)),--players $(firstword $(PLAYERS)))

test: lint types check prove docs pytest ## everything CI asks for

check: $(STAMP) ## check every shipped game and its layout
	$(PILGRIM) check
	$(PILGRIM) fmt --check

lint: $(STAMP) ## ruff: rules and layout of the Python code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP) ## mypy, strict
	$(BIN)/mypy

prove: $(STAMP) ## prove the claims of the games in PROVED, and of Pilgrim
	$(PILGRIM) prove $(PROVED)
	for players in $(PLAYERS); do $(PILGRIM) prove pilgrim --players $$players || exit $$?; done

evidence: $(STAMP) ## verify all games, Pilgrim for 2, 3 and 4 players, and write what the documents show
	for game in $(PROVED); do $(PILGRIM) verify $$game --evidence docs/evidence || exit $$?; done
	for players in 2 3 4; do $(PILGRIM) verify pilgrim --players $$players --evidence docs/evidence || exit $$?; done
	for game in $(PROVED); do $(PILGRIM) mutate $$game --only '*.require.*' --evidence docs/evidence || exit $$?; done

pytest: $(STAMP) ## the tests alone
	$(BIN)/pytest -q -n $(JOBS)

samples: $(STAMP) ## play the games whose positions the documents show
	PYTHONPATH=docs/_ext $(BIN)/python -m rules_docs.sampling docs/samples pilgrim=4 $(PROVED)

docs: $(STAMP) ## build the documents; a warning is an error
	$(BIN)/sphinx-build -q -W --keep-going -n -j $(JOBS) -b html docs docs/_build/html

print: docs ## the rules of Pilgrim as a PDF, printed by Chromium
	$(or $(shell command -v chromium || command -v google-chrome),$(error make print needs Chromium; on Debian: apt-get install chromium)) \
	    --headless --no-sandbox --disable-gpu --no-pdf-header-footer \
	    --print-to-pdf=docs/_build/pilgrim.pdf "file://$(CURDIR)/docs/_build/html/games/pilgrim/print.html"

docs-open: docs ## build the documents and serve them to this machine
	@echo "http://127.0.0.1:$(PORT)/ (Ctrl-C ends it)"
	@$(BIN)/python -m webbrowser -t "http://127.0.0.1:$(PORT)/" || true
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory docs/_build/html $(PORT)

bench: $(STAMP) ## measure, as ratios against a reference of the same run
	$(BIN)/python -m tests.bench

soak: $(STAMP) ## the slow tests, 100,000 games and 100,000 compared states; stop it and go on at will
	$(BIN)/pytest -q -n $(JOBS) -m slow
	$(BIN)/python -m verifier.soak --jobs $(JOBS) --report docs/reports/soak.rst

fmt: $(STAMP) ## put Python and rules into canonical layout
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(PILGRIM) fmt

clean: ## remove what has been built; .venv stays
	rm -rf build dist docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis .pilgrim
	find pilgrim_rules verifier tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

# Installed again only when the dependencies may have changed.
$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "make: Python 3.11 or later is needed; name it with PYTHON=…" >&2; exit 2; }
	@"$(PYTHON)" -c 'import sys; sys.exit("make: Python 3.11 or later is needed; name it with PYTHON=…" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || "$(PYTHON)" -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@
