"""Searching all states, beside SPIN and Rumur where they are installed: `apt-get install spin rumur`, and a C compiler.

The models in `models/` are those of `counters` and `bank`; the counts must be the same, or the figures say nothing.
"""

import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import process_time, thread_time
from typing import Any
from unittest.mock import patch

from pilgrim_rules.core.ir import Game
from pilgrim_rules.language.load import read_game
from tests.bench.measure import Figure, best
from verifier.explore.native_part import SearchPart
from verifier.explore.search import explore

MODELS = Path(__file__).with_name("models")
#: States a second of one core that are expected of ours, and bytes a state.
TARGET, BYTES = 3_000_000, 32


def search() -> Iterator[Figure]:
    """Measure ours, and each of the others that is installed, in states a second of one core."""
    for name in ("counters", "bank"):
        game = read_game(name)
        counted = explore(game, check=False)
        states = counted.states
        ours = states / best(lambda game=game: explore(game, check=False, parts=1), runs=3)
        peers = {"SPIN": _spin, "Rumur": _rumur}
        found = {tool: made for tool, measure in peers.items() if (made := measure(name, states)) is not None}
        if not found:
            print(f"  {name}: neither SPIN nor Rumur is installed; compared with what is expected", file=sys.stderr)
            found = {"what is expected": float(TARGET)}
        for tool, theirs in found.items():
            yield Figure(f"search of {name}", ours, "states/s", theirs, tool, TARGET, more_is_better=True)
        shared = states / min(_on_free_cores(game) for _ in range(3))
        yield Figure(f"search of {name}, two threads", shared, "states/s if each has a core", ours, "one core")
        yield Figure(f"search of {name}, a state", counted.bytes / states, "bytes", BYTES, "what is expected", BYTES)


def _on_free_cores(game: Game) -> float:
    """Return the seconds of a search by two threads if neither waits for a core: of each turn those of the slower one, and what is done between turns."""
    spent: dict[int, list[float]] = {0: [], 1: []}

    def timed(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(part: SearchPart, *args: int) -> Any:
            began = thread_time()
            try:
                return method(part, *args)
            finally:
                spent[part.part].append(thread_time() - began)

        return call

    went, opened = timed(SearchPart.go_on), timed(SearchPart.open_level)
    with patch.object(SearchPart, "go_on", went), patch.object(SearchPart, "open_level", opened):
        began = process_time()
        explore(game, check=False, parts=2)
        whole = process_time() - began
    turns = list(zip(*spent.values(), strict=True))
    return whole - sum(map(sum, turns)) + sum(map(max, turns))


def _spin(name: str, states: int) -> float | None:
    if not (shutil.which("spin") and shutil.which("cc")):
        return None
    with tempfile.TemporaryDirectory() as folder:
        _run(["spin", "-a", str(MODELS / f"{name}.pml")], folder)
        _run(["cc", "-O3", "-DSAFETY", "-DBFS", "-w", "-o", "pan", "pan.c"], folder)
        return _measured([f"{folder}/pan", "-w22"], folder, r"(\d+) states, stored", states)


def _rumur(name: str, states: int) -> float | None:
    if not (shutil.which("rumur") and shutil.which("cc")):
        return None
    with tempfile.TemporaryDirectory() as folder:
        _run(["rumur", "--threads", "1", "-o", "model.c", str(MODELS / f"{name}.m")], folder)
        _run(["cc", "-O3", "-mcx16", "-w", "-o", "model", "model.c", "-lpthread"], folder)
        return _measured([f"{folder}/model"], folder, r"(\d+) states, \d+ rules fired", states)


def _measured(command: Sequence[str], folder: str, pattern: str, states: int) -> float:
    """Return the states a second of the quicker of two runs, in processor time."""
    seconds = []
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        told = _run(command, folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        found = re.search(pattern, told)
        if found is None or int(found[1]) != states:
            raise AssertionError(f"{command[0]} counts {found and found[1]} states, and we {states}")
    return states / min(seconds)


def _run(command: Sequence[str], folder: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout
