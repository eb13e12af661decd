"""Evidence: one file a game, whole at every moment, that never forgets what still stands and never keeps what does not."""

import json
import os

import pytest
from jsonschema import Draft202012Validator

from pilgrim_rules.core.fingerprint import Fingerprints
from verifier.explore.search import explore
from verifier.fuzz.campaign import run as campaign
from verifier.prove import verify
from verifier.report.entry import Account, BadEntry, Entry, entry_of, plain
from verifier.report.evidence import SCHEMA_FILE, BadEvidence, Evidence, Instance, read, to_json, write
from verifier.report.outcome import outcome
from verifier.verdict import Verdict

VALID = Draft202012Validator(json.loads(SCHEMA_FILE.read_text()))
REFUTED = {"verdict": Verdict.REFUTED, "reason": "`modest` is false", "play": ("draw(3)", "draw(2)")}


def names(evidence, players=2):
    (found,) = [entries for instance, entries in evidence.instances.items() if instance.players == players]
    return {entry.name for entry in found}


def test_what_the_verifier_finds_is_as_the_schema_says(well, tmp_path):
    loaded = well()
    report = verify(loaded.game, cache=False, jobs=1, confirm=False)
    searched = explore(loaded.game)
    played = campaign(loaded.game, games=3)
    made = outcome(loaded, report, searched, played).added_to(Evidence("well"))

    write(tmp_path / "well.json", made)
    data = json.loads((tmp_path / "well.json").read_text())
    VALID.validate(data)
    assert {"proof", "search", "fuzz"} == {record["source"] for record in data["instances"][0]["records"]}
    assert made == read(tmp_path / "well.json", "well")


def test_everything_that_an_entry_can_say_is_in_the_schema():
    entry = Entry(
        name="well.mutation/draw.require.1 drop", kind="mutation", claim="well.mutation", source="mutation",
        verdict="survived", method="play", sentence="Leaving out a line is noticed.", about={"rules": "0" * 64},
        tools={"pilgrim-rules": "1"}, reason="nothing noticed", bounds=("2 players",), clauses=("A-1",), core=("goal",),
        rests=("well.range/draw",), play=("draw(1)",), account=Account("x == 1", ("p = 1",), ("x = 2",), ("x: 1 → 2",)),
        confirmed="disagrees", seconds=1.5, rlimit=3, queries=2, place=("well.rules", 1, 2, 3, 4),
    )  # fmt: skip
    data = plain(entry, place=True)
    record = VALID.evolve(schema={"$ref": "#/$defs/record", "$defs": VALID.schema["$defs"]})

    record.validate(data)
    assert {*data} == {*VALID.schema["$defs"]["record"]["properties"]}
    del data["place"]
    assert entry == entry_of(data, entry.about)


def test_a_run_about_some_claims_keeps_the_others(well, said):
    loaded = well()
    first = outcome(loaded, said(loaded)).added_to(Evidence("well"))

    again = outcome(loaded, said(loaded, only="modest")).added_to(first)
    assert first == again


def test_evidence_about_another_text_is_dropped_and_the_rest_stays(well, said):
    old = outcome(loaded := well(), said(loaded)).added_to(Evidence("well"))
    loaded = well(("bucket[p] <= 4", "bucket[p] <= 9"))

    kept = names(outcome(loaded, said(loaded, only="reachable")).added_to(old))
    assert "well.invariant.none_lost/draw" in kept
    assert "well.invariant.modest/draw" not in kept


def test_a_proof_is_dropped_with_an_invariant_that_its_core_names(well, said):
    core = {"step.falls/draw": {"core": ("invariant:modest", "goal")}}
    old = outcome(loaded := well(), said(loaded, **core)).added_to(Evidence("well"))
    loaded = well(("bucket[p] <= 4", "bucket[p] <= 9"))

    kept = names(outcome(loaded, said(loaded, only="reachable")).added_to(old))
    assert "well.terminates.terminates/draw" in kept
    assert "well.step.falls/draw" not in kept


def test_what_is_said_of_the_start_goes_with_the_start(well, said):
    old = outcome(loaded := well(), said(loaded)).added_to(Evidence("well"))
    loaded = well(("bucket[Player] : 0..9 = 0", "bucket[Player] : 0..9 = 1"))

    kept = names(outcome(loaded, said(loaded, only="range")).added_to(old))
    assert "well.invariant.none_lost/draw" in kept
    assert "well.invariant.none_lost/initially" not in kept
    assert "well.reachable.empty" not in kept


