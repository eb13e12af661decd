"""Campaign: every mistake, or a sample of them, is made and judged.

Reads:  a core game, for one number of players or several.   Writes: a `MutationReport`; a file to go on with.
After:  however the campaign ends, every mutant that was judged is in the report and in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence.mutant_results import MutantResult
from pilgrim_rules.util import processes
from pilgrim_rules.walk.random_source import RandomSource
from verifier.mutate.detectors import Detector
from verifier.mutate.human_mistakes import HUMAN_KINDS
from verifier.mutate.judge import GAMES, LONGEST, READINGS, STATES, Judge, MutationSettings
from verifier.mutate.mistake import Mistake
from verifier.mutate.mutants import mistakes
from verifier.mutate.report import MutationReport, OutcomeBasis, Reasons, load_outcomes, save_outcomes

#: Parts of a stratum that a draw tells apart.
FINE = 1 << 32
#: Seconds after which outcomes are written to the file, about.
SAVED = 5.0


def run(
    games: Game | Sequence[Game],
    *,
    limit: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    max_states: int = STATES,
    plays: int = GAMES,
    longest: int = LONGEST,
    readings: int = READINGS,
    others: Mapping[str, Callable[[Game], Detector]] | None = None,
    only: Callable[[Mistake], bool] | None = None,
    file: Path | None = None,
    reasons: Reasons | None = None,
    executor: Executor | None = None,
    progress: Callable[[MutantResult, int, int], None] | None = None,
) -> MutationReport:
    """Make mistakes in the rules and report which are noticed.

    games        the game; or the same game for several numbers of players, the first of which names the mistakes.
    limit        this many mistakes, drawn with the seed, spread over files and kinds; all if left out.
    only         which mistakes to make at all; slips, if left out, and not those that people make.
    max_states   of a search of all states; 0 for none.      plays, longest   of random play; 0 plays for none.
    readings     other options that are tried for a line that belongs to a ruling.
    others       further detectors by name, such as a prover: each is given the game first, then mutants of it. With
                 several jobs they must be importable functions.
    file         go on with the outcomes in this file as far as they stand, and keep them there.
    reasons      why some mutants may survive.
    executor     somebody else's processes, such as a cluster's, instead of our own.
    progress     is called with each outcome, its number and how many there will be.
    """
    started = perf_counter()
    tables = (games,) if isinstance(games, Game) else tuple(games)
    settings = MutationSettings(max_states, plays, longest, readings, tuple((others or {}).items()))
    wanted = only or (lambda mistake: mistake.kind not in HUMAN_KINDS)
    possible = [mistake for mistake in mistakes(tables[0]) if wanted(mistake)]
    chosen = draw(possible, limit, seed)
    texts = OutcomeBasis.from_games(tables)
    kept = _Kept(texts, repr(settings), file)
    found: dict[str, MutantResult] = {}

    def take(outcome: MutantResult | None) -> None:
        if outcome is not None:
            found[outcome.name] = _explained(outcome, reasons)
            kept.add(outcome)
            if progress is not None:
                progress(found[outcome.name], len(found), len(chosen))

    interrupted = False
    try:
        for name in chosen:
            take(kept.outcomes.get(name))
        left = [name for name in chosen if name not in found]
        for outcome in _outcomes(MutationCampaign(tables[0], tables, settings), left, jobs, executor):
            take(outcome)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        kept.save()
    listed = tuple(found[name] for name in chosen if name in found)
    return MutationReport(
        tables[0].name, listed, len(possible), perf_counter() - started, interrupted, texts.rules, seed
    )


def draw(possible: Sequence[Mistake], limit: int | None, seed: int) -> list[str]:
    """Return names of mistakes in their order: all, or one from each of this many equal parts, sorted by file, kind and key.

    So every file and every kind has its share of the sample, every mistake the same chance, and the samples of two seeds
    have no more in common than chance brings about.
    """
    names = [mistake.name for mistake in possible]
    if limit is None or limit >= len(names):
        return names
    strata = sorted(possible, key=lambda each: ("" if each.span is None else each.span.file, each.kind))
    stride = len(strata) / limit
    random = RandomSource(seed)
    drawn = {strata[int((at + random.below(FINE) / FINE) * stride)].name for at in range(limit)}
    return [name for name in names if name in drawn]


def _explained(outcome: MutantResult, reasons: Reasons | None) -> MutantResult:
    """Return the outcome with what people say of it; a mutant that was seen to differ is not equivalent, say what they may."""
    if reasons is None or outcome.fate in ("killed", "equivalent"):
        return outcome
    if reason := reasons.why_equivalent(outcome.name):
        if outcome.fate == "survived" and not outcome.play:
            return replace(outcome, fate="equivalent", reason=reason)
        return replace(outcome, reason=f"said to be equivalent, which it is not: {reason}")
    return replace(outcome, reason=reasons.why(outcome.name))


class _Kept:
    """The outcomes in the file."""

    def __init__(self, texts: OutcomeBasis, settings: str, file: Path | None) -> None:
        self.texts, self.settings, self.file = texts, settings, file
        self.saved = float("-inf")  # the first outcome is kept at once: whether the file can be written is known early
        self.outcomes = {} if file is None else load_outcomes(file, texts, settings)

    def add(self, outcome: MutantResult) -> None:
        self.outcomes[outcome.name] = outcome
        if perf_counter() - self.saved > SAVED:
            self.save()

    def save(self) -> None:
        if self.file is not None:
            save_outcomes(self.file, self.texts, self.settings, self.outcomes)
        self.saved = perf_counter()


@dataclass(frozen=True, slots=True)
class MutationCampaign:
    """What every process of a campaign begins with; `game` names the mistakes."""

    game: Game
    tables: tuple[Game, ...]
    settings: MutationSettings


def _outcomes(
    campaign: MutationCampaign, names: list[str], jobs: int, executor: Executor | None
) -> Iterator[MutantResult | None]:
    if not names:
        return
    if executor is not None:
        for each in as_completed([executor.submit(_judge_for, campaign, name) for name in names]):
            yield each.result()
    elif jobs <= 1:
        yield from map(Judge(campaign.tables, campaign.settings).judge, names)
    else:
        with processes.pool(jobs, _init_worker, (campaign,)) as pool:
            for each in as_completed([pool.submit(_judge, name) for name in names]):
                yield each.result()


_of_process: tuple[MutationCampaign, Judge] | None = None  #: the campaign to which this process belongs, if to any


def _init_worker(campaign: MutationCampaign) -> None:
    global _of_process  # noqa: PLW0603  (one campaign a process)
    _of_process = (campaign, Judge(campaign.tables, campaign.settings))


def _judge(name: str) -> MutantResult | None:
    assert _of_process is not None, "the process has been prepared"
    return _of_process[1].judge(name)


def _judge_for(campaign: MutationCampaign, name: str) -> MutantResult | None:
    """Judge a mutant in somebody else's process, which is told the campaign each time and prepares for it once."""
    if _of_process is None or _of_process[0] is not campaign:
        _init_worker(campaign)
    return _judge(name)
