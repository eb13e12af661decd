"""Verdicts kept between runs: used while what they rest on is unchanged, and never otherwise."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.util import text_cache as store
from tests.support.proved_texts import game
from verifier.claims.obligations import obligations
from verifier.prove import verdict_cache as kept
from verifier.prove.hints import NO_HINTS, Hints
from verifier.prove.run import verify
from verifier.prove.verdict_cache import SUFFIX, Cache
from verifier.smt.strategy.recipes import Recipe, Step

BOWL = """\
    game bowl "The bowl"
        players 2..2 named ann, bob

    stages
        taking by turn

    state
        bowl         : 0..6 = 6
        hand[Player] : 0..6 = 0
        turn         : Player = ann

    action take(n: 1..2)
        require bowl >= n
        do
            bowl -= n
            hand[turn] += n
            turn = next(turn)

    action back
        require hand[turn] > 0
        do
            hand[turn] -= 1
            bowl += 1

    action pass
        require {idle}
        do turn = next(turn)

    conserved all_there = bowl + (sum of hand[p] for p in Player) == 6
    """


def bowl(old: str = "", new: str = "", idle: str = "bowl != 5"):
    return game(BOWL.format(idle=idle).replace(old, new) if old else BOWL.format(idle=idle))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Each test begins with an empty cache."""
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path))
    return tmp_path


def run(played, **options):
    words = {"jobs": 1, "confirm": False, **options}
    return {each.name.partition(".")[2]: each for each in verify(played, **words).records}


def reused(records) -> set[str]:
    return {name for name, each in records.items() if each.cached}


def file_of(folder):
    (path,) = folder.glob(f"*{SUFFIX}")
    return path


def change(folder, name, other):
    """Add a line that says something else of an obligation, as if we had written it."""
    key = file_of(folder).name.removesuffix(SUFFIX)
    entries = dict(map(json.loads, store.read_lines(key, SUFFIX)))
    store.add_line(key, json.dumps([name, {**entries[name], **other(entries)}]), SUFFIX)


# -------------------------------------------------------------------------------------------------------------- use


def test_a_second_run_proves_nothing_again_and_says_the_same():
    first, second = run(bowl()), run(bowl())

    assert set() == reused(first)
    assert set(second) == reused(second)
    assert {name: each.verdict for name, each in first.items()} == {name: each.verdict for name, each in second.items()}


def test_an_edited_requirement_spares_the_proofs_that_do_not_need_it():
    run(bowl())
    again = run(bowl("hand[turn] > 0", "hand[turn] > 1"))

    assert {"conserved.all_there/take", "range/take"} <= reused(again)
    assert "range/back" not in reused(again)


@pytest.mark.parametrize(
    ("old", "new", "spoilt"),
    [
        ("bowl += 1", "bowl += 2", "conserved.all_there/back"),  # an effect
        ("== 6", "== 7", "conserved.all_there/take"),  # the goal
        ("bowl >= n", "bowl >= 1", "range/take"),  # a requirement that is in the core
        ("hand[Player] : 0..6", "hand[Player] : 0..5", "range/take"),  # a type
    ],
)
def test_whatever_a_proof_rests_on_spoils_it(old: str, new: str, spoilt: str):
    run(bowl())

    assert spoilt not in reused(run(bowl(old, new)))


def test_what_is_not_proved_is_looked_at_again_after_any_change():
    """A refutation is a play: any change may mend or break it."""
    broken = run(bowl("bowl >= n", "true or bowl >= n"))
    again = run(bowl("bowl >= n", "true or bowl >= n", idle="bowl != 4"))

    assert Verdict.REFUTED is broken["range/take"].verdict
    assert "range/take" not in reused(again)


# ---------------------------------------------------------------------------------------------------------- fail closed


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: b"",
        lambda text: text.replace(b"record", b"RECORD"),
        lambda text: text.replace(b" [", b"\xff\xfe ["),
        lambda _: b"not ours at all\n{}",
    ],
    ids=["empty", "changed", "no text", "foreign"],
)
def test_a_spoilt_file_is_as_good_as_absent(folder, spoil):
    run(bowl())
    path = file_of(folder)
    path.write_bytes(spoil(path.read_bytes()))

    assert set() == reused(run(bowl()))
    assert set(run(bowl())) == reused(run(bowl()))


