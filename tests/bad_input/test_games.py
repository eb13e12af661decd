"""Damaged rules, clauses, editions and maps: mistakes with their codes, or a game that can be played; never an exception."""

import shutil

import pytest
from hypothesis import strategies as st

from pilgrim_rules import passes, specs
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.diagnostics.frame import frames, to_json
from pilgrim_rules.engine import chance
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.game import load
from pilgrim_rules.memory import Asked
from tests.bad_input.answers import ask, everywhere, often
from tests.bad_input.conftest import FILES
from tests.bad_input.damage import damaged, spliced

CLASSICS = specs.shipped() / "classics"
TEXTS = [path.read_text() for path in sorted(CLASSICS.glob("*.rules"))]
DAMAGE = st.tuples(st.randoms(use_true_random=False), st.integers(1, 4))


def checked(*paths):
    """Return what there is to say about rules; all of it can be shown."""
    bag = passes.check(Asked(paths))
    shown = frames(bag, bag.sources)
    assert len(bag) == 0 or all(found.code.id in shown for found in bag)
    assert len(bag) == len([to_json(found, bag.sources) for found in bag])
    return bag


@often(30, 500)
def test_damaged_rules_give_mistakes_with_their_codes(folder, examples):
    for data in CLASSICS.glob("*.toml"):
        shutil.copy(data, folder)

    @everywhere(st.tuples(st.sampled_from(TEXTS), st.sampled_from(TEXTS), DAMAGE), examples)
    def _(drawn):
        text, other, (random, times) = drawn
        text = spliced(text, other, random) if random.random() < 0.2 else text
        (folder / "game.rules").write_bytes(damaged(text, random, times))
        checked(folder / "game.rules")


@pytest.mark.parametrize("name", FILES)
@often(15, 300)
def test_a_damaged_file_of_a_game_gives_mistakes_or_a_game_that_can_be_played(folder, name, examples):
    for file, text in FILES.items():
        (folder / file).write_text(text)

    @everywhere(DAMAGE, examples)
    def _(drawn):
        random, times = drawn
        (folder / name).write_bytes(damaged(FILES[name], random, times))
        if checked(folder / "tracks.rules").errors:
            return
        try:
            state = load(folder / "tracks.rules").start(seed=1)
        except (RulesError, Contradiction):  # a number of players may have mistakes of its own
            return
        _walk(state)


def _walk(state):
    """Play a few moves; rules that contradict themselves say so."""
    generator = chance.seeded(7)
    for _ in range(5):
        moves = state.moves()
        if state.over or not moves:
            return
        at, generator = chance.below(generator, len(moves))
        try:
            state = state.play(moves[at])
        except Contradiction:
            return
    assert state.svg()
    assert state.ascii()


@pytest.mark.parametrize("command", ["check", "fmt", "print", "coverage", "moves", "compile", "vectors", "obligations"])
@often(4, 60)
def test_every_command_that_reads_rules_answers_about_damaged_ones(folder, command, examples):
    for file, text in FILES.items():
        (folder / file).write_text(text)
    options = {"vectors": ["-n", "1", "--longest", "9"], "fmt": ["--check"], "print": ["--after", "lower"]}.get(
        command, []
    )

    @everywhere(st.tuples(st.sampled_from(list(FILES)), DAMAGE), examples)
    def _(drawn):
        name, (random, times) = drawn
        (folder / name).write_bytes(damaged(FILES[name], random, times))
        ask(command, folder / "tracks.rules", *options)
        (folder / name).write_text(FILES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["11-components.rules", "60-roads.rules", "clauses.toml", "edition.toml", "map.toml"])
def test_damaged_files_of_a_large_game_give_mistakes_with_their_codes(folder, name):
    for path in (specs.shipped() / "pilgrim").iterdir():
        shutil.copy(path, folder)
    text = (folder / name).read_text()
    rules = tuple(sorted(folder.glob("[0-9]*.rules")))

    @everywhere(DAMAGE, 25)
    def _(drawn):
        random, times = drawn
        (folder / name).write_bytes(damaged(text, random, times))
        checked(*rules)
        (folder / name).write_text(text)
