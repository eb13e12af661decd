"""Which claims a step can make false: those that read what the action writes, and those that no change would break."""

from dataclasses import replace

import pytest

from pilgrim_rules import load
from pilgrim_rules.core.ir import BOOL, Assign, Claim, Lit, Read
from pilgrim_rules.engine.affected_claims import affected_claims
from pilgrim_rules.language import find_game
from pilgrim_rules.semantics.errors import RulesGameError
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import random_state
from tests.support.core_builder import HERE, lit, op, var
from tests.support.engine_and_reference import DIGIT, small_game

A, B = Read("a", (), DIGIT), Read("b", (), DIGIT)
NEXT_B = Read("b", (), DIGIT, "next")


def affected(*claims):
    """Return the names of the claims that an action which writes `a` can make false."""
    body = (Assign("a", (), "set", lit(DIGIT, 1), "line", span=HERE),)
    game = small_game((var("a", DIGIT, lit(DIGIT, 0)), var("b", DIGIT, lit(DIGIT, 0))), body=body, claims=claims)
    return [game.claims[number].name for number in affected_claims(game)[0]]


def test_an_invariant_is_affected_by_what_it_reads():
    reads_a, reads_b = (Claim(name, "invariant", op("<", side, lit(DIGIT, 5))) for name, side in (("a", A), ("b", B)))

    assert ["a"] == affected(reads_a, reads_b)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (op(">=", NEXT_B, B), []),
        (op("and", op("==", B, NEXT_B), Lit(1, BOOL)), []),
        (op("implies", op("<", B, NEXT_B), op("<=", B, NEXT_B)), []),
        (op("implies", op("==", A, lit(DIGIT, 1)), op("==", B, NEXT_B)), []),
        (op("implies", op("<", B, A), op("<", NEXT_B, A)), []),
        (op("not", op("and", op("!=", B, A), op("==", NEXT_B, A))), []),
        (op("implies", op("==", B, A), op("<", NEXT_B, A)), ["step"]),
        (op("<", B, A), ["step"]),
        (op(">", NEXT_B, B), ["step"]),
        (op("or", op("<", NEXT_B, B), op(">", NEXT_B, B)), ["step"]),
    ],
)
def test_a_claim_about_steps_is_affected_unless_no_change_keeps_it(formula, expected):
    assert expected == affected(Claim("step", "step", formula))


@pytest.mark.parametrize("name", find_game.names())
def test_what_an_action_does_not_affect_holds_after_any_step_from_any_state_in_which_it_held(name):
    code = load(name, ghosts=True).code
    checks, random = affected_claims(code.game), RandomSource(name)

    for _ in range(6):
        before = random_state(code.layout, random)
        for action, asked in checks.items():
            for after in reached(code, before, action):
                for number, claim in enumerate(code.game.claims):
                    if claim.kind == "step" and number not in asked:
                        assert code.holds(claim.name, before, after)
                    elif claim.kind in ("invariant", "conserved") and number not in asked:
                        assert code.holds(claim.name, before) == code.holds(claim.name, after)


def reached(code, before, action):
    """Return the state after the first move by an action that passes its guard, unless it contradicts the rules."""
    try:
        return [code.apply_of[action](before, *args) for args in code.candidates(before, action)[:1]]
    except RulesGameError:
        return []


def test_laws_and_audits_are_not_asked_after_a_step():
    claim = Claim("law", "law", op("<", A, lit(DIGIT, 5)))

    assert [] == affected(claim, replace(claim, name="audit", kind="audit"))