def test_a_file_that_was_cut_off_loses_one_line(folder):
    first = run(bowl())
    path = file_of(folder)
    path.write_bytes(path.read_bytes()[:-20])

    assert len(first) - 1 == len(reused(run(bowl())))
    assert set(first) == reused(run(bowl())), "what was lost is added after the line that was cut off"


@pytest.mark.parametrize("data", [[], {}, None, 5, ["bowl.range/take", 5], ["bowl.range/take", {"record": {}}]])
def test_a_whole_line_with_other_contents_is_as_good_as_absent(folder, data):
    run(bowl())
    store.add_line(file_of(folder).name.removesuffix(SUFFIX), json.dumps(data), SUFFIX)

    assert {"range/back", "conserved.all_there/take"} <= reused(run(bowl()))
    assert Verdict.PROVED is run(bowl())["range/take"].verdict


def test_a_record_under_another_name_is_not_believed(folder):
    run(bowl())
    change(folder, "bowl.range/take", lambda entries: {"record": entries["bowl.range/back"]["record"]})

    assert "range/take" not in reused(run(bowl()))


@pytest.mark.parametrize(
    "options", [{"budget": 1_999_999}, {"confirm": True}, {"all_rulings": True}], ids=lambda each: str(next(iter(each)))
)
def test_another_setting_of_the_run_is_another_verdict(options):
    run(bowl())

    assert set() == reused(run(bowl(), **options))


def test_another_version_of_a_tool_is_another_verdict(monkeypatch):
    run(bowl())
    monkeypatch.setattr(kept, "tools", lambda: {"z3-solver": "0.0.1"})

    assert set() == reused(run(bowl()))


def test_another_text_of_the_verifier_is_another_verdict(monkeypatch):
    run(bowl())
    monkeypatch.setattr(kept, "_verifier", lambda: "another")

    assert set() == reused(run(bowl()))


def test_an_alarm_is_not_kept(monkeypatch):
    monkeypatch.setattr("verifier.smt.solve.cvc5_solver.check_with_cvc5", lambda _text: "sat")
    first = run(bowl(), confirm=True)
    again = run(bowl(), confirm=True)

    assert any(each.alarm for each in first.values())
    assert all(each.cached != first[name].alarm for name, each in again.items())


def test_where_nothing_can_be_kept_nothing_is_missed(monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", "/dev/null/x")

    assert {Verdict.PROVED} == {each.verdict for each in run(bowl()).values()}


# ----------------------------------------------------------------------------------------------------------- concurrent


def test_runs_at_the_same_time_keep_what_each_has_found():
    """Two runs load the empty cache, and each keeps its half."""
    played = bowl()
    every = obligations(played)
    found = verify(played, jobs=1, confirm=False, cache=False).records
    words = {"budget": 2_000_000, "confirm": False, "all_rulings": False}
    first, second = Cache.load(played, **words), Cache.load(played, **words)
    half = len(every) // 2
    for each, record in zip(every[:half], found[:half], strict=True):
        first.keep(each, record, NO_HINTS)
    for each, record in zip(every[half:], found[half:], strict=True):
        second.keep(each, record, NO_HINTS)

    assert {each.name for each in every} == set(Cache.load(played, **words).fresh(every))


def test_many_runs_at_the_same_time_leave_a_file_that_can_be_read():
    played = bowl()
    every = obligations(played)
    found = verify(played, jobs=1, confirm=False, cache=False).records
    words = {"budget": 2_000_000, "confirm": False, "all_rulings": False}

    def keep(_number: int) -> None:
        cache = Cache.load(played, **words)
        for each, record in zip(every, found, strict=True):
            cache.keep(each, record, NO_HINTS)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(keep, range(24)))

    assert {each.name for each in every} == set(Cache.load(played, **words).fresh(every))


# ---------------------------------------------------------------------------------------------------------------- audit


def test_an_audit_looks_again_at_as_many_as_asked_for():
    run(bowl())
    again = run(bowl(), audit=3)

    assert 3 == len(again) - len(reused(again))


def test_an_audit_that_finds_something_else_is_an_alarm(folder):
    run(bowl("bowl >= n", "true or bowl >= n"))
    change(
        folder, "bowl.range/take", lambda all_: {"record": {**all_["bowl.range/take"]["record"], "verdict": "proved"}}
    )
    report = verify(bowl("bowl >= n", "true or bowl >= n"), jobs=1, confirm=False, audit=1000)
    (found,) = (each for each in report.records if each.name == "bowl.range/take")

    assert found.alarm
    assert "the cache said `proved`, and now it is `refuted`" in found.reason
    assert 4 == report.exit_code


