# `make verify` and `make test` are the two commands; the rest are their parts. Each works in a fresh checkout:
# the first run makes .venv and installs into it.

GAME    ?= pilgrim
# Games of random play in `make verify`.
GAMES   ?= 2000
PYTHON  ?= $(shell command -v python3.11 || command -v python3)
JOBS    ?= 2
PORT    ?= 8000
# The games whose proofs are part of `make test`: the small ones for all numbers of players, each large one for the number named here.
LARGE   ?= pilgrim=3 world_without_end=2 column_of_fire=2 my_village=2
# The games whose rulebook is accounted for as a whole: a clause, gap, example, invariant or difference that is open is an error.
COVERED ?= pilgrim world_without_end my_village column_of_fire
STALE   ?= error
# Of these there is no evidence yet, and the pages say so; whatever else is missing is an error.
WITHOUT ?=
STRICT_EVIDENCE ?=
SMALL   := $(filter-out $(foreach each,$(LARGE),$(firstword $(subst =, ,$(each)))),$(patsubst spec/%/game.rules,%,$(sort $(wildcard spec/*/game.rules))))

# Byte code is kept, whatever the environment says: without it each of the many processes of a run would compile the library again.
export PYTHONDONTWRITEBYTECODE :=

BIN     := .venv/bin
STAMP   := .venv/.installed
PILGRIM := $(BIN)/pilgrim

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help verify test quick check lint types prove prove-small prove-and-docs evidence samples pytest docs docs-open print bench soak fmt clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  (GAME=$(GAME) names the game of verify)"

# The examples are run for every number of players; a large game is proved for the number in LARGE, which the headline names.
verify: $(STAMP) ## check, prove and fuzz a game, and print the report
	$(PILGRIM) check --progress $(GAME)
	$(PILGRIM) prove $(GAME) --progress --only 'example.*'
	$(PILGRIM) verify $(GAME) --progress --games $(GAMES) $(patsubst $(GAME)=%,--players %,$(filter $(GAME)=%,$(LARGE)))

test: quick prove-and-docs pytest ## everything CI asks for

# Each is one process, so they run side by side.
quick: $(STAMP) ## lint, types and check
	printf '%s\n' types check lint | xargs -n 1 -P $(JOBS) $(MAKE) --no-print-directory

check: $(STAMP) ## check every shipped game, its layout, and that nothing of a whole rulebook is left open
	$(PILGRIM) check
	$(PILGRIM) fmt --check
	for game in $(COVERED); do $(PILGRIM) coverage $$game --complete || exit $$?; done

lint: $(STAMP) ## ruff: rules and layout of the Python code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP) ## mypy, strict
	$(BIN)/mypy

# A game is proved by one process and several games at once, the large ones first: nobody waits while one of them is read and compiled.
# The second solver looks at the large games in `make verify`, `make evidence` and `make soak`.
PROOFS := $(foreach each,$(LARGE),prove-$(firstword $(subst =, ,$(each)))) prove-small

prove: $(STAMP) ## prove the claims of every game
	printf '%s\n' $(PROOFS) | xargs -n 1 -P $(JOBS) $(MAKE) --no-print-directory

prove-small: $(STAMP)
	$(PILGRIM) prove --progress --jobs 1 $(SMALL)

prove-%: $(STAMP)
	$(PILGRIM) prove --progress --jobs 1 --no-confirm $* $(patsubst $*=%,--players %,$(filter $*=%,$(LARGE)))

# One process builds the documents while the others prove: several would read the games several times.
prove-and-docs: $(STAMP)
	printf '%s\n' docs $(PROOFS) | xargs -n 1 -P $(JOBS) $(MAKE) --no-print-directory JOBS=1

evidence: $(STAMP) ## verify all games for all numbers of players, and write what the documents show
	for game in $(SMALL) $(foreach each,$(LARGE),$(firstword $(subst =, ,$(each)))); do $(PILGRIM) verify $$game --evidence docs/evidence || exit $$?; done
	for game in $(SMALL); do $(PILGRIM) mutate $$game --only '*.require.*' --evidence docs/evidence || exit $$?; done
	for game in pilgrim my_village column_of_fire; do $(PILGRIM) mutate $$game --only '*.require.* drop*' --states 0 --games 0 --reasons tests/mutate/$$game.toml --evidence docs/evidence || exit $$?; done
	$(PILGRIM) mutate world_without_end --sample 60 --seed 90127 --states 0 --games 2 --readings 0 --reasons tests/mutate/world_without_end.toml --evidence docs/evidence

pytest: $(STAMP) ## the tests alone
	$(BIN)/pytest -q -n $(JOBS) --dist worksteal

samples: $(STAMP) ## play the games whose positions the documents show
	$(BIN)/python -m pilgrim_rules.sphinx_ext.sampling docs/samples pilgrim=4 my_village=2 world_without_end=2 column_of_fire=2 $(SMALL)

# Stale evidence is an error; STALE=show builds the pages all the same, and they say *stale* where it is. STRICT_EVIDENCE=1 also
# refuses what another version of the prover has proved, as a release does.
docs: $(STAMP) ## build the documents; a warning is an error
	$(if $(filter show,$(STALE)),-)$(PILGRIM) evidence docs/evidence $(addprefix --without ,$(WITHOUT)) $(if $(STRICT_EVIDENCE),--strict)
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

soak: $(STAMP) ## the slow tests, 1,000,000 games of each game and 100,000 compared states; stop it and go on at will
	$(BIN)/pytest -q -n $(JOBS) -m slow
	for each in $(LARGE); do $(PILGRIM) prove --progress --no-cache $${each%=*} --players $${each#*=} || exit $$?; done
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
