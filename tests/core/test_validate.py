from dataclasses import replace

import pytest

from pilgrim_rules.core.ir import (
    BOOL,
    Apply,
    AskNetwork,
    Audience,
    Binder,
    Bound,
    Branch,
    Call,
    Claim,
    Cond,
    Constant,
    Define,
    Fold,
    Given,
    Lit,
    Lookup,
    Loop,
    Make,
    Pick,
    Ranking,
    Read,
    Require,
)
from pilgrim_rules.core.validate import InternalError, validate
from tests.support.sample_game import (
    ACTIVE,
    CLOSE,
    MAP,
    MOVE,
    ONE,
    PLACE,
    PLAYER,
    RICH,
    ROLL,
    SAMPLE,
    SMALL,
    ZERO,
    P,
    at,
    coins,
    each,
    eq,
    maybe,
    number,
    op,
    plus,
    put,
)

TRUE = Lit(1, BOOL)
GHOST = Read("seen", (Lit(0, PLACE),), SMALL)


def claim(formula, kind="invariant"):
    return replace(SAMPLE, claims=(Claim("broken", kind, formula),))


def guard(test):
    return replace(SAMPLE, actions=(ROLL, replace(MOVE, guard=(Require(test, "k", span=at(1)),), body=()), CLOSE))


def body(*stmts):
    return replace(SAMPLE, actions=(ROLL, replace(MOVE, body=stmts), CLOSE))


def loop(name, *stmts):
    return Loop(Binder(name, PLAYER), None, stmts, simultaneous=True, span=at(1))


def action(**change):
    return replace(SAMPLE, actions=(ROLL, replace(MOVE, **change), CLOSE))


def figure(**change):
    return replace(SAMPLE, figures=(replace(MAP, **change),))


def layer(made):
    return figure(layers=(made,))


def variable(**change):
    return replace(
        SAMPLE, variables=(*SAMPLE.variables[:3], replace(SAMPLE.variables[3], **change), *SAMPLE.variables[4:])
    )


def example(*steps):
    return replace(SAMPLE, examples=(replace(SAMPLE.examples[0], steps=steps),))


