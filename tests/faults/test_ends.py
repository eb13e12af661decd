"""Ends that nobody wished for: killed, terminated, no room, two at once. Nothing settled is lost, nothing is left running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pilgrim_rules.util import text_cache
from tests.support.warm_cache import warm
from verifier.prove.verdict_cache import SUFFIX

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes where Linux lists them")


def start(cache, *command, program=("-m", "pilgrim_rules")):
    env = {**os.environ, "PILGRIM_CACHE": str(cache), "PYTHONPATH": str(ROOT), "FAULT_MARK": str(cache)}
    return subprocess.Popen(
        [sys.executable, *program, *map(str, command)],
        env=env, cwd=cache, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def ended(process, how):
    """Send a signal and wait for the end; its output is read, so that it is never kept waiting."""
    process.send_signal(how)
    out, _ = process.communicate(timeout=300)
    return out


def running(mark):
    """Return the processes that were started with a mark in their environment, workers included."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            alive = path.with_name("stat").read_text().rpartition(")")[2].split()[0] != "Z"
            if alive and f"FAULT_MARK={mark}".encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue  # it has ended meanwhile
    return found


def gone(mark, seconds=60.0):
    """Return whether all of them are gone within some seconds."""
    until = time.monotonic() + seconds
    while running(mark) and time.monotonic() < until:
        time.sleep(0.05)
    return not running(mark)


def settled(cache):
    """Return the names of what is kept, and how many lines were cut off."""
    names, damaged = set(), 0
    for path in cache.glob(f"*{SUFFIX}"):
        whole = text_cache.read_lines(path.name.removesuffix(SUFFIX), SUFFIX)
        names |= {json.loads(line)[0] for line in whole}
        damaged += len([line for line in path.read_bytes().split(b"\n") if line]) - len(whole)
    return names, damaged


def wait_for(condition, seconds=60.0):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    assert condition(), "nothing happened"


def wait_until_more(cache, process, wanted):
    """Wait until so much is settled, or all is."""
    wait_for(lambda: len(settled(cache)[0]) >= wanted or process.poll() is not None)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = warm(tmp_path / "cache", text_cache.folder())
    monkeypatch.setenv("PILGRIM_CACHE", str(folder))
    return folder


PROVE = ("prove", "kalah", "--jobs", "2")


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "kill -9"])
def test_a_proof_run_that_is_ended_ten_times_loses_nothing_and_leaves_nothing(cache, how):
    """Ended after another number of verdicts each time; what was kept before is still there, and used."""
    known: set[str] = set()
    for number in range(10):
        process = start(cache, *PROVE)
        wait_until_more(cache, process, len(known) + number)
        ended(process, how)
        assert gone(cache), "a worker is left running"
        now, damaged = settled(cache)
        assert known <= now
        assert damaged == 0
        known = now
    process = start(cache, *PROVE)
    out, err = process.communicate(timeout=300)
    assert 0 == process.returncode, out + err


def test_a_run_that_is_terminated_says_so_and_keeps_what_was_settled(cache):
    process = start(cache, *PROVE, "--format", "json")
    wait_for(lambda: len(settled(cache)[0]) >= 3)
    out = ended(process, signal.SIGTERM)

    assert gone(cache)
    (shown,) = json.loads(out)["reports"]
    assert 130 == process.returncode
    assert shown["interrupted"]
    assert len(shown["records"]) >= 3


def test_workers_die_with_a_prover_that_is_killed(cache):
    process = start(cache, *PROVE)
    wait_for(lambda: len(running(cache)) >= 3)
    ended(process, signal.SIGKILL)

    assert gone(cache)


FUZZ = ("fuzz", "nim", "--minutes", "5", "--jobs", "2", "--file", "campaign.json")
MUTATE = ("mutate", "kalah", "--jobs", "2", "--file", "mutants.json")


@pytest.mark.parametrize(
    ("command", "how"),
    [
        pytest.param(FUZZ, signal.SIGTERM, id="fuzz, SIGTERM"),
        pytest.param(MUTATE, signal.SIGKILL, id="mutate, kill -9"),
        pytest.param(FUZZ, signal.SIGKILL, id="fuzz, kill -9", marks=pytest.mark.slow),
        pytest.param(MUTATE, signal.SIGTERM, id="mutate, SIGTERM", marks=pytest.mark.slow),
    ],
)
def test_a_campaign_that_is_ended_leaves_nothing_running_and_a_whole_file(cache, command, how):
    process = start(cache, *command)
    wait_for(lambda: len(running(cache)) >= 3)
    if how is signal.SIGTERM:
        wait_for((cache / command[-1]).exists)
    ended(process, how)

    assert gone(cache)
    if how is signal.SIGTERM:
        assert 130 == process.returncode
        json.loads((cache / command[-1]).read_text())


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "kill -9"])
def test_a_soak_run_that_is_ended_leaves_nothing_running_and_goes_on(cache, how):
    command = ("--only", "nim", "--jobs", "2", "--folder", "soak", "--states", "100000", "--games", "100000")
    process = start(cache, *command, program=("-m", "verifier.soak"))
    wait_for(lambda: any(each.stat().st_size for each in cache.glob("soak/*.json")))
    ended(process, how)

    assert gone(cache)
    for path in cache.glob("soak/*.json"):
        json.loads(path.read_text())


def test_two_provers_on_one_cache_keep_what_each_has_found(cache):
    pair = [start(cache, "prove", "pig", "--jobs", "2") for _ in range(2)]
    for process in pair:
        out, err = process.communicate(timeout=300)
        assert 0 == process.returncode, out + err

    names, damaged = settled(cache)
    assert damaged == 0
    again = start(cache, "prove", "pig", "--jobs", "1", "--format", "json")
    out, _ = again.communicate(timeout=300)
    assert names == {record["name"] for record in json.loads(out)["reports"][0]["records"]}


def test_a_disk_that_is_read_only_costs_nothing_but_time(cache):
    cache.chmod(0o500)
    process = start(cache, "prove", "nim", "--jobs", "1")
    out, err = process.communicate(timeout=120)

    assert 0 == process.returncode, out + err


def test_a_full_disk_costs_nothing_but_what_did_not_fit(cache):
    """Files may grow to 4 KB: some lines fit, one is cut off, and the next run is not misled by it."""
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); import signal; "
    limited += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from pilgrim_rules.cli.main import run; "
    process = start(cache, program=("-c", limited + "sys.exit(run(['prove', 'nim', '--jobs', '1']))"))
    out, err = process.communicate(timeout=120)
    assert 0 == process.returncode, out + err
    kept, _ = settled(cache)
    assert kept

    process = start(cache, "prove", "nim", "--jobs", "1")
    out, err = process.communicate(timeout=120)
    assert 0 == process.returncode, out + err
    assert kept < settled(cache)[0]
