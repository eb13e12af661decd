"""Recipes: where a proof begins, and never what it rests on."""

from __future__ import annotations

import pytest

from tests.support.proved_texts import game
from verifier.claims.obligations import obligations
from verifier.prove.recipe_file import LONG, read_recipes, update_recipes, write_recipes
from verifier.prove.settings import ProofSettings
from verifier.prove.settle import Settler
from verifier.smt.strategy import ladder
from verifier.smt.strategy.recipes import NONE, Recipe, Step, recipe_from
from verifier.smt.strategy.refine import Failed, Proved, Unsettled

PAIR = """\
    game pair "Two bowls"
        players 1..1 named ann

    stages
        taking by ann

    state
        left  : 0..9 = 4
        right : 0..9 = 4
        spare : 0..9 = 0

    action across(n: 1..3)
        require left >= n
        require right + n <= 9
        do
            left -= n
            right += {gain}

    action wait
        require spare == 0
        do spare = 0

    invariant together: left + right == 8 and right <= 8
    """


def settled(text_gain="n", recipe=NONE, name="invariant.together/across"):
    played = game(PAIR.replace("{gain}", text_gain))
    settler = Settler(played, ProofSettings(2_000_000, confirm=False))
    (asked,) = [each for each in obligations(played) if each.name == f"pair.{name}"]
    return settler.ladder.settle(asked, recipe)


def test_a_proof_writes_down_how_it_was_made():
    found = settled()

    assert isinstance(found.outcome, Proved)
    assert found.rung == found.recipe.how
    assert {*found.outcome.core} == {label for step in found.recipe.steps for label in step.labels}


def test_a_recipe_gives_the_same_proof_again():
    first = settled()
    again = settled(recipe=first.recipe)

    assert isinstance(again.outcome, Proved)
    assert first.rung == again.rung
    assert {*first.outcome.core} >= {*again.outcome.core}
    assert 0 == again.recipe.wasted


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe("induction", (Step(None, "l", 4, None, 1, ()),)),
        Recipe("induction", (Step(None, "l", 4, None, 1, ("invariant:no_such",)),)),
        Recipe("induction", (Step(None, "e", 4, 7, 1, ("goal",)),)),
        Recipe("induction, 9 parts", tuple(Step(part, "l", 4, None, 1, ()) for part in range(9))),
    ],
)
def test_a_recipe_that_does_not_fit_costs_time_and_nothing_else(recipe):
    found = settled(recipe=recipe)

    assert isinstance(found.outcome, Proved)
    assert "invariant:together" in found.outcome.core


def test_what_its_labels_alone_do_not_show_is_asked_with_all_of_it_next_time(monkeypatch):
    """What a proof does not need may have shown the solver the way: that is noted, and the vain attempt is made once."""
    vain = []
    attempt = ladder._Climb._attempt

    def only_with_all(climb, options, share=1, begin=None):
        if begin is None:
            return attempt(climb, options, share)
        vain.append(begin)
        return Unsettled("too hard", climb.effort), None

    first = settled()
    monkeypatch.setattr(ladder._Climb, "_attempt", only_with_all)
    noted = settled(recipe=first.recipe)
    again = settled(recipe=recipe_from(noted.recipe.data()))

    assert 1 == len(vain)
    assert noted.recipe.steps == again.recipe.steps
    assert all(step.with_all for step in again.recipe.steps)
    assert isinstance(again.outcome, Proved)


def test_parts_that_are_no_more_are_not_asked_for():
    """What `wait` writes is in range whatever the state, so there is nothing left to ask; an earlier text had two parts."""
    steps = tuple(Step(part, "l", 4, None, 1, ()) for part in range(2))

    assert isinstance(settled(recipe=Recipe("induction, 2 parts", steps), name="range/wait").outcome, Proved)


@pytest.mark.parametrize("parts", [(0,), (0, 1), (1,)])
def test_a_recipe_proves_nothing_that_is_false(parts):
    """The steps of a true claim, followed for a false one, some of them left out."""
    steps = tuple(Step(part, "l", 4, None, 10_000, ("goal", "during", "invariant:together")) for part in parts)

    assert isinstance(settled("n - 1", Recipe("induction, 2 parts", steps)).outcome, Failed)


def test_a_recipe_is_the_same_after_it_was_kept():
    recipe = Recipe("induction, 2 parts", (Step(0, "ld", 4, None, 7, ("goal",)), Step(1, "", 16, 0, 9, ())), 3)

    assert recipe == recipe_from(recipe.data())


@pytest.mark.parametrize("data", [None, 3, {}, {"how": "x", "wasted": 0, "steps": [[1]]}, {"how": "x", "steps": "no"}])
def test_what_describes_no_recipe_is_none(data):
    assert NONE == recipe_from(data)


# ----------------------------------------------------------------------------------------------------------- in a folder

DEAR = Recipe("induction", (Step(None, "l", 4, None, LONG + 1, ("goal", "law:one")),))
TRIED = Recipe("induction", (Step(None, "w", 4, None, 5, ("goal",)),), wasted=4)
EASY = Recipe("induction", (Step(None, "l", 4, None, 5, ("goal",)),))


def test_dear_recipes_are_kept_with_the_game_and_easy_ones_are_not(tmp_path):
    assert 2 == write_recipes(tmp_path, [("g.a", DEAR), ("g.b", EASY), ("g.c", TRIED)])
    assert {"g.a": DEAR, "g.c": TRIED} == read_recipes(tmp_path)


def test_recipes_of_what_is_not_asked_any_more_are_dropped(tmp_path):
    write_recipes(tmp_path, [("g.a", DEAR), ("g.old", DEAR)])
    update_recipes(tmp_path, [("g.c", TRIED)], {"g.a", "g.c"})

    assert {"g.a": DEAR, "g.c": TRIED} == read_recipes(tmp_path)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"labels": [], "recipes": {"a": {"how": "", "wasted": 0, "steps": [[0, "", 4, 0, 1, 9]]}}}'],
)
def test_a_file_that_cannot_be_read_is_no_file(tmp_path, text):
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "recipes.json").write_text(text, "utf-8")

    assert {} == read_recipes(tmp_path)
