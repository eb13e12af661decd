"""`pilgrim verify`: proofs, search and random play of one game, compared with each other, as one report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import show_json
from pilgrim_rules.engine.game import Game, load
from pilgrim_rules.loading import load_rules
from verifier.beside import beside
from verifier.cli import explore as searching
from verifier.cli import fuzz as playing
from verifier.cli import prove as proofs
from verifier.cli.outputs import Outputs, output_options
from verifier.cli.show import bar, gravest, show_outcome
from verifier.explore.findings import Exploration
from verifier.explore.search import explore
from verifier.fuzz.campaign import run as campaign
from verifier.fuzz.report import CampaignReport
from verifier.prove import Report
from verifier.report.gather import ABOUT
from verifier.report.outcome import FINE, outcome

#: States to search unless somebody says otherwise, and the size of a state (in bytes) above which no search gets anywhere.
SEARCHED, LARGE = 300_000, 200


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--verbose", "-v", is_flag=True, help="Show what is proved, too.")
@click.option("--games", type=click.IntRange(min=0), default=200, show_default=True, help="Games of random play.")
@click.option(
    "--states", type=click.IntRange(min=0),
    help=f"States to search; 0 for none.  [default: {SEARCHED}; 0 if a state has more than {LARGE} bytes]",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of random play.")
@proofs.proving
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
    outputs: Outputs,
    instance: Instance,
    as_json: bool,
    **asked: Any,
) -> Exit:
    """Prove what is claimed of GAME, search its states as far as they go, and play it at random.

    Where a proof and a play contradict each other, one of them is our bug: exit code 4. Otherwise as in `pilgrim prove`.
    """
    rules = load_rules(game, **instance.words())
    proofs.must_match(rules.game, asked["names"])
    outputs.prepare(rules.game.name)
    loaded = load(game, **instance.words(), ghosts=True)
    near = beside(game, loaded.core, instance.words())
    report = proofs.run(loaded.core, beside=near, keep_queries=outputs.queries is not None, **asked)
    if states is None:
        states = SEARCHED if len(loaded.code.start) <= LARGE else 0
    searched = _search(loaded, states) if states and not report.interrupted else None
    played = _play(loaded, games, seed) if games and not report.interrupted else None
    alarms = tuple(_alarms(report, searched, played))
    found = outcome(rules, report, searched, played, edition=instance.edition, map=instance.map, alarms=alarms)
    if as_json:
        search = None if searched is None else searching.data(searched)
        play = None if played is None else playing.data(played)
        show_json({**found.data(), "search": search, "play": play})
    else:
        show_outcome(found, verbose=verbose)
        if searched is not None:
            searching.show(searched)
        if played is not None:
            playing.show_campaign(played)
    outputs.keep(found, report)
    outputs.finish([found])
    return _code(report, searched, played, alarms)


def _search(game: Game, states: int) -> Exploration:
    with bar(f"{game.name}, search") as tell:
        return explore(
            game.core,
            max_states=states,
            progress=lambda told: tell(f"level {told.depth}", told.states, told.states + told.frontier),
        )


def _play(game: Game, games: int, seed: int) -> CampaignReport:
    with bar(f"{game.name}, play") as tell:
        return campaign(
            game.core,
            games=games,
            seed=seed,
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


def _code(report: Report, searched: Exploration | None, played: CampaignReport | None, alarms: tuple[str, ...]) -> Exit:
    if report.interrupted or (played is not None and played.interrupted):
        return Exit.INTERRUPTED
    codes: list[int] = [report.exit_code]
    codes += [Exit.DISAGREEMENT] if alarms else []
    # A search that ends early takes nothing away from a proof.
    codes += [Exit.REFUTED] if searched is not None and searching.code(searched) is Exit.REFUTED else []
    codes += [] if played is None else [playing.code(played)]
    return gravest(codes)
