"""Native play: whole games as WebAssembly, against the same games through the library, and with every claim asked."""

from collections.abc import Iterator
from itertools import count

import numpy as np

from pilgrim_rules.api.game import Game, load
from pilgrim_rules.engine.affected_claims import affected_claims
from pilgrim_rules.engine.bulk_play import BulkPlayer, BulkPolicy, BulkResults
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language.load import read_game
from tests.bench.boards import connect_four, hex_of
from tests.bench.engine import WHOLE, random_play
from tests.bench.measure import Figure, rate

#: Decisions a second that are aimed at.
TARGETS = {"pilgrim": 1_200_000, "noughts_and_crosses": 10_000_000, "connect four 7 × 6": 2_000_000}
FASTER = 45  #: times compiled Python, for Pilgrim
CHECKED = 700_000  #: checked steps of Pilgrim a second
GAMES = 4096
SIZES = (5, 10, 15)  #: of boards of Hex
BATCH = 1000  #: games that are stepped side by side


def native() -> Iterator[Figure]:
    """Measure random playouts, and playouts of Pilgrim in which every claim that a step affects is asked."""
    for name in ("pilgrim", "noughts_and_crosses", "connect four 7 × 6", "kalah", "hex"):
        game = connect_four() if name.startswith("connect") else load(name)
        python, wasm = _library(game), playouts(game)
        target = TARGETS.get(name)
        yield Figure(f"{name}, playouts", wasm, "decisions/s", python, "compiled Python", target, more_is_better=True)
        if name == "pilgrim":
            yield Figure(f"{name}, native", wasm / python, "times", 1, "compiled Python", FASTER, more_is_better=True)
            yield _checked(name)
            yield _batch(name, game, python)
    yield from _growing()


def _growing() -> Iterator[Figure]:
    """Measure playouts on larger and larger maps; as much work a cell is what is aimed at."""
    small = 0.0
    for size in SIZES:
        spent = 1e9 / playouts(hex_of(size), GAMES // size**2) / size**2
        small = small or spent
        yield Figure(
            f"hex {size} × {size}, a decision, a cell", spent, "ns", small, f"a cell of {SIZES[0]} × {SIZES[0]}"
        )


def _library(game: Game) -> float:
    seeds = count()
    return rate(lambda: random_play(game, next(seeds), longest=WHOLE))


def playouts(game: Game, games: int = GAMES) -> float:
    """Measure decisions a second of random playouts, so many games a call."""
    player = BulkPlayer(game.code, machines(game.code)(), game.code.start, BulkPolicy(), None)
    seeds = count(step=games)

    def play() -> int:
        return _sum(player.run(next(seeds), games), games, 0)

    return rate(play)


def _batch(name: str, game: Game, python: float) -> Figure:
    """Measure games that are stepped side by side, with masks of legal moves, each begun again when it is over."""
    batch = game.batch(BATCH)

    def step() -> int:
        batch.step(batch.sample())
        batch.reset(batch.over)
        return BATCH

    return Figure(
        f"{name}, batch of {BATCH:,}", rate(step), "decisions/s", python, "compiled Python", more_is_better=True
    )


def _sum(found: BulkResults, games: int, column: int) -> int:
    """Return the sum of a column: 0 for decisions, 1 for steps."""
    return int(np.frombuffer(found.rows, "<u4").reshape(games, -1)[:, column].sum())


def _checked(name: str) -> Figure:
    """Measure steps after each of which the claims that it can break are asked, ghosts included."""
    core = read_game(name)
    code = compiled(core, ghosts=True)
    checks = affected_claims(code.game)
    player = BulkPlayer(code, machines(code, checks)(), code.start, BulkPolicy(), None)
    seeds = count(step=GAMES)

    def play() -> int:
        found = player.run(next(seeds), GAMES, watch=True)
        assert found.broken is None, "a claim of a shipped game does not break"
        return _sum(found, GAMES, 1)

    steps = rate(play)
    claims = sum(claim.kind in ("invariant", "conserved", "step") for claim in code.game.claims)
    asked = sum(map(len, checks.values())) / len(checks)
    says = f"steps/s, {asked:.0f} of {claims} claims asked after each"
    return Figure(f"{name}, checked play", steps, "steps/s", 1, says, target=CHECKED, more_is_better=True)