BROKEN = {
    "an unbound name": (claim(Call("rich", (P,), BOOL)), "`p` is not in scope"),
    "a bound name of another type": (
        claim(each("all", "p", PLACE, Call("rich", (P,), BOOL))),
        "is a `Place`, not a `Player`",
    ),
    "a name after its scope": (claim(op("and", each("all", "p", PLAYER, TRUE), eq(P, ACTIVE))), "not in scope"),
    "a literal outside its type": (claim(eq(Lit(7, PLAYER), ACTIVE)), "7 is no code of `Player`"),
    "an unknown variable": (claim(Read("gold", (), BOOL)), "no variable `gold`"),
    "too few indices": (claim(eq(Read("coins", (), SMALL), ZERO)), "`coins` has 1 indices, not 0"),
    "an index of another type": (claim(eq(coins(Lit(0, PLACE)), ZERO)), "`Place` does not fit `Player`"),
    "an index that may be none": (
        claim(eq(Read("seen", (Read("where", (ACTIVE,), maybe(PLACE)),), SMALL), ZERO)),
        "`Place?` does not fit `Place`",
    ),
    "a read of another type": (claim(Read("coins", (ACTIVE,), BOOL)), "holds `0..9`, not `bool`"),
    "an unknown constant": (claim(Lookup("fees", (), BOOL)), "no constant `fees`"),
    "a constant of another type": (claim(Lookup("toll", (Lit(0, PLACE),), BOOL)), "holds `0..3`"),
    "an unknown definition": (claim(Call("poor", (), BOOL)), "no definition `poor`"),
    "a definition with too many arguments": (claim(Call("rich", (ACTIVE, ACTIVE), BOOL)), "has 1 indices, not 2"),
    "a formula that is a number": (claim(coins()), "a Boolean is wanted"),
    "a negated number": (claim(op("not", coins())), "takes and gives Booleans"),
    "an operator with one argument": (claim(op("and", TRUE)), "`and` with 1 arguments"),
    "a comparison of different kinds": (claim(eq(ACTIVE, Lit(0, PLACE))), "cannot be compared"),
    "a sum called too narrow": (
        claim(eq(op("+", coins(), ONE, type_=SMALL), ZERO)),
        "a result in 1..10 is called `0..9`",
    ),
    "a division by what may be zero": (claim(eq(op("div", ONE, coins(), type_=SMALL), ZERO)), "divisor may be zero"),
    "a condition that is a number": (claim(Cond(coins(), TRUE, TRUE, BOOL)), "a Boolean is wanted"),
    "a branch outside the type": (
        claim(eq(Cond(TRUE, Lit(9, SMALL), ZERO, number(0, 3)), ZERO)),
        "does not fit `0..3`",
    ),
    "a quantified number": (claim(Fold("all", (Binder("p", PLAYER),), None, coins(P), None, BOOL)), "about Booleans"),
    "a count of something": (
        claim(eq(Fold("count", (Binder("p", PLAYER),), None, coins(P), None, SMALL), ZERO)),
        "counts ones",
    ),
    "a greatest of nothing": (
        claim(eq(Fold("max", (Binder("p", PLAYER),), TRUE, coins(P), None, SMALL), ZERO)),
        "of what may be nothing",
    ),
    "a first that may be none": (
        claim(eq(Pick(Binder("p", PLAYER), TRUE, (), PLAYER), ACTIVE)),
        "cannot hold what is picked",
    ),
    "a binder that starts and descends": (
        claim(Fold("all", (Binder("p", PLAYER, ACTIVE, descending=True),), None, TRUE, None, BOOL)),
        "both starts somewhere and descends",
    ),
    "a binder among a table of numbers": (
        claim(Fold("all", (Binder("a", PLACE, among=("toll", ())),), None, TRUE, None, BOOL)),
        "cannot be taken from `toll`",
    ),
    "the state in a law": (claim(eq(coins(), ZERO), "law"), "only constants are allowed"),
    "the state in a law, through a definition": (claim(Call("rich", (Lit(0, PLAYER),), BOOL), "law"), "only constants"),
    "a next value in an invariant": (claim(eq(coins(when="next"), ZERO)), "`next` has no meaning here"),
    "an old value in a step": (claim(eq(coins(when="old"), ZERO), "step"), "`old` has no meaning here"),
    "a network in an invariant": (
        claim(AskNetwork("is_forest", "roads", (ACTIVE,), (), BOOL)),
        "in play or in a proof",
    ),
    "an unknown network": (claim(AskNetwork("is_forest", "rails", (), (), BOOL), "audit"), "no network `rails`"),
    "a question with a node too many": (
        claim(AskNetwork("is_forest", "roads", (ACTIVE,), ((ONE,),), BOOL), "audit"),
        "is about 0 nodes",
    ),
    "a lemma that does not exist": (
        replace(SAMPLE, claims=(Claim("c", "invariant", TRUE, ("x",)),)),
        "a lemma that does not exist",
    ),
    "a ghost in a guard": (guard(op(">", GHOST, ZERO)), "ghost `seen` is read in play"),
    "an old value in a guard": (guard(eq(coins(when="old"), ZERO)), "`old` has no meaning here"),
    "a requirement without a key": (action(guard=(Require(TRUE, "", span=at(1)),), body=()), "has no key"),
    "a ghost read by an effect": (body(put("steps", (), GHOST, "k")), "`steps` is written depending on a ghost"),
    "a ghost that decides on an effect": (
        body(Branch(op(">", GHOST, ZERO), (put("steps", (), ONE, "k"),), ())),
        "depending on a ghost",
    ),
    "a ghost that reaches an effect by a name": (
        body(Define("g", GHOST), put("steps", (), Bound("g", SMALL), "k")),
        "depending on a ghost",
    ),
    "a ghost in the condition of a loop": (
        body(
            Loop(
                Binder("p", PLAYER),
                op(">", GHOST, ZERO),
                (put("coins", (P,), ONE, "k"),),
                simultaneous=True,
                span=at(1),
            )
        ),
        "depending on a ghost",
    ),
    "an assignment without a key": (body(put("steps", (), ONE, "")), "has no key"),
    "an assignment to nothing": (body(put("gold", (), ONE, "k")), "no variable `gold`"),
    "an assignment of another kind": (body(put("active", (), ONE, "k")), "cannot take `1..1`"),
    "an addition to a label": (body(put("active", (), ACTIVE, "k", mode="add")), "cannot take `Player`"),
    "a name from another block": (
        body(Branch(TRUE, (Define("x", ONE),), ()), put("steps", (), Bound("x", number(1, 1)), "k")),
        "`x` is not in scope",
    ),
    "a long loop one after the other": (
        body(Loop(Binder("k", number(1, 17)), None, (), simultaneous=False, span=at(1))),
        "runs one after the other",
    ),
    "a loop that hides the name of another": (
        body(loop("p", loop("p", put("coins", (P,), ONE, "k")))),
        "`p` hides the `p` around it",
    ),
    "a name that hides the name of a loop": (body(loop("p", Define("p", ONE))), "`p` hides the `p` around it"),
    "a guard that gives a name twice": (
        action(guard=(Given("x", ONE), Given("x", ONE)), body=()),
        "`x` hides the `x` around it",
    ),
    "an action of no stage": (action(stages=()), "happens in no stage"),
    "an action in a stage of chance": (action(stages=(0,)), "decided otherwise"),
    "an action with a weight": (action(weight=ONE), "exactly a chance action has a weight"),
    "a default outside its type": (
        action(params=(MOVE.params[0], replace(MOVE.params[1], default=2))),
        "the default of `pay`",
    ),
    "two parameters of one name": (action(params=(MOVE.params[0], MOVE.params[0])), "the same name"),
    "definitions in the wrong order": (replace(SAMPLE, defs=SAMPLE.defs[::-1]), "no definition `rich`, or only later"),
    "a definition that calls itself": (
        replace(SAMPLE, defs=(replace(RICH, body=Call("rich", (Bound("who", PLAYER),), BOOL)),)),
        "or only later",
    ),
    "a constant with too few values": (
        replace(SAMPLE, constants=(replace(SAMPLE.constants[0], values=(0,)),)),
        "1 values for another number of cells",
    ),
    "a constant outside its type": (
        replace(SAMPLE, constants=(Constant("c", (PLAYER,), BOOL, (0, 2), "param"),)),
        "a value is no code of `bool`",
    ),
    "two variables of one name": (replace(SAMPLE, variables=SAMPLE.variables[:1] * 2), "`stage` is there twice"),
    "a name with a line break": (replace(SAMPLE, rankings=(), claims=(Claim("x\ny", "law", TRUE),)), "is no name"),
    "no variable for the stage": (
        replace(SAMPLE, variables=SAMPLE.variables[1:], claims=(), actions=()),
        "no variable `stage`",
    ),
    "stages in another order": (replace(SAMPLE, stages=SAMPLE.stages[::-1]), "in order"),
    "a stage nobody decides on": (
        replace(SAMPLE, stages=(SAMPLE.stages[0], replace(SAMPLE.stages[1], by=None), *SAMPLE.stages[2:])),
        "exactly a player's stage",
    ),
    "a start that reads the state": (variable(initial=coins()), "only constants are allowed"),
    "a start outside the type": (variable(initial=Lit(12, number(0, 12))), "does not fit"),
    "index names that do not match": (variable(over=()), "do not match"),
    "a table seen by whom no name stands for": (
        variable(seen=Audience("v", Apply("==", (Bound("w", PLAYER), Bound("w", PLAYER)), BOOL))),
        "`w`",
    ),
    "a measure that reads nothing known": (
        replace(SAMPLE, rankings=(Ranking("r", (Read("gold", (), SMALL),)),)),
        "no variable",
    ),
    "an example of no action": (example(Make("jump", (), span=at(1))), "no action `jump`"),
    "an example outside a type": (example(Make("roll", (7,), span=at(1))), "7 is no code of `1..6`"),
    "a witness that arranges": (
        replace(SAMPLE, examples=(replace(SAMPLE.examples[0], witness=True),)),
        "a witness arranges nothing",
    ),
    "an expectation under no ruling": (
        example(replace(SAMPLE.examples[0].steps[3], under=(("last_leg", "maybe"),))),
        "a ruling or an option that does not exist",
    ),
    "a preset of no option": (
        replace(SAMPLE, presets=(replace(SAMPLE.presets[0], choices=(("last_leg", "maybe"),)),)),
        "a ruling or an option that does not exist",
    ),
    "a node without a place": (figure(canvas=replace(MAP.canvas, places=((0, 0),))), "not every node"),
    "a link to no node": (figure(canvas=replace(MAP.canvas, links=((0, 3),))), "a link between nodes"),
    "an edge without a side": (layer(replace(MAP.layers[0], kind="edge")), "a wrong number of places"),
    "a side of no side": (
        figure(canvas=replace(MAP.canvas, sides=None), layers=MAP.layers[1:2]),
        "its canvas has no sides",
    ),
    "a mark that looks like nothing": (layer(replace(MAP.layers[2], shape="")), "what it looks like"),
    "a layer elsewhere": (layer(replace(MAP.layers[0], at=(Bound("b", PLACE),))), "`b` is not in scope"),
}


