from dataclasses import replace

import pytest

from pilgrim_rules.core.fingerprint import Fingerprints, game_fingerprint
from pilgrim_rules.core.ir import BOOL, Bound, Call, Constant, Lit, Note, Parameter, Require, Variable
from pilgrim_rules.core.walk import substitute
from tests.support.sample_game import (
    ACTIVE,
    CONSTANTS,
    MOVE,
    PLAYER,
    RICH,
    SAMPLE,
    SMALL,
    at,
    coins,
    each,
    number,
    op,
    put,
)


def with_action(action):
    return replace(SAMPLE, actions=tuple(action if known.name == action.name else known for known in SAMPLE.actions))


def with_def(definition):
    return replace(SAMPLE, defs=tuple(definition if known.name == definition.name else known for known in SAMPLE.defs))


def with_constant(constant):
    return replace(SAMPLE, constants=tuple(constant if c.name == constant.name else c for c in CONSTANTS))


def with_variable(name, **change):
    return replace(SAMPLE, variables=tuple(replace(v, **change) if v.name == name else v for v in SAMPLE.variables))


def changed(before, after):
    """Return the names of the actions and claims whose fingerprints differ."""
    old, new = Fingerprints(before), Fingerprints(after)
    actions = {action.name for action in before.actions if old.action(action.name) != new.action(action.name)}
    return actions | {claim.name for claim in before.claims if old.claim(claim.name) != new.claim(claim.name)}


def test_the_same_game_has_the_same_fingerprint():
    assert game_fingerprint(SAMPLE) == game_fingerprint(replace(SAMPLE))


def _renamed(game, name, names):
    """Return who sees a variable, with other names for its index."""
    variable = next(each for each in game.variables if each.name == name)
    test = substitute(variable.seen.test, {old: Bound(new, variable.index[0]) for old, new in names.items()})
    return replace(variable.seen, test=test)


@pytest.mark.parametrize(
    "game",
    [
        with_action(replace(MOVE, note=Note("Other words.", ("XYZ-9",), at(99)))),
        with_action(
            replace(
                MOVE, guard=tuple(replace(g, says="no", key="k") if isinstance(g, Require) else g for g in MOVE.guard)
            )
        ),
        replace(SAMPLE, title="Another title"),
        replace(SAMPLE, glossary=()),
        replace(SAMPLE, presets=(), namings=()),
        replace(SAMPLE, figures=()),
        with_action(replace(MOVE, place=Lit(0, SMALL))),
        with_variable("coins", over=("who",), seen=_renamed(SAMPLE, "coins", {"p": "who"})),
    ],
    ids=["note", "words and keys", "title", "glossary", "presets", "figures", "place", "name of an index"],
)
def test_words_places_and_citations_change_nothing(game):
    assert game_fingerprint(SAMPLE) == game_fingerprint(game)


def test_renaming_a_parameter_of_a_definition_changes_nothing():
    renamed = replace(
        RICH, params=(Parameter("whoever", PLAYER),), body=substitute(RICH.body, {"who": Bound("whoever", PLAYER)})
    )

    assert game_fingerprint(SAMPLE) == game_fingerprint(with_def(renamed))


def test_renaming_the_variable_of_a_fold_changes_nothing():
    def capped(name):
        claim = SAMPLE.claims[1]
        formula = each("all", name, PLAYER, op("<=", coins(Bound(name, PLAYER)), Lit(9, SMALL)))
        return replace(SAMPLE, claims=(SAMPLE.claims[0], replace(claim, formula=formula), *SAMPLE.claims[2:]))

    assert Fingerprints(capped("p")).claim("capped") == Fingerprints(capped("someone")).claim("capped")


