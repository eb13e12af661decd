"""What a notebook shows, and how somebody finds a game."""

import pytest

import pilgrim_rules as pr


def test_the_games_that_can_be_loaded_are_listed():
    assert {"nim", "noughts_and_crosses", "pilgrim"} <= set(pr.games())


def test_a_misspelt_game_is_answered_with_the_right_one():
    with pytest.raises(pr.RulesError) as refused:
        pr.load("pilgrmi")

    assert "did you mean `pilgrim`?" == refused.value.diagnostics[0].help
    assert "PR801: there is no game `pilgrmi` (did you mean `pilgrim`?)" == str(refused.value)


def test_a_game_shows_its_players_actions_and_readings():
    shown = pr.load("nim", rulings={"last_stick": "loses"})._repr_html_()

    assert "<caption>Nim</caption>" in shown
    for part in ("ann, ben", "take", "last_stick = loses"):
        assert part in shown


def test_a_view_says_who_looks_at_what():
    view = pr.load("kuhn_poker").start(1).view("ann")

    assert "<View of kuhn_poker: betting, ann to move, as ann sees it>" == repr(view)
    assert "<code>bet</code>" in view._repr_html_()
    assert view.svg() in view._repr_html_()
    assert "<View of kuhn_poker: betting, ann to move, as a spectator sees it>" == repr(view._state.view(None))
    assert "<code>" not in view._state.view("ben")._repr_html_()


def test_a_move_is_shown_as_code():
    assert "<code>take(1, left)</code>" == pr.load("nim").start().moves()[0]._repr_html_()


@pytest.mark.parametrize("name", ["nim", "kuhn_poker", "pig"])
def test_legal_moves_are_numbers_and_a_mask(name):
    game = pr.load(name)
    for state in (game.start(), game.start(3)):
        for kind in ("action", "chance"):
            numbers = pr.ActionNumbers(game, kind)
            wanted = state.moves() if (state.to_move == "chance") == (kind == "chance") else []

            assert set(wanted) == {numbers.move(each) for each in numbers.legal(state)}
            assert numbers.legal(state) == [at for at, legal in enumerate(numbers.mask(state)) if legal]


def test_a_row_says_what_a_player_sees():
    game = pr.load("kuhn_poker")
    row = dict(zip(game.observations.names, game.observations.row(game.start(1), 0), strict=True))

    assert (1, 2, 4) == (row["seat"], row["hand[ann]"], row["hand[ben]"])


def test_a_row_is_asked_for_by_name_or_seat():
    game = pr.load("kuhn_poker")
    state, seen = game.start(1), game.observations

    assert list(seen.row(state, 1)) == list(seen.row(state, "ben"))
    with pytest.raises(KeyError, match="did you mean `ben`"):
        seen.row(state, "bne")
    with pytest.raises(KeyError, match="`2` is not a value of `Player`"):
        seen.row(state, 2)


def test_numbers_and_rows_say_what_they_are():
    game = pr.load("kuhn_poker")

    assert "<ActionNumbers of kuhn_poker: 4 moves of players>" == repr(game.action_numbers)
    assert "<Observations of kuhn_poker: 12 entries>" == repr(game.observations)


def test_a_move_of_chance_has_no_number_among_those_of_players():
    game = pr.load("kuhn_poker")
    dealt = game.start().moves()[0]

    with pytest.raises(pr.BadMove, match="has no number among the moves of players"):
        game.action_numbers.number(dealt)
    assert 0 == pr.ActionNumbers(game, "chance").number(dealt)
