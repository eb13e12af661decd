"""Run: the legs of a soak run, a slice at a time.

Reads:  a plan and the folder with what earlier runs have done.   Writes: one file a leg, complete at every moment.
After:  a run that is stopped or killed loses at most the slice in progress; the next one goes on where it was. Work done
        by other rules than those of today does not count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
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
#: Seconds that one leg gets before the next has its turn.
SLICE = 20.0
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
    legs: Sequence[Leg], folder: Path, minutes: float, progress: Callable[[Leg, Done], None] | None = None
) -> tuple[dict[Leg, Done], bool]:
    """Work on the legs in turn until all are done or the time is over; return what is done, and whether somebody stopped."""
    until = monotonic() + 60 * minutes
    found = {leg: _read(folder, leg) or Done("", leg.seed) for leg in legs}
    waiting = sorted(legs, key=lambda leg: found[leg].count / leg.target)  # what is least done has the first turn
    try:
        while waiting and monotonic() < until:
            leg = waiting.pop(0)
            found[leg] = work(leg, folder, min(SLICE, until - monotonic()))
            if progress is not None:
                progress(leg, found[leg])
            if found[leg].count < leg.target:
                waiting.append(leg)
    except KeyboardInterrupt:
        return found, True
    return found, False


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
    while done.count < leg.target and monotonic() < until:
        state = drawn(game, leg.seed, done.count)
        said = list(disagreements(game.core, [state], seed=done.count, solve=False, most=THINGS, arguments=ARGUMENTS))
        done.wrong += [f"state {done.count}: {each}" for each in said]
        done.count += 1


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
