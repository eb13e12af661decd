"""Evidence: one file a game, whole at every moment, that never forgets what still stands and never keeps what does not."""

import gzip
import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.evidence import mutant_results
from pilgrim_rules.evidence.dependencies import rests_on
from pilgrim_rules.evidence.files import (
    SCHEMA_FILE,
    BadEvidence,
    Evidence,
    Instance,
    from_text,
    read,
    read_text,
    to_text,
    write,
)
from pilgrim_rules.evidence.record import (
    BadRecord,
    ClaimSpan,
    FailureExplanation,
    Record,
    ShownStep,
    Verdict,
    from_data,
    to_data,
)
from verifier.explore.search import explore
from verifier.fuzz.campaign import run as campaign
from verifier.prove.run import verify
from verifier.report.run_result import run_result

VALID = Draft202012Validator(json.loads(SCHEMA_FILE.read_text()))
REFUTED = {"verdict": Verdict.REFUTED, "reason": "`modest` is false", "play": ("draw(3)", "draw(2)")}


def names(evidence, players=2):
    (found,) = [records for instance, records in evidence.instances.items() if instance.players == players]
    return {record.name for record in found}


def test_what_the_verifier_finds_is_as_the_schema_says(well, tmp_path):
    loaded = well()
    report = verify(loaded.game, cache=False, jobs=1, confirm=False)
    searched = explore(loaded.game)
    played = campaign(loaded.game, games=3)
    made = run_result(loaded, report, searched, played).added_to(Evidence("well"))

    write(tmp_path / "well.json.gz", made)
    data = json.loads(read_text(tmp_path / "well.json.gz"))
    VALID.validate(data)
    assert {"proof", "search", "fuzz"} == {way["source"] for way in data["ways"]}
    assert made == read(tmp_path / "well.json.gz", "well")


def whole_record(**other):
    return Record(
        **{
            "name": "well.step.falls/draw", "kind": "step", "sentence": "Every `draw` satisfies `falls`.",
            "verdict": Verdict.NOT_INDUCTIVE, "method": "induction", "source": "proof", "reason": "it is false of this step",
            "bounds": ("2 players", "for every `n` in its range"), "clauses": ("A-1",), "core": ("goal", "invariant:modest"),
            "play": ("draw(1)",), "picture": ShownStep({"water": (9,)}, "draw(1)", {"water": (8,)}),
            "explanation": FailureExplanation("x == 1", ("p = 1",), ("x = 2",), ("x: 1 → 2",)),
            "about": {"action draw": "0" * 20, "claim falls": "1" * 20, "claim modest": "2" * 20},
            "tools": {"pilgrim-rules": "1"}, "confirmed": "disagrees", "seconds": 1.5, "rlimit": 3, "queries": 2,
            "place": ClaimSpan("well.rules", 1, 2), **other,
        }
    )  # fmt: skip


def test_a_record_is_read_as_it_was_written():
    record = whole_record()

    assert record == from_data(json.loads(json.dumps(to_data(record))))


def test_everything_that_a_record_can_say_is_in_the_file_and_in_its_schema():
    """Whole states are left out: they are for whoever runs the verifier."""
    record, instance = whole_record(picture=None), Instance(2, (("spill", "allowed"),))
    text = to_text(Evidence("well", {instance: (record,)}))

    VALID.validate(json.loads(text))
    assert {instance: (record,)} == from_text(text).instances
    (line,) = json.loads(text)["obligations"]
    shown = {*line[2][0][3], *json.loads(text)["ways"][0]}
    known = VALID.schema["$defs"]["rest"]["properties"].keys() | VALID.schema["$defs"]["way"]["properties"].keys()
    assert {"in", "all_bounds", "about"} == known - shown


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "docs/evidence").glob("*.json*")), ids=lambda p: p.name
)
def test_the_evidence_of_every_shipped_game_is_as_the_schema_says_and_is_written_as_it_is_read(path):
    if path.suffix == ".json":
        Draft202012Validator(json.loads(mutant_results.SCHEMA_FILE.read_text())).validate(json.loads(path.read_text()))
        assert len(json.loads(path.read_text())["mutants"]) == len(mutant_results.read(path))
    else:
        VALID.validate(json.loads(read_text(path)))
        assert read_text(path) == to_text(read(path))


def test_all_evidence_together_is_small():
    """A hundred readings more must fit into the repository."""
    folder = Path(__file__).parents[2] / "docs/evidence"

    assert sum(path.stat().st_size for path in folder.rglob("*.json*")) < 2_000_000


@pytest.mark.parametrize(
    "sentence",
    ["Every `draw` satisfies `falls`.", "`falls`: `{part}` is a word of the author's, `draw`, too.", "As it is."],
)
@pytest.mark.parametrize(
    "name", ["well.step.falls/draw", "well.step.falls", "well.range/draw", "hole.step.falls/fill", "well"]
)
def test_short_lines_say_the_same(name, sentence):
    before, record = whole_record(picture=None), whole_record(picture=None, name=name, sentence=sentence)
    found = {Instance(2): (before, record)}

    assert found == from_text(to_text(Evidence("well", found))).instances


