"""The English of a small game, word for word: a change of wording is a change of these texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pilgrim_rules.core import ir
from pilgrim_rules.core.forms import expand_form
from pilgrim_rules.core.ir import BOOL, AskNetwork, Binder, Bound, Cond, Fold, Let, Lit, Read, Unique
from pilgrim_rules.prose import (
    EnglishRule,
    Hint,
    Voice,
    hints,
    say_action,
    say_claim,
    say_def,
    say_expr,
    say_ranking,
    words,
)
from tests.support.prose_game import (
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
    SPAN,
    STAGE,
    P,
    add,
    num,
    op,
    piety,
    put,
)

HEAP = ir.Type("Heap", "enum", 0, 1, ("left", "right"))
VOICE = Voice.from_game(GAME)
YOU = VOICE.to(ACTIVE, frozenset({"active"}))


def as_text(steps: EnglishRule) -> str:
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
  2 Nobody is the owner at place “at”.  [SHR-1]
  3 Place “at” is not closed.
You pay:
  4 1 stone.  [SHR-5]
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
  1 There is a player whose piety is more than 2.
Then:
  - Let the best be the greatest value of this player's piety for all players who are not the active player (0 if there are none).
  - For every player whose piety is less than the best, all at the same moment:
    2 This player's piety rises by 1.  [RND-3]
    3 This player's store of grain becomes 0.
  4 If the ruling “last leg” is “site counts”, the stage becomes sowing.
  - Otherwise:
    5 The stage becomes over.
    6 The hand rises by 1."""
    )


DUTY = ir.Type("Duty", "enum", 0, 0, ("build_roads",))

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
    (expand_form("negative", (HAND,), HAND.type, num(0).type), "minus the hand"),
    (expand_form("next", (ACTIVE,), PLAYER, PLAYER), "the player after you"),
    (expand_form("previous", (Bound("t", PLACE),), PLACE, PLACE), "the place before t"),
    (expand_form("ord", (Bound("t", PLACE),), PLACE, num(0).type), "the position of t"),
    (expand_form("seats_after_or_at", (ACTIVE, P), PLAYER, num(0).type), "the number of seats from you to p"),
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
    (expand_form("pair", (ACTIVE, Bound("no", SMALL)), ROUTE, ROUTE), "(you, no)"),
    (expand_form("stage", (Bound("d", DUTY),), DUTY, STAGE, "working"), "working (d)"),
    (expand_form("carried", (Read("stage", (), STAGE),), DUTY, DUTY, "working"), "what the stage carries"),
    (op("and", op("==", HAND, num(1)), Lit(1, BOOL)), "the hand is 1"),
    (Read("point_of", (Lit(0, PLACE),), PLACE), "the point of north"),
    (Read("pays_double", (ACTIVE,), BOOL), "you pay double"),
    (expand_form("first", (Bound("r", ROUTE),), ROUTE, PLAYER), "the first part of r"),
    (
        expand_form("in_stages", (Read("stage", (), STAGE), Lit(0, STAGE), Lit(1, STAGE)), STAGE, BOOL, "own_turn"),
        "the stage is own turn",
    ),
    (op("not", expand_form("is", (Bound("n", num(0).type),), SMALL, BOOL)), "n is not from 1 to 3"),
    (expand_form("in", (HAND, num(1), num(2)), HAND.type, BOOL), "the hand is 1 or 2"),
    (op("not", expand_form("in", (HAND, num(1), num(2)), HAND.type, BOOL)), "the hand is neither 1 nor 2"),
    (expand_form("players", (), PLAYER, num(2).type), "the number of players"),
    (Cond(op("==", HAND, num(0)), num(1), num(2), num(0).type), "1 if the hand is 0, otherwise 2"),
    (Let("n", HAND, op(">", Bound("n", num(0).type), num(1)), BOOL), "the hand is more than 1"),
    (Unique(EACH_PLAYER, None, (piety(P),)), "no two players agree on their piety"),
    (
        Fold("sum", (Binder("k", SMALL, descending=True),), None, Bound("k", SMALL), None, num(0).type),
        "the sum of this number for all numbers from 3 down to 1",
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
        "there is a place among the neighbours of north that is closed",
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
        "In every state, if the stage is sowing, then for every player, this player's store of stone is at most 6 and this player's store of grain is at most 6.",
        "Over every step, for every player, this player's piety afterwards is at least this player's piety.",
        "Some play leads to a state in which there is a player whose piety is more than 5.",
    ]


def test_definitions_are_sentences() -> None:
    assert [say_def(GAME, definition) for definition in GAME.defs] == [
        "A player is rich exactly if this player's store of stone is at least 3.",
        "The next owed is the first player, in turn from the active player, whose piety is more than 0.",
        "The namer is the player with the highest value of this player's piety, then the lowest value of the number of this player's shrines.",
    ]


def test_termination_is_a_sentence() -> None:
    assert say_ranking(GAME, GAME.rankings[0]) == (
        "Every step lowers the first of these that it changes: the hand and then red's piety."
    )


def test_phrases_written_by_hand_are_listed() -> None:
    assert (Hint("acolytes", "{1}'s acolytes on {2}"),) == hints(GAME)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("give_alms", "give alms"), ("GiveAlms", "give alms"), ("Building.level", "level"), ("VP", "VP")],
)
def test_identifiers_become_words(name: str, expected: str) -> None:
    assert words.words(name) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("build_roads", "build roads"),
        ("working(build_roads)", "working (build roads)"),
        ("brothers[red]", "brothers of red"),
    ],
)
def test_values_are_said_without_brackets(text: str, said: str) -> None:
    assert words.label(text) == said


@pytest.mark.parametrize(
    ("noun", "many"),
    [
        ("player", "players"),
        ("city", "cities"),
        ("road tile", "road tiles"),
        ("box", "boxes"),
        ("day", "days"),
        ("craftsman", "craftsmen"),
    ],
)
def test_nouns_have_plurals(noun: str, many: str) -> None:
    assert words.plural(noun) == many


def test_lines_of_shared_effects_stand_under_their_name() -> None:
    lay = (
        put(Read("last", (), PLACE), Lit(0, PLACE), "lay.do.1"),
        put(Read("last", (), PLACE), Lit(1, PLACE), "lay.do.2"),
    )
    run = ir.RunEffect("lay", (), "build.run.1", span=SPAN)
    lines = ir.Written((), (), (add(HAND, num(1), "build.do.1"), run))
    told = ir.Action("build", "action", (), (0,), (), (), written=lines)
    effects = (ir.Effect("lay", (), lay, lines=lay),)

    then = say_action(replace(GAME, actions=(told,), effects=effects), told).sections[-1]

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
    twice = (ir.Define("n", op("+", HAND, num(1))), ir.Define("m", op("+", HAND, num(1))))
    told = ir.Action(
        "build",
        "action",
        (),
        (0,),
        (),
        (*twice, put(HAND, op("+", Bound("n", num(0).type), Bound("m", num(0).type)), "build.do.1")),
    )

    then = say_action(replace(GAME, actions=(told,)), told).sections[-1]

    assert [step.text for step in then.steps] == [
        "Take the hand plus 1, “this number” from here on.",
        "The hand becomes this number plus this number.",
    ]
