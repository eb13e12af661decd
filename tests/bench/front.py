"""The front end: checking rules of a few hundred and of a few thousand lines, and starting the command."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pilgrim_rules import loading
from tests.bench.large import large
from tests.bench.measure import Figure, best, process

SHORT, LONG = 300, 3000
#: What a compiler does with as many lines of Python; the measure for "how long may a check take".
PYTHON = "def take_{k}(pile, n):\n    if n > pile[{k}]:\n        raise ValueError('there are not so many')\n    pile[{k}] -= n\n    return pile\n\n"


def front() -> Iterator[Figure]:
    """Measure the check, cold and warm, its growth with the length of the rules, and the start of the command."""
    with tempfile.TemporaryDirectory() as folder:
        long, short = Path(folder, "long.rules"), Path(folder, "short.rules")
        long.write_text(large(LONG))
        short.write_text(large(SHORT))
        python = "".join(PYTHON.format(k=k) for k in range(LONG // 6))
        reference = best(lambda: compile(python, "reference", "exec"))
        against = f"compiling {LONG:,} lines of Python"

        check = ("-m", "pilgrim_rules", "check", str(long))
        cold = process(*check, cache_folder="", runs=3)
        warm = process(*check, cache_folder=str(Path(folder, "cache")), runs=3)
        yield Figure(f"check {LONG:,} lines, cold", cold, "s", reference, against, target=2.0)
        yield Figure(f"check {LONG:,} lines, warm", warm, "s", reference, against, target=0.3)
        yield _growth(short, long)
    empty = process("-c", "pass")
    yield Figure("pilgrim --help", process("-m", "pilgrim_rules", "--help"), "s", empty, "an empty Python", target=0.3)
    yield Figure("import the engine", process("-c", ENGINE) - empty, "s", empty, "an empty Python", target=0.1)


ENGINE = "import pilgrim_rules; pilgrim_rules.load, pilgrim_rules.State, pilgrim_rules.Trace"


def _growth(short: Path, long: Path) -> Figure:
    """Return by how much the work for one line grows when there are ten times as many."""
    kept = os.environ.get("PILGRIM_CACHE")
    os.environ["PILGRIM_CACHE"] = ""  # or nothing would be checked
    try:
        loading.check(short)  # the parser's own tables are made once
        little, much = best(lambda: loading.check(short), runs=3), best(lambda: loading.check(long), runs=3)
    finally:
        del os.environ["PILGRIM_CACHE"]
        if kept is not None:
            os.environ["PILGRIM_CACHE"] = kept
    return Figure("ten times the lines", much / little, "times", LONG / SHORT, "ten times the work", target=13)
