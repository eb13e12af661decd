"""`pilgrim watch`: whoever changes a rule is told what it breaks, from the cheapest check to the dearest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import click

from pilgrim_rules.api.game import Game, load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_mistakes, show_plain
from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.diagnostics import frames
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.compile import compiled
from pilgrim_rules.evidence.record import FINE, Record, Verdict
from pilgrim_rules.language import find_game
from verifier.cli import fuzz as playing
from verifier.cli.every_instance import Asked, every_instance
from verifier.cli.printing import show_play, worst_exit_code
from verifier.fuzz.campaign import run as campaign
from verifier.fuzz.report import CampaignReport
from verifier.play.boundaries import read_boundaries, shifted
from verifier.prove.companions import companions_of
from verifier.prove.run import BUDGET, verify
from verifier.report.terminal_text import record_lines

GAMES = 2_000
NAMED = 8  #: changes that are named
_POLL_SECONDS = 0.25


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--once", is_flag=True, help="Look once, and leave with the exit code of what was found.")
@click.option("--games", type=click.IntRange(min=0), default=GAMES, show_default=True, help="Number of random games.")
@click.option("--proofs/--no-proofs", default=True, help="Prove, or stop after play.")
@click.option("--confirm/--no-confirm", default=False, help="Check each proof with a second solver.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=BUDGET,
    show_default=True,
    help="Maximum number of solver steps in a query.",
)
@instance_options
@format_option
def watch(
    game: str,
    *,
    once: bool,
    games: int,
    proofs: bool,
    confirm: bool,
    budget: int,
    instance: InstanceOptions,
    as_json: bool,
) -> Exit:
    """Look at GAME whenever its files change: mistakes, examples, play, then the proofs that the change concerns.

    For every number of players, unless one is chosen. With `--format json` an event a line. Ctrl-C ends it.
    """
    watcher = Watcher(
        game,
        instance,
        WatchSettings(games, proofs=proofs, confirm=confirm, budget=budget),
        EventPrinter(as_json=as_json),
    )
    while True:
        now = file_stamps(game)
        code = watcher.look(partial(_have_changed, game, now))
        if once or not now:  # without files there is nothing to wait for
            return code
        while not _have_changed(game, now):
            sleep(_POLL_SECONDS)


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """How much is looked at."""

    games: int
    proofs: bool
    confirm: bool
    budget: int


@dataclass(slots=True)
class EventPrinter:
    """Says each event when it happens: a line for people, an object a line for programs."""

    as_json: bool
    started: float = field(default_factory=monotonic)

    def begin(self) -> None:
        """Start the clock of a round."""
        self.started = monotonic()

    def tell(self, event: str, text: str, **data: Any) -> None:
        """Tell what has happened."""
        seconds = monotonic() - self.started
        if self.as_json:
            click.echo(json.dumps({"event": event, "seconds": round(seconds, 2), **data}, ensure_ascii=False))
        else:
            show_plain(f"{seconds:6.1f} s  {text}")


class _Outdated(Exception):
    """The files have changed again: what is being looked at is of no use any more."""


@dataclass(slots=True)
class Watcher:
    """Looks at a game, as often as it changes; knows what it looked like the last time."""

    name: str
    instance: InstanceOptions
    wanted: WatchSettings
    events: EventPrinter
    _before: dict[int, dict[str, str]] | None = None
    _code: Exit = Exit.OK

    def look(self, is_outdated: Callable[[], bool]) -> Exit:
        """Tell everything about the game as it is now; what is outdated on the way is left."""
        self.events.begin()
        self.events.tell("begin", f"{self.name}: reading the rules", game=self.name)
        try:
            asked = list(every_instance(self.name, self.instance, all_rulings=False))
        except RulesError as error:
            self._mistakes(error)
            return Exit.BAD_INPUT
        prints = {each.loaded.game.players: Fingerprints(each.loaded.game).named() for each in asked}
        if self._unchanged(prints):
            return self._code
        try:
            codes = list(self._stages(asked, is_outdated))
        except _Outdated:
            self.events.tell("outdated", "the files have changed again")
            return Exit.INTERRUPTED
        self._before, self._code = prints, worst_exit_code(codes)
        done = "nothing is wrong" if self._code is Exit.OK else "something is wrong: see above"
        self.events.tell("end", f"all is looked at: {done}", code=int(self._code))
        return self._code

    def _mistakes(self, error: RulesError) -> None:
        if self.events.as_json:
            found = [frames.to_json(each, error.sources) for each in error.diagnostics]
            self.events.tell("mistakes", "", diagnostics=found)
        else:
            show_mistakes(error.diagnostics, error.sources)
            self.events.tell("mistakes", counted(len(error.diagnostics), "mistake"))

    def _unchanged(self, prints: dict[int, dict[str, str]]) -> bool:
        """Tell what has changed since the last round; return whether nothing has that anything depends on."""
        if self._before is None:
            seats = ", ".join(map(str, prints))
            self.events.tell("read", f"read, for {seats} players", players=list(prints))
            return False
        empty: dict[str, str] = {}
        changed = sorted(
            {
                name
                for players, now in prints.items()
                for name in now.keys() | self._before.get(players, empty).keys()
                if now.get(name) != self._before.get(players, empty).get(name)
            }
            - {"rules"}
        )
        text = f"changed: {', '.join(islice(changed, NAMED))}" + (" …" if len(changed) > NAMED else "")
        same = not changed and prints.keys() == self._before.keys()
        if same:
            text = "no rule, claim or example has changed: what was found stands"
        self.events.tell("read", text, changed=changed)
        return same

    def _stages(self, asked: list[Asked], is_outdated: Callable[[], bool]) -> Iterator[Exit]:
        """Yield the worth of each check, the cheapest first."""

        def still_current(*_: object) -> None:
            if is_outdated():
                raise _Outdated

        for each in asked:
            yield self._proved(each, "examples", ("example",), still_current)
        for each in asked:
            yield self._bounded(each)
        for each in asked if self.wanted.games else ():
            yield self._played(load(self.name, **each.words, ghosts=True), still_current)
        for each in asked if self.wanted.proofs else ():
            yield self._proved(each, "proofs", None, still_current)

    def _proved(
        self, each: Asked, what: str, kinds: tuple[Any, ...] | None, still_current: Callable[..., None]
    ) -> Exit:
        game = each.loaded.game
        wanted = self.wanted
        report = verify(
            game, kinds=kinds, confirm=wanted.confirm, budget=wanted.budget, progress=still_current,
            beside=companions_of(self.name, game),
        )  # fmt: skip
        wrong = [record for record in report.records if record.verdict not in FINE]
        causes = [record for record in wrong if record.verdict is not Verdict.CONDITIONAL]
        for record in causes:
            self._show(record)
        resting = len(wrong) - len(causes)
        text = f"{what}, {game.players} players: {len(report.records) - len(wrong):,} hold"
        text += f", {len(causes):,} fail" if causes else ""
        text += f", {resting:,} rest on what is not proved" if resting else ""
        names = [record.name for record in causes]
        self.events.tell(
            what, text, players=game.players, hold=len(report.records) - len(wrong), fail=names, rest=resting
        )
        return Exit(report.exit_code)

    def _bounded(self, each: Asked) -> Exit:
        """Tell where a move is allowed that was not, or refused: both may be intended."""
        game = each.loaded.game
        kept = read_boundaries(find_game.find(self.name)[0].parent, game.players)
        if not kept:
            return Exit.OK
        found = [one.says for one in shifted(compiled(game, ghosts=True), kept)]
        if not self.events.as_json:
            for says in found:
                show_plain(f"✗ {says}")
        text = f"boundaries, {game.players} players: {len(kept) - len(found):,} of {len(kept):,} where they were"
        self.events.tell("boundaries", text, players=game.players, kept=len(kept), shifted=found)
        return Exit.REFUTED if found else Exit.OK

    def _show(self, record: Record) -> None:
        if self.events.as_json:
            self.events.tell(
                "fails", "", name=record.name, verdict=str(record.verdict), reason=record.reason, play=record.play
            )
        else:
            for line in record_lines(record):
                show_plain(line)

    def _played(self, game: Game, still_current: Callable[..., None]) -> Exit:
        found: CampaignReport = campaign(
            game.core, games=self.wanted.games, instance=game.instance, remember=True, progress=still_current
        )
        for failure in found.failures:
            if not self.events.as_json:
                show_plain(f"✗ {failure.name}: {failure.says}")
                show_play(failure.moves)
        failures = [{"name": each.name, "says": each.says, "moves": list(each.moves)} for each in found.failures]
        text = f"play, {game.core.players} players: {counted(found.tally.games, 'game')}, {counted(found.tally.steps, 'step')}"
        text += f", {counted(len(failures), 'failure')}" if failures else ", nothing wrong"
        self.events.tell(
            "play", text, players=game.core.players, games=found.tally.games, steps=found.tally.steps, failures=failures
        )
        return playing.code(found)


def file_stamps(name: str) -> dict[Path, tuple[int, int]]:
    """Return the files a game may be made of, with when they were written and how long they are."""
    found: dict[Path, tuple[int, int]] = {}
    with suppress(RulesError, OSError):  # a file is being written, or replaced
        for path in find_game.files_of(name):
            stat = path.stat()
            found[path] = stat.st_mtime_ns, stat.st_size
    return found


def _have_changed(name: str, before: dict[Path, tuple[int, int]]) -> bool:
    return file_stamps(name) != before
