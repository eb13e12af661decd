"""What is wrong is shown alike to people and to programs: what is false, for which values, what changed, after which play."""

import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from pilgrim_rules.evidence.record import FailureExplanation, Record, Verdict
from verifier.explore.search import explore
from verifier.fuzz.campaign import run as campaign
from verifier.prove.run import verify
from verifier.report import gather, terminal_text
from verifier.report.claim_groups import claim_groups
from verifier.report.counterexamples import steps
from verifier.report.junit import junit
from verifier.report.markdown import markdown
from verifier.report.run_result import run_result
from verifier.report.sarif import KINDS, sarif

PLAY = ("draw(3)", "draw(2)")


@pytest.fixture
def thirst(well):
    """Prove the game in which somebody may drink too much; return everything that was found."""
    loaded = well()
    return run_result(loaded, verify(loaded.game, cache=False, jobs=1, confirm=False))


def record(found, name):
    return next(each for each in found.records if each.name == f"well.{name}")


def test_a_failure_names_what_is_false_for_which_values_and_what_changed(thirst):
    found = record(thirst, "invariant.modest/draw")

    assert "refuted" == found.verdict
    assert "bucket[p] <= 4" == found.explanation.false
    assert ("p = ann",) == found.explanation.where
    (value,) = found.explanation.values
    assert re.fullmatch(r"bucket\[ann\] = [5-7]", value)
    assert re.fullmatch(r"water: \d → \d", found.explanation.changed[0])
    assert re.fullmatch(r"bucket\[ann\]: \d → [5-7]", found.explanation.changed[1])


def test_people_read_the_worst_first_then_a_table_of_claims(thirst):
    told = list(terminal_text.lines(thirst))
    console = Console(width=100, file=StringIO())
    console.print(terminal_text.table(thirst))
    rows = console.file.getvalue().splitlines()

    assert told[0].startswith("✗ well.invariant.modest/draw: refuted (play; 2 players)")
    assert "    false: bucket[p] <= 4, with p = ann" in told
    assert "    written in well.rules:28" in told
    assert any(re.fullmatch(r"      1  draw\([123]\)", line) for line in told)
    assert any(re.match(r"invariant.modest +✗ refuted +evaluation, play +1/2 +\d", row) for row in rows)
    assert len(rows) == 1 + len({each.claim for each in thirst.records})
    assert re.fullmatch(
        r"well, 2 players: \d+ proved \(.*\d+ by induction.*\), \d+ not settled, 1 refuted",
        terminal_text.summary(thirst),
    )


def test_what_is_fine_is_shown_on_request_only(well, said):
    found = run_result(loaded := well(), said(loaded))

    assert [] == list(terminal_text.lines(found))
    assert "✓ well.range/draw: proved (induction; 2 players)" in list(terminal_text.lines(found, verbose=True))


def test_what_rests_on_something_open_is_counted_and_shown_on_request(well, said):
    loaded = well()
    cause = {"verdict": Verdict.NOT_SETTLED, "reason": "why"}
    rests = {"verdict": Verdict.NOT_SETTLED, "reason": "the argument rests on `falls`, which is not proved"}
    both = run_result(loaded, said(loaded, **{"step.falls/draw": cause, "invariant.modest/draw": rests}))
    alone = run_result(loaded, said(loaded, **{"invariant.modest/draw": rests}))
    shown, all_of_it = list(terminal_text.lines(both)), list(terminal_text.lines(both, verbose=True))

    assert "? 1 more not settled, because what stands above is not (-v shows all)" == shown[-2]
    assert "    of invariant.modest" == shown[-1]
    assert not any("invariant.modest/draw" in line for line in shown)
    assert any("invariant.modest/draw" in line for line in all_of_it)
    assert any("invariant.modest/draw" in line for line in terminal_text.lines(alone))


def test_many_changes_are_cut_for_people(well, said):
    loaded = well()
    found = run_result(loaded, said(loaded, **{"step.falls/draw": {"verdict": Verdict.NOT_SETTLED, "reason": "why"}}))
    many = Record(
        "n", "step", "s", Verdict.REFUTED, "m",
        explanation=FailureExplanation("x", (), (), tuple(f"x[{at}]: 0 → 1" for at in range(20))),
    )  # fmt: skip

    assert "changed: " in "".join(terminal_text.reasons(many))
    assert "".join(terminal_text.reasons(many)).endswith("x[11]: 0 → 1 and 8 more")
    assert ["? well.step.falls/draw: not settled (induction; 2 players)"] == list(terminal_text.lines(found))[:1]


def test_a_play_is_made_again_and_each_step_says_what_it_changed(well):
    first, second = steps(well().game, PLAY)

    assert ("draw", ("water: 9 → 6", "bucket[ann]: 0 → 3")) == (first.action, first.changed)
    assert ("water: 6 → 4", "bucket[ann]: 3 → 5") == second.changed