def test_the_sample_obeys_every_rule():
    assert validate(SAMPLE) is SAMPLE


@pytest.mark.parametrize(("game", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_core_is_refused(game, message):
    with pytest.raises(InternalError) as caught:
        validate(game)

    assert message in str(caught.value)


def test_the_message_says_where_the_mistake_is():
    with pytest.raises(InternalError, match=r"action move, guard line 1: a Boolean is wanted in `coins\[active\]`"):
        validate(guard(coins()))


def test_a_narrowed_value_may_be_used():
    """A value that has been tested is read with the narrower type."""
    here = Read("where", (ACTIVE,), PLACE)

    validate(claim(eq(Read("seen", (here,), SMALL), ZERO)))


def test_ghosts_may_be_written_from_ghosts():
    validate(body(put("seen", (Lit(0, PLACE),), plus(GHOST, ONE), "k")))


def test_a_ghost_may_decide_what_is_written_to_ghosts():
    write = put("seen", (Lit(0, PLACE),), ONE, "k")

    validate(body(Branch(op(">", GHOST, ZERO), (write,), (write,))))


def test_a_pair_may_be_made_of_codes():
    """The code of a pair is arithmetic on the codes of its parts."""
    route = SAMPLE.types[3]
    code = Apply("+", (Apply("*", (ACTIVE, Lit(3, number(3, 3))), number(0, 3)), Lit(2, PLACE)), route)

    validate(claim(eq(Read("owner", (code,), SAMPLE.types[1]), Lit(2, SAMPLE.types[1]))))
