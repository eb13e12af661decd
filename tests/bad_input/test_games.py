"""Damaged rules, clauses, editions and maps: mistakes with their codes, or a game that can be played; never an exception."""

import shutil

import pytest
from hypothesis import strategies as st

from pilgrim_rules.api.game import load
from pilgrim_rules.core.origin import Origin
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.diagnostics.frames import frames, to_json
from pilgrim_rules.language import find_game, passes
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.errors import Contradiction
from tests.bad_input.answers import ask, everywhere, often
from tests.bad_input.conftest import FILES
from tests.bad_input.damage import damaged, spliced
from tests.support.zoo import CLASSICS

SPEC = find_game.shipped()
GAMES = [SPEC / name for name in CLASSICS]
TEXTS = [(folder / "game.rules").read_text() for folder in GAMES]
DAMAGE = st.tuples(st.randoms(use_true_random=False), st.integers(1, 4))


def checked(*paths):
    """Return what there is to say about rules; all of it can be shown."""
    bag = passes.check(Origin(tuple(map(str, paths))))
    shown = frames(bag, bag.sources)
    assert len(bag) == 0 or all(found.code.id in shown for found in bag)
    assert len(bag) == len([to_json(found, bag.sources) for found in bag])
    return bag


@often(30, 500)
def test_damaged_rules_give_mistakes_with_their_codes(folder, examples):
    for game in GAMES:
        if (game / "data").exists():
            shutil.copytree(game / "data", folder / "data", dirs_exist_ok=True)

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
@pytest.mark.parametrize(
    "name",
    ["rules/10-components.rules", "rules/60-roads.rules", "data/clauses.toml", "data/edition.toml", "data/map.toml"],
)
def test_damaged_files_of_a_large_game_give_mistakes_with_their_codes(folder, name):
    shutil.copytree(SPEC / "pilgrim", folder, dirs_exist_ok=True)
    text = (folder / name).read_text()
    rules = find_game.find(folder)

    @everywhere(DAMAGE, 25)
    def _(drawn):
        random, times = drawn
        (folder / name).write_bytes(damaged(text, random, times))
        checked(*rules)
        (folder / name).write_text(text)