def test_a_play_that_cannot_be_made_is_still_listed(well):
    assert [(), (), ()] == [step.changed for step in steps(well().game, ("draw(0)", "nonsense", "draw(1)"))]


def test_every_entry_is_a_test_case_and_nothing_unproved_looks_green(thirst):
    root = ET.fromstring(junit([thirst]))
    (suite,) = root
    (case,) = [case for case in suite if case.get("name") == "well.invariant.modest/draw"]
    failure = case.find("failure")
    wrong = sum(each.verdict != "proved" for each in thirst.records)

    assert "well, 2 players" == suite.get("name")
    assert len(thirst.records) == int(root.get("tests")) == len(suite)
    assert str(wrong) == root.get("failures") == suite.get("failures")
    assert "refuted" == failure.get("type")
    assert "false: bucket[p] <= 4, with p = ann" in failure.text
    assert ("well.invariant.modest", "well.rules", "28") == (case.get("classname"), case.get("file"), case.get("line"))


def test_a_summary_for_a_pull_request_says_what_is_refuted_and_where(thirst):
    lines = markdown([thirst]).splitlines()

    assert f"### ❌ 1 of {len(thirst.records)} obligations refuted" == lines[0]
    assert re.fullmatch(r"\| A well \| 2 \| \d+ \| 0 \| \d+ \| 1 \|", lines[4])
    (refuted,) = [line for line in lines if line.startswith("- `well.invariant.modest/draw`")]
    assert "well.rules:28" in refuted
    assert "Play: `draw(1), draw(1), draw(1), draw(1), draw(3)`." in refuted


def test_a_summary_is_green_only_if_everything_holds(well, said):
    loaded = well()
    whole = run_result(loaded, said(loaded))
    odd = {"verdict": Verdict.NOT_SETTLED, "reason": "<b>*x*</b> \x1b[31m | `a_b`"}
    open_ = run_result(loaded, said(loaded, **{"range/draw": odd}))

    assert markdown([whole]).startswith(f"### ✅ all {len(whole.records)} obligations hold\n")
    assert markdown([replace(whole, alarms=("no",))]).startswith("### 🚨 1 disagreements between checks\n")
    assert markdown([open_]).startswith("### ❔ 1 of")
    assert r"\<b\>\*x\*\</b\> �\[31m \| `a_b`" in markdown([open_])
    assert markdown([]).startswith("### ❔ 0 of 0")


@pytest.mark.parametrize("verdict", [Verdict.NOT_SETTLED, Verdict.NOT_INDUCTIVE, Verdict.VACUOUS, Verdict.REFUTED])
def test_whatever_is_not_proved_fails_and_points_at_the_rules(verdict, well, said):
    found = run_result(loaded := well(), said(loaded, **{"range/draw": {"verdict": verdict, "reason": "so it is"}}))
    (result,) = json.loads(sarif([found]))["runs"][0]["results"]

    assert "1" == ET.fromstring(junit([found])).get("failures")
    assert ("error" if verdict is Verdict.REFUTED else "warning") == result["level"]
    assert "range" == result["ruleId"]


def test_two_solvers_that_disagree_are_an_error_though_the_verdict_is_proved(well, said):
    found = run_result(loaded := well(), said(loaded, **{"range/draw": {"confirmed": "disagrees"}}))
    (result,) = json.loads(sarif([found]))["runs"][0]["results"]

    assert "1" == ET.fromstring(junit([found])).get("errors")
    assert ("agreement", "error") == (result["ruleId"], result["level"])
    assert "THE SECOND SOLVER DISAGREES" in next(terminal_text.lines(found))


def test_an_alarm_is_shown_everywhere(well, said):
    found = replace(run_result(loaded := well(), said(loaded)), alarms=("`x` is proved, but play shows: no",))
    (result,) = json.loads(sarif([found]))["runs"][0]["results"]

    assert "1" == ET.fromstring(junit([found])).get("errors")
    assert "`x` is proved, but play shows: no" == result["message"]["text"]
    assert ["‼ `x` is proved, but play shows: no"] == list(terminal_text.lines(found))
    assert ["`x` is proved, but play shows: no"] == found.data()["alarms"]


def test_text_that_xml_has_no_place_for_does_not_spoil_the_file(well, said):
    words = {"verdict": Verdict.NOT_SETTLED, "reason": "a\x1b[31m \ud800 <b>&"}
    found = run_result(loaded := well(), said(loaded, **{"range/draw": words}))

    (failure,) = ET.fromstring(junit([found])).iter("failure")
    assert "a�[31m � <b>&" == failure.get("message")