# ---------------------------------------------------------------------------------------------------- the words of today


def test_the_citation_of_a_verdict_that_is_used_again_is_that_of_today():
    run(bowl("require bowl >= n", "require bowl >= n  cites A-1"))
    again = run(bowl("require bowl >= n", "require bowl >= n  cites B-2"))

    assert "range/take" in reused(again)
    assert ("B-2",) == again["range/take"].clauses


def test_the_place_and_the_sentence_of_a_verdict_that_is_used_again_are_those_of_today():
    run(bowl())
    moved = bowl(
        "conserved all_there = bowl + (sum",
        "# a comment\n    # and one more\n    conserved all_there = bowl + (sum",
    )
    again = run(moved)
    (today,) = [each for each in obligations(moved) if each.name == "bowl.conserved.all_there/take"]

    assert "conserved.all_there/take" in reused(again)
    place = again["conserved.all_there/take"].place
    assert (today.span.start, today.span.end) == (place.start, place.end)
    assert today.sentence == again["conserved.all_there/take"].sentence


def test_what_a_verdict_that_is_used_again_speaks_of_is_the_text_of_today():
    """A requirement that no proof needs was changed: the proof stands, and is evidence for the text as it is now."""
    run(bowl())
    changed = bowl("hand[turn] > 0", "hand[turn] > 1")
    again = run(changed)

    assert "conserved.all_there/back" in reused(again)
    assert Fingerprints(changed).named()["action back"] == again["conserved.all_there/back"].about["action back"]


# ------------------------------------------------------------------------------------------------------ what is not kept


@pytest.mark.parametrize("said", [{"verdict": Verdict.NOT_SETTLED, "method": "no answer"}, {"confirmed": "no answer"}])
def test_no_answer_is_asked_for_again_and_how_it_was_proved_is_a_hint(said):
    played = bowl()
    words = {"budget": 2_000_000, "confirm": False, "all_rulings": False}
    (record,) = [
        each for each in verify(played, jobs=1, confirm=False, cache=False).records if each.name == "bowl.range/take"
    ]
    (asked,) = [each for each in obligations(played) if each.name == record.name]
    hints = Hints(Recipe("induction", (Step(None, "l", 4, None, 7, ("goal", "during")),)))
    Cache.load(played, **words).keep(asked, replace(record, **said), hints)
    again = Cache.load(played, **words)

    assert {} == again.fresh([asked])
    assert hints == again.hints(record.name)


def test_a_verdict_is_kept_as_soon_as_it_is_known(folder):
    kept_so_far = []

    def progress(record, *_):
        kept_so_far.append((record.name, record.name in file_of(folder).read_text()))
        if len(kept_so_far) == 5:
            raise KeyboardInterrupt

    verify(bowl(), jobs=1, confirm=False, progress=progress)

    assert 5 == len(kept_so_far)
    assert all(there for _, there in kept_so_far)
    assert 5 == len(reused(run(bowl())))


# ------------------------------------------------------------------------------------------------------- not ours to read


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_is_not_read_and_that_is_said_once(folder, capsys, mode):
    run(bowl())
    folder.chmod(mode)

    assert set() == reused(run(bowl()))
    assert set() == reused(run(bowl()))
    assert 1 == capsys.readouterr().err.count("is not used: others can write it")


def test_a_file_that_others_can_write_is_not_read_and_not_written(folder, capsys):
    run(bowl())
    path = file_of(folder)
    path.chmod(0o666)
    before = path.read_bytes()

    assert set() == reused(run(bowl()))
    assert before == path.read_bytes()
    assert "others can write it; run: chmod go-w" in capsys.readouterr().err


def test_a_folder_of_somebody_else_is_not_used(folder, capsys, monkeypatch):
    run(bowl())
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)

    assert set() == reused(run(bowl()))
    assert "it belongs to somebody else" in capsys.readouterr().err


def test_a_folder_below_one_that_others_can_change_is_not_used(folder, capsys, monkeypatch):
    """Who can rename the folder above can put another one in its place."""
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)
    monkeypatch.setenv("PILGRIM_CACHE", str(folder / "open" / "cache"))

    run(bowl())
    assert set() == reused(run(bowl()))
    assert "open` is not used: others can write it" in capsys.readouterr().err
