"""Readings: where the options of a ruling make a difference in random play, and what is kept of it."""

import json

import pytest

import pilgrim_rules as pr
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from verifier.rulings import measured_store
from verifier.rulings.measure import chosen_option, random_games, ruling_impact

TEXT = """\
game heap
    players 2..2 named ann, ben

stages
    playing by turn
    over nobody

ruling greed
    option three_at_most default
    option two_at_most

ruling colour
    ## Changes nothing.
    option red default
    option blue

ruling handful
    option plain default
    option all_at_once

ruling memory
    ## Seen in the score only, and a move later than it is written down.
    option short default
    option long

ruling beginning
    option full default
    option smaller

state
    turn : Player
    heap : 0..9 = 9 if beginning == full else 8
    kept : 0..3 = 0
    paid : 0..3 = 0

action take(n: 1..3)
    during playing
    require n <= heap
    require n <= 2 or greed == three_at_most
    do
        heap -= n
        paid = kept
        if memory == long and n == 3: kept = 3
        turn = next(turn)
        if heap == 0: stage = over

action take_all
    only when handful == all_at_once
    during playing
    do
        heap = 0
        stage = over

score of p
    line "Last" 1 if turn == p else 0
    line "Kept" paid
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "heap.rules"
    path.write_text(TEXT)
    return path


@pytest.fixture
def base(path):
    return pr.load(path)


@pytest.fixture
def found(base, path):
    games = random_games(base, 5, seed=3)

    def measure(ruling, option):
        return ruling_impact(base, pr.load(path, rulings={ruling: option}), ruling, option, games)

    return measure


def test_an_option_that_forbids_a_move_makes_a_difference_at_once(found):
    greed = found("greed", "two_at_most")

    assert (5, 5, 0, "moves") == (greed.games, greed.bites, greed.first.moves, greed.first.what)
    assert (("take(3)",), ()) == (greed.first.here, greed.first.there)


def test_an_option_that_adds_an_action_makes_a_difference_in_every_decision(found):
    handful = found("handful", "all_at_once")

    assert (5, handful.decisions) == (handful.bites, handful.parted)
    assert ((), ("take_all",)) == (handful.first.here, handful.first.there)


def test_a_ruling_that_nothing_reads_makes_none_and_no_game_is_looked_at(found):
    colour = found("colour", "blue")

    assert (False, 0, 0, None) == (colour.read, colour.bites, colour.parted, colour.first)


def test_what_is_only_remembered_makes_a_difference_once_it_is_seen(found, base):
    memory = found("memory", "long")
    moves = random_games(base, 5, seed=3)[memory.first.game].moves

    assert "scores" == memory.first.what
    assert "take(3)" == moves[memory.first.moves - 2]


def test_what_only_breaks_ties_makes_a_difference_where_it_breaks_them_otherwise(tmp_path):
    text = TEXT.replace("state\n", "ruling tie\n    option more default\n    option fewer\n\nstate\n", 1)
    path = tmp_path / "ties.rules"
    path.write_text(text + "\nrank p by score desc, (heap if tie == more else 0 - heap) desc\n")
    base, other = pr.load(path), pr.load(path, rulings={"tie": "fewer"})

    tie = ruling_impact(base, other, "tie", "fewer", random_games(base, 5, seed=3))

    assert (True, 5, "scores") == (tie.read, tie.bites, tie.first.what)


def test_another_beginning_is_a_difference_and_the_rest_of_the_game_is_compared_from_there(found):
    beginning = found("beginning", "smaller")

    assert beginning.read
    assert 0 < beginning.bites
    assert beginning.parted < beginning.decisions


def test_the_option_that_is_played_is_not_an_other_one(base, path):
    ruling = base.core.rulings[0]

    assert "three_at_most" == chosen_option(base.core, ruling)
    assert "two_at_most" == chosen_option(pr.load(path, rulings={"greed": "two_at_most"}).core, ruling)


def test_the_same_seed_plays_the_same_games(base):
    assert random_games(base, 2, seed=5) == random_games(base, 2, seed=5)
    assert random_games(base, 2, seed=5) != random_games(base, 2, seed=6)


# --------------------------------------------------------------------------------------------------------- the command


def test_the_command_lists_what_bites_most_first(path, capsys):
    assert Exit.OK == run(["readings", str(path), "--games", "2", "--only", "greed", "--only", "colour"])
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("    2/2  greed = two_at_most   in ")
    assert first.endswith("first in game 0 after 0 moves (moves)")
    assert "    0/2  colour = blue" == last


def test_a_ruling_that_is_not_there_is_refused(path, capsys):
    assert Exit.BAD_INPUT == run(["readings", str(path), "--only", "gread"])
    assert "no ruling `gread`" in capsys.readouterr().err


def test_what_is_written_leads_to_where_the_readings_part(path, base, tmp_path, capsys):
    folder = tmp_path / "kept"
    assert Exit.OK == run(
        ["readings", str(path), "--games", "3", "--only", "memory", "--only", "colour", "--write", str(folder)]
    )
    assert "2 files written" in capsys.readouterr().out
    data = measured_store.read(folder)
    memory = next(each for each in data["rulings"] if each["name"] == "memory")
    trace = pr.Trace.load(folder / memory["record"]).replay(base)

    assert (3, measured_store.play_fingerprint_of(base.core)) == (data["games"], data["rules"])
    assert memory["first"]["moves"] == len(trace)
    assert [None] == [each["record"] for each in data["rulings"] if each["name"] == "colour"]


def test_records_are_renewed_unless_play_has_changed(path, tmp_path, capsys):
    folder = tmp_path / "kept"
    run(["readings", str(path), "--games", "1", "--only", "greed", "--write", str(folder)])
    path.write_text(TEXT + "\ninvariant heaps: heap <= 9\n")
    assert Exit.OK == run(["readings", str(path), "--renew", str(folder)])
    pr.Trace.load(folder / "greed.json").replay(pr.load(path))
    path.write_text(TEXT.replace("0..9 = 9", "0..9 = 7"))
    assert Exit.OK != run(["readings", str(path), "--renew", str(folder)])
    assert "measure again" in capsys.readouterr().err


def test_a_folder_without_findings_is_refused(path, tmp_path, capsys):
    (tmp_path / measured_store.MEASURED).write_text(json.dumps({}))
    assert Exit.OK != run(["readings", str(path), "--renew", str(tmp_path)])
    assert Exit.OK != run(["readings", str(path), "--renew", str(tmp_path / "nowhere")])
    assert "holds no findings" in capsys.readouterr().err


def test_rulings_that_were_not_measured_again_keep_their_figures(path, tmp_path):
    folder = tmp_path / "found"
    run(["readings", str(path), "--games", "4", "--write", str(folder)])
    whole = measured_store.read(folder)
    run(["readings", str(path), "--games", "4", "--only", "memory", "--write", str(folder)])

    assert whole == measured_store.read(folder)
