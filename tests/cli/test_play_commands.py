"""The commands for whoever plays or builds on a game: moves, replay, vectors, compile."""

import ast
import json

import pytest

from pilgrim_rules.api.game import load
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.examples.vectors import state_hash

pytestmark = pytest.mark.usefixtures("pebbles")


@pytest.fixture
def record(tmp_path, pebbles):
    trace = Trace.start(load("pebbles"), seed=3)
    trace.play("take(red, 2)", "take(blue)")
    trace.save(tmp_path / "game.json")
    return tmp_path / "game.json"


def test_outcomes_of_chance_come_with_their_odds(capsys):
    assert Exit.OK == run(["moves", "pebbles"])
    assert "roll(red)  1/2\nroll(blue)  1/2\n" == capsys.readouterr().out


def test_the_moves_after_some_moves_are_listed(capsys):
    assert Exit.OK == run(["moves", "pebbles", "roll(red)", "take(red, 2)"])
    assert ["take(red)", "take(blue)", "take(blue, 2)"] == capsys.readouterr().out.splitlines()


def test_moves_are_data_for_programs(capsys):
    assert Exit.OK == run(["moves", "pebbles", "--seed", "1", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert ("ann", "playing", False, 4) == (
        *(report[key] for key in ("to_move", "stage", "over")),
        len(report["moves"]),
    )


def test_a_finished_game_names_its_winner(capsys):
    assert Exit.OK == run(["moves", "pebbles", "roll(red)", "take(red, 2)", "take(red)", "take(blue, 2)", "take(blue)"])
    assert "the game is over; ann won\n" == capsys.readouterr().out


def test_an_illegal_move_ends_with_every_reason(capsys):
    assert Exit.REFUTED == run(["moves", "pebbles", "roll(red)", "take(red, 2)", "take(red, 3)"])
    assert 3 == len(capsys.readouterr().err.splitlines())
    assert Exit.REFUTED == run(["moves", "pebbles", "roll(red)", "take(red, 3)", "--format", "json"])
    assert "no more than two at once" == json.loads(capsys.readouterr().out)["refusals"][0]["says"]


@pytest.mark.parametrize("move", ["fly(red)", "take", "take(green)", "", "((", "take(red, 1, 2)", "\x1b[2J"])
def test_what_is_no_move_is_bad_input(move, capsys):
    assert Exit.BAD_INPUT == run(["moves", "pebbles", "roll(red)", move])
    err = capsys.readouterr().err
    assert err.strip()
    assert "\x1b" not in err


def test_a_contradiction_in_the_rules_is_named(pebbles, capsys):
    pebbles.write_text(pebbles.read_text().replace("held[Player, Bowl] : 0..3 = 0", "held[Player, Bowl] : 0..1 = 0"))

    assert Exit.REFUTED == run(["moves", "pebbles", "roll(red)", "take(red, 2)"])
    assert "held" in capsys.readouterr().err


def test_a_record_is_replayed_step_by_step(record, capsys):
    assert Exit.OK == run(["replay", str(record)])
    out = capsys.readouterr().out
    assert "pile[red]: 3 → 1" in out
    assert "Pebbles: 3 steps, each legal; ann to move" in out


def test_a_record_can_be_checked_only(record, capsys):
    assert Exit.OK == run(["replay", "-q", str(record)])
    assert 2 == len(capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("option", ["--itf", "--format=json"])
def test_a_record_can_be_exported(option, record, capsys):
    assert Exit.OK == run(["replay", str(record), option])
    assert isinstance(json.loads(capsys.readouterr().out), dict)


def test_a_record_with_an_illegal_step_is_refuted(record, capsys):
    record.write_text(record.read_text().replace("take(red, 2)", "take(red, 3)"))

    assert Exit.REFUTED == run(["replay", str(record)])
    assert "step 2, `take(red, 3)`" in capsys.readouterr().err


def test_a_record_of_other_rules_is_stale(record, pebbles, capsys):
    pebbles.write_text(pebbles.read_text().replace("require n <= 2", "require n <= 3"))

    assert Exit.BAD_INPUT == run(["replay", str(record)])
    assert "`--stale`" in capsys.readouterr().err
    assert Exit.OK == run(["replay", str(record), "--stale"])


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "x"}', "\0", "[" * 100_000])
def test_a_file_that_is_no_record_is_bad_input(text, tmp_path, capsys):
    path = tmp_path / "x.json"
    path.write_text(text)

    assert Exit.BAD_INPUT == run(["replay", str(path)])
    assert capsys.readouterr().err.strip()


@pytest.mark.parametrize("path", ["nowhere.json", "/"])
def test_a_record_that_is_not_there_is_bad_input(path, capsys):
    assert Exit.BAD_INPUT == run(["replay", path])


def test_vectors_can_be_played_again(capsys):
    assert Exit.OK == run(["vectors", "pebbles", "-n", "5", "--no-examples"])
    head, *games = map(json.loads, capsys.readouterr().out.splitlines())

    assert "pilgrim-rules/vectors/2" == head["format"]
    assert 5 == len(games)
    for vector in games:
        state = load("pebbles").start()
        for step in vector["steps"]:
            assert step["offered"] == state.moves()
            assert step["by"] == state.to_move
            state = state.play(step["move"])
            assert step["state"] == state_hash(json.loads(state.to_json())["state"])
        assert (vector["over"], vector["winners"]) == (state.over, state.winners())


def test_the_same_seed_gives_the_same_vectors(capsys):
    run(["vectors", "pebbles", "-n", "2", "--seed", "7"])
    first = capsys.readouterr().out
    run(["vectors", "pebbles", "-n", "1", "--seed", "8"])
    second = capsys.readouterr().out

    assert first.splitlines()[2] == second.splitlines()[1]


def test_a_long_game_is_cut(capsys):
    assert Exit.OK == run(["vectors", "pebbles", "-n", "1", "--longest", "2"])
    assert not json.loads(capsys.readouterr().out.splitlines()[1])["over"]


@pytest.mark.parametrize("options", [["-n", "0"], ["-n", "x"], ["--longest", "0"], ["--seed", "x"]])
def test_vectors_refuse_numbers_that_make_no_sense(options, capsys):
    assert Exit.BAD_INPUT == run(["vectors", "pebbles", *options])


def test_the_compiled_code_is_python(capsys):
    assert Exit.OK == run(["compile", "pebbles", "--emit", "python"])
    ast.parse(capsys.readouterr().out)
    assert Exit.BAD_INPUT == run(["compile", "pebbles", "--emit", "cobol"])


@pytest.mark.parametrize("command", ["moves", "play", "vectors", "compile", "print", "coverage"])
def test_every_command_refuses_an_unknown_game_alike(command, capsys):
    assert Exit.BAD_INPUT == run([command, "peebles"])
    assert "did you mean `pebbles`?" in capsys.readouterr().err