def test_numbers_of_players_and_rulings_are_kept_apart(well, said):
    two = outcome(loaded := well(), said(loaded)).added_to(Evidence("well"))
    both = outcome(loaded := well(players=3), said(loaded)).added_to(two)

    assert [2, 3] == sorted(instance.players for instance in both.instances)
    assert two.instances[Instance(2, (("spill", "allowed"),))] == both.instances[Instance(2, (("spill", "allowed"),))]


def test_who_finds_the_same_again_changes_nothing_not_even_the_times(well, said):
    loaded = well()
    first = outcome(loaded, said(loaded)).added_to(Evidence("well"))
    slower = said(loaded, **{"range/draw": {"seconds": 9.0}})

    assert first == outcome(loaded, slower).added_to(first)


def test_another_verdict_replaces_the_earlier_one(well, said):
    loaded = well()
    first = outcome(loaded, said(loaded)).added_to(Evidence("well"))
    worse = outcome(loaded, said(loaded, **{"invariant.modest/draw": REFUTED})).added_to(first)

    (entry,) = [each for each in worse.instances[Instance(2, (("spill", "allowed"),))] if each.verdict == "refuted"]
    assert ("well.invariant.modest/draw", ("draw(3)", "draw(2)")) == (entry.name, entry.play)


def test_a_proof_names_what_it_takes_for_granted(well, said):
    loaded = well()
    core = {"core": ("require:draw.require.1", "invariant:none_lost")}
    found = outcome(loaded, said(loaded, **{"step.falls/draw": core})).entries

    (entry,) = [each for each in found if each.name == "well.step.falls/draw"]
    assert ("well.invariant.none_lost", "well.range/draw") == entry.rests
    assert {"action draw", "claim falls", "claim none_lost"} == {*entry.about}


def test_no_file_is_no_evidence(tmp_path):
    assert Evidence("well") == read(tmp_path / "well.json", "well")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda text: text[: len(text) // 2], "is damaged"),
        (lambda text: "\x00" + text, "is damaged"),
        (lambda _: "[]", "the format is another one"),
        (lambda text: text.replace("evidence/1", "evidence/2"), "the format is another one"),
        (lambda text: text.replace('"players": 2', '"players": "two"'), "`players` is a number of players"),
        (lambda text: text.replace('"players"', '"seats"'), "an instance has no `seats`"),
        (lambda text: text.replace('"verdict": "proved"', '"verdict": "surely"', 1), "has no `verdict` that is known"),
        (lambda text: text.replace('"method"', '"methods"', 1), "has `methods`, which means nothing here"),
        (lambda text: text.replace('"seconds": 0.25', '"seconds": "long"', 1), "is a number"),
        (lambda text: text.replace('"seconds": 0.25', '"seconds": NaN', 1), "is a number"),
        (lambda text: text.replace('"about": ["action draw"]', '"about": ["action x"]', 1), "which has no fingerprint"),
        (lambda text: text.replace('"bounds": [', '"bounds": [1, ', 1), "is a list of texts"),
        (lambda text: text.replace('"records": [', '"records": [7, '), "is a list of objects"),
        (lambda text: text.replace('"game": "well"', '"game": "hole"'), "is evidence of `hole`, not of `well`"),
    ],
)
def test_a_damaged_file_is_refused_with_the_reason_and_left_as_it_is(damage, says, well, said, tmp_path):
    loaded = well()
    path = tmp_path / "well.json"
    whole = to_json(outcome(loaded, said(loaded)).added_to(Evidence("well")))
    damaged = damage(whole)
    assert damaged != whole
    path.write_text(damaged)

    with pytest.raises(BadEvidence, match=says) as refusal:
        read(path, "well")
    assert str(path) in str(refusal.value)
    assert damaged == path.read_text()


def test_an_entry_with_a_strange_account_is_refused():
    with pytest.raises(BadEntry, match="`account`"):
        entry_of({**plain(Entry("n", "step", "c", "proof", "proved", "m", "s", {}, {})), "account": {"x": 1}}, {})


def test_writing_that_fails_leaves_the_old_file_and_nothing_else(well, said, tmp_path, monkeypatch):
    loaded = well()
    path = tmp_path / "evidence" / "well.json"
    made = outcome(loaded, said(loaded)).added_to(Evidence("well"))
    write(path, Evidence("well"))
    before = path.read_text()

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadEvidence, match="cannot be written: No space left on device"):
        write(path, made)
    assert [path] == list(path.parent.iterdir())
    assert before == path.read_text()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadEvidence, match="cannot be written"):
        write(tmp_path / "file" / "well.json", Evidence("well"))


def test_an_entry_about_nothing_is_never_fresh(well):
    prints = Fingerprints(well().game).named()
    assert not Entry("n", "step", "c", "proof", "proved", "m", "s", {}, {}).is_fresh(prints)
