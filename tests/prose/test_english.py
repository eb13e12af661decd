"""The English of a small game, word for word: a change of wording is a change of these texts."""

from __future__ import annotations

import typing
from dataclasses import replace

import pytest

from pilgrim_rules.core import ir
from pilgrim_rules.core.ir import BOOL, AskNetwork, Binder, Bound, Cond, Fold, Let, Lit, Read, Unique
from pilgrim_rules.prose import Hint, Steps, Voice, hints, say_action, say_claim, say_def, say_expr, say_ranking, words
from tests.prose.small import (
    ACTIVE,
    BUILD,
    DROP,
    EACH_PLAYER,
    GAME,
    HAND,
    MAYBE_PLACE,
    PLACE,
    PLAYER,
    ROUTE,
    SAIL,
    SMALL,
    STAGE,
    P,
    add,
    num,
    op,
    piety,
    put,
)

HEAP = ir.Type("Heap", "enum", 0, 1, ("left", "right"))
VOICE = Voice.of(GAME)
YOU = VOICE.to(ACTIVE, frozenset({"active"}))


def as_text(steps: Steps) -> str:
    """Return the steps as they would stand on paper, numbers and clauses included."""
    lines = [steps.title, steps.sentence]
    for section in steps.sections:
        lines.append(f"{section.title}:")
        for step in section.steps:
            number = "-" if step.number is None else str(step.number)
            cited = f"  [{', '.join(step.clauses)}]" if step.clauses else ""
            lines.append(f"  {'  ' * step.depth}{number} {step.text}{cited}")
    return "\n".join(lines)


def test_a_players_rule_is_told_to_the_player() -> None:
    assert (
        as_text(say_action(GAME, DROP))
        == """\
Drop
The player sows one acolyte on the next place.
When:
  - The stage is sowing, and you are the active player.
  - You choose a place “to”.
You need:
  1 The last place leads to the place.  [TRN-4]
Then:
  2 1 moves from the hand to your acolytes on the place.  [TRN-5]
  3 The last place becomes the place.
  4 If the hand is 0, the stage becomes choosing."""
    )


def test_costs_are_told_once_and_the_turn_passes_to_somebody_else() -> None:
    assert (
        as_text(say_action(GAME, BUILD))
        == """\
Build shrine
In the stage choosing or working, the active player may build shrine.
When:
  - The stage is choosing or working, and you are the active player.
  - You choose a place “at” and a place “from”.
You need:
  1 Your piety is at least the number of your shrines plus 1.  [SHR-6]
  2 There is no owner at place “at”.  [SHR-1]
  3 Place “at” is not closed.
You pay:
  4 1 from your store of stone.  [SHR-5]
Then:
  5 The owner at place “at” becomes you.
  6 From now on, place “at” is closed.
  7 The active player becomes the next owed.
  8 The active player's piety rises by 1.
  9 Your piety rises by 2."""
    )


def test_what_happens_by_itself_is_told_without_you() -> None:
    assert (
        as_text(say_action(GAME, SAIL))
        == """\
Ship moves
In the stage sailing, this happens by itself: ship moves.
When:
  - The stage is sailing; nobody decides.
If:
  1 There is a player p for whom p's piety is more than 2.
Then:
  - Let best be the greatest value of p's piety for all players p for whom p is not the active player (0 if there are none).
  - For every player p for whom p's piety is less than best, all at the same moment:
    2 p's piety rises by 1.  [RND-3]
    3 p's store of grain becomes 0.
  4 If the ruling “last leg” is “site counts”, the stage becomes sowing.
  - Otherwise:
    5 The stage becomes over.
    6 The hand rises by 1."""
    )


