"""The verifier's commands: what they print, and that their exit codes tell the truth."""

import json
import re

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.evidence import files
from pilgrim_rules.evidence.record import Record, Verdict
from verifier.claims.obligations import obligations
from verifier.cli.printing import worst_exit_code
from verifier.prove.run import Report

pytestmark = pytest.mark.usefixtures("pebbles")


@pytest.fixture
def broken(pebbles):
    """Let a player hold less than he can take."""
    pebbles.write_text(pebbles.read_text().replace("held[Player, Bowl] : 0..3 = 0", "held[Player, Bowl] : 0..2 = 0"))


def test_the_gravest_code_speaks_for_all():
    assert Exit.DISAGREEMENT == worst_exit_code([0, 3, 1, 4])
    assert Exit.REFUTED == worst_exit_code([3, 1, 0])
    assert Exit.UNSETTLED == worst_exit_code([0, 3])
    assert Exit.OK == worst_exit_code([0, 0])


def test_obligations_are_listed_in_words(capsys):
    assert Exit.OK == run(["obligations", "pebbles"])
    out = capsys.readouterr().out
    assert "pebbles.range/take\n    Nothing that `take` writes leaves its range.\n" in out


def test_obligations_are_data_for_programs(capsys):
    assert Exit.OK == run(["obligations", "pebbles", "--only", "range*", "--format", "json"])
    assert {"range"} == {each["kind"] for each in json.loads(capsys.readouterr().out)["obligations"]}


def test_what_is_claimed_is_proved(capsys):
    assert Exit.OK == run(["prove", "pebbles", "--no-confirm", "--jobs", "1"])
    *table, told = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"pebbles, 2 players: \d+ proved \((\d+ by \w+(, )?)+\)", told)
    assert any(re.fullmatch(r"invariant.none_lost +✓ proved +.*induction.* 2/2 +\d+\.\d\d s", row) for row in table)


def test_several_games_are_told_in_a_line_each(capsys):
    assert Exit.OK == run(["prove", "pebbles", "pebbles", "--no-confirm", "--only", "can_happen*"])
    assert 2 * "pebbles, 2 players: 2 proved (2 by play)\n" == capsys.readouterr().out


def test_on_request_each_proof_is_shown(capsys):
    assert Exit.OK == run(["prove", "pebbles", "-v", "--only", "none_lost", "--only", "range/*"])
    out = capsys.readouterr().out
    assert re.search(r"✓ pebbles.invariant.none_lost/take: proved \(\w+; 2 players\)", out)


def test_what_a_proof_rests_on_is_part_of_its_word(tmp_path, monkeypatch, capsys):
    """Until what it rests on was proved, now or by an earlier run."""
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path / "cache"))
    asked = ["prove", "pebbles", "--no-confirm", "--jobs", "1"]

    assert Exit.UNSETTLED == run([*asked, "--only", "none_lost"])
    assert "none_lost/take: proved if `range/take`, which this run has not looked at" in capsys.readouterr().out
    assert Exit.OK == run(asked)
    assert Exit.OK == run([*asked, "--only", "none_lost"])


def test_a_refutation_ends_with_1_and_a_play(broken, capsys):
    assert Exit.REFUTED == run(["prove", "pebbles", "--only", "range*", "--no-confirm"])
    out = capsys.readouterr().out
    assert "✗ pebbles.range/take: refuted" in out
    assert "take(red, 2)" in out or "take(blue, 2)" in out


def test_proofs_are_data_for_programs(capsys):
    assert Exit.OK == run(["prove", "pebbles", "--format", "json"])
    (report,) = json.loads(capsys.readouterr().out)["reports"]
    assert {"proved"} == {record["verdict"] for record in report["records"]}


def test_a_budget_too_small_is_not_settled(capsys):
    assert Exit.UNSETTLED == run(["prove", "pebbles", "--budget", "1", "--only", "none_lost", "--no-confirm"])
    assert "not settled" in capsys.readouterr().out


def test_cores_tell_for_each_clause_which_guarantees_rest_on_it(capsys):
    assert Exit.OK == run(["cores", "watermill", "--no-confirm"])
    out = capsys.readouterr().out
    assert "MIL-3: a mill that somebody owns cannot be built again" in out
    assert "\n    build.require.1: step.mills_stay\n" in out
    assert "that no proof needs:\n    " in out


def test_cores_as_json_have_the_labels_of_every_proof(capsys):
    assert Exit.OK == run(["cores", "watermill", "--no-confirm", "--format", "json"])
    told = json.loads(capsys.readouterr().out)
    assert "require:build.require.1" in told["cores"]["watermill.step.mills_stay/build"]
    assert {"build.require.1": ["step.mills_stay"]} == told["clauses"]["MIL-3"]
    assert "MIL-5" in told["idle"]


def test_a_search_that_closes_is_a_proof(capsys):
    assert Exit.OK == run(["explore", "pebbles"])
    assert "closed: every reachable state was visited" in capsys.readouterr().out


def test_a_search_that_ends_early_is_not_settled(capsys):
    assert Exit.UNSETTLED == run(["explore", "pebbles", "--max-states", "3", "--format", "json"])
    assert "not settled" == json.loads(capsys.readouterr().out)["verdict"]


def test_a_search_that_finds_something_shows_the_way_to_it(broken, capsys):
    assert Exit.REFUTED == run(["explore", "pebbles", "--first"])
    assert "✗ contradiction" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["prove", "pebbles", "--jobs", "0"],
        ["prove", "pebbles", "--budget", "none"],
        ["explore", "pebbles", "--memory", "-3"],
        ["prove", "nosuchgame"],
        ["prove", "pebbles", "--only", "nothing_of_the_kind"],
        ["prove", "pebbles", "--emit", "smt3", "x"],
        ["obligations"],
    ],
)
def test_words_that_make_no_sense_are_refused(words, capsys):
    assert Exit.BAD_INPUT == run(words)
    assert capsys.readouterr().err


def test_random_play_without_a_failure_is_fine(capsys):
    assert Exit.OK == run(["fuzz", "pebbles", "--games", "20"])
    assert "pebbles: 20 games played, all to the end" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["--rulings"], ["--ruling", "empty_hand=forbidden"]], ids=["every option", "one option"]
)
def test_fuzzing_takes_one_ruling_or_all(pebbles, capsys, words):
    assert Exit.OK == run(["fuzz", "pebbles", "--games", "4", *words])
    assert "4 games" in capsys.readouterr().out


def test_random_play_that_fails_is_printed_as_an_example(broken, tmp_path, capsys):
    assert Exit.REFUTED == run(["fuzz", "pebbles", "--games", "20", "--save", str(tmp_path / "found")])
    out = capsys.readouterr().out
    assert "✗ pebbles.range/take: " in out
    assert "example found_range_take_" in out
    (saved,) = (tmp_path / "found").iterdir()
    assert Exit.OK == run(["replay", str(saved), "-q"])


def test_random_play_is_data_for_programs(capsys):
    assert Exit.OK == run(["fuzz", "pebbles", "--games", "5", "--format", "json"])
    assert 5 == json.loads(capsys.readouterr().out)["games"]


def test_everything_together_is_one_report(tmp_path, capsys):
    words = ["verify", "pebbles", "--games", "10", "--no-confirm", "--evidence", str(tmp_path)]

    assert Exit.OK == run(words)
    out = capsys.readouterr().out
    assert re.search(r"pebbles, 2 players: \d+ proved \(.*by induction.*\)\n", out)
    assert "closed: every reachable state was visited" in out
    assert "10 games played" in out
    evidence = json.loads(files.read_text(tmp_path / "pebbles.json.gz"))
    assert "pilgrim-rules/evidence/3" == evidence["format"]
    assert {"proof", "search", "fuzz"} == {way["source"] for way in evidence["ways"]}


def test_a_search_that_stops_early_takes_nothing_away_from_a_proof(capsys):
    assert Exit.OK == run(["verify", "pebbles", "--games", "5", "--states", "2", "--no-confirm"])
    out = capsys.readouterr().out
    assert "? reachable" not in out
    assert "not settled" not in out
    assert "and found nothing wrong; all claims are proved above" in out
    assert out.endswith("pebbles, 2 players: everything is proved; search and random play found nothing wrong\n")


def test_the_same_verdicts_leave_the_evidence_as_it_is(tmp_path):
    words = ["verify", "pebbles", "--games", "5", "--no-confirm", "--no-cache", "--evidence", str(tmp_path)]
    run(words)
    first = (tmp_path / "pebbles.json.gz").read_bytes()

    run(words)
    assert first == (tmp_path / "pebbles.json.gz").read_bytes()


def test_what_proof_search_and_play_all_refute_is_no_disagreement(broken, capsys):
    assert Exit.REFUTED == run(["verify", "pebbles", "--games", "10", "--no-confirm"])
    assert "‼" not in capsys.readouterr().out


def test_a_proof_that_play_refutes_is_an_alarm(broken, monkeypatch, capsys):
    """A prover that calls everything proved is found out by search and by play."""

    def blind(core, **asked):
        made = (
            Record(each.name, each.kind, each.sentence, Verdict.PROVED, "wishful thinking")
            for each in obligations(core)
        )
        return Report(core.name, tuple(made))

    monkeypatch.setattr("verifier.cli.prove.verify", blind)

    assert Exit.DISAGREEMENT == run(["verify", "pebbles", "--games", "10"])
    out = capsys.readouterr().out
    assert "‼ `pebbles.range` is proved, but the search finds" in out
    assert "‼ `pebbles.range/take` is proved, but play shows" in out


def test_verify_is_data_for_programs(capsys):
    assert Exit.OK == run(["verify", "pebbles", "--games", "5", "--no-confirm", "--format", "json"])
    assert {"records", "search", "play", "alarms"} <= json.loads(capsys.readouterr().out)["reports"][0].keys()


@pytest.mark.parametrize(
    "words",
    [
        ["fuzz", "pebbles", "--games", "0"],
        ["fuzz", "pebbles", "--minutes", "0"],
        ["fuzz", "pebbles", "--games", "20", "--save", "/dev/null/x"],
        ["verify", "pebbles", "--games", "0", "--states", "0", "--evidence", "/dev/null/x"],
    ],
)
def test_orders_that_cannot_be_followed_are_refused(words, broken, capsys):
    assert Exit.BAD_INPUT == run(words)
    assert capsys.readouterr().err


SEATS = """\
game seats
    players 1..2
ruling cap
    option low "two each" default
    option high "four each"
stages
    playing by turn
    over nobody
state
    turn : Player
    a    : 0..9
action up
    during playing
    require a < players * (4 if cap == high else 2)
    do a += 1
action leave
    during playing
    do stage = over
invariant small: a <= 4
"""


def test_each_option_is_proved_for_all_numbers_of_players_and_says_for_which(tmp_path, capsys):
    path = tmp_path / "seats.rules"
    path.write_text(SEATS)
    command = ["prove", str(path), "--no-confirm", "--jobs", "1", "--each-option"]

    assert Exit.REFUTED == run(command)
    out = capsys.readouterr().out
    assert "seats, 1 player, cap = high: ✓" in out
    assert "seats, 2 players, cap = high: ✗" in out
    assert Exit.OK == run([*command, "--players", "1"])
    assert Exit.BAD_INPUT == run([*command, "--evidence", str(tmp_path)])
