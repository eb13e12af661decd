"""A checked game is kept between runs, and never believed if anything has changed."""

import pytest

from pilgrim_rules.language import checked_cache, passes
from pilgrim_rules.language.load import check, load_rules

RULES = """\
game small
    players 2..2

stages
    playing by turn
    resting by turn
    over nobody

state
    turn : Player

action pass
    during playing
    do stage = over
"""


@pytest.fixture
def game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "small.rules"
    path.write_text(RULES)
    return path


@pytest.fixture
def no_passes(monkeypatch):
    """Return a function after which nothing can be checked anew."""

    def forbid():
        monkeypatch.setattr(passes, "check", None)
        monkeypatch.setattr(passes, "run", None)

    return forbid


def kept(folder):
    return sorted((folder / "cache").glob("*.game"))


def test_what_is_recalled_is_what_was_found(game, no_passes):
    bag, loaded = check(game), load_rules(game)
    no_passes()

    assert list(bag) == list(check(game))
    assert ["PR414"] == [found.code.id for found in bag]
    assert loaded.game == load_rules(game).game
    assert loaded.bag.sources == load_rules(game).bag.sources


def test_changed_rules_are_checked_again(game):
    check(game)
    game.write_text(RULES.replace("    resting by turn\n", ""))

    assert [] == list(check(game))


def test_other_choices_are_another_question(game):
    game.write_text(RULES.replace("2..2", "2..3"))

    assert [2, 3] == [load_rules(game, players=count).game.players for count in (2, 3)]


def test_a_game_with_errors_is_not_kept(game, tmp_path):
    game.write_text(RULES + "law l: turn\n")

    assert check(game).errors
    assert [] == kept(tmp_path)


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data.replace(b"read", b"raed"), lambda _: b""])
def test_what_is_damaged_is_found_out_anew(game, tmp_path, no_passes, damage):
    expected = list(check(game))
    assert kept(tmp_path)
    for path in kept(tmp_path):
        path.write_bytes(damage(path.read_bytes()))

    assert expected == list(check(game))
    for path in kept(tmp_path):
        path.write_bytes(damage(path.read_bytes()))
    no_passes()
    with pytest.raises(TypeError):
        check(game)


def test_a_game_that_was_checked_is_loaded_without_checking_it_again(game, no_passes, monkeypatch):
    game.write_text(RULES.replace("2..2", "2..4 default 3"))
    monkeypatch.setenv("PILGRIM_CACHE", "")
    asked = (None, 2, 3, 4)
    expected = [load_rules(game, players=players) for players in asked]
    monkeypatch.setenv("PILGRIM_CACHE", str(game.parent / "cache"))
    bag = check(game)
    no_passes()

    for players, alone in zip(asked, expected, strict=True):
        loaded = load_rules(game, players=players)
        assert alone.game == loaded.game
        assert list(alone.bag) == list(loaded.bag)
    assert set(bag) == {found for alone in expected for found in alone.bag}


def test_a_mistake_for_one_number_of_players_only_is_told_of(game):
    game.write_text(RULES.replace("2..2", "2..4") + "\nlaw few: players < 4\n")

    assert ["PR507"] == [found.code.id for found in check(game).errors]


def test_answers_of_other_code_are_not_recalled(game, no_passes, monkeypatch):
    check(game)
    monkeypatch.setattr(checked_cache, "_code", lambda: "other")
    no_passes()

    with pytest.raises(TypeError):
        check(game)


def test_without_a_cache_nothing_is_kept(game, tmp_path, monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", "")
    check(game)

    assert not (tmp_path / "cache").exists()
