"""Every number of players: rules that take long to read are read by several processes."""

import pytest

from pilgrim_rules.cli.options import InstanceOptions
from pilgrim_rules.diagnostics.bag import RulesError
from verifier.cli import every_instance as instances

RULES = """\
game well
    players 2..4

stages
    drawing by turn

state
    turn : Player

action pass
    by turn
    do turn = next(turn)
"""
ANY = InstanceOptions(*[None] * 6)


def players(path):
    return [each.loaded.game.players for each in instances.every_instance(str(path), ANY, all_rulings=False)]


def test_rules_are_read_ahead_and_the_same_instances_come_of_it(tmp_path, monkeypatch):
    path = tmp_path / "well.rules"
    path.write_text(RULES)
    expected = players(path)
    path.write_text(RULES + "\n# read again\n")
    monkeypatch.setattr(instances, "SLOW", -1.0)

    assert [2, 3, 4] == expected == players(path)


def test_a_mistake_is_left_to_whoever_wants_the_rules(tmp_path):
    path = tmp_path / "well.rules"
    path.write_text(RULES.replace("next(turn)", "nobody"))

    instances._read((str(path), ANY.words()))

    with pytest.raises(RulesError, match="nobody"):
        players(path)
