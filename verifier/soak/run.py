"""Run: the tasks of a soak run, a slice at a time, in one process or in several.

Reads:  a plan and the folder with what earlier runs have done.   Writes: one file a task, complete at every moment.
After:  a run that is stopped or killed loses at most the slice in progress; the next one goes on where it was. Work done
        by other rules than the current ones does not count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from pilgrim_rules.api.game import Game, load
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.semantics.state_layout import Position
from pilgrim_rules.util import processes
from pilgrim_rules.util.atomic_write import write_json
from pilgrim_rules.walk.policies import Uniform
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import options_of, random_state, walk
from verifier.crosscheck.engine_vs_smt import disagreements
from verifier.fuzz.campaign import run as campaign
from verifier.fuzz.report import play_fingerprint
from verifier.soak.plan import SoakTask

FORMAT = "pilgrim-rules/soak/1"
#: Seconds that one task gets before the next has its turn; loading a large game takes some of them.
SLICE = 240.0
#: As many times as long for a task with many readings, each of which is read and compiled before its first game.
READING_SLICES = 4
#: States that are compared before what is done is written.
AT_ONCE = 20
#: Of one state, this many definitions, claims and actions are compared, with this many arguments each: drawn again every time.
THINGS, ARGUMENTS = 1, 2


@dataclass(slots=True)
class SoakProgress:
    """What has been done of a task.

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
    tasks: Sequence[SoakTask],
    folder: Path,
    minutes: float,
    progress: Callable[[SoakTask, SoakProgress], None] | None = None,
    jobs: int = 1,
) -> tuple[dict[SoakTask, SoakProgress], bool]:
    """Work on the tasks in turn until all are done or the time is over; return what is done, and whether somebody stopped."""
    until = monotonic() + 60 * minutes
    found = {task: _read(folder, task) or SoakProgress("", task.seed) for task in tasks}
    waiting = sorted(tasks, key=lambda task: found[task].count / task.target)  # what is least done has the first turn
    turns = _run_in_turn(waiting, folder, until) if jobs == 1 else _run_in_processes(waiting, folder, until, jobs)
    try:
        for task, done in turns:
            found[task] = done
            if progress is not None:
                progress(task, done)
    except KeyboardInterrupt:
        turns.close()  # the processes end at once; what they have done so far is in their files
        return {task: _read(folder, task) or done for task, done in found.items()}, True
    return found, False


def _run_in_turn(waiting: list[SoakTask], folder: Path, until: float) -> Generator[tuple[SoakTask, SoakProgress]]:
    """Give the tasks their turns, one after the other."""
    while waiting and (left := until - monotonic()) > 0:
        task = waiting.pop(0)
        done = work(task, folder, min(_slice(task), left))
        if done.count < task.target:
            waiting.append(task)
        yield task, done


def _run_in_processes(
    waiting: list[SoakTask], folder: Path, until: float, jobs: int
) -> Generator[tuple[SoakTask, SoakProgress]]:
    """Give the tasks their turns in several processes; no task is in two of them at once, so each has its file to itself."""
    with processes.pool(jobs) as pool:
        busy: dict[Future[SoakProgress], SoakTask] = {}
        while busy or (waiting and monotonic() < until):
            while waiting and len(busy) < jobs and (left := until - monotonic()) > 0:
                task = waiting.pop(0)
                busy[pool.submit(work, task, folder, min(_slice(task), left))] = task
            for future in wait(busy, return_when=FIRST_COMPLETED).done:
                task, done = busy.pop(future), future.result()
                if done.count < task.target:
                    waiting.append(task)
                yield task, done


def _slice(task: SoakTask) -> float:
    """Return the seconds of a turn of a task."""
    return SLICE * (READING_SLICES if task.rulings and task.kind == "games" else 1)


def work(task: SoakTask, folder: Path, seconds: float) -> SoakProgress:
    """Go on with a task for some seconds; return all that has been done of it."""
    game = load(task.game, players=task.players, preset=task.preset, ghosts=True)
    rules, before = play_fingerprint(game.core), _read(folder, task)
    done = before if before is not None and before.rules == rules else SoakProgress(rules, task.seed)
    if done.count < task.target:
        started = monotonic()
        if task.kind == "games":
            _play(task, game, folder, seconds, done)
        else:
            _compare(task, game, seconds, done, lambda: _write(folder, task, done))
        done.seconds += monotonic() - started
        _write(folder, task, done)
    return done


def _write(folder: Path, task: SoakTask, done: SoakProgress) -> None:
    write_json(_file(folder, task), {"format": FORMAT, "leg": task.name, **asdict(done)})


def _play(task: SoakTask, game: Game, folder: Path, seconds: float, done: SoakProgress) -> None:
    found = campaign(
        game.core,
        games=task.target,
        minutes=seconds / 60,
        seed=task.seed,
        rulings=task.rulings,
        options=task.rulings,
        data=task.data,
        longest=task.longest,
        instance=game.instance,
        file=folder / f"{task.name}.campaign.json",
    )
    tally = found.tally
    done.count, done.steps, done.over = tally.games, tally.steps, tally.over
    done.rulings, done.never_made = dict(sorted(tally.rulings.items())), list(found.never_made)
    done.wrong = [f"{each.name}: {each.says}\n{each.example}" for each in found.failures]
    if found.interrupted:
        raise KeyboardInterrupt


def _compare(task: SoakTask, game: Game, seconds: float, done: SoakProgress, save: Callable[[], None]) -> None:
    """Compare states; every so often what is done is written, so that little is lost if the process is ended."""
    until = monotonic() + seconds

    def states() -> Iterator[Position]:
        while done.count < task.target and monotonic() < until:
            yield drawn(game, task.seed, done.count)
            done.count += 1
            if done.count % AT_ONCE == 0:
                save()

    for each in disagreements(game.core, states(), seed=done.count, solve=False, most=THINGS, arguments=ARGUMENTS):
        done.wrong.append(f"state {done.count}: {each}")


def drawn(game: Game, seed: int, number: int) -> Position:
    """Return a state by its number: any well-typed one, or one that random play visits."""
    generator = RandomSource(f"{seed}/{number}")
    layout = game.code.layout
    return layout.decode(random_state(layout, generator) if number % 2 else _visited(game, generator))


def _visited(game: Game, generator: RandomSource) -> bytes:
    def step(state: bytes, move: Coded) -> bytes:
        return game.code.apply_of[move[0]](state, *move[1])

    state, longest = game.code.start, generator.below(120)
    for each in walk(state, partial(options_of, game.runner), step, Uniform[int](), generator, longest):
        state = each.after
    return state


def _file(folder: Path, task: SoakTask) -> Path:
    return folder / f"{task.name}.json"


def _read(folder: Path, task: SoakTask) -> SoakProgress | None:
    """Return what is kept of a task, if it can be read."""
    try:
        data: dict[str, Any] = json.loads(_file(folder, task).read_text("utf-8"))
        if (data.pop("format"), data.pop("leg")) == (FORMAT, task.name):
            return SoakProgress(**data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # a file of something else, or half of one: start again
    return None


def totals(found: dict[SoakTask, SoakProgress]) -> Iterator[tuple[str, int, int]]:
    """Yield for each kind of task how much there was to do, and how much is done."""
    for kind in ("games", "states"):
        tasks = [task for task in found if task.kind == kind]
        yield kind, sum(task.target for task in tasks), sum(found[task].count for task in tasks)