def test_a_finding_points_at_the_lines_of_the_claim_and_its_play_at_the_actions(thirst):
    data = json.loads(sarif([thirst]))
    (run,) = data["runs"]
    (result,) = [each for each in run["results"] if each["level"] == "error"]
    place = result["locations"][0]["physicalLocation"]
    flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
    lines = Path("well.rules").read_text().splitlines()

    assert "2.1.0" == data["version"]
    assert "invariant" == run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert {"uri": "well.rules", "uriBaseId": "%SRCROOT%"} == place["artifactLocation"]
    region = place["region"]
    assert (28, 1, 28) == (region["startLine"], region["startColumn"], region["endLine"])
    assert lines[27] == lines[27][: region["endColumn"] - 1]  # the whole line, and not the empty one after it
    assert "bucket[p] <= 4" in result["message"]["text"]
    assert list(record(thirst, "invariant.modest/draw").play) == [step["location"]["message"]["text"] for step in flow]
    assert list(range(1, len(flow) + 1)) == [step["executionOrder"] for step in flow]
    assert "action draw" in lines[flow[0]["location"]["physicalLocation"]["region"]["startLine"] - 1]
    assert {"water", "bucket[ann]"} == {*flow[0]["state"]}


def test_a_file_elsewhere_is_named_by_its_address(well, said, monkeypatch, tmp_path):
    (tmp_path / "a b").mkdir()
    monkeypatch.chdir(tmp_path / "a b")
    found = run_result(loaded := well(), said(loaded, **{"range/draw": {"verdict": Verdict.VACUOUS}}))
    found = json.loads(sarif([found]))["runs"][0]["results"][0]["locations"]

    assert (tmp_path / "well.rules").as_uri() == found[0]["physicalLocation"]["artifactLocation"]["uri"]


def test_every_kind_of_claim_is_a_rule(well):
    assert {group.kind for group in claim_groups(well().game)} <= {*KINDS}


def test_every_obligation_is_on_one_sheet_and_each_sheet_says_what_it_claims(well):
    found = {group.name: group.sentence for group in claim_groups(well().game)}

    assert "`none_lost` holds in every state: No water gets lost." == found["well.invariant.none_lost"]
    assert "`terminates` falls with every step, so every play ends." == found["well.terminates.terminates"]
    assert "Nothing that is written leaves its range." == found["well.range"]
    assert "Some play reaches `empty`." == found["well.reachable.empty"]


def test_a_search_that_closes_proves_and_what_it_finds_refutes(well):
    game = well().game
    found = {each.name: each for each in gather.records_of_search(game, explore(game))}

    assert "proved" == found["well.invariant.none_lost"].verdict
    assert "exhaustive search" == found["well.range"].method
    assert "refuted" == found["well.invariant.modest"].verdict
    assert ("proved", 3) == (found["well.reachable.empty"].verdict, len(found["well.reachable.empty"].play))


def test_a_search_that_ends_early_has_only_tested(well):
    game = well().game
    found = {each.name: each for each in gather.records_of_search(game, explore(game, max_states=3))}

    assert "tested" == found["well.invariant.none_lost"].verdict
    assert "well.reachable.empty" not in found


def test_random_play_tests_and_what_it_breaks_is_refuted_by_the_play(well):
    game = well().game
    found = {each.name: each for each in gather.records_of_play(game, campaign(game, games=20))}

    assert "tested" == found["well.invariant.none_lost"].verdict
    assert any("20 games" in bound for bound in found["well.range"].bounds)
    assert "refuted" == found["well.invariant.modest/draw"].verdict
    assert found["well.invariant.modest/draw"].play
    assert "well.invariant.modest" not in found


def test_no_play_is_no_evidence(well):
    game = well().game
    report = campaign(game, games=1)
    report.tally.games = 0

    assert [] == list(gather.records_of_play(game, report))


@pytest.mark.parametrize(
    ("claim", "false", "values"),
    [
        ("last is some and bucket[last] > 3", "last is some", ("last = none",)),
        (
            "not (last is some implies bucket[last] > 3)",
            "not (last is some implies bucket[last] > 3)",
            ("last = none",),
        ),
        ("not (water == 9 or last is some)", "not (water == 9)", ("water = 9",)),
        ("1 == (bucket[last] if last is some else water)", "", ("last = none", "water = 9")),
        ("some p in Player: bucket[p] > water", "some p in Player: bucket[p] > water", None),
        ("not (some p in Player: bucket[p] == 0)", "not (bucket[p] == 0)", ("bucket[ann] = 0",)),
        ("full(turn)", "bucket[p] == 9", ("bucket[ann] = 0",)),
        ("2 == (sum of bucket[p] for p in Player)", "2 == (sum of bucket[p] for p in Player)", None),
    ],
)
def test_what_is_named_is_as_small_as_can_be_and_only_what_has_a_say_is_shown(claim, false, values, well, said):
    loaded = well(
        ("turn : Player = ann", "turn : Player = ann\n    last : Player? = none"),
        ("step falls", f"def full(p: Player) -> bool\n    bucket[p] == 9\n\ninvariant odd: {claim}\nstep falls"),
    )
    wrong = {"invariant.odd/initially": {"verdict": Verdict.REFUTED, "reason": "`odd` is false at the start"}}
    account = record(run_result(loaded, said(loaded, **wrong)), "invariant.odd/initially").explanation

    assert false in account.false
    assert values is None or values == account.values
    assert () == account.changed
