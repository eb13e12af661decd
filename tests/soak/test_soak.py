"""The soak run: in pieces, resumable, reported as it is."""

from __future__ import annotations

import json
from dataclasses import replace

from click.testing import CliRunner

from pilgrim_rules.api.game import load
from verifier.crosscheck import engine_vs_smt
from verifier.soak import run as soak
from verifier.soak.__main__ import main
from verifier.soak.plan import SoakTask, plan
from verifier.soak.report import page


def test_every_number_of_players_preset_and_reading_has_a_leg():
    tasks = plan(1000, 100, ["nim", "kuhn_poker"])
    for game in ("nim", "kuhn_poker"):
        assert 1000 <= sum(task.target for task in tasks if (task.kind, task.game) == ("games", game))
    assert 100 <= sum(task.target for task in tasks if task.kind == "states")
    assert {"games-kuhn_poker-2-as-written", "games-kuhn_poker-3-as-written", "games-nim-2-misere"} <= {
        task.name for task in tasks
    }
    assert len({task.seed for task in tasks}) == len(tasks)


def test_a_part_of_the_run_is_that_of_some_numbers_of_players():
    every, some = plan(1000, 100, ["kuhn_poker"]), plan(1000, 100, ["kuhn_poker"], {3})
    assert [task for task in every if task.players == 3] == some != every


def test_a_leg_is_gone_on_with(tmp_path):
    task = SoakTask("games", "nim", 2, 400)
    first = soak.work(replace(task, target=50), tmp_path, 60)
    assert 50 == first.count
    again = soak.work(task, tmp_path, 60)
    assert (400, []) == (again.count, again.wrong)
    assert again.steps > first.steps
    assert again == soak.work(task, tmp_path, 60), "nothing is left to do"


def test_states_are_known_by_their_number():
    game = load("nim", ghosts=True)
    assert soak.drawn(game, 1, 4) == soak.drawn(game, 1, 4)
    assert soak.drawn(game, 1, 5) != soak.drawn(game, 2, 5)


def test_a_disagreement_is_a_finding(tmp_path, monkeypatch):
    monkeypatch.setattr(soak, "disagreements", lambda _game, states, **_words: ("they differ" for _ in states))
    task = SoakTask("states", "nim", 2, 2)
    done = soak.work(task, tmp_path, 60)
    assert ["state 0: they differ", "state 1: they differ"] == done.wrong
    assert "2 findings" in page({task: done})
    assert engine_vs_smt.disagreements is not soak.disagreements


def test_a_run_whose_time_is_over_says_so(tmp_path, monkeypatch):
    """By a clock of our own: each turn takes half an hour, and there is one hour."""
    now, work = [0.0], soak.work

    def in_half_an_hour(task, folder, seconds):
        done = work(replace(task, target=min(task.target, 3)), folder, seconds)
        now[0] += 1800
        return done

    monkeypatch.setattr(soak, "work", in_half_an_hour)
    monkeypatch.setattr(soak, "monotonic", lambda: now[0])
    tasks = [SoakTask("states", "nim", 2, 3), SoakTask("games", "nim", 2, 10**6)]
    found, stopped = soak.run(tasks, tmp_path, 60)
    assert not stopped
    assert [3, 3] == [found[task].count for task in tasks]
    text = page(found)
    assert "the run was stopped before its end" in text
    assert "- 3 states of 3 asked for.\n" in text


def test_the_command_writes_the_page_and_ends_with_3_if_there_is_more_to_do(tmp_path):
    folder, report = tmp_path / "kept", tmp_path / "docs" / "soak.rst"
    asked = ["--only", "nim", "--folder", str(folder), "--report", str(report), "--states", "4"]
    told = CliRunner().invoke(main, [*asked, "--games", "40"])
    assert 0 == told.exit_code, told.output
    assert "Nothing was wrong." in report.read_text("utf-8")
    assert all(json.loads(path.read_text("utf-8")) for path in folder.glob("*.json"))
    told = CliRunner().invoke(main, [*asked, "--games", str(10**12), "--minutes", "0.005"])
    assert 3 == told.exit_code


def test_several_processes_work_on_the_legs_and_each_is_gone_on_with(tmp_path):
    tasks = [SoakTask("games", "nim", 2, 60), SoakTask("states", "nim", 2, 3), SoakTask("games", "pig", 2, 20)]
    found, stopped = soak.run(tasks, tmp_path, 5, jobs=2)
    assert not stopped
    assert {task: task.target for task in tasks} == {task: found[task].count for task in tasks}
    assert found == soak.run(tasks, tmp_path, 5)[0], "nothing is left to do"


def test_a_game_that_does_not_exist_is_a_mistake_with_a_message(tmp_path):
    told = CliRunner().invoke(main, ["--only", "nosuch", "--folder", str(tmp_path)])
    assert 2 == told.exit_code
    assert "nosuch" in told.output
    assert "Traceback" not in told.output


def test_a_claim_that_another_reading_breaks_is_told_apart():
    """Claims are made for the default; a contradiction is one under every reading."""
    default, drawn = SoakTask("games", "nim", 2, 1), SoakTask("games", "nim", 2, 1, rulings=True)
    claim, stuck = "nim.step.fewer/take: it is false\nexample x", "nim.no_dead_end/playing: nothing can happen"
    page_of = {task: page({task: soak.SoakProgress("", 1, 1, wrong=[claim])}) for task in (default, drawn)}
    assert "- 1 findings." in page_of[default]
    assert "- Nothing was wrong." in page_of[drawn]
    assert "- ``nim.step.fewer``" in page_of[drawn]
    assert "- 1 findings." in page({drawn: soak.SoakProgress("", 1, 1, wrong=[stuck])})


def test_the_page_of_a_part_of_the_run_names_its_games():
    task = SoakTask("games", "nim", 2, 1)
    done = {task: soak.SoakProgress("", task.seed)}

    assert "A long run of random play: nim, pig\n==" in page(done, ("nim", "pig"))
    assert "Random games of nim, pig," in page(done, ("nim", "pig"))
    assert "Random games of every shipped game," in page(done)
