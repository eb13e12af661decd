"""The pytest plugin: every claim of a game is a test. `pytest spec/` proves the rules.

Reads:  files `*.rules`, wherever pytest finds them.   Writes: one item a claim, named like the claim.
After:  an item passes if everything that its claim asks for is proved, or in the case of an audit, if play found nothing.
        What a proof takes for granted is another item of the same game. Where no rules are collected, nothing is loaded.

A game of several files is collected once, at the file that begins with `game`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pilgrim_rules.evidence.record import Record
    from pilgrim_rules.language.load import Loaded
    from pilgrim_rules.language.load_arguments import LoadArguments
    from verifier.fuzz.report import CampaignReport
    from verifier.report.claim_groups import ClaimGroup

SUFFIX = ".rules"
_HEAD = re.compile(rb"^game\b", re.MULTILINE)
#: Where plays that refute something are written, below the root of the tests.
FOLDER = Path(".pilgrim") / "plays"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("rules", "rules of board games")
    group.addoption(
        "--rules-players",
        action="append",
        type=int,
        metavar="N",
        help="Prove the rules for N players; may be given several times. Without it: for the fewest that may play.",
    )
    group.addoption("--rules-budget", type=int, metavar="STEPS", help="Solver steps for one query.")
    group.addoption("--rules-no-confirm", action="store_true", help="Do not ask a second solver about each proof.")
    group.addoption(
        "--rules-games", type=int, default=50, metavar="N", help="Games of random play for audits (default: 50)."
    )
    parser.addini("rules_files", "patterns of the rules files that are collected", type="args", default=[f"*{SUFFIX}"])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a rules file that begins a game."""
    if file_path.suffix != SUFFIX:
        return None
    patterns: list[str] = parent.config.getini("rules_files")
    if not any(file_path.match(pattern) for pattern in patterns) or not _begins_a_game(file_path):
        return None
    collector: pytest.Collector = RulesFile.from_parent(parent, path=file_path)
    return collector


def _begins_a_game(path: Path) -> bool:
    return _HEAD.search(path.read_bytes()) is not None


def _game_of(path: Path) -> Path:
    """Return the whole game that begins with a file: its folder, if no other file there begins a game."""
    others = [each for each in path.parent.iterdir() if each.suffix == SUFFIX and each != path and each.is_file()]
    return path.parent if others and not any(map(_begins_a_game, others)) else path


class ClaimFailed(Exception):
    """A claim is not proved; holds what is to be shown."""


class RulesFile(pytest.File):
    """A game."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the claims of the game, for each number of players that is asked for."""
        from pilgrim_rules.diagnostics import frames  # noqa: PLC0415  (nothing is loaded where no rules are)
        from pilgrim_rules.diagnostics.bag import RulesError  # noqa: PLC0415

        counts: list[int | None] = self.config.getoption("rules_players") or [None]
        for count in counts:
            try:
                tried = Trial(_game_of(self.path), count, self.config)
            except RulesError as mistakes:
                raise self.CollectError(frames.frames(mistakes.diagnostics, mistakes.sources)) from None
            except ModuleNotFoundError as missing:
                raise self.CollectError(f"{missing}; install it with: pip install 'pilgrim-rules[verify]'") from None
            for sheet in tried.claim_groups:
                name = sheet.name.partition(".")[2]  # the file says which game
                name = name if count is None else f"{name}[{count} players]"
                item: pytest.Item = ClaimItem.from_parent(self, name=name, tried=tried, sheet=sheet)
                yield item


