"""`pilgrim watch`: whoever changes a rule is told what it breaks, from the cheapest check to the dearest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import click

from pilgrim_rules.api.game import Game, load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, note_output, show_mistakes, show_plain
from pilgrim_rules.core.fingerprint import fingerprints_of
from pilgrim_rules.diagnostics import frames
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.evidence.record import FINE, Record, Verdict
from pilgrim_rules.language import find_game
from pilgrim_rules.util import text_cache
from verifier.claims.obligations import Obligation
from verifier.cli import fuzz as playing
from verifier.cli.every_instance import Asked, every_instance
from verifier.cli.kept_boundaries import asked_of
from verifier.cli.printing import show_play, worst_exit_code
from verifier.cli.watched_files import file_stamps, have_changed, syntax_print
from verifier.fuzz.campaign import run as campaign
from verifier.fuzz.directed import HEAVIER, LED, directed
from verifier.fuzz.report import CampaignReport, Tally
from verifier.play.hunt import FAVOURED
from verifier.prove.companions import companions_of
from verifier.prove.run import BUDGET, verify
from verifier.prove.verdict_cache import is_read_again
from verifier.report.terminal_text import record_lines

#: Games of a look, shared among the numbers of players, and the seconds in which as many are played as there is time for.
GAMES, SECONDS = 100_000, 30.0
NAMED = 8  #: changes that are named
_SUFFIX = ".looked"
_PROGRESS_SECONDS = 5.0
_POLL_SECONDS = 0.25


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--once", is_flag=True, help="Look once, and leave with the exit code of what was found.")
@click.option(
    "--games",
    type=click.IntRange(min=0),
    help=f"Number of random games (default: up to {GAMES:,} in {SECONDS:.0f} seconds).",
)
@click.option("--proofs/--no-proofs", default=True, help="Prove, or stop after play.")
@click.option("--confirm/--no-confirm", default=False, help="Check each proof with a second solver.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=BUDGET,
    show_default=True,
    help="Maximum number of solver steps in a query.",
)
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each failure as a record for `pilgrim replay`.",
)
@instance_options
@format_option
def watch(
    game: str,
    *,
    once: bool,
    games: int | None,
    proofs: bool,
    confirm: bool,
    budget: int,
    save: Path | None,
    instance: InstanceOptions,
    as_json: bool,
) -> Exit:
    """Look at GAME whenever its files change: mistakes, examples, play, then the proofs that the change concerns.

    For every number of players, unless one is chosen. With `--format json` an event a line. Ctrl-C ends it.
    """
    watcher = Watcher(
        game,
        instance,
        WatchSettings(games, proofs=proofs, confirm=confirm, budget=budget, save=save),
        EventPrinter(as_json=as_json),
    )
    while True:
        now = file_stamps(game)
        code = watcher.look(partial(have_changed, game, now))
        if once or not now:  # without files there is nothing to wait for
            return code
        while not have_changed(game, now):
            sleep(_POLL_SECONDS)


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """How much is looked at."""

    games: int | None  #: for each number of players; None: as many as there is time for
    proofs: bool
    confirm: bool
    budget: int
    save: Path | None = None


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
            note_output()
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
    _said: float = 0.0
    _syntax: str | None = None

    def look(self, is_outdated: Callable[[], bool]) -> Exit:
        """Tell everything about the game as it is now; what is outdated on the way is left."""
        self.events.begin()
        self._said = monotonic()
        self.events.tell("begin", f"{self.name}: reading the rules", game=self.name)
        syntax = syntax_print(self.name)
        if self._before is not None and syntax is not None and syntax == self._syntax:
            self.events.tell("read", "only comments or the layout have changed: what was found stands", changed=[])
            return self._code
        try:
            asked = list(every_instance(self.name, self.instance, all_rulings=False))
        except RulesError as error:
            self._mistakes(error)
            return Exit.BAD_INPUT
        prints = {each.loaded.game.players: fingerprints_of(each.loaded.game).named() for each in asked}
        changed = self._changed(prints)
        if self._before == prints:
            return self._code
        try:
            codes = list(self._stages(asked, directed(_actions(changed)), is_outdated))
        except _Outdated:
            self.events.tell("outdated", "the files have changed again")
            return Exit.INTERRUPTED
        self._before, self._syntax, self._code = prints, syntax, worst_exit_code(codes)
        self._keep(prints)
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

    def _changed(self, prints: dict[int, dict[str, str]]) -> list[str]:
        """Tell and return the names of what has changed since the last look, this run's or an earlier one's."""
        before = self._before if self._before is not None else self._kept()
        changed = sorted(
            {
                name
                for players, now in prints.items()
                for name, _ in now.items() ^ (before or {}).get(players, {}).items()
            }
            - {"rules"}
        )
        named = f"{', '.join(islice(changed, NAMED))}" + (" …" if len(changed) > NAMED else "")
        seats = ", ".join(map(str, prints))
        if before is None:
            changed = []
            text = f"read, for {seats} players"
        elif changed:
            text = f"changed: {named}"
        else:
            text = "no rule, claim or example has changed: what was found stands"
        self.events.tell("read", text, players=list(prints), changed=changed)
        return changed

    @property
    def _key(self) -> str:
        """The name under which is kept what the game was like when it was last looked at to the end."""
        files = [str(path.resolve()) for path in find_game.find(self.name)]
        return sha256(repr((files, self.instance)).encode()).hexdigest()[:32]

    def _kept(self) -> dict[int, dict[str, str]] | None:
        try:
            kept = json.loads(text_cache.read(self._key, _SUFFIX) or "null")
            return None if kept is None else {int(players): dict(prints) for players, prints in kept.items()}
        except (ValueError, TypeError, AttributeError):
            return None

    def _keep(self, prints: dict[int, dict[str, str]]) -> None:
        if self._code is Exit.OK:
            text_cache.write(self._key, json.dumps(prints), _SUFFIX)

    def _stages(self, asked: list[Asked], changed: frozenset[str], is_outdated: Callable[[], bool]) -> Iterator[Exit]:
        """Yield the worth of each check, the cheapest first."""

        def still_current(*_: object) -> None:
            if is_outdated():
                raise _Outdated

        for each in asked:
            yield self._proved(each, "examples", partial(_is_example, each, read_again=False), still_current)
        for each in asked:
            yield self._bounded(each)
        ways = (changed, frozenset[str]()) if changed else (changed,)
        for each in asked if self.wanted.games != 0 else ():
            game = load(self.name, **each.words, ghosts=True)
            for favour in ways:
                yield self._played(game, favour, len(asked) * len(ways), still_current)
        for each in asked:
            if any(is_read_again(each.loaded.game, example) for example in each.loaded.game.examples):
                wants = partial(_is_example, each, read_again=True)
                yield self._proved(each, "examples of other readings", wants, still_current)
        for each in asked if self.wanted.proofs else ():
            yield self._proved(each, "proofs", partial(_is_example, each, read_again=None), still_current)

    def _proved(
        self, each: Asked, what: str, wants: Callable[[Obligation], bool], still_current: Callable[..., None]
    ) -> Exit:
        game = each.loaded.game
        wanted = self.wanted

        def progress(record: Record, done: int, total: int) -> None:
            still_current()
            wrong = "" if record.verdict in FINE else f", {record.name} does not hold"
            self._progress(f"{what}, {game.players} players: {done:,} of {total:,}{wrong}")

        report = verify(
            game, wants=wants, confirm=wanted.confirm, budget=wanted.budget, progress=progress,
            beside=companions_of(self.name, game),
        )  # fmt: skip
        if report.interrupted:
            raise KeyboardInterrupt
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

    def _progress(self, text: str) -> None:
        """Tell how far a check has come, every few seconds."""
        if monotonic() - self._said >= _PROGRESS_SECONDS:
            self._said = monotonic()
            self.events.tell("progress", f"{text} …", says=text)

    def _bounded(self, each: Asked) -> Exit:
        """Tell where a move is allowed that was not, or refused: both may be intended."""
        game = each.loaded.game
        found = asked_of(self.name, game, self.instance)
        if found is None:
            return Exit.OK
        if not self.events.as_json:
            found.show(self.name)
        text = f"boundaries, {game.players} players: {found.text(self.name)}"
        self.events.tell("boundaries", text, players=game.players, kept=found.asked, shifted=list(found.shifted))
        return Exit.REFUTED if found.shifted else Exit.OK

    def _show(self, record: Record) -> None:
        if self.events.as_json:
            self.events.tell(
                "fails", "", name=record.name, verdict=str(record.verdict), reason=record.reason, play=record.play
            )
        else:
            for line in record_lines(record):
                show_plain(line)

    def _played(self, game: Game, favour: frozenset[str], campaigns: int, still_current: Callable[..., None]) -> Exit:
        """Tell what one of some campaigns shows, which share the time."""
        where = f" led to {', '.join(sorted(favour))}" if favour else ""
        what, wanted = f"play{where}, {game.core.players} players", self.wanted.games

        def progress(tally: Tally) -> None:
            still_current()
            self._progress(f"{what}: {counted(tally.games, 'game')}, {counted(len(tally.failures), 'failure')}")

        found: CampaignReport = campaign(
            game.core,
            games=GAMES // campaigns if wanted is None else wanted * (LED if favour else 1),
            minutes=SECONDS / campaigns / 60 if wanted is None else None,
            favour=favour,
            heavier=HEAVIER if favour else FAVOURED,
            thorough=not favour,
            learns=False,  # it would be done again after every change
            instance=game.instance,
            remember=True,
            progress=progress,
            only_first=True,
        )
        if found.interrupted:
            raise KeyboardInterrupt
        for failure in found.failures:
            if not self.events.as_json:
                show_plain(f"✗ {failure.name}: {failure.says}")
                show_play(failure.moves)
            if self.wanted.save is not None:
                path = failure.save(self.wanted.save)
                self.events.tell("saved", f"`pilgrim replay {path} --html page.html` draws it", path=str(path))
        failures = [{"name": each.name, "says": each.says, "moves": list(each.moves)} for each in found.failures]
        text = f"{what}: {counted(found.tally.games, 'game')}, {counted(found.tally.steps, 'step')}"
        text += f", {counted(len(failures), 'failure')}" if failures else ", nothing wrong"
        self.events.tell(
            "play",
            text,
            players=game.core.players,
            favour=sorted(favour),
            games=found.tally.games,
            steps=found.tally.steps,
            failures=failures,
        )
        return playing.code(found)


def _actions(names: list[str]) -> list[str]:
    return [name.removeprefix("action ") for name in names if name.startswith("action ")]


def _is_example(each: Asked, obligation: Obligation, *, read_again: bool | None) -> bool:
    """Return whether an obligation is an example of a kind; None: whether it is none of them."""
    if obligation.kind != "example" or read_again is None:
        return (obligation.kind != "example") == (read_again is None)
    game = each.loaded.game
    example = next(one for one in game.examples if one.name == obligation.subject)
    return is_read_again(game, example) == read_again
