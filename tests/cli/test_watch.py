"""`pilgrim watch`: what a change breaks is told, from the cheapest check to the dearest, and nothing else is done again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.cli.options import InstanceOptions
from verifier.cli.watch import EventPrinter, Watcher, WatchSettings
from verifier.cli.watched_files import file_stamps

RULES = """\
game well "Well"
    players 2..2 named ann, ben

stages
    drawing by turn
    over nobody

state
    water : 0..3 = 3
    turn  : Player = ann

action draw(n: 1..2)
    by turn
    require n <= water
        else "there is not so much water"
    do
        water -= n
        turn = next(turn)
        if water == 0:
            stage = over

invariant there_is_water: stage == over or water > 0

terminates by water

example two_draws
    when draw(2)
    expect water == 1
"""


@pytest.fixture
def well(tmp_path):
    path = tmp_path / "well.rules"
    path.write_text(RULES)
    return path


@pytest.fixture
def look(well, capsys):
    """Give a function that writes the rules, looks at them and returns the exit code and the events."""
    watcher = Watcher(
        str(well),
        InstanceOptions(*[None] * 6),
        WatchSettings(20, proofs=True, confirm=False, budget=10**7),
        EventPrinter(as_json=True),
    )

    def look(text=RULES, is_outdated=lambda: False):
        well.write_text(text)
        code = watcher.look(is_outdated)
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return look


def kinds(events):
    return [each["event"] for each in events]


def test_everything_is_looked_at_from_the_cheapest_check_to_the_dearest(look):
    code, events = look()

    assert Exit.OK == code
    assert ["begin", "read", "examples", "boundaries", "play", "proofs", "end"] == kinds(events)
    assert 0 == events[3]["kept"], "that there are none is said, too"
    assert 20 == events[4]["games"]
    assert [] == events[5]["fail"]


def test_without_a_number_many_games_are_played_but_for_a_short_time(well, monkeypatch, capsys):
    monkeypatch.setattr("verifier.cli.watch.GAMES", 600)
    well.write_text(RULES)

    run(["watch", str(well), "--once", "--no-proofs", "--format", "json"])
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert 600 == sum(each["games"] for each in events if each["event"] == "play")


def test_a_comment_asks_for_nothing(look):
    look()

    code, events = look(RULES.replace("invariant", "# a remark\ninvariant"))

    assert Exit.OK == code
    assert ["begin", "read"] == kinds(events)
    assert [] == events[1]["changed"]


def test_a_changed_rule_is_named_and_what_it_breaks_is_shown_by_a_play(look):
    look()

    code, events = look(RULES.replace("if water == 0:", "if water == 1:"))

    assert Exit.REFUTED == code
    assert "action draw" in events[1]["changed"]
    failures = next(each for each in events if each["event"] == "play")["failures"]
    assert any("there_is_water" in each["name"] and each["moves"] for each in failures)
    assert any(each["event"] == "fails" and "there_is_water" in each["name"] for each in events)


def test_play_is_led_to_what_has_changed(look):
    look()

    _, events = look(RULES.replace("water -= n", "water -= 1"))

    plays = [each["favour"] for each in events if each["event"] == "play"]
    assert ["draw"] == plays[0]


def test_a_play_that_shows_something_wrong_can_be_replayed_and_drawn(well, tmp_path, capsys):
    well.write_text(RULES.replace("if water == 0:", "if water == 1:"))

    run(["watch", str(well), "--once", "--no-proofs", "--games", "20", "--save", str(tmp_path / "plays")])
    saved = sorted((tmp_path / "plays").glob("*.json"))

    assert saved
    assert f"pilgrim replay {saved[0]} --html" in capsys.readouterr().out
    assert Exit.OK == run(["replay", str(saved[0]), "--html", str(tmp_path / "page.html")])
    assert "draw(" in (tmp_path / "page.html").read_text()


def test_the_next_run_knows_what_has_changed_since_the_last(well, capsys):
    run(["watch", str(well), "--once", "--games", "5", "--no-proofs"])
    well.write_text(RULES.replace("0..3 = 3", "0..4 = 4"))
    capsys.readouterr()

    run(["watch", str(well), "--once", "--games", "5", "--no-proofs"])

    assert "changed: action draw" in capsys.readouterr().out


def test_a_mistake_is_told_and_the_next_text_is_looked_at_again(look):
    look()

    code, events = look(RULES.replace("water -= n", "water -= m"))
    assert Exit.BAD_INPUT == code
    assert ["begin", "mistakes"] == kinds(events)
    assert "`m`" in events[1]["diagnostics"][0]["message"]
    assert (Exit.OK, ["begin", "read"]) == ((found := look())[0], kinds(found[1]))


def test_a_watcherends_when_the_files_change_again(look):
    code, events = look(is_outdated=lambda: True)

    assert Exit.INTERRUPTED == code
    assert "outdated" == kinds(events)[-1]


@pytest.mark.parametrize("stage", ["verify", "campaign"])
def test_who_interrupts_a_check_ends_the_watch(look, monkeypatch, stage):
    stopped = type("Stopped", (), {"interrupted": True})
    monkeypatch.setattr(f"verifier.cli.watch.{stage}", lambda *_, **__: stopped)

    with pytest.raises(KeyboardInterrupt):
        look()


def test_files_of_data_count_and_other_files_do_not(tmp_path, well):
    before = file_stamps(str(well))
    (tmp_path / "notes.txt").write_text("nothing")
    assert before == file_stamps(str(well))

    (tmp_path / "edition.toml").write_text("")

    assert before != file_stamps(str(well))


def test_one_look_has_the_exit_code_of_what_was_found(well, capsys):
    assert Exit.OK == run(["watch", str(well), "--once", "--games", "5"])
    assert "nothing is wrong" in capsys.readouterr().out
    well.write_text(RULES.replace("expect water == 1", "expect water == 2"))

    assert Exit.REFUTED == run(["watch", str(well), "--once", "--games", "0", "--no-proofs"])
    assert "two_draws" in capsys.readouterr().out


def test_the_command_waits_for_changes_and_ends_when_it_is_told_to(well):
    words = [sys.executable, "-m", "pilgrim_rules", "watch", str(well), "--games", "5", "--format", "json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        events = iter(watching.stdout.readline, "")
        assert any('"end"' in line for line in events)
        time.sleep(0.05)
        well.write_text(RULES.replace("expect water == 1", "expect water == 2"))
        assert any("two_draws" in line for line in events)
        watching.send_signal(signal.SIGTERM)
        assert 0 != watching.wait(timeout=60)
