"""Examples for another number of players than the one asked for are not read, and change nothing; whoever checks reads all."""

import pytest

from pilgrim_rules.core.origin import Origin
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language import find_game, instances, passes, read_files
from pilgrim_rules.language.load import check, read_game

TEXT = """\
game small
    players 2..3 default 3 named red, blue, green

stages
    playing by turn
    over nobody

state
    turn : Player

action finish
    during playing
    do stage = over

example of_two
    given players == 2  ## and of no other number
    when finish
    expect {two}

example of_any
    when finish

example of_three
    given players = 3
    expect {three}
"""


@pytest.fixture
def written(tmp_path):
    def write(**formulas):
        path = tmp_path / "small.rules"
        path.write_text(TEXT.format(**{"two": "stage == over", "three": "stage == playing"} | formulas))
        return path

    return write


def _names(game):
    return [example.name for example in game.examples]


def test_each_number_of_players_has_its_examples_in_the_order_of_the_text(written):
    path = written()

    assert _names(read_game(path)) == ["of_any", "of_three"]
    assert _names(read_game(path, players=2)) == ["of_two", "of_any"]
    assert _names(read_game(path, players=3)) == ["of_any", "of_three"]


@pytest.mark.parametrize("mistake", ["stage == == over", "stage == nowhere"])
def test_a_mistake_in_an_example_is_found_by_the_check_and_by_whoever_needs_the_example(written, mistake):
    path = written(two=mistake)

    assert _names(read_game(path)) == ["of_any", "of_three"]
    assert any(found.span.file.endswith("small.rules") for found in check(path).errors)
    with pytest.raises(RulesError):
        read_game(path, players=2)


@pytest.mark.parametrize("name", ["apprentice", "gleaners", "hoard", "quarry"])
def test_a_game_is_the_same_as_when_all_is_read(name, monkeypatch):
    origin = Origin(tuple(map(str, find_game.find(name))))
    in_part = {players: passes.run(Origin(origin.files, players)) for players in instances.read(origin).game.seats}
    monkeypatch.setattr(passes, "read_files", lambda files, bag, **_: read_files.read_files(files, bag))

    for players, found in in_part.items():
        whole = passes.run(Origin(origin.files, players))
        assert found.core == whole.core
        assert list(found.bag) == list(whole.bag)


def test_what_is_left_unread_is_not_parsed(written, monkeypatch):
    path, parsed = written(), []
    real = read_files.UnreadExample.read.func
    monkeypatch.setattr(
        read_files.UnreadExample, "read", property(lambda each: parsed.append(each.players) or real(each))
    )

    read_game(path, players=3)

    assert set(parsed) == {3}
