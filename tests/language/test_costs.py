"""A cost with alternatives: the player chooses what to pay, and the choice is an argument of the move."""

import pytest

from pilgrim_rules.core.values import show
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.language.load import read_game

RULES = """\
game small
    players 2..2 named red, blue

stages
    playing by turn always pass
    over nobody

state
    turn         : Player
    coins[Player] : 0..9 = 4
    wagons[Player] : 0..3 = 1
    late : bool
    served[Player] : 0..9

purse coin of p = coins[p]
purse wagon of p = wagons[p]

action serve
    require served[turn] < 9
    cost 1 wagon or 2 coin
    cost 1 coin when late
    do
        served[turn] += 1
        late = true
        turn = next(turn)

action hurry(n: 1..2)
    require served[turn] < 9
    cost n coin or 1 wagon to next(turn) when late
    do
        served[turn] += 1
        late = not late
        turn = next(turn)

action pass
    do stage = over

example paying
    when serve(coin)
    expect coins[red] == 2 and wagons[red] == 1
    when serve(wagon) by blue
    expect coins[blue] == 3 and wagons[blue] == 0
    refuse serve(coin)
    refuse hurry(2)
    when hurry(2, coin)
    expect coins[red] == 0 and coins[blue] == 5 and not late
    refuse hurry(1, coin)
    when hurry(1)
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that reads the game, changed."""

    def read(old="", new=""):
        path = tmp_path / "small.rules"
        path.write_text(RULES.replace(old, new), encoding="utf-8")
        return read_game(path)

    return read


def test_what_is_chosen_is_paid(load):
    game = load()

    assert "" == run_example(CompiledReadings.from_game(game), game.examples[0]).wrong


def test_the_choice_is_among_the_purses(load):
    serve, hurry, _ = load().actions

    assert ("paid", ["wagon", "coin"]) == (
        serve.params[0].name, [show(serve.params[0].type, code) for code in range(serve.params[0].type.size)]
    )  # fmt: skip
    assert ["n", "paid"] == [param.name for param in hurry.params]


def test_where_nothing_is_due_nothing_is_chosen(load):
    code = compiled(load())
    none = code.game.actions[1].params[1].type.hi

    assert [(1, none), (2, none)] == code.legal(code.start, "hurry")


def test_an_argument_may_have_the_name_of_the_choice(load):
    rules = RULES.partition("example")[0]
    serve = load(RULES, rules.replace("action serve\n", "action serve(paid: bool)\n")).actions[0]

    assert ["paid", "paid_1"] == [param.name for param in serve.params]


def test_alternatives_that_cannot_be_told_apart_are_refused(load):
    with pytest.raises(RulesError) as refusal:
        load("cost 1 wagon or 2 coin", "cost 1 coin or 2 coin")

    assert ("PR410", "these alternatives cannot be told apart") in [
        (found.code.id, found.message) for found in refusal.value.diagnostics
    ]
