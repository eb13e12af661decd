"""Verdicts kept between runs: used while what they rest on is unchanged, and never otherwise."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from pilgrim_rules import cache as store
from tests.verifier.texts import game
from verifier import cache as kept
from verifier.cache import SUFFIX, Cache
from verifier.obligations import obligations
from verifier.prove import verify
from verifier.verdict import Verdict

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
        lambda text: text[: len(text) // 2],
        lambda text: text.replace(b"proved", b"PROVED"),
        lambda text: b"\xff\xfe" + text,
        lambda _: b"not ours at all\n{}",
    ],
    ids=["empty", "cut", "changed", "no text", "foreign"],
)
def test_a_spoilt_file_is_as_good_as_absent(folder, spoil):
    run(bowl())
    path = file_of(folder)
    path.write_bytes(spoil(path.read_bytes()))

    assert set() == reused(run(bowl()))
    assert set(run(bowl())) == reused(run(bowl()))


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        {"entries": []},
        {"entries": {"bowl.range/take": 5}},
        {"entries": {"bowl.range/take": {"record": {}}}},
        None,
    ],
)
def test_a_whole_file_with_other_contents_is_as_good_as_absent(folder, data):
    run(bowl())
    store.write(file_of(folder).name.removesuffix(SUFFIX), json.dumps(data), SUFFIX)

    assert set() == reused(run(bowl()))


def test_a_record_under_another_name_is_not_believed(folder):
    run(bowl())
    key = file_of(folder).name.removesuffix(SUFFIX)
    entries = json.loads(store.read(key, SUFFIX))["entries"]
    entries["bowl.range/take"]["record"] = entries["bowl.range/back"]["record"]
    store.write(key, json.dumps({"entries": entries}), SUFFIX)

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
    monkeypatch.setattr("verifier.smt.second.opinion", lambda _text: "sat")
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
    first.keep(every[:half], found[:half])
    second.keep(every[half:], found[half:])

    assert {each.name for each in every} == set(Cache.load(played, **words).fresh(every))


def test_many_runs_at_the_same_time_leave_a_file_that_can_be_read():
    played = bowl()
    every = obligations(played)
    found = verify(played, jobs=1, confirm=False, cache=False).records
    words = {"budget": 2_000_000, "confirm": False, "all_rulings": False}

    def keep(_number: int) -> None:
        Cache.load(played, **words).keep(every, found)

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
    key = file_of(folder).name.removesuffix(SUFFIX)
    entries = json.loads(store.read(key, SUFFIX))["entries"]
    entries["bowl.range/take"]["record"]["verdict"] = "proved"
    store.write(key, json.dumps({"entries": entries}), SUFFIX)
    report = verify(bowl("bowl >= n", "true or bowl >= n"), jobs=1, confirm=False, audit=1000)
    (found,) = (each for each in report.records if each.name == "bowl.range/take")

    assert found.alarm
    assert "the cache said `proved`, and now it is `refuted`" in found.reason
    assert 4 == report.exit_code