class ClaimItem(pytest.Item):
    """A claim of a game."""

    def __init__(self, *, tried: Trial, sheet: ClaimGroup, **words: Any) -> None:
        super().__init__(**words)
        self.tried = tried
        self.sheet = sheet
        self.extra_keyword_matches.update((sheet.kind, *sheet.clauses))

    def runtest(self) -> None:
        """Settle everything that the claim asks for."""
        records = list(self.tried.settle(self.sheet))
        self.user_properties += [("method", ", ".join(dict.fromkeys(record.method for record in records)))]
        wrong = [record for record in records if not self.tried.is_fine(record)]
        if wrong:
            raise ClaimFailed("\n\n".join(self.tried.failure(record) for record in wrong))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the claim and not our own code."""
        if isinstance(excinfo.value, ClaimFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the claim is written, and what it says."""
        path, line = self.tried.place(self.sheet) or (self.path, None)
        return path, line, f"{self.name}: {self.sheet.sentence}"


class Trial:
    """One instance of a game, with what this process knows of it."""

    def __init__(self, game: Path, players: int | None, config: pytest.Config) -> None:
        """Load the game."""
        from pilgrim_rules.language.load import load_rules  # noqa: PLC0415  (nothing is loaded where no rules are)
        from verifier.report.claim_groups import claim_groups  # noqa: PLC0415

        self.game, self.config = game, config
        self.loaded: Loaded = load_rules(game, players=players)
        self.claim_groups = claim_groups(self.loaded.game)
        self._played: CampaignReport | None = None

    @property
    def instance(self) -> LoadArguments:
        """How the game can be loaded again."""
        from pilgrim_rules.language.load_arguments import LoadArguments  # noqa: PLC0415

        players = self.loaded.game.players
        return LoadArguments(name=str(self.game), players=players, rulings=None, options=None, edition=None, map=None)

    def settle(self, sheet: ClaimGroup) -> Iterable[Record]:
        """Return what is known of a claim."""
        from verifier.prove.companions import companions_of  # noqa: PLC0415
        from verifier.prove.run import BUDGET, verify_with_lemmas  # noqa: PLC0415
        from verifier.report import gather  # noqa: PLC0415

        core = self.loaded.game
        if sheet.kind == "audit":
            return [record for record in gather.records_of_play(core, self._play()) if record.claim == sheet.name]
        budget: int = self.config.getoption("rules_budget") or BUDGET
        confirm = not self.config.getoption("rules_no_confirm")
        near = companions_of(self.game, core)
        report = verify_with_lemmas(core, (sheet.name,), jobs=1, budget=budget, confirm=confirm, beside=near)
        if report.interrupted:
            raise KeyboardInterrupt
        found = gather.records_of_proofs(core, report, self.loaded.bag.sources)
        return [record for record in found if record.claim == sheet.name]

    def _play(self) -> CampaignReport:
        from verifier.fuzz.campaign import run  # noqa: PLC0415

        if self._played is None:
            games: int = self.config.getoption("rules_games")
            self._played = run(self.loaded.game, games=games, instance=self.instance)
        return self._played

    def is_fine(self, record: Record) -> bool:
        """Return whether an record lets a claim pass."""
        from pilgrim_rules.evidence.record import FINE  # noqa: PLC0415

        return record.verdict in FINE and record.confirmed != "disagrees"

    def failure(self, record: Record) -> str:
        """Return what is wrong, the play as an example to paste, and where it can be looked at."""
        from verifier.report.counterexamples import counterexample  # noqa: PLC0415
        from verifier.report.terminal_text import record_lines  # noqa: PLC0415

        lines = list(record_lines(record))
        found = counterexample(self.loaded.game, self.instance, record)
        if found is not None:
            trace, page = found.save(self.config.rootpath / FOLDER)
            lines += ["", "as an example to paste into the rules:", "", found.example.rstrip(), ""]
            lines += [f"to look at:  {page}", f"to replay:   pilgrim replay {trace}"]
        return "\n".join(lines)

    def place(self, sheet: ClaimGroup) -> tuple[Path, int] | None:
        """Return the file and the line, counted from 0, in which a claim is written; None for what nobody has written."""
        span = sheet.obligations[0].span
        source = None if span is None or sheet.subject is None else self.loaded.bag.sources.get(span.file)
        return None if span is None or source is None else (Path(source.name), source.position(span.start)[0] - 1)
