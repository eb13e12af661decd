"""Run: the legs of a soak run, a slice at a time, in one process or in several.

Reads:  a plan and the folder with what earlier runs have done.   Writes: one file a leg, complete at every moment.
After:  a run that is stopped or killed loses at most the slice in progress; the next one goes on where it was. Work done
        by other rules than those of today does not count.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from pilgrim_rules.engine.game import Game, load
from pilgrim_rules.engine.layout import Position
from verifier.agree import disagreements
from verifier.fuzz.campaign import run as campaign
from verifier.fuzz.store import playprint, write
from verifier.soak.plan import Leg

FORMAT = "pilgrim-rules/soak/1"
#: Seconds that one leg gets before the next has its turn; loading a large game takes some of them.
SLICE = 40.0
#: Of one state, so many definitions, claims and actions are compared, with so many arguments each: drawn anew every time.
THINGS, ARGUMENTS = 1, 2


@dataclass(slots=True)
class Done:
    """What has been done of a leg.

    count    games played or states compared.      steps    of the games.
    over     games that came to their end.         wrong    everything that is not as it must be, in words.
    """

    rules: str
    seed: int
    count: int = 0
    steps: int = 0
    over: int = 0
    seconds: float = 0.0
    rulings: dict[str, int] = field(default_factory=dict)
    never_made: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def run(
    legs: Sequence[Leg],
    folder: Path,
    minutes: float,
    progress: Callable[[Leg, Done], None] | None = None,
    jobs: int = 1,
) -> tuple[dict[Leg, Done], bool]:
    """Work on the legs in turn until all are done or the time is over; return what is done, and whether somebody stopped."""
    until = monotonic() + 60 * minutes
    found = {leg: _read(folder, leg) or Done("", leg.seed) for leg in legs}
    waiting = sorted(legs, key=lambda leg: found[leg].count / leg.target)  # what is least done has the first turn
    turns = _alone(waiting, folder, until) if jobs == 1 else _together(waiting, folder, until, jobs)
    try:
        for leg, done in turns:
            found[leg] = done
            if progress is not None:
                progress(leg, done)
    except KeyboardInterrupt:
        turns.close()  # the slices in progress are finished first
        return {leg: _read(folder, leg) or done for leg, done in found.items()}, True
    return found, False


def _alone(waiting: list[Leg], folder: Path, until: float) -> Generator[tuple[Leg, Done]]:
    """Give the legs their turns, one after the other."""
    while waiting and (left := until - monotonic()) > 0:
        leg = waiting.pop(0)
        done = work(leg, folder, min(SLICE, left))
        if done.count < leg.target:
            waiting.append(leg)
        yield leg, done


def _together(waiting: list[Leg], folder: Path, until: float, jobs: int) -> Generator[tuple[Leg, Done]]:
    """Give the legs their turns in several processes; no leg is in two of them at once, so each has its file to itself."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), _deaf) as pool:
        busy: dict[Future[Done], Leg] = {}
        while busy or (waiting and monotonic() < until):
            while waiting and len(busy) < jobs and (left := until - monotonic()) > 0:
                leg = waiting.pop(0)
                busy[pool.submit(work, leg, folder, min(SLICE, left))] = leg
            for future in wait(busy, return_when=FIRST_COMPLETED).done:
                leg, done = busy.pop(future), future.result()
                if done.count < leg.target:
                    waiting.append(leg)
                yield leg, done


def _deaf() -> None:
    """Leave it to the first process to be interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def work(leg: Leg, folder: Path, seconds: float) -> Done:
    """Go on with a leg for some seconds; return all that has been done of it."""
    game = load(leg.game, players=leg.players, preset=leg.preset, ghosts=True)
    rules, before = playprint(game.core), _read(folder, leg)
    done = before if before is not None and before.rules == rules else Done(rules, leg.seed)
    if done.count < leg.target:
        started = monotonic()
        if leg.kind == "games":
            _play(leg, game, folder, seconds, done)
        else:
            _compare(leg, game, seconds, done)
        done.seconds += monotonic() - started
        write(_file(folder, leg), {"format": FORMAT, "leg": leg.name, **asdict(done)})
    return done


def _play(leg: Leg, game: Game, folder: Path, seconds: float, done: Done) -> None:
    found = campaign(
        game.core,
        games=leg.target,
        minutes=seconds / 60,
        seed=leg.seed,
        rulings=leg.rulings,
        data=leg.data,
        longest=leg.longest,
        instance=game.instance,
        file=folder / f"{leg.name}.campaign.json",
    )
    tally = found.tally
    done.count, done.steps, done.over = tally.games, tally.steps, tally.over
    done.rulings, done.never_made = dict(sorted(tally.rulings.items())), list(found.never_made)
    done.wrong = [f"{each.name}: {each.says}\n{each.example}" for each in found.failures]
    if found.interrupted:
        raise KeyboardInterrupt


def _compare(leg: Leg, game: Game, seconds: float, done: Done) -> None:
    until = monotonic() + seconds

    def states() -> Iterator[Position]:
        while done.count < leg.target and monotonic() < until:
            yield drawn(game, leg.seed, done.count)
            done.count += 1

    found = disagreements(game.core, states(), seed=done.count, solve=False, most=THINGS, arguments=ARGUMENTS)
    done.wrong += [f"state {done.count}: {each}" for each in found]


def drawn(game: Game, seed: int, number: int) -> Position:
    """Return a state by its number: any well-typed one, or one that random play visits."""
    random = Random(f"{seed}/{number}")  # noqa: S311  (no secrets)
    layout = game.code.layout
    if number % 2:
        codes = [
            random.randint(each.variable.type.lo, each.variable.type.hi)
            for each in layout.fields
            for _ in range(each.count)
        ]
        return layout.decode(layout.encode_flat(codes))
    return layout.decode(_visited(game, random))


def _visited(game: Game, random: Random) -> bytes:
    state = game.code.start
    for _ in range(random.randrange(120)):
        row = game.runner.row(state)
        moves = [coded for coded, _ in game.runner.lottery(state)] if row.kind == "chance" else []
        moves = moves or ([] if row.kind in ("chance", "nobody") else list(game.runner.candidates(state)))
        if not moves:
            break
        number, args = random.choice(moves)
        state = game.code.apply_of[number](state, *args)
    return state


def _file(folder: Path, leg: Leg) -> Path:
    return folder / f"{leg.name}.json"


def _read(folder: Path, leg: Leg) -> Done | None:
    """Return what is kept of a leg, if it can be read."""
    try:
        data: dict[str, Any] = json.loads(_file(folder, leg).read_text("utf-8"))
        if (data.pop("format"), data.pop("leg")) == (FORMAT, leg.name):
            return Done(**data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # a file of something else, or half of one: begin anew
    return None


def totals(found: dict[Leg, Done]) -> Iterator[tuple[str, int, int]]:
    """Yield for each kind of leg how much there was to do, and how much is done."""
    for kind in ("games", "states"):
        legs = [leg for leg in found if leg.kind == kind]
        yield kind, sum(leg.target for leg in legs), sum(found[leg].count for leg in legs)
