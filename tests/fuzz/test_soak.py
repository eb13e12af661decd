"""The soak run: in pieces, resumable, reported as it is."""

from __future__ import annotations

import json

from click.testing import CliRunner

from pilgrim_rules.engine.game import load
from verifier import agree
from verifier.soak import run as soak
from verifier.soak.__main__ import main
from verifier.soak.plan import Leg, plan
from verifier.soak.report import page


def test_every_number_of_players_preset_and_reading_has_a_leg():
    legs = plan(1000, 100, ["nim", "kuhn_poker"])
    assert 1000 <= sum(leg.target for leg in legs if leg.kind == "games")
    assert 100 <= sum(leg.target for leg in legs if leg.kind == "states")
    assert {"games-kuhn_poker-2-as-written", "games-kuhn_poker-3-as-written", "games-nim-2-misere"} <= {
        leg.name for leg in legs
    }
    assert len({leg.seed for leg in legs}) == len(legs)


def test_a_leg_is_gone_on_with(tmp_path):
    leg = Leg("games", "nim", 2, 400)
    first = soak.work(leg, tmp_path, 0.01)
    assert 0 < first.count < 400
    again = soak.work(leg, tmp_path, 60)
    assert (400, []) == (again.count, again.wrong)
    assert again.steps > first.steps
    assert again == soak.work(leg, tmp_path, 60), "nothing is left to do"


def test_states_are_known_by_their_number():
    game = load("nim", ghosts=True)
    assert soak.drawn(game, 1, 4) == soak.drawn(game, 1, 4)
    assert soak.drawn(game, 1, 5) != soak.drawn(game, 2, 5)


def test_a_disagreement_is_a_finding(tmp_path, monkeypatch):
    monkeypatch.setattr(soak, "disagreements", lambda _game, states, **_words: ("they differ" for _ in states))
    leg = Leg("states", "nim", 2, 2)
    done = soak.work(leg, tmp_path, 60)
    assert ["state 0: they differ", "state 1: they differ"] == done.wrong
    assert "2 findings" in page({leg: done})
    assert agree.disagreements is not soak.disagreements


def test_a_run_that_was_stopped_says_so(tmp_path):
    legs = [Leg("states", "nim", 2, 3), Leg("games", "nim", 2, 10**6)]
    found, stopped = soak.run(legs, tmp_path, 0.02)
    assert not stopped
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
    told = CliRunner().invoke(main, [*asked, "--games", "4000000", "--minutes", "0.005"])
    assert 3 == told.exit_code


def test_several_processes_work_on_the_legs_and_each_is_gone_on_with(tmp_path):
    legs = [Leg("games", "nim", 2, 60), Leg("states", "nim", 2, 3), Leg("games", "pig", 2, 20)]
    found, stopped = soak.run(legs, tmp_path, 5, jobs=2)
    assert not stopped
    assert {leg: leg.target for leg in legs} == {leg: found[leg].count for leg in legs}
    assert found == soak.run(legs, tmp_path, 5)[0], "nothing is left to do"


def test_a_game_that_does_not_exist_is_a_mistake_with_a_message(tmp_path):
    told = CliRunner().invoke(main, ["--only", "nosuch", "--folder", str(tmp_path)])
    assert 2 == told.exit_code
    assert "nosuch" in told.output
    assert "Traceback" not in told.output


def test_a_claim_that_another_reading_breaks_is_told_apart():
    """Claims are made for the default; a contradiction is one under every reading."""
    default, drawn = Leg("games", "nim", 2, 1), Leg("games", "nim", 2, 1, rulings=True)
    claim, stuck = "nim.step.fewer/take: it is false\nexample x", "nim.no_dead_end/playing: nothing can happen"
    page_of = {leg: page({leg: soak.Done("", 1, 1, wrong=[claim])}) for leg in (default, drawn)}
    assert "- 1 findings." in page_of[default]
    assert "- Nothing was wrong." in page_of[drawn]
    assert "- ``nim.step.fewer``" in page_of[drawn]
    assert "- 1 findings." in page({drawn: soak.Done("", 1, 1, wrong=[stuck])})
