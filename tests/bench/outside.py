"""Other checkers on the models that we export: their counts must be ours. Rumur (`apt-get install rumur`), TLC (`TLA2TOOLS` names its jar)."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from pilgrim_rules.export.murphi import murphi
from pilgrim_rules.export.tla import tla, tlc_configuration
from pilgrim_rules.language.load import read_game
from tests.bench.measure import Figure, best
from verifier.explore.search import explore

GAMES = ("kuhn_poker", "rats", "noughts_and_crosses", "auction", "caravan", "quarry", "kalah", "eight_puzzle")


def outside() -> Iterator[Figure]:
    """Measure states a second of each checker that is installed; a count that differs is an error."""
    jar = os.environ.get("TLA2TOOLS")
    if not (shutil.which("rumur") and shutil.which("cc")) and not jar:
        print("  neither Rumur nor TLC is installed: nobody outside was asked", file=sys.stderr)
    for name in GAMES:
        game = read_game(name)
        counted = explore(game, check=False)
        own = counted.states / best(lambda game=game: explore(game, check=False), runs=3)
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            if shutil.which("rumur") and shutil.which("cc"):
                (place / "model.m").write_text(murphi(game))
                _run(place, "rumur", "--threads", "1", "--deadlock-detection", "off", "-o", "model.c", "model.m")
                _run(place, "cc", "-O3", "-mcx16", "-w", "-o", "model", "model.c", "-lpthread")
                theirs = _counted(place, r"(\d+) states, (\d+) rules", counted.states, f"{folder}/model")
                yield Figure(f"{name}, exported", own, "states/s", theirs, "Rumur, same counts")
            if jar:
                module = re.findall(r"MODULE (\w+)", text := tla(game))[0]
                (place / f"{module}.tla").write_text(text)
                (place / f"{module}.cfg").write_text(tlc_configuration(game))
                theirs = _counted(
                    place, r"([\d,]+) distinct states found", counted.states, "java", "-jar", jar, f"{module}.tla"
                )
                yield Figure(f"{name}, exported", own, "states/s", theirs, "TLC, same counts")


def _counted(place: Path, pattern: str, states: int, *command: str) -> float:
    began = perf_counter()
    told = _run(place, *command)
    found = re.findall(pattern, told)[-1]
    number = int((found if isinstance(found, str) else found[0]).replace(",", ""))
    if number != states:
        raise AssertionError(f"{command[0]} counts {number} states, and we {states}")
    return states / (perf_counter() - began)


def _run(place: Path, *command: str) -> str:
    return subprocess.run(command, cwd=place, check=True, capture_output=True, text=True).stdout
