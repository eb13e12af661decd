"""Small games on which the tools were wrong once: each command, and what it must say."""

import json
import shutil
from pathlib import Path

import pytest

from pilgrim_rules.api.game import load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run

FOLDER = Path(__file__).parent / "attacks"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """Let nothing that another test has proved be known here."""
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def prove(capsys):
    """Prove a file; return the exit code, and the verdicts with their bounds by players, options and name."""

    def proved(name, *words):
        code = run(["prove", str(FOLDER / name), "--no-confirm", "--jobs", "1", "--format", "json", *words])
        out = capsys.readouterr().out
        found = {
            (report["players"], tuple(report["rulings"].values()), record["name"].partition(".")[2]): record
            for report in json.loads(out)["reports"]
            for record in report["records"]
        }
        return code, found

    return proved


def verdicts(found, name):
    return {key[:2]: record["verdict"] for key, record in found.items() if key[2] == name}


def test_an_example_is_about_the_reading_that_it_names(prove):
    code, found = prove("under.rules")

    assert (Exit.OK, {(2, ("one",)): "proved"}) == (code, verdicts(found, "example.shows"))
    state = load(FOLDER / "under.rules", rulings={"mode": "two"}).start()
    assert 2 == state.play("go")["a"]


@pytest.mark.parametrize("words", [(), ("--all-rulings",), ("--ruling", "mode=two")])
def test_a_wrong_example_is_refuted_whatever_reading_is_chosen(prove, words):
    code, found = prove("under2.rules", *words)

    assert Exit.REFUTED == code
    assert {"refuted"} == set(verdicts(found, "example.shows").values())


def test_all_rulings_are_read_anew_so_that_computed_numbers_are_those_of_each(prove):
    _, found = prove("under2.rules", "--all-rulings")

    assert {(2, ("one",)): "proved", (2, ("two",)): "refuted"} == verdicts(found, "invariant.low/go")


def test_an_action_of_another_reading_breaks_what_holds_without_it(prove, tmp_path):
    text = (FOLDER / "onlyw.rules").read_text().replace("example jumps", "example jumps under mode = two")
    path = tmp_path / "onlyw.rules"
    path.write_text(text.replace(" == 9 under mode = two", " == 9"))

    code, found = prove(path, "--all-rulings")

    assert Exit.REFUTED == code
    assert {(2, ("two",)): "refuted"} == verdicts(found, "invariant.low/jump")


@pytest.mark.parametrize("name", ["onlyw.rules", "dropref.rules"])
def test_a_move_of_another_reading_is_a_mistake(name, capsys):
    assert Exit.BAD_INPUT == run(["check", str(FOLDER / name)])
    assert "PR511" in "".join(capsys.readouterr())


def test_all_rulings_together_refute_both_claims(prove):
    code, found = prove("all_rulings.rules", "--all-rulings")

    assert Exit.REFUTED == code
    assert "refuted" in verdicts(found, "invariant.small/leap").values()
    assert "refuted" in verdicts(found, "invariant.few/count_up").values()
    named = found[2, ("no", "low"), "invariant.few/count_up"]
    assert "proved" == named["verdict"]
    assert {"for `fast` = no", "for `cap` = low"} <= set(named["bounds"])


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("assumed_type/b.rules", "invariant.cheap/pay"),
        ("assumed_derived/d.rules", "invariant.small/up"),
        ("assumed_derived/d.rules", "invariant.smaller/up"),
    ],
)
def test_a_proof_names_the_one_value_that_it_holds_for(prove, name, claim):
    _, found = prove(name)
    (record,) = (each for key, each in found.items() if key[2] == claim)

    assert "proved within limits" == record["verdict"]
    assert "only for `cap` = 5" in record["bounds"]
    assert "for every `cap` in its range" not in record["bounds"]


@pytest.mark.parametrize("name", ["assumed_type/b.rules", "assumed_derived/d.rules"])
def test_with_another_value_it_is_refuted(prove, name):
    code, _ = prove(name, "--edition", str(FOLDER / name).rpartition("/")[0] + "/nine.toml")

    assert Exit.REFUTED == code


def test_rows_are_read_before_the_edition_is_known(capsys):
    """So no number of the edition can hide in them."""
    assert Exit.BAD_INPUT == run(["check", str(FOLDER / "assumed_derived/e.rules")])
    assert "unknown name `cap`" in "".join(capsys.readouterr())


def test_a_part_is_proved_if_the_rest_is(prove):
    code, found = prove("only.rules", "--only", "few")
    (record,) = (each for key, each in found.items() if key[2] == "invariant.few/up")

    assert (Exit.UNSETTLED, "proved if") == (code, record["verdict"])
    assert "if `invariant.small`, `range/up`, which this run has not looked at" == record["reason"]
    prove("only.rules")
    code, found = prove("only.rules", "--only", "few")
    assert (Exit.UNSETTLED, {(2, ()): "not settled"}) == (code, verdicts(found, "invariant.few/up"))


def test_all_numbers_of_players_are_looked_at(prove):
    code, found = prove("players.rules")

    assert Exit.REFUTED == code
    assert {(2, ()): "proved", (3, ()): "refuted"} == verdicts(found, "invariant.few/go")


def test_the_headline_names_the_number_of_players(capsys):
    run(["prove", str(FOLDER / "players.rules"), "--no-confirm", "--jobs", "1", "--players", "2"])

    assert "seats, 2 players: 7 proved" in capsys.readouterr().out


def edited(tmp_path, name, before, after):
    """Copy a file, and return it with a function that edits it."""
    path = tmp_path / name
    shutil.copy(FOLDER / name, path)
    return path, lambda: path.write_text(path.read_text().replace(before, after))


def test_what_was_kept_cites_what_the_text_cites_today(prove, tmp_path):
    path, edit = edited(tmp_path, "citations.rules", "XYZ", "ABC")
    before = prove(path)[1]
    edit()
    after = prove(path)[1]

    assert {"XYZ-8", "XYZ-9"} == set(before[2, (), "invariant.small/up"]["clauses"])
    assert {"ABC-8", "ABC-9"} == set(after[2, (), "invariant.small/up"]["clauses"])


def test_what_was_kept_stands_where_it_stands_today(prove, tmp_path):
    path, edit = edited(tmp_path, "place.rules", "# a\n", "# a\n# b\n# c\n")
    before = prove(path)[1][2, (), "invariant.small/up"]
    edit()
    after = prove(path)[1][2, (), "invariant.small/up"]

    assert before["place"]["line"] + 2 == after["place"]["line"]


def test_new_words_of_a_claim_are_told_of_what_was_kept(prove, tmp_path):
    path, edit = edited(tmp_path, "place.rules", "New words here.", "Newer words here.")
    prove(path)
    edit()

    assert "Newer words here." in prove(path)[1][2, (), "invariant.small/up"]["sentence"]


@pytest.mark.parametrize("name", ["s.rules", "t.rules", "false_proof.rules"])
def test_a_sum_over_neighbours_that_may_leave_a_table_is_a_mistake(name, capsys):
    """What stays possible with `the` is asked as an obligation: see tests/prove/test_outside_tables.py."""
    assert Exit.BAD_INPUT == run(["check", str(FOLDER / "around_sum" / name)])
    assert "error[PR3" in "".join(capsys.readouterr())


def test_definitions_that_call_each_other_twice_are_answered(capsys):
    assert Exit.OK == run(["moves", str(FOLDER / "expo.rules")])