def test_what_is_found_alike_in_many_instances_is_written_once():
    def evidence(count):
        found = {Instance(2, (("spill", f"option {at}"),)): (whole_record(picture=None),) for at in range(count)}
        return Evidence("well", found)

    few, many = to_text(evidence(2)), to_text(evidence(100))

    assert evidence(100) == from_text(many)
    assert 1 == many.count(".step.falls/draw")
    assert len(many) - len(few) < 98 * 60


@pytest.mark.parametrize("bounds", [(), ("3 players", "never with 2 players")])
def test_bounds_that_are_not_those_of_the_instance_stay_as_they_are(bounds):
    evidence = Evidence("well", {Instance(2): (whole_record(picture=None, bounds=bounds),)})

    assert evidence == from_text(to_text(evidence))


def test_a_play_that_begins_another_is_written_once():
    plays = [("draw(1)",), ("draw(1)", "draw(2)"), ("draw(1)", "draw(2)", "draw(3)"), ("draw(3)",)]
    records = tuple(
        whole_record(picture=None, name=f"well.step.falls/a{at}", play=play) for at, play in enumerate(plays)
    )
    text = to_text(Evidence("well", {Instance(2): records}))

    assert [3, 1] == sorted(map(len, json.loads(text)["plays"]), reverse=True)
    assert plays == [each.play for each in from_text(text).instances[Instance(2)]]


def test_a_run_about_some_claims_keeps_the_others(well, said):
    loaded = well()
    first = run_result(loaded, said(loaded)).added_to(Evidence("well"))

    again = run_result(loaded, said(loaded, only="modest")).added_to(first)
    assert first == again


def test_evidence_about_another_text_is_dropped_and_the_rest_stays(well, said):
    old = run_result(loaded := well(), said(loaded)).added_to(Evidence("well"))
    loaded = well(("bucket[p] <= 4", "bucket[p] <= 9"))

    kept = names(run_result(loaded, said(loaded, only="reachable")).added_to(old))
    assert "well.invariant.none_lost/draw" in kept
    assert "well.invariant.modest/draw" not in kept


def test_a_proof_is_dropped_with_an_invariant_that_its_core_names(well, said):
    core = {"step.falls/draw": {"core": ("invariant:modest", "goal")}}
    old = run_result(loaded := well(), said(loaded, **core)).added_to(Evidence("well"))
    loaded = well(("bucket[p] <= 4", "bucket[p] <= 9"))

    kept = names(run_result(loaded, said(loaded, only="reachable")).added_to(old))
    assert "well.terminates.terminates/draw" in kept
    assert "well.step.falls/draw" not in kept


def test_what_is_said_of_the_start_goes_with_the_start(well, said):
    old = run_result(loaded := well(), said(loaded)).added_to(Evidence("well"))
    loaded = well(("bucket[Player] : 0..9 = 0", "bucket[Player] : 0..9 = 1"))

    kept = names(run_result(loaded, said(loaded, only="range")).added_to(old))
    assert "well.invariant.none_lost/draw" in kept
    assert "well.invariant.none_lost/initially" not in kept
    assert "well.reachable.empty" not in kept


def test_numbers_of_players_and_rulings_are_kept_apart(well, said):
    two = run_result(loaded := well(), said(loaded)).added_to(Evidence("well"))
    both = run_result(loaded := well(players=3), said(loaded)).added_to(two)

    assert [2, 3] == sorted(instance.players for instance in both.instances)
    assert two.instances[Instance(2, (("spill", "allowed"),))] == both.instances[Instance(2, (("spill", "allowed"),))]


def test_who_finds_the_same_again_changes_nothing_not_even_the_times(well, said):
    loaded = well()
    first = run_result(loaded, said(loaded)).added_to(Evidence("well"))
    slower = said(loaded, **{"range/draw": {"seconds": 9.0}})

    assert first == run_result(loaded, slower).added_to(first)


def test_another_verdict_replaces_the_earlier_one(well, said):
    loaded = well()
    first = run_result(loaded, said(loaded)).added_to(Evidence("well"))
    worse = run_result(loaded, said(loaded, **{"invariant.modest/draw": REFUTED})).added_to(first)

    (record,) = [each for each in worse.instances[Instance(2, (("spill", "allowed"),))] if each.verdict == "refuted"]
    assert ("well.invariant.modest/draw", ("draw(3)", "draw(2)")) == (record.name, record.play)


def test_a_proof_names_what_it_takes_for_granted(well, said):
    loaded = well()
    core = {"core": ("require:draw.require.1", "invariant:none_lost")}
    found = run_result(loaded, said(loaded, **{"step.falls/draw": core})).records

    (record,) = [each for each in found if each.name == "well.step.falls/draw"]
    assert ("well.invariant.none_lost", "well.range/draw") == rests_on(record)
    assert {"action draw", "claim falls", "claim none_lost"} == {*record.about}


