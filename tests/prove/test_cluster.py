"""A cluster of Dask on this machine: a real scheduler, real workers, and addresses at which there is none."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from threading import Thread

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.language.load import read_game
from tests.support.searchable_games import bank
from verifier.claims.obligations import obligations
from verifier.explore.search import explore
from verifier.mutate.campaign import run as mutate
from verifier.prove.run import verify
from verifier.workers import cluster as clusters
from verifier.workers.cluster import NoCluster, connected

pytest.importorskip("distributed")
ROOT = Path(__file__).parents[2]
#: What a new process of Dask runs: the command line of a scheduler or a worker.
DASK = "import sys; from distributed.cli.dask_{0} import main; sys.argv[0] = 'dask-{0}'; main()"
QUIET = ("--no-dashboard",)


def _process(log: Path, kind: str, *words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", DASK.format(kind), *words, *QUIET]
    with log.open("wb") as file:
        return subprocess.Popen(command, env=environment, stdout=file, stderr=file, cwd=ROOT)


def _says(log: Path, pattern: str) -> str:
    """Wait until a process has said something."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        found = re.search(pattern, log.read_text())
        if found:
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"nobody has said {pattern}:\n{log.read_text()}")


@contextmanager
def _cluster(
    folder: Path, workers: int, tls: tuple[str, ...] = ()
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    log = folder / "scheduler.log"
    where = ("--host", "tls://127.0.0.1" if tls else "127.0.0.1", "--port", "0")
    started = [_process(log, "scheduler", *where, *tls)]
    try:
        address = _says(log, r"Scheduler at:\s+(t(?:cp|ls)://\S+)")
        words = (address, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder), *tls)
        logs = [folder / f"worker{number}.log" for number in range(workers)]
        started += [_process(each, "worker", *words) for each in logs]
        for each in logs:
            _says(each, r"Registered to:\s+(t(?:cp|ls)://\S+)")
        yield address, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    with _cluster(tmp_path_factory.mktemp("dask"), 2) as (address, _):
        yield address


def test_a_cluster_says_what_one_process_says(two_workers):
    alone = verify(bank(), jobs=1, cache=False, confirm=False)
    with connected(two_workers) as executor:
        there = verify(bank(), cache=False, confirm=False, executor=executor)

    assert [(each.name, each.verdict) for each in alone.records] == [
        (each.name, each.verdict) for each in there.records
    ]


def test_the_command_proves_on_a_cluster(two_workers, capsys):
    assert Exit.OK == run(["prove", "counters", "--no-confirm", "--no-cache", "--cluster", two_workers])
    assert re.search(r"counters, 1 player: \d+ proved \(", capsys.readouterr().out)


def test_the_command_mutates_on_a_cluster(two_workers, capsys):
    run(["mutate", "counters", "--format", "json"])
    alone = json.loads(capsys.readouterr().out)
    assert Exit.OK == run(["mutate", "counters", "--format", "json", "--cluster", two_workers])
    there = json.loads(capsys.readouterr().out)

    assert [(each["name"], each["fate"]) for each in alone["mutants"]] == [
        (each["name"], each["fate"]) for each in there["mutants"]
    ]


def test_the_command_searches_on_a_cluster(two_workers, capsys):
    assert Exit.OK == run(["explore", "noughts_and_crosses", "--cluster", two_workers])
    assert "noughts_and_crosses: 5,478 states, 16,167 steps, 10 levels" in capsys.readouterr().out


@pytest.mark.slow
def test_a_search_and_mutants_survive_the_death_of_a_worker(tmp_path):
    game = read_game("noughts_and_crosses")
    with _cluster(tmp_path, 3) as (address, (first, second, _)), connected(address) as executor:
        there = explore(game, executor=executor, parts=executor.size, progress=lambda _told: first.kill())
        judged = mutate(game, executor=executor, progress=lambda *_told: second.kill())

    assert (5478, 16167, True) == (there.states, there.transitions, there.closed)
    assert [(each.name, each.fate) for each in mutate(game).outcomes] == [
        (each.name, each.fate) for each in judged.outcomes
    ]


@pytest.mark.slow
def test_a_worker_that_is_killed_in_the_middle_loses_nothing(tmp_path):
    with _cluster(tmp_path, 3) as (address, (first, *_)), connected(address) as executor:

        def kill(_record, count, _total):
            if count == 3:
                os.kill(first.pid, signal.SIGKILL)

        report = verify(bank(), cache=False, confirm=False, executor=executor, progress=kill)

    assert [each.name for each in obligations(bank())] == [each.name for each in report.records]
    assert 0 == report.exit_code


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_a_cluster_is_reached_over_an_encrypted_line(tmp_path, capsys):
    own, key = str(tmp_path / "own.pem"), str(tmp_path / "key.pem")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*made, "-keyout", key, "-out", own], check=True, capture_output=True)
    dask = ("--tls-ca-file", own, "--tls-cert", own, "--tls-key", key)
    with _cluster(tmp_path, 1, dask) as (address, _):
        words = ["prove", "counters", "--no-confirm", "--no-cache", "--cluster", address]

        assert address.startswith("tls://")
        assert Exit.OK == run([*words, "--cluster-tls", own, own, key])
        assert Exit.BAD_INPUT == run(words)
        assert "no scheduler answers" in capsys.readouterr().err


def test_certificates_are_for_encrypted_lines_of_a_cluster(tmp_path, capsys):
    (tmp_path / "any.pem").write_text("")
    tls = ["--cluster-tls", *[str(tmp_path / "any.pem")] * 3]

    assert Exit.BAD_INPUT == run(["prove", "counters", *tls])
    assert "name it with --cluster" in capsys.readouterr().err
    assert Exit.BAD_INPUT == run(["prove", "counters", "--cluster", "tcp://127.0.0.1:1", *tls])
    assert "certificates are for encrypted lines" in capsys.readouterr().err


@pytest.mark.slow
def test_without_workers_nothing_is_settled_and_nobody_waits(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "DESERTED", 1.0)
    monkeypatch.setattr(clusters, "LOOK", 0.2)
    with _cluster(tmp_path, 1) as (address, (only,)), connected(address) as executor:

        def kill(_record, count, _total):
            if count == 3:
                os.kill(only.pid, signal.SIGKILL)

        report = verify(bank(), cache=False, confirm=False, executor=executor, progress=kill)

    assert len(report.records) == len(obligations(bank()))
    assert "the cluster has no workers any more" in {each.reason for each in report.records}
    assert 3 == report.exit_code


@pytest.mark.slow
def test_a_scheduler_without_workers_is_refused(tmp_path):
    with _cluster(tmp_path, 0) as (address, _), pytest.raises(NoCluster, match="has no workers"), connected(address):
        pass


# -------------------------------------------------------------------------------------------------- where there is none


@contextmanager
def _listening(says: bytes) -> Iterator[str]:
    """Somebody who accepts connections, says something, and then nothing."""
    with socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        lines: list[socket] = []

        def serve() -> None:
            try:
                while True:
                    line, _ = listener.accept()
                    lines.append(line)
                    line.sendall(says)
            except OSError:  # the listener is closed
                return

        Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        for line in lines:
            line.close()


def _refused(address: str, capsys) -> str:
    """Return what the command says of an address; it says something, though the other side may never answer."""
    assert Exit.BAD_INPUT == run(["prove", "counters", "--no-cache", "--cluster", address])
    return capsys.readouterr().err


@pytest.mark.parametrize(
    "address", ["here", "http://127.0.0.1:8786", "tcp://", "tcp://127.0.0.1", "tcp://127.0.0.1:99999"]
)
def test_what_is_no_address_is_refused(address, capsys):
    assert f"`{address}` is no address of a cluster; one looks like tcp://" in _refused(address, capsys)


def test_a_port_at_which_nobody_listens_is_refused(capsys):
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"

    assert f"no scheduler answers at {address}: Connection refused" in _refused(address, capsys)


def test_a_host_that_does_not_exist_is_refused(capsys):
    assert "no scheduler answers at tcp://nowhere.invalid:8786" in _refused("tcp://nowhere.invalid:8786", capsys)


@pytest.mark.parametrize(
    "says",
    [b"", b"SSH-2.0-hello\r\n", (900).to_bytes(8, sys.byteorder) + b"and then nothing"],
    ids=["silent", "ssh", "half"],
)
def test_somebody_who_is_no_scheduler_is_refused(says: bytes, monkeypatch, capsys):
    monkeypatch.setattr(clusters, "ANSWER", 1.0)
    with _listening(says) as address:
        assert f"whoever listens at {address} does not answer as a scheduler does" in _refused(address, capsys)


def test_random_play_on_a_cluster(two_workers, capsys):
    assert Exit.OK == run(["fuzz", "counters", "--games", "4", "--longest", "50", "--cluster", two_workers])
    assert "counters: 4 games played" in capsys.readouterr().out


def test_without_dask_the_extra_is_named(monkeypatch, two_workers, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)

    assert "pip install 'pilgrim-rules[cluster]'" in _refused(two_workers, capsys)
