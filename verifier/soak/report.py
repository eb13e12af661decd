"""Report: what a soak run has done, as a page of the documents.

Reads:  tasks and what was done of them.   Writes: reStructuredText.
After:  what was not reached, and whatever is wrong, stands on the page as plainly as the rest.
"""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from verifier.soak.plan import SoakTask
from verifier.soak.run import SoakProgress, totals

TITLE = "A long run of random play"
#: What an author claims; everything else must hold under every reading.
CLAIMS = ("invariant", "conserved", "step", "contract", "audit", "terminates")


def page(found: Mapping[SoakTask, SoakProgress], games: Sequence[str] = ()) -> str:
    """Return the page; if the run was of some games only, it names them."""
    done = dict(found)
    title = f"{TITLE}: {', '.join(games)}" if games else TITLE
    lines = [
        ":orphan:",
        "",
        title,
        "=" * len(title),
        "",
        *_introduction(of=", ".join(games) or "every shipped game"),
        *_by_game(done),
        *_totals(done),
        *_table(done, "games"),
        *_table(done, "states"),
    ]
    return "\n".join([*lines, *_rulings(done), *_wrong(done), *_unseen(done)]).rstrip() + "\n"


def _introduction(*, of: str) -> Iterator[str]:
    yield f"Written by ``python -m verifier.soak``. Random games of {of}, for every number of players, by every preset, with"
    yield "rulings and assumed data drawn at random, by several policies; every step is checked, as"
    yield ":doc:`/howto/looking_for_trouble` says, and one game in some hundreds is looked at thoroughly. Beside"
    yield "them random states, half of them visited by play and half merely well-typed, in which the engine and the encoding"
    yield "for the solver are compared: a definition, a claim and an action with its step, drawn again for each state."
    yield ""


def _totals(done: dict[SoakTask, SoakProgress]) -> Iterator[str]:
    """Say how much was done of what was asked for, and what was left out."""
    title = "All together"
    yield from (title, "-" * len(title), "")
    for kind, target, count in totals(done):
        reached = "" if count >= target else f", which is {count / target:.0%}: the run was stopped before its end"
        yield f"- {count:,} {kind} of {target:,} asked for{reached}."
    short = [
        f"{task.name} ({each.count:,} of {task.target:,})" for task, each in done.items() if each.count < task.target
    ]
    if short:
        yield f"- With less than their share: {', '.join(short)}."
    seconds, steps = sum(each.seconds for each in done.values()), sum(each.steps for each in done.values())
    wrong = sum(not is_another_reading(task, text) for task, each in done.items() for text in each.wrong)
    yield f"- {steps:,} steps; {seconds / 60:,.0f} minutes of one process, Python {platform.python_version()}."
    yield f"- {wrong:,} findings." if wrong else "- Nothing was wrong."
    yield ""


def _by_game(done: dict[SoakTask, SoakProgress]) -> Iterator[str]:
    """Say for each game how much of it was played and compared in all."""
    title = "Game by game"
    yield from (title, "-" * len(title), "", ".. list-table::", "   :header-rows: 1", "")
    yield from _row(["game", "ways to play", "games", "to the end", "steps", "states compared", "findings"])
    for game in dict.fromkeys(task.game for task in done):
        played = [each for task, each in done.items() if (task.kind, task.game) == ("games", game)]
        compared = sum(each.count for task, each in done.items() if (task.kind, task.game) == ("states", game))
        wrong = sum(
            not is_another_reading(task, text)
            for task, each in done.items()
            if task.game == game
            for text in each.wrong
        )
        sums = (sum(getattr(each, name) for each in played) for name in ("count", "over", "steps"))
        yield from _row([game, str(len(played)), *(f"{each:,}" for each in (*sums, compared, wrong))])
    yield ""


def _table(done: dict[SoakTask, SoakProgress], kind: str) -> Iterator[str]:
    tasks = [task for task in done if task.kind == kind]
    games = kind == "games"
    if not any(done[task].count for task in tasks):
        return
    yield kind.capitalize()
    yield "-" * len(kind)
    yield ""
    yield ".. list-table::"
    yield "   :header-rows: 1"
    yield ""
    head = ["game", "players", "how", kind, *(["to the end", "steps"] if games else []), "findings", "seed", "rules"]
    yield from _row(head)
    for task in tasks:
        each = done[task]
        how = task.name.rpartition(f"-{task.players}-")[2].replace("-", " ")
        counts = [f"{each.count:,}", *([f"{each.over:,}", f"{each.steps:,}"] if games else [])]
        yield from _row(
            [task.game, str(task.players), how, *counts, f"{len(each.wrong):,}", str(task.seed), each.rules[:12]]
        )
    yield ""


def _row(cells: list[str]) -> Iterator[str]:
    for at, cell in enumerate(cells):
        yield f"   {'* -' if at == 0 else '  -'} {cell}".rstrip()


def _rulings(done: dict[SoakTask, SoakProgress]) -> Iterator[str]:
    for game in dict.fromkeys(task.game for task in done):
        used: Counter[str] = Counter()
        for task, each in done.items():
            if task.game == game and task.rulings:
                used.update(each.rulings)
        if used:
            least, times = min(used.items(), key=lambda pair: (pair[1], pair[0]))
            yield f"Rulings of {game}"
            yield "-" * len(f"Rulings of {game}")
            yield ""
            yield f"{len(used):,} options of rulings were drawn at random; the rarest, ``{least}``, was played {times:,} times."
            yield ""


def _wrong(done: dict[SoakTask, SoakProgress]) -> Iterator[str]:
    elsewhere: Counter[str] = Counter()
    for task, each in done.items():
        for text in each.wrong:
            if is_another_reading(task, text):
                elsewhere[text.partition(":")[0].partition("/")[0]] += 1
                continue
            yield f"Finding in {task.name}"
            yield "-" * len(f"Finding in {task.name}")
            yield ""
            yield "::"
            yield ""
            yield from (f"   {line}".rstrip() for line in text.splitlines())
            yield ""
    if elsewhere:
        title = "Claims that another reading breaks"
        yield from (title, "-" * len(title), "")
        yield "The claims are made for the rules as they are read by default. Under other readings these were seen to be false:"
        yield ""
        yield from (f"- ``{name}``" for name in sorted(elsewhere))
        yield ""


def is_another_reading(task: SoakTask, finding: str) -> bool:
    """Return whether a finding is that a claim of the author is false under a reading that it was not made for."""
    other = task.rulings or task.preset is not None
    return other and any(f".{kind}." in finding.partition(":")[0] for kind in CLAIMS)


def _unseen(done: dict[SoakTask, SoakProgress]) -> Iterator[str]:
    """Say which actions no task of a game ever made."""
    for game in dict.fromkeys(task.game for task in done if task.kind == "games"):
        never = [
            set(each.never_made)
            for task, each in done.items()
            if task.game == game and task.kind == "games" and each.count
        ]
        unseen = sorted(set.intersection(*never)) if never else []
        if unseen:
            yield f"Never made in {game}: {', '.join(f'``{name}``' for name in unseen)}."
            yield ""