def test_two_variables_that_change_places_are_not_the_same():
    def claim(first, second):
        x, y = Bound(first, PLAYER), Bound(second, PLAYER)
        inner = each("all", "y", PLAYER, op("implies", op("==", x, ACTIVE), op("==", y, ACTIVE)))
        formula = each("all", "x", PLAYER, inner)
        return replace(SAMPLE, claims=(replace(SAMPLE.claims[1], formula=formula, using=()),))

    assert Fingerprints(claim("x", "y")).claim("capped") != Fingerprints(claim("y", "x")).claim("capped")


def test_a_changed_guard_changes_its_action_only():
    guard = (*MOVE.guard, Require(op(">", coins(), Lit(1, SMALL)), "new", span=at(14)))

    assert {"move"} == changed(SAMPLE, with_action(replace(MOVE, guard=guard)))


def test_a_dropped_effect_changes_its_action_only():
    assert {"move"} == changed(SAMPLE, with_action(replace(MOVE, body=MOVE.body[:-1])))


def test_a_changed_definition_changes_whatever_calls_it():
    stricter = replace(RICH, body=substitute(replace(RICH.body, body=op(">=", Bound("c", SMALL), Lit(6, SMALL))), {}))

    assert {"close", "apart", "capped"} == changed(SAMPLE, with_def(stricter))  # capped uses the lemma apart


def test_a_changed_constant_changes_whatever_looks_it_up():
    toll = Constant("toll", CONSTANTS[1].index, CONSTANTS[1].type, (0, 2, 2), "param", assumed=True)

    assert {"move", "tolls_small"} == changed(SAMPLE, with_constant(toll))


def test_a_changed_range_changes_whatever_reads_or_writes_the_variable():
    wider = with_variable("steps", type=number(0, 7))

    assert {"roll", "move", "trade"} == changed(SAMPLE, wider)


def test_a_changed_decider_changes_the_actions_of_the_stage():
    stages = (SAMPLE.stages[0], replace(SAMPLE.stages[1], by=Lit(0, PLAYER)), *SAMPLE.stages[2:])

    assert {"move", "trade"} == changed(SAMPLE, replace(SAMPLE, stages=stages))


def test_a_changed_start_changes_the_game_and_no_action():
    richer = with_variable("coins", initial=Lit(4, SMALL))

    assert set() == changed(SAMPLE, richer)
    assert game_fingerprint(SAMPLE) != game_fingerprint(richer)


def test_an_example_depends_on_every_rule():
    other = with_action(replace(MOVE, body=(*MOVE.body, put("steps", (), Lit(0, SMALL), "new"))))

    assert Fingerprints(SAMPLE).example("first") != Fingerprints(other).example("first")


def test_a_refusal_depends_on_the_clauses_of_the_requirements():
    guard = (replace(MOVE.guard[0], clauses=("MOV-7",)), *MOVE.guard[1:])
    other = with_action(replace(MOVE, guard=guard))

    assert Fingerprints(SAMPLE).action("move") == Fingerprints(other).action("move")
    assert Fingerprints(SAMPLE).example("first") != Fingerprints(other).example("first")


def test_a_new_definition_that_nothing_calls_changes_the_game_and_no_item():
    extra = replace(RICH, name="richer")

    assert set() == changed(SAMPLE, replace(SAMPLE, defs=(*SAMPLE.defs, extra)))
    assert game_fingerprint(SAMPLE) != game_fingerprint(replace(SAMPLE, defs=(*SAMPLE.defs, extra)))


def test_the_name_of_a_definition_does_not_matter_to_its_callers():
    def calling(name):
        definition = replace(RICH, name=name)
        claim = replace(SAMPLE.claims[1], formula=Call(name, (ACTIVE,), BOOL), using=())
        return replace(SAMPLE, defs=(definition,), claims=(claim,))

    assert Fingerprints(calling("rich")).claim("capped") == Fingerprints(calling("wealthy")).claim("capped")


def test_a_new_variable_changes_the_game():
    extra = Variable("more", (), SMALL, (), Lit(0, SMALL))

    assert game_fingerprint(SAMPLE) != game_fingerprint(replace(SAMPLE, variables=(*SAMPLE.variables, extra)))
