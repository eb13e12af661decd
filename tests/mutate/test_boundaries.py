"""Boundaries: a rule that became stricter is noticed like one that became laxer."""

from dataclasses import replace

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language.load import read_game
from tests.support.proved_texts import game as written
from verifier.mutate.find_boundaries import find_boundaries
from verifier.mutate.human_mistakes import HUMAN_KINDS, HumanMistakes
from verifier.mutate.mutants import mutant
from verifier.play.boundaries import read_boundaries, shifted, write_boundaries

RULES = """
game walk
    players 2..2 named ann, ben

stages
    walking by turn
    over nobody

state
    at[Player] : 0..9 = 0
    turn       : Player = ann

action step(n: 1..3)
    during walking
    require at[turn] + n <= 6
    do
        at[turn] += n
        if at[turn] == 6: stage = over
        else: turn = next(turn)
"""


@pytest.fixture(scope="module")
def found():
    return find_boundaries(written(RULES), seconds=5)


def told(text, boundaries):
    return [each.says for each in shifted(compiled(written(text), ghosts=True), boundaries)]


def test_the_same_rules_have_the_same_boundaries(found):
    assert [] == told(RULES, found)


def test_each_value_each_player_and_each_limit_is_shown(found):
    shown = {each for one in found for each in one.about}

    assert {f"step n = {n}" for n in (1, 2, 3)} <= shown
    assert {"step by ann", "step by ben", "step.require.1 at its limit (1)", "step.require.1 past its limit"} <= shown


@pytest.mark.parametrize("change", ["<= 5", "<= 6 and n != 2", "<= 6 and (turn == ann or at[turn] < 2)"])
def test_a_rule_that_became_stricter_is_noticed(found, change):
    says = told(RULES.replace("<= 6", change, 1), found)

    assert says
    assert all("stricter, intended?" in each for each in says)


def test_a_rule_that_became_laxer_is_noticed(found):
    assert any("laxer, intended?" in each for each in told(RULES.replace("<= 6", "<= 7", 1), found))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("turn = next(turn)", "turn = next(next(turn))", "turn is"),
        ("at[turn] += n", "at[next(turn)] += n", "at[ann] is"),
        ("== 6: stage", "== 5: stage", "stage is"),
    ],
)
def test_a_move_that_does_something_else_is_noticed(found, old, new, says):
    told_now = told(RULES.replace(old, new, 1), found)

    assert any("does something else here" in each and says in each for each in told_now)


def test_other_points_are_noticed_in_positions_that_are_kept():
    score = '\nscore of p\n    line "Steps" 2 * at[p]\nrank p by score desc\n'
    kept = find_boundaries(written(RULES + score), seconds=5)

    says = told(RULES + score.replace("2 * at[p]", "2 * at[p] + (1 if at[p] == 3 else 0)"), kept)

    assert [] == told(RULES + score, kept)
    assert any("the points before `step(" in each and " has " in each for each in says)


def test_every_line_of_an_effect_has_a_move_by_which_it_runs(found):
    shown = {each for one in found for each in one.about}

    assert {"step.do.1 runs", "step.do.2 runs", "step.do.3 runs"} <= shown


def test_a_boundary_without_an_effect_is_asked_for_its_move_only(found):
    plain = [replace(each, effect=None) for each in found]

    assert [] == told(RULES.replace("turn = next(turn)", "turn = turn", 1), plain)


def test_what_is_kept_and_still_so_stays_when_more_is_looked_for(found):
    stricter = RULES.replace("<= 6", "<= 5", 1)
    gone = [each.boundary for each in shifted(compiled(written(stricter), ghosts=True), found)]
    still = [each for each in found if each not in gone]

    again = find_boundaries(written(stricter), seconds=5, kept=found)

    assert gone
    assert still == list(again[: len(still)])
    assert [] == told(stricter, again)


def test_boundaries_are_read_as_they_were_written(found, tmp_path):
    write_boundaries(tmp_path, 2, found)
    write_boundaries(tmp_path, 3, found[:1])

    assert found == read_boundaries(tmp_path, 2)
    assert found[:1] == read_boundaries(tmp_path, 3)
    assert () == read_boundaries(tmp_path, 4)


def test_verify_tells_where_a_rule_became_stricter(found, tmp_path, capsys):
    """It breaks no claim and no example, and so only what was allowed before shows it."""
    folder = tmp_path / "walk"
    folder.mkdir()
    rules = folder / "game.rules"
    rules.write_text(RULES)
    write_boundaries(folder, 2, found)
    quickly = ("verify", str(folder), "--games", "20", "--no-confirm", "--no-cache", "--jobs", "1")

    before, _ = run(quickly), capsys.readouterr()
    rules.write_text(RULES.replace("<= 6", "<= 6 and n != 2", 1))
    after, told_now = run(quickly), capsys.readouterr().out

    assert (Exit.OK, Exit.REFUTED) == (before, after)
    assert "stricter, intended?" in told_now


def test_a_boundary_of_a_variable_that_is_gone_says_nothing(found):
    gone = [replace(each, cells={**each.cells, "purse": (1,)}) for each in found]

    assert [] == told(RULES.replace("<= 6", "<= 5", 1), gone)


def test_people_make_every_kind_of_mistake():
    game = read_game("tollgate", players=3)
    made = list(HumanMistakes(game).all())

    assert HUMAN_KINDS - {"reset"} == {each.kind for each in made}
    assert all(mutant(game, each) is not None for each in made)


def test_a_swapped_pair_depends_on_each_other():
    game = written(RULES)

    assert ["step.do.1"] == [each.key for each in HumanMistakes(game).all() if each.kind == "order"]


@pytest.mark.parametrize("initial", ["", " = 0"])
def test_a_number_is_set_back_however_its_initial_value_is_written(initial):
    text = RULES.replace(" = 0\n", f"{initial}\n", 1).replace("at[turn] += n", "at[turn] = 0")

    assert ["step.do.1"] == [each.key for each in HumanMistakes(written(text)).all() if each.kind == "reset"]
