"""`pilgrim verify`: proofs, search and random play of one game, compared with each other, as one report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from pilgrim_rules.api.game import Game, load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import show_json, show_plain
from pilgrim_rules.cli.progress import progress_bar, progress_option
from pilgrim_rules.evidence.record import FINE, PROOFS, Record, Verdict
from verifier.claims.obligations import obligations
from verifier.cli import explore as searching
from verifier.cli import fuzz as playing
from verifier.cli import prove as proofs
from verifier.cli.every_instance import Asked, told_left_out
from verifier.cli.kept_boundaries import KeptBoundaries, asked_of
from verifier.cli.outputs import Outputs, output_options
from verifier.cli.printing import show_outcome, worst_exit_code
from verifier.explore.search import explore
from verifier.explore.search_result import Exploration
from verifier.fuzz.campaign import run as campaign
from verifier.fuzz.directed import HEAVIER, LED, directed
from verifier.fuzz.report import CampaignReport
from verifier.fuzz.unseen import unseen_in
from verifier.play.hunt import FAVOURED
from verifier.prove.companions import companions_of
from verifier.prove.run import Report
from verifier.prove.search_proofs import with_search
from verifier.report.gather import ABOUT
from verifier.report.run_result import RunResult, run_result
from verifier.report.terminal_text import headline

#: States to search unless somebody says otherwise, and the size of a state (in bytes) above which no search gets anywhere.
SEARCHED, LARGE = 300_000, 200
COMPARED = 20_000  #: states, at most, that are compared where they look alike to a player
FOLLOWED = 9  #: how far the search follows counters without upper end


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--verbose", "-v", is_flag=True, help="Also print what is proved.")
@click.option("--games", type=click.IntRange(min=0), default=2_000, show_default=True, help="Number of random games.")
@click.option(
    "--states", type=click.IntRange(min=0),
    help=f"Maximum number of states to search; 0: no search.  [default: {SEARCHED}; 0 if a state has more than {LARGE} bytes]",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed of the games.")
@proofs.all_options
@proofs.proving
@progress_option
@output_options
@instance_options
@format_option
def verify(
    game: str,
    *,
    verbose: bool,
    games: int,
    states: int | None,
    seed: int,
    all_options: bool,
    outputs: Outputs,
    instance: InstanceOptions,
    as_json: bool,
    **asked: Any,
) -> Exit:
    """Prove what is claimed of GAME, search its states as far as they go, and play it at random; for every number of players.

    Boundaries that are kept are asked as well: where a rule is stricter or laxer than it was, or does something else.

    Where a proof and a play contradict each other, one of them is our bug: exit code 4. Otherwise as in `pilgrim prove`.
    """
    with progress_bar(f"{game}, rules"):
        instances = proofs.matching(game, instance, asked, all_options=all_options)
    outcomes, codes, data = [], [], []
    for each in instances:
        outputs.prepare(each.loaded.game.name)
        bounded = asked_of(game, each.loaded.game, instance)
        effort = Effort(games, states, seed)
        result = _verify(game, each, effort, bounded, keep_queries=outputs.queries is not None, asked=asked)
        found = result.outcome(each, instance)
        outcomes.append(found)
        codes += [_code(result), Exit.UNSETTLED if each.left_out else Exit.OK]
        data.append(_data(found, result))
        if not as_json:
            _show(found, result, verbose=verbose)
        if each.left_out:
            show_plain(f"{headline(found)}: {told_left_out(each)}", err=True)
        outputs.keep(found, result.report, each.part)
        if result.interrupted:
            break
    if as_json:
        show_json({"reports": data})
    outputs.finish(outcomes)
    return Exit.INTERRUPTED if Exit.INTERRUPTED in codes else worst_exit_code(codes)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to search and to play; None leaves the search to the size of a state."""

    games: int
    states: int | None
    seed: int