def test_evidence_of_rulings_that_are_no_more_is_dropped():
    record = whole_record(picture=None)
    before = Evidence(
        "well", {Instance(2, (("spill", "allowed"),)): (record,), Instance(3, (("spill", "allowed"),)): (record,)}
    )

    after = before.updated(Instance(2, (("spill", "allowed"), ("rain", "none"))), [record], record.about, [])

    assert [Instance(2, (("spill", "allowed"), ("rain", "none"))), Instance(3, (("spill", "allowed"),))] == sorted(
        after.instances, key=lambda each: each.players
    )


def test_no_file_is_no_evidence(tmp_path):
    assert Evidence("well") == read(tmp_path / "well.json.gz", "well")


def edited(change):
    """Return a function that changes the last line of evidence, the record of which tells its effort."""

    def damage(text):
        data = json.loads(text)
        change(data["obligations"][-1])
        return json.dumps(data)

    return damage


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda text: text[: len(text) // 2], "is damaged"),
        (lambda text: "\x00" + text, "is damaged"),
        (lambda _: "[]", "the format is another one"),
        (lambda text: text.replace("evidence/3", "evidence/1"), "the format is another one"),
        (lambda text: text.replace('"moves"', '"steps"'), "it has format, game"),
        (lambda text: text.replace('"players":2', '"players":"two"'), "`players` is a number of players"),
        (lambda text: text.replace('"players"', '"seats"'), "an instance has no `seats`"),
        (lambda text: text.replace('"verdict":"proved"', '"verdict":"surely"', 1), "has no `verdict` that is known"),
        (lambda text: text.replace('"method"', '"methods"', 1), "has `methods`, which means nothing here"),
        (edited(lambda line: line[2][0].__setitem__(2, ["long"])), "is a number"),
        (edited(lambda line: line[2][0].__setitem__(2, [float("nan")])), "is a number"),
        (edited(lambda line: line[2][0].__setitem__(2, [1, 2, 3, 4])), "a record is a way, a core, its effort"),
        (edited(lambda line: line[2][0].extend([{}, {}, {}])), "a record is a way, a core, its effort"),
        (edited(lambda line: line[2][0].append({"way": 1})), "a record has no `way` among the rest"),
        (edited(lambda line: line.__setitem__(1, 99)), "a part of it has another form"),
        (edited(lambda line: line.__setitem__(1, -1)), "numbers point into the tables"),
        (edited(lambda line: line.extend([[], []])), "an obligation is its name, its sentence"),
        (edited(lambda line: line[2][0].__setitem__(0, 99)), "a part of it has another form"),
        (edited(lambda line: line[2][0].append({"about": ["action x"]})), "which has no fingerprint"),
        (lambda text: text.replace('{"source"', '{"in":"0-7","source"', 1), "there is no instance `0-7`"),
        (edited(lambda line: line[2].insert(0, 7)), "a part of it has another form"),
        (lambda text: text.replace('"game": "well"', '"game": "hole"'), "is evidence of `hole`, not of `well`"),
    ],
)
def test_a_damaged_file_is_refused_with_the_reason_and_left_as_it_is(damage, says, well, said, tmp_path):
    loaded = well()
    path = tmp_path / "well.json.gz"
    whole = to_text(run_result(loaded, said(loaded)).added_to(Evidence("well")))
    damaged = damage(whole)
    assert damaged != whole
    path.write_bytes(gzip.compress(damaged.encode()))

    with pytest.raises(BadEvidence, match=says) as refusal:
        read(path, "well")
    assert str(path) in str(refusal.value)
    assert damaged == read_text(path)


@pytest.mark.parametrize("end", [0, 5, 60, -4])
def test_a_file_that_was_cut_off_is_refused(end, well, said, tmp_path):
    loaded = well()
    path = tmp_path / "well.json.gz"
    write(path, run_result(loaded, said(loaded)).added_to(Evidence("well")))
    path.write_bytes(path.read_bytes()[:end])

    with pytest.raises(BadEvidence, match="is damaged"):
        read(path, "well")


def test_a_record_with_a_strange_explanation_is_refused():
    with pytest.raises(BadRecord, match="`explanation`"):
        from_data({**to_data(whole_record()), "explanation": {"x": 1}})


def test_writing_that_fails_leaves_the_old_file_and_nothing_else(well, said, tmp_path, monkeypatch):
    loaded = well()
    path = tmp_path / "evidence" / "well.json.gz"
    made = run_result(loaded, said(loaded)).added_to(Evidence("well"))
    write(path, Evidence("well"))
    before = read_text(path)

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadEvidence, match="cannot be written: No space left on device"):
        write(path, made)
    assert [path] == list(path.parent.iterdir())
    assert before == read_text(path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadEvidence, match="cannot be written"):
        write(tmp_path / "file" / "well.json.gz", Evidence("well"))


def test_a_record_about_nothing_is_never_fresh(well):
    assert not whole_record(about={}).is_fresh(Fingerprints(well().game).named())
