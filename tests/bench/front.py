"""The front end: checking rules of any length and of any kind, reading what is kept of them, starting the command."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from pilgrim_rules.core.codec import decode, encode
from pilgrim_rules.language import load
from tests.bench.large import large, large_game
from tests.bench.measure import Figure, best, cache_folder, process
from tests.support.hard_texts import TEXTS

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
        yield _hard(Path(folder, "hard.rules"), reference, against)
    text = encode(large_game(7_000))
    yield Figure(
        "read 100,000 nodes of the core", best(lambda: decode(text), runs=3), "s", reference, against, target=0.5
    )
    empty = process("-c", "pass")
    yield Figure("pilgrim --help", process("-m", "pilgrim_rules", "--help"), "s", empty, "an empty Python", target=0.3)
    with tempfile.TemporaryDirectory() as folder:
        warm, cold = (process("-c", LOAD, cache_folder=each, runs=3) - empty for each in (folder, ""))
    yield Figure("load Pilgrim, warm", warm, "s", empty, "an empty Python", target=0.06)
    yield Figure("load Pilgrim, cold", cold, "s", empty, "an empty Python", target=2.5)
    yield Figure("import the engine", process("-c", ENGINE) - empty, "s", empty, "an empty Python", target=0.1)


LOAD = "import pilgrim_rules; pilgrim_rules.load('pilgrim')"
ENGINE = "import pilgrim_rules; pilgrim_rules.load, pilgrim_rules.State, pilgrim_rules.Trace"


def _hard(path: Path, reference: float, against: str) -> Figure:
    """Return how long the text takes that takes longest, of those that are large, deep or broken."""
    seconds = {}
    for name, (text, _) in TEXTS.items():
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        with cache_folder(""):
            seconds[name] = best(lambda: load.check(path), runs=1)
    worst = max(seconds, key=seconds.__getitem__)
    return Figure(f"hardest text: {worst}", seconds[worst], "s", reference, against, target=2.0)


def _growth(short: Path, long: Path) -> Figure:
    """Return by how much the work for one line grows when there are ten times as many."""
    with cache_folder(""):  # or nothing would be checked
        load.check(short)  # the parser's own tables are made once
        little, much = best(lambda: load.check(short), runs=3), best(lambda: load.check(long), runs=3)
    return Figure("ten times the lines", much / little, "times", LONG / SHORT, "ten times the work", target=13)