PHRASES = [
    (op(">=", piety(ACTIVE), num(2)), "your piety is at least 2"),
    (op("not", op(">=", piety(ACTIVE), num(2))), "your piety is less than 2"),
    (op("==", ACTIVE, P), "you are p"),
    (op("!=", Read("goal", (ACTIVE,), MAYBE_PLACE), Lit(4, MAYBE_PLACE)), "you have a goal"),
    (op("==", Read("goal", (ACTIVE,), MAYBE_PLACE), Lit(4, MAYBE_PLACE)), "you have no goal"),
    (op("not", Read("has_passed", (ACTIVE,), BOOL)), "you have not passed"),
    (op("not", Read("waiting", (), BOOL)), "“waiting” does not hold"),
    (Read("visited", (ACTIVE, Lit(3, PLACE)), BOOL), "“visited” holds for you and old city"),
    (op("*", num(3), op("+", HAND, num(1))), "3 times (the hand plus 1)"),
    (op("-", num(0), HAND), "minus the hand"),
    (ir.Apply("mod", (op("+", ACTIVE, num(1)), num(2)), PLAYER), "the player after you"),
    (ir.Apply("mod", (op("+", Bound("t", PLACE), num(3)), num(4)), PLACE), "the place before t"),
    (op("mod", op("-", op("+", P, num(2)), ACTIVE), num(2)), "the number of seats from you to p"),
    (Read("heap", (Bound("h", HEAP),), num(0).type), "what h holds"),
    (Read("free", (), num(0).type), "the number free"),
    (op("not", Read("won", (ACTIVE,), BOOL)), "you have not won"),
    (ir.Call("possible.drop", (), BOOL), "it is possible to drop"),
    (
        op("not", op("and", op("==", HAND, num(1)), op("==", HAND, num(2)))),
        "it is not the case that both the hand is 1 and the hand is 2",
    ),
    (op("not", op("or", op("==", HAND, num(1)), op("==", HAND, num(2)))), "the hand is neither 1 nor 2"),
    (op("-", HAND, op("-", num(3), num(1))), "the hand minus (3 minus 1)"),
    (op("div", op("+", HAND, num(1)), num(3)), "(the hand plus 1) divided by 3, rounded down"),
    (op("min", HAND, num(3)), "the smaller of the hand and 3"),
    (op("max", HAND, num(3), num(4)), "the largest of the hand, 3 and 4"),
    (ir.Apply("+", (op("*", ACTIVE, num(3)), Bound("no", SMALL)), ROUTE), "(you, no)"),
    (ir.Apply("+", (Bound("d", STAGE), num(2)), STAGE), "working (d)"),
    (op("-", Read("stage", (), STAGE), num(2)), "what the stage carries"),
    (op("and", op("==", HAND, num(1)), Lit(1, BOOL)), "the hand is 1"),
    (Read("point_of", (Lit(0, PLACE),), PLACE), "the point of north"),
    (Read("pays_double", (ACTIVE,), BOOL), "you pay double"),
    (ir.Apply("div", (Bound("r", ROUTE), num(3)), ROUTE.parts[0]), "the first part of r"),
    (Cond(op("==", HAND, num(0)), num(1), num(2), num(0).type), "1 if the hand is 0, otherwise 2"),
    (Let("n", HAND, op(">", Bound("n", num(0).type), num(1)), BOOL), "the hand is more than 1"),
    (Unique(EACH_PLAYER, None, (piety(P),)), "no two players p agree on p's piety"),
    (
        Fold("sum", (Binder("k", SMALL, descending=True),), None, Bound("k", SMALL), None, num(0).type),
        "the sum of k for all numbers k from 3 down to 1",
    ),
    (
        Fold(
            "some",
            (Binder("t", PLACE, among=("Rondel.leads", (Lit(0, PLACE),))),),
            None,
            Read("closed", (Bound("t", PLACE),), BOOL),
            None,
            BOOL,
        ),
        "there is a place t among the neighbours of north for which t is closed",
    ),
    (
        AskNetwork("is_path", "roads", (ACTIVE,), ((Lit(0, PLACE), num(1)),), BOOL),
        "the part of your roads that contains (north, 1) is a simple path",
    ),
]


@pytest.mark.parametrize(("expr", "expected"), PHRASES, ids=[expected for _, expected in PHRASES])
def test_an_expression_reads_well(expr: ir.Expr, expected: str) -> None:
    assert say_expr(expr, YOU) == expected


def test_nested_conditions_stay_unambiguous() -> None:
    a, b = (op("==", HAND, num(n)) for n in (1, 2))
    c = op("==", Read("pot", (), num(0).type), num(3))
    d = op(">", HAND, num(4))

    assert say_expr(op("or", a, op("and", b, c)), YOU) == "the hand is 1, or both the hand is 2 and the pot is 3"
    assert say_expr(op("and", op("or", a, b), c), YOU) == "the hand is 1 or 2, and the pot is 3"
    assert (
        say_expr(op("and", op("or", a, d), c), YOU)
        == "either the hand is 1 or the hand is more than 4, and the pot is 3"
    )
    assert say_expr(op("and", op("implies", a, b), c), YOU) == "(if the hand is 1, then the hand is 2) and the pot is 3"
    assert say_expr(op("and", a, op("implies", b, c)), YOU) == "the hand is 1 and if the hand is 2, then the pot is 3"


def test_claims_are_sentences() -> None:
    assert [say_claim(GAME, claim) for claim in GAME.claims] == [
        "In every state, if the stage is sowing, then for every player p, p's store of stone is at most 6 and p's store of grain is at most 6.",
        "Over every step, for every player p, p's piety afterwards is at least p's piety.",
        "Some play leads to a state in which there is a player p for whom p's piety is more than 5.",
    ]


def test_definitions_are_sentences() -> None:
    assert [say_def(GAME, definition) for definition in GAME.defs] == [
        "Player p is rich exactly if p's store of stone is at least 3.",
        "The next owed is the first player p, in turn from the active player, for whom p's piety is more than 0.",
        "The namer is the player p with the highest value of p's piety, then the lowest value of the number of p's shrines.",
    ]


def test_termination_is_a_sentence() -> None:
    assert say_ranking(GAME, GAME.rankings[0]) == (
        "Every step lowers the first of these that it changes: the hand and then red's piety."
    )


def test_a_sentence_written_by_hand_wins_and_is_listed() -> None:
    told = ir.Action("rest", "action", (), (0,), (), (), prose="You may rest")
    game = replace(GAME, actions=(told,))

    assert say_action(game, told).sentence == "You may rest."
    assert say_action(game, told).by_hand
    assert hints(game) == (
        Hint("sentence", "rest", "You may rest"),
        Hint("phrase", "acolytes", "{1}'s acolytes on {2}"),
    )


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (words.SAY, ir.OPERATORS),
        (words.FOLD, frozenset(typing.get_args(ir.FoldOp))),
        (words.ASK, frozenset(typing.get_args(ir.GraphQuestion))),
    ],
    ids=["operators", "folds", "questions"],
)
def test_no_table_of_phrases_has_a_hole(table: dict[str, str], rows: frozenset[str]) -> None:
    assert table.keys() == rows


@pytest.mark.parametrize(
    ("name", "expected"),
    [("give_alms", "give alms"), ("GiveAlms", "give alms"), ("Building.level", "level"), ("VP", "VP")],
)
def test_identifiers_become_words(name: str, expected: str) -> None:
    assert words.words(name) == expected


@pytest.mark.parametrize(
    ("noun", "many"),
    [("player", "players"), ("city", "cities"), ("road tile", "road tiles"), ("box", "boxes"), ("day", "days")],
)
def test_nouns_have_plurals(noun: str, many: str) -> None:
    assert words.plural(noun) == many


def test_lines_of_shared_effects_stand_under_their_name() -> None:
    lay = (
        put(Read("last", (), PLACE), Lit(0, PLACE), "lay.do.1"),
        put(Read("last", (), PLACE), Lit(1, PLACE), "lay.do.2"),
    )
    told = ir.Action("build", "action", (), (0,), (), (add(HAND, num(1), "build.do.1"), *lay))

    then = say_action(replace(GAME, actions=(told,)), told).sections[-1]

    assert [(step.depth, step.text) for step in then.steps] == [
        (0, "The hand rises by 1."),
        (0, "Lay:"),
        (1, "The last place becomes north."),
        (1, "The last place becomes east."),
    ]


def test_ghosts_are_not_told() -> None:
    ghost = ir.Variable("shadow", (), num(0).type, (), num(0), ghost=True)
    told = ir.Action("build", "action", (), (0,), (), (put(Read("shadow", (), num(0).type), num(1), "build.do.1"),))

    assert [
        s.kind for s in say_action(replace(GAME, variables=(*GAME.variables, ghost), actions=(told,)), told).sections
    ] == ["when"]


def test_a_value_gets_one_name_only() -> None:
    twice = (ir.Define("n", op("+", HAND, num(1))), ir.Define("n~2", op("+", HAND, num(1))))
    told = ir.Action("build", "action", (), (0,), (), (*twice, put(HAND, Bound("n~2", num(0).type), "build.do.1")))

    then = say_action(replace(GAME, actions=(told,)), told).sections[-1]

    assert [step.text for step in then.steps] == ["Let n be the hand plus 1.", "The hand becomes n."]
