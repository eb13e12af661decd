"""A text for two to four players speaks of players who do not always play."""

import pytest

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language.load import read_game

RULES = """\
game small
    players 2..4 named red, blue, green, yellow
    edition "small.toml"

enum Place = Player + dummy

param first[Player] : 0..9 = [1, 2, 3, 4]
param second[Player, 1..2] : 0..9 from edition.second
param third[Player] : 0..9 from edition.third

stages
    playing by turn
    over nobody

state
    turn         : Player
    pile[Player] : 0..9
    lost         : Player?
    place        : Place

def favoured(p: Player) = p in {red, green} or p == yellow or p != green and lost == green

action feed
    do
        for p in {blue, green}: pile[p] += 1
        if players > 2: pile[green] += 1
        if turn == green: pile[green] += 1
        stage = over
"""
EDITION = """\
[second]
source = "stated"
values = { red = [1, 2], blue = [3, 4], green = [5, 6], yellow = [7, 8] }

[third]
source = "stated"
values = [4, 5, 6, 7]
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that reads the game for some players, changed."""

    def read(players, old="", new="", more=""):
        path = tmp_path / "small.rules"
        (tmp_path / "small.toml").write_text(EDITION, encoding="utf-8")
        path.write_text(RULES.replace(old, new) + more, encoding="utf-8")
        return read_game(path, players=players)

    return read


@pytest.mark.parametrize(("players", "favoured"), [(2, [1, 0]), (3, [1, 0, 1]), (4, [1, 0, 1, 1])])
def test_nobody_is_a_player_who_does_not_play(load, players, favoured):
    code = compiled(load(players))
    start = code.layout.decode(code.start)

    assert favoured == [code.reference.value("favoured", start, (player,)) for player in range(players)]


@pytest.mark.parametrize(("players", "piles"), [(2, (0, 1)), (3, (0, 1, 2)), (4, (0, 1, 2, 0))])
def test_what_only_some_instances_come_to_may_speak_of_their_players(load, players, piles):
    code = compiled(load(players))

    assert piles == tuple(code.layout.decode(code.apply(code.start, "feed", ()))["pile"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_list_for_all_players_serves_any_number_of_them(load, players):
    tables = {each.name: each.values for each in load(players).constants}

    assert (1, 2, 3, 4)[:players] == tables["first"]
    assert tuple(range(1, 2 * players + 1)) == tables["second"]
    assert (4, 5, 6, 7)[:players] == tables["third"]


def test_a_label_of_another_type_is_not_taken_for_an_absent_player(load):
    more = "\nenum Tint: green, brown\n\nstate\n    tint : Tint\n\ninvariant leaf: tint == green and tint in {green}\n"
    game = load(2, more=more)

    assert compiled(game).holds("leaf", compiled(game).start)


@pytest.mark.parametrize("place", ["pile[green] > 0", "all p in {red, green}: p == red or pile[yellow] == 0"])
def test_a_player_who_does_not_play_has_nothing(load, place):
    with pytest.raises(RulesError) as refusal:
        load(2, more=f"\ninvariant a: {place}\n")

    assert ["PR201"] == [found.code.id for found in refusal.value.diagnostics]
    assert "does not play with 2 players" in refusal.value.diagnostics[0].message


def test_a_list_for_some_of_the_players_is_too_short(load):
    with pytest.raises(RulesError) as refusal:
        load(4, "[1, 2, 3, 4]", "[1, 2, 3]")

    assert ["PR304"] == [found.code.id for found in refusal.value.diagnostics]
