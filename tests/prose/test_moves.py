"""Moves in words, as lists of moves say them."""

from pilgrim_rules import load
from pilgrim_rules.core.ir import BOOL, Action, Parameter, Type
from pilgrim_rules.prose.moves import say_move

WARE = Type("Ware", "enum", 0, 1, ("b4", "old_cloth"))
COUNT = Type("0..5", "int", 0, 5)


def buy(*params):
    return Action("buy_goods", "action", params, (), (), ())


def test_letters_are_left_out_and_words_are_said():
    action = buy(Parameter("w", WARE), Parameter("quickly", BOOL), Parameter("pieces", COUNT))

    assert "Buy goods: old cloth, quickly, pieces 3" == say_move(action, (1, 1, 3))
    assert "Buy goods: b4, not quickly, pieces 0" == say_move(action, (0, 0, 0))


def test_what_has_its_usual_value_is_not_said():
    assert "Buy goods" == say_move(buy(Parameter("pieces", COUNT, default=2)), (2,))
    assert "Buy goods: pieces 1" == say_move(buy(Parameter("pieces", COUNT, default=2)), (1,))


def test_different_moves_are_said_differently():
    game = load("connect_four")
    said = [say_move(game.core.actions[at], args) for at, args in map(game.runner.book.codes, game.start(1).moves())]

    assert len(said) == len(set(said)) > 1
