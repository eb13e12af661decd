"""Every classic through the front end: read, checked, fingerprinted, written down, documented, formatted, traced."""

import dataclasses
import inspect
import re
import shutil

import pytest

from pilgrim_rules.core import codec
from pilgrim_rules.core.fingerprint import game_fingerprint
from pilgrim_rules.core.show import show_game
from pilgrim_rules.core.validate import validate
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.inputs.clauses.clause_coverage import coverage
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import check, load_rules, read_game
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.format import format_source
from pilgrim_rules.language.syntax.parse import parse
from pilgrim_rules.prose import say_action, say_claim
from tests.support.zoo import CLASSICS, SPEC, TABLES, classic, seats, text_of

each_game = pytest.mark.parametrize("name", CLASSICS)
each_table = pytest.mark.parametrize(("name", "players"), TABLES)


def test_there_are_at_least_ten():
    assert 10 <= len(CLASSICS)


@each_game
def test_nothing_is_found_wrong_with_it(name):
    """Neither an error nor a warning, for any number of players."""
    assert [] == [found.message for found in check(name)]


@each_table
def test_its_core_is_valid_and_says_what_it_is(name, players):
    game = classic(name, players)

    validate(game)

    assert (name, players) == (game.name, game.players)


@each_table
def test_its_core_survives_being_written_down(name, players):
    game = classic(name, players)

    assert game == codec.decode(codec.encode(game))


@each_game
def test_its_fingerprint_is_about_meaning(name, tmp_path):
    """Comments, layout and titles may change; a number may not."""
    shutil.copytree(SPEC / name, tmp_path / name)
    path = tmp_path / name / "game.rules"
    bare = re.sub(r"[ ]*#.*$", "", text_of(name), flags=re.MULTILINE)
    path.write_text(re.sub(r"^(game \w+).*$", r'\1 "Something else"', bare, flags=re.MULTILINE), encoding="utf-8")

    assert game_fingerprint(classic(name)) == game_fingerprint(read_game(path))

    path.write_text(re.sub(r"^(    players \d+\.\.)\d+.*$", r"\g<1>12", bare, flags=re.MULTILINE), encoding="utf-8")
    most = check(path)
    assert most.errors or game_fingerprint(classic(name)) != game_fingerprint(read_game(path, players=12))


@each_game
def test_its_core_can_be_shown(name):
    game = classic(name)
    shown = show_game(game)

    for part in (*game.variables, *game.actions, *game.claims, *game.defs):
        assert part.name in shown


@each_game
def test_it_is_in_canonical_layout(name):
    assert text_of(name) == format_source(text_of(name), name)


@each_game
def test_it_is_documented(name):
    """The game, what can be done, what is defined and what is claimed: each has a sentence for its readers."""
    game = classic(name)
    documented = [game, *game.actions, *(each for each in game.defs if "." not in each.name)]
    documented += [each for each in game.claims if each.kind in ("invariant", "audit")]

    assert [] == [each.name for each in documented if not each.note.doc]


@each_game
def test_it_has_examples_refusals_and_claims(name):
    game = classic(name)
    steps = {type(step).__name__ for players in range(1, 13) if (name, players) in TABLES
             for example in classic(name, players).examples for step in example.steps}  # fmt: skip
    kinds = {claim.kind for claim in game.claims}

    assert {"Make", "Refuse", "Expect"} <= steps
    assert "reachable" in kinds
    assert kinds & {"invariant", "conserved", "step"}


@each_table
def test_every_rule_can_be_said(name, players):
    game = classic(name, players)

    for action in game.actions:
        steps = say_action(game, action)
        assert any(step.text for section in steps.sections for step in section.steps), action.name
    assert all(say_claim(game, claim) for claim in game.claims)


@pytest.mark.parametrize("name", [name for name in CLASSICS if (SPEC / name / "data" / "clauses.toml").exists()])
def test_every_clause_of_its_rulebook_is_traced_or_waived(name):
    """An example counts wherever it belongs, whatever the number of players."""
    loaded = [load_rules(name, players=players) for players in seats(name)]
    found = [coverage(each.game, each.inventory) for each in loaded]
    still_open = [{id_ for part in (*each.sections, *each.lists) for id_ in part.open} for each in found]

    assert set() == set.intersection(*still_open)


#: What no game of one file can show, and what is left to the larger games.
NOT_HERE = {"Import", "Node", "Decl"}


def test_together_they_use_every_construct_of_the_language():
    bag = Bag()
    seen = set()
    for name in CLASSICS:
        _note(parse(SourceFile(name, text_of(name)), bag), seen)
    for path in sorted((find_game.shipped() / find_game.LIB).glob("*.rules")):
        _note(parse(SourceFile(path.name, path.read_text("utf-8")), bag), seen)
    every = {
        name for name, kind in vars(ast).items()
        if inspect.isclass(kind) and dataclasses.is_dataclass(kind) and kind.__module__ == ast.__name__
    }  # fmt: skip

    assert set() == every - seen - NOT_HERE


def _note(node, seen):
    if isinstance(node, tuple | list):
        for each in node:
            _note(each, seen)
    elif dataclasses.is_dataclass(node):
        seen.add(type(node).__name__)
        for field in dataclasses.fields(node):
            _note(getattr(node, field.name), seen)
