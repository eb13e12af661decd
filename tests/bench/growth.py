"""How listing the moves grows with the map: Hex on boards of growing size."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from pilgrim_rules.api.game import load
from tests.bench.measure import Figure, best

SIZES = (5, 10, 15, 20)
TIMES = 200

HEAD = """\
kind = "hex"
orientation = "pointy"
rows = [
{rows}
]

[defaults]
west = false
east = false
north = false
south = false

[legend]
o = {{}}
n = {{ north = true }}
e = {{ east = true }}
s = {{ south = true }}
w = {{ west = true }}
p = {{ north = true, east = true }}
q = {{ north = true, west = true }}
d = {{ south = true, east = true }}
b = {{ south = true, west = true }}
"""


def growth() -> Iterator[Figure]:
    """Measure `moves()` at the start, where every cell is offered; as much work a cell is what is aimed at."""
    small: float | None = None
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            path = Path(folder, f"hex_{size}.toml")
            path.write_text(board(size))
            state = load("hex", map=str(path)).start()
            assert len(state.moves()) == size * size
            spent = best(lambda state=state: [state.moves() for _ in range(TIMES)]) / TIMES * 1e6
            cell = spent / size**2
            small = small or cell
            against = f"a cell of {SIZES[0]} × {SIZES[0]}"
            yield Figure(f"moves() on {size} × {size} hexes, a cell", cell, "µs", small, against)


def board(size: int) -> str:
    """Return the map of a board of that size; the letters say on which edges a cell lies."""
    rows = [_row(size, "qnp")] + [_row(size, "woe")] * (size - 2) + [_row(size, "bsd")]
    return HEAD.format(rows="\n".join(f'    "{row}",' for row in rows))


def _row(size: int, letters: str) -> str:
    first, middle, last = letters
    return " ".join([first, *[middle] * (size - 2), last])
