"""Minimal: a long play that shows a problem becomes a short and simple one.

Reads:  a play, and what earlier runs have kept in hypothesis' example database.   Writes: a play that shows the same problem; the
        database.
After:  hypothesis knows no shorter play and none of simpler moves, unless the time ran out before. Every play was made again in the
        compiled game, what happens by itself included, and the last one also by the evaluator.

Native play looks for another play of fewer decisions; hypothesis leaves out decisions of it and puts simpler ones into their place. Both
are repeated until neither finds anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from math import prod
from time import monotonic

from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.database import (
    DirectoryBasedExampleDatabase,
    ExampleDatabase,
    InMemoryExampleDatabase,
    choices_from_bytes,
    choices_to_bytes,
)
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import DrawFn, SearchStrategy

from pilgrim_rules.core.ir import Game
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.util import text_cache
from pilgrim_rules.walk.random_source import RandomSource
from verifier.fuzz import checks
from verifier.fuzz.game_under_test import GameUnderTest, Play, Problem, ProblemFound
from verifier.fuzz.player import crash
from verifier.play.hunt import Caught, Hunter

#: Seconds that one problem may take, and the part of them that native play has.
SECONDS, HUNTING = 20.0, 0.5
#: Plays that are kept of a game.
KEPT = 20

Shown = tuple[Problem, Play]


def minimal(
    subject: GameUnderTest,
    problem: Problem,
    play: Play,
    *,
    hunter: Hunter | None = None,
    seconds: float = SECONDS,
    database: ExampleDatabase | None = None,
) -> Shown:
    """Return a play as short as can be found with the same problem, and the problem as it shows there.

    hunter     plays natively, if the problem is a claim that it asks.     database   where the play is kept for later runs.
    """
    first = replayed(subject, play, problem)
    if first is None:
        return problem, play  # it showed only once; better long than lost
    until = monotonic() + seconds
    best = first if hunter is None else _hunted(subject, hunter, first, seconds * HUNTING)
    best = _smaller(subject, best, until)
    if database is not None:
        database.save(_key(subject.core), choices_to_bytes(_choices(subject, best[1])))
    checks.confirm(subject, *best, _claim(subject, problem))
    return best


def kept(subject: GameUnderTest, database: ExampleDatabase) -> list[Shown]:
    """Return the plays that earlier runs have kept and that still show a problem; those that do not are forgotten."""
    found: list[Shown] = []
    numbering = Numbering(subject.core)
    for data in sorted(database.fetch(_key(subject.core)), key=len)[:KEPT]:
        numbers = [each for each in choices_from_bytes(data) or () if isinstance(each, int) and each is not True]
        decisions = tuple(numbering.coded(each) for each in numbers if each is not False and each < numbering.count)
        shown = replayed(subject, decisions, None)
        if shown is None:
            database.delete(_key(subject.core), data)
        else:
            found.append(shown)
    return found


def example_database() -> ExampleDatabase:
    """Return the database in the folder of the cache, or one in memory if there is none."""
    folder = text_cache.folder()
    return InMemoryExampleDatabase() if folder is None else DirectoryBasedExampleDatabase(folder / "plays")


# ---------------------------------------------------------------------------------------------- moves as numbers


@dataclass(frozen=True)
class Numbering:
    """Every move of a game by a number, in the order of the rules; the arguments are counted, legal or not."""

    game: Game
    _first: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        sizes = (prod(param.type.size for param in action.params) for action in self.game.actions)
        object.__setattr__(self, "_first", (0, *accumulate(sizes)))

    @property
    def count(self) -> int:
        """How many moves there are."""
        return self._first[-1]

    def number(self, coded: Coded) -> int:
        """Return the number of a move."""
        number, args = coded
        at = 0
        for param, arg in zip(self.game.actions[number].params, args, strict=True):
            at = at * param.type.size + arg - param.type.lo
        return self._first[number] + at

    def coded(self, number: int) -> Coded:
        """Return the move with a number."""
        action = next(at for at, first in enumerate(self._first[1:]) if number < first)
        rest, args = number - self._first[action], list[int]()
        for param in reversed(self.game.actions[action].params):
            rest, arg = divmod(rest, param.type.size)
            args.append(arg + param.type.lo)
        return action, tuple(reversed(args))


@st.composite
def _decisions(draw: DrawFn, numbering: Numbering) -> tuple[Coded, ...]:
    found: list[Coded] = []
    while draw(st.booleans()):
        found.append(numbering.coded(draw(st.integers(0, numbering.count - 1))))
    return tuple(found)


def decisions(game: Game) -> SearchStrategy[tuple[Coded, ...]]:
    """Return lists of moves, legal or not; they shrink to shorter ones, and to moves of earlier rules."""
    return _decisions(Numbering(game))


def _choices(subject: GameUnderTest, play: Play) -> list[int | bool]:
    """Return what `decisions` draws if it draws the decisions of a play."""
    numbering = Numbering(subject.core)
    numbers = [numbering.number(coded) for coded in _decided(subject, play)]
    return [choice for number in numbers for choice in (True, number)] + [False]


# ------------------------------------------------------------------------------------------------------- smaller plays


def _smaller(subject: GameUnderTest, shown: Shown, until: float) -> Shown:
    """Let hypothesis make a play smaller; a play that was seen to show the problem shows it after the time, too."""
    seen: dict[tuple[Coded, ...], Shown] = {}

    def shows(tried: tuple[Coded, ...]) -> bool:
        if tried not in seen and monotonic() < until:
            found = replayed(subject, tried, shown[0])
            if found is not None:
                seen[tried] = found
        return tried in seen

    seen[_decided(subject, shown[1])] = shown
    database = InMemoryExampleDatabase()  # what stands there as secondary, hypothesis takes for not yet shrunk
    database.save(b"play.secondary", choices_to_bytes(_choices(subject, shown[1])))
    how = settings(database=database, phases=(Phase.reuse, Phase.shrink), deadline=None, derandomize=False)
    try:
        return seen[find(decisions(subject.core), shows, settings=how, database_key=b"play")]
    except NoSuchExample:  # too long for hypothesis
        return shown


def _hunted(subject: GameUnderTest, hunter: Hunter, shown: Shown, seconds: float) -> Shown:
    """Return a play of fewer decisions by native play; the play itself if none was found."""
    problem, play = shown
    claim = _claim(subject, problem)

    def shows(tried: Play) -> bool:
        return claim is not None or replayed(subject, tried, problem) is not None

    found = hunter.shorter(Caught(claim, play), seconds=seconds, shows=shows)
    return replayed(subject, found.play, problem) or shown


def _decided(subject: GameUnderTest, play: Play) -> tuple[Coded, ...]:
    return tuple(coded for coded in play if subject.core.actions[coded[0]].kind != "auto")


# -------------------------------------------------------------------------------------------------------------- replay


def replayed(subject: GameUnderTest, play: Play, wanted: Problem | None) -> Shown | None:
    """Make the moves of a play that are legal, and what must happen in between; return where the problem shows.

    What happens by itself is made when it is due, whether or not it is in the play. Without a problem that is wanted, any will do.
    """
    state, made = subject.code.start, list[Coded]()
    waiting = list(reversed(_decided(subject, play)))
    ask = _question(subject, wanted)
    of_secrecy = wanted is not None and wanted.name.startswith(
        (f"{subject.core.name}.no_leak/", f"{subject.core.name}.sight/")
    )
    try:
        checks.start(subject)
        while True:
            options = [coded for coded, _ in subject.options(state)]
            _look(subject, state, options, wanted)
            if not options:
                return None
            if subject.core.actions[options[0][0]].kind == "auto":
                chosen = options[0]
            else:
                legal = set(options)
                while waiting and waiting[-1] not in legal:
                    waiting.pop()
                if not waiting:
                    return None
                chosen = waiting.pop()
            made.append(chosen)
            after = subject.make(state, chosen)
            ask(state, chosen, after)
            if of_secrecy:
                checks.secrecy(subject, tuple(made), RandomSource(0), range(subject.core.players))
            state = after
    except ProblemFound as found:
        return _same(found.problem, wanted, made)
    except Exception as error:  # noqa: BLE001  (a crash is a problem like any other)
        return _same(crash(subject, error), wanted, made)


def _claim(subject: GameUnderTest, problem: Problem) -> str | None:
    """Return the claim that a problem is about, if it is about one."""
    kind, _, name = problem.name.split("/")[0].removeprefix(f"{subject.core.name}.").partition(".")
    return name if kind in ("invariant", "conserved", "audit", "step", "terminates") else None


def _question(subject: GameUnderTest, wanted: Problem | None) -> Callable[[bytes, Coded, bytes], None]:
    """Return what asks the claim that is wanted after a step, or all of them."""
    claim = None if wanted is None else _claim(subject, wanted)

    def ask(before: bytes, coded: Coded, after: bytes) -> None:
        checks.step(subject, before, coded, after, claim)
        checks.state(subject, coded, after, claim)

    return ask


def _look(subject: GameUnderTest, state: bytes, options: list[Coded], wanted: Problem | None) -> None:
    """Ask the checks that are not asked of every state, if one of them has failed."""
    if wanted is not None and ".agreement." in wanted.name and options:
        random = RandomSource(0)
        checks.form(subject, state)
        for chosen in options:
            checks.evaluator(subject, state, chosen, random)
            checks.refusal(subject, state, chosen, frozenset(options))


def _same(found: Problem, wanted: Problem | None, made: list[Coded]) -> Shown | None:
    """Return the play if it shows what is wanted; by any action, if the problem that is wanted names none."""
    same = wanted is None or wanted.name in (found.name, found.name.split("/")[0])
    return (found, tuple(made)) if same else None


def _key(game: Game) -> bytes:
    return f"{game.name}/{game.players}".encode()