@dataclass(frozen=True, slots=True)
class Verified:
    """What proof, search, play and kept boundaries have found about one instance."""

    report: Report
    searched: Exploration | None
    played: CampaignReport | None
    alarms: tuple[str, ...]
    bounded: KeptBoundaries | None

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped it."""
        return self.report.interrupted or (self.played is not None and self.played.interrupted)

    def outcome(self, asked: Asked, instance: InstanceOptions) -> RunResult:
        """Return it as every report shows it."""
        return run_result(
            asked.loaded, self.report, self.searched, self.played,
            edition=instance.edition, map=instance.map, alarms=self.alarms,
        )  # fmt: skip


def _verify(
    name: str, each: Asked, effort: Effort, bounded: KeptBoundaries | None, *, keep_queries: bool, asked: dict[str, Any]
) -> Verified:
    """Prove, search and play one instance."""
    loaded = load(name, **each.words, ghosts=True)
    report = proofs.run(loaded.core, beside=companions_of(name, loaded.core), keep_queries=keep_queries, **asked)
    states = effort.states
    if states is None:
        states = SEARCHED if len(loaded.code.start) <= LARGE else 0
    searched = _search(loaded, states) if states and not report.interrupted else None
    played = _play(loaded, effort, _proved_now(loaded, report)) if effort.games and not report.interrupted else None
    alarms = tuple(_alarms(report, searched, played))
    if searched is not None:
        report = with_search(report, loaded.core, searched, all_rulings=asked["all_rulings"])
    return Verified(report, searched, played, alarms, bounded)


def _data(found: RunResult, result: Verified) -> dict[str, Any]:
    search = None if result.searched is None else searching.data(result.searched)
    play = None if result.played is None else playing.data(result.played)
    bounded = (
        None if result.bounded is None else {"kept": result.bounded.asked, "shifted": list(result.bounded.shifted)}
    )
    return {**found.data(), "search": search, "play": play, "boundaries": bounded}


def _show(found: RunResult, result: Verified, *, verbose: bool) -> None:
    show_outcome(found, verbose=verbose)
    proofs = [record for record in found.records if record.source == "proof"]
    fine = all(record.verdict in PROOFS for record in proofs)
    if result.searched is not None:
        proved = {record.claim for record in result.report.records if record.verdict in PROOFS}
        met = frozenset(name for name in result.searched.unreached if f"{found.game.name}.reachable.{name}" in proved)
        said = "all claims are proved above" if fine else "what is not proved stands above"
        searching.show(result.searched, proved=met, verdict=said)
    if result.played is not None:
        playing.show_campaign(result.played, unseen_in(result.played, found.game))
    if result.bounded is not None and result.bounded.asked:
        result.bounded.show(found.game.name)
        show_plain(f"{found.game.name}, boundaries: {result.bounded.text(found.game.name)}")
    show_plain(f"{headline(found)}: {_closing(result, proofs)}")


def _closing(result: Verified, proofs: Sequence[Record]) -> str:
    """Return the verdict of the whole run in a few words."""
    if result.interrupted:
        return "interrupted, so nothing is said of the rest"
    if result.alarms:
        return "a proof and a play contradict each other, which is a bug of the verifier"
    limited = sum(record.verdict is Verdict.LIMITED for record in proofs)
    open_ = sum(record.verdict not in PROOFS for record in proofs)
    said = f"{open_:,} of {len(proofs):,} not proved" if open_ else "everything is proved"
    said += f", {limited:,} within limits" if limited else ""
    broken = _code(result) is Exit.REFUTED
    others = [] if result.searched is None else ["search"]
    others += [] if result.played is None else ["random play"]
    if broken:
        return f"{said}; what is wrong stands above"
    return f"{said}; {' and '.join(others)} found nothing wrong" if others else said


def _search(game: Game, states: int) -> Exploration:
    with progress_bar(f"{game.name}, search") as tell:
        return explore(
            game.core,
            max_states=states,
            audits=True,
            secrecy=COMPARED,
            caps={variable.name: FOLLOWED for variable in game.core.variables if variable.type.is_open},
            progress=lambda told: tell(f"level {told.depth}", told.states, told.states + told.frontier),
        )


def _proved_now(game: Game, report: Report) -> frozenset[str]:
    """Return the actions of which something was asked that no earlier run had answered: they have changed, if little has."""
    asked_now = {record.name for record in report.records if not record.cached}
    if len(asked_now) == len(report.records):
        return frozenset()
    return directed({each.action for each in obligations(game.core) if each.name in asked_now and each.action})


def _play(game: Game, effort: Effort, changed: frozenset[str]) -> CampaignReport:
    """Play games that are led to what has changed; if nothing comes of that, any games."""
    led = _games(game, effort, changed) if changed else None
    return led if led is not None and (led.failures or led.interrupted) else _games(game, effort, frozenset())


def _games(game: Game, effort: Effort, favour: frozenset[str]) -> CampaignReport:
    games = effort.games * (LED if favour else 1)
    with progress_bar(f"{game.name}, play") as tell:
        return campaign(
            game.core,
            games=games,
            seed=effort.seed,
            favour=favour,
            heavier=HEAVIER if favour else FAVOURED,
            thorough=not favour,
            learns=not favour,
            instance=game.instance,
            progress=lambda tally: tell("", tally.games, games),
        )


def _alarms(report: Report, searched: Exploration | None, played: CampaignReport | None) -> Iterator[str]:
    """Yield what is proved and yet shown to be false."""
    proved = {record.name for record in report.records if record.verdict in FINE}
    whole = {record.claim for record in report.records} - {
        record.claim for record in report.records if record.verdict not in FINE
    }
    for finding in () if searched is None else searched.findings:
        about = ABOUT.get(finding.kind) or f"{finding.kind.replace(' ', '_')}.{finding.name}"
        if f"{report.game}.{about}" in whole:
            yield f"`{report.game}.{about}` is proved, but the search finds: {finding.says}"
    for failure in () if played is None else played.failures:
        if failure.name in proved:
            yield f"`{failure.name}` is proved, but play shows: {failure.says}"


def _code(result: Verified) -> Exit:
    if result.interrupted:
        return Exit.INTERRUPTED
    codes: list[int] = [result.report.exit_code]
    codes += [Exit.DISAGREEMENT] if result.alarms else []
    # A search that ends early takes nothing away from a proof.
    searched, played = result.searched, result.played
    codes += [Exit.REFUTED] if searched is not None and searching.code(searched) is Exit.REFUTED else []
    codes += [] if played is None else [playing.code(played)]
    codes += [Exit.REFUTED] if result.bounded is not None and result.bounded.shifted else []
    return worst_exit_code(codes)
