"""Sampling: plays games at random and keeps the places in them that explain the rules best.

Reads:  a game.   Writes: samples/<game>.json, which the pages read.
After:  the same rules, seed and number of games give the same bytes. Of all positions that were looked at, the one
        nearest to the start is kept: for each rule where it is used, for each requirement where it alone fails.

    python -m pilgrim_rules.sphinx_ext.sampling docs/samples pilgrim=4 nim

Positions of the game's own examples come first: they are small, and somebody has thought about them.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from pathlib import Path
from typing import NamedTuple

import pilgrim_rules
from pilgrim_rules.api.game import Game, State
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.core import ir
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.semantics.refusal import refusals
from pilgrim_rules.sphinx_ext.model.run_examples import reading, run
from pilgrim_rules.sphinx_ext.model.samples import FORMAT, RecordedPlay, SamplePosition, Samples, requirements
from pilgrim_rules.walk.policies import ByAction, Option
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import random_arguments, walk

GAMES = 64
LONGEST = 1500  #: moves of one game
SHOWN = 3  #: games to choose the one from that is shown as a whole
ENDLESS = 40  #: moves that are kept of a game that does not end
TRIED = 32  #: moves of one rule that are tried in one position
LOOKED_AT = 160  #: positions in which refusals of one rule are looked for; half of them the nearest to the start


class _Position(NamedTuple):
    """A position that was met: where, the move that was made there, or the one that an example says is refused."""

    play: int | str
    at: int
    state: State
    move: str
    refused: str = ""


def sample(game: Game, *, games: int = GAMES, seed: int = 0) -> Samples:
    """Play games and return the places to show."""
    random = RandomSource(seed)
    counts: Counter[int] = Counter()
    plays = [_play(game, number, random, counts) for number in range(games)]
    shown = max((_rich_play(game, number, random) for number in range(SHOWN)), key=lambda play: _rich(game, play))
    plays.append(shown)
    met = [*_of_examples(game), *sorted(_positions(game, plays), key=lambda each: (each.at, each.play))]
    uses = _uses(met)
    refused = _refusals(game, met, random)
    return _packed(game, plays, uses, refused)


def _play(game: Game, seed: int, random: RandomSource, counts: Counter[int]) -> RecordedPlay:
    """Play one game; of the rules that can be used, one that was used least so far."""
    book = game.runner.book

    def options(state: State) -> list[Option[int]]:
        return [] if state.over else [(coded, 1) for coded in game.runner.candidates(state.data)]

    def least_used(actions: list[int]) -> list[int]:
        fewest = min(counts[each] for each in actions)
        return [each for each in actions if counts[each] == fewest]

    moves: list[str] = []
    steps = walk(
        game.start(seed), options, lambda state, coded: state.play(str(book.move(coded))), ByAction(least_used), random,
        LONGEST,
    )  # fmt: skip
    for step in steps:
        counts[step.move[0]] += 1
        moves.append(str(book.move(step.move)))
    return RecordedPlay(seed, tuple(moves))


def _rich_play(game: Game, seed: int, random: RandomSource) -> RecordedPlay:
    """Play a game to look at: of a few moves of each rule, the one that adds most to the table and to the score."""
    first = state = game.start(seed)
    counts: Counter[str] = Counter()
    moves: list[str] = []
    while not state.over and len(moves) < LONGEST:
        possible: dict[str, list[str]] = {}
        for move in map(str, state.moves()):
            possible.setdefault(action_name(move), []).append(move)
        some = [random.pick(found) for found in possible.values() for _ in range(3)]
        worth = {move: _move_value(state, state.play(move), first) for move in some}
        moves.append(max(some, key=lambda move: (worth[move], -counts[action_name(move)], random.below(1 << 32))))
        counts[action_name(moves[-1])] += 1
        state = state.play(moves[-1])
    return RecordedPlay(seed, tuple(moves))


def _move_value(before: State, after: State, first: State) -> float:
    totals = {name: float(each.total) for name, each in after.scores().items()}
    lead = totals.get(before.to_move or "", 0.0) - sum(totals.values()) / len(totals)
    return lead + _different(after, first)


def _different(state: State, first: State) -> int:
    return sum(now != then for now, then in zip(state.data, first.data, strict=True))


def _rich(game: Game, play: RecordedPlay) -> int:
    first = game.start(play.seed)
    return _different(first.play(*play.moves), first)


def _positions(game: Game, plays: list[RecordedPlay]) -> Iterator[_Position]:
    for number, play in enumerate(plays):
        state = game.start(play.seed)
        for at, move in enumerate(play.moves):
            yield _Position(number, at, state, move)
            state = state.play(move)


def _of_examples(game: Game) -> Iterator[_Position]:
    """Yield the positions of the examples in which somebody moves as we read the rules, nearest to their beginning first."""
    found = [
        _Position(example.name, at, moment.before, str(moment.move), "")
        if isinstance(moment.step, ir.Make)
        else _Position(example.name, at, moment.before, "", str(moment.move))
        for example in game.core.examples
        if not reading(game.core, example)
        for at, moment in enumerate(run(game, example))
        if moment.before is not None
        and moment.move is not None
        and moment.holds
        and not _of_another_reading(moment.step)
    ]
    return iter(sorted(found, key=lambda each: each.at))


def _of_another_reading(step: ir.ExampleStep) -> bool:
    return isinstance(step, ir.Make | ir.Refuse) and bool(step.under)


def _uses(met: list[_Position]) -> dict[str, SamplePosition]:
    """Return where each rule is used first; what happens by itself is used by the move before it."""
    found: dict[str, SamplePosition] = {}
    for each in met:
        if each.move and (action_name(each.move) not in found or isinstance(each.play, int)):
            trace = Trace(each.state)
            trace.play(each.move)
            for step in trace.steps:
                found.setdefault(action_name(str(step.move)), SamplePosition(each.play, each.at, each.move))
    return found


def _refusals(game: Game, met: list[_Position], random: RandomSource) -> dict[str, dict[str, SamplePosition]]:
    """Return for each rule where each of its requirements fails; what happens by itself is never tried."""
    stages = [game.runner.row(each.state.data).stage.code for each in met]
    found: dict[str, dict[str, SamplePosition]] = {}
    for action in game.core.actions:
        if action.kind != "auto":
            possible = [each for each, stage in zip(met, stages, strict=True) if stage in action.stages]
            meant = [each for each in possible if action_name(each.refused) == action.name]
            near, far = possible[: LOOKED_AT // 2], possible[LOOKED_AT // 2 :]
            some = far[:: max(1, len(far) * 2 // LOOKED_AT)]
            refused = _refused(game, action, [*meant, *near, *some], random)
            found |= {action.name: refused} if refused else {}
    return found


def _refused(game: Game, action: ir.Action, met: list[_Position], random: RandomSource) -> dict[str, SamplePosition]:
    """Return for each requirement the first position in which it alone fails, or fails with the fewest others."""
    wanted = requirements(game.core, action)
    best: dict[str, tuple[int, SamplePosition]] = {}
    for each in met:
        if all(key in best and best[key][0] == 0 for key in wanted):
            break
        cells = game.layout.decode(each.state.data)
        for coded in _moves_to_try(each, action, random):
            found = refusals(game.declared, cells, action, coded[1], {})
            failing = [reason.key for reason in found if reason.kind == "requirement"]
            others = len(failing) - 1
            for key in wanted.intersection(failing):
                if key not in best or others < best[key][0]:
                    best[key] = (others, SamplePosition(each.play, each.at, str(game.runner.book.move(coded))))
    return {key: place for key, (_, place) in best.items()}


def _moves_to_try(met: _Position, action: ir.Action, random: RandomSource) -> Iterator[Coded]:
    """Yield moves of a rule: what an example tries; all if they are few, else some, and those close to legal ones."""
    state, game = met.state, met.state.game
    number = game.actions.index(action.name)
    if action_name(met.refused) == action.name:
        yield game.runner.book.codes(met.refused)
    domains = [range(param.type.lo, param.type.hi + 1) for param in action.params]
    if prod(map(len, domains)) <= TRIED:
        yield from ((number, args) for args in product(*domains))
        return
    legal = [coded for coded in game.runner.candidates(state.data) if coded[0] == number]
    for _, args in random.sample(legal, 2):
        for at, domain in enumerate(domains):
            yield from ((number, (*args[:at], code, *args[at + 1 :])) for code in domain)
    types = [param.type for param in action.params]
    yield from ((number, random_arguments(types, random)) for _ in range(TRIED))


def _packed(
    game: Game,
    plays: list[RecordedPlay],
    uses: dict[str, SamplePosition],
    refusals: dict[str, dict[str, SamplePosition]],
) -> Samples:
    """Return the samples with the plays that are needed, as far as they are needed; the last play, whole, is the first."""
    best = len(plays) - 1
    long = len(plays[best].moves)
    last: dict[int, int] = {best: long if long < LONGEST else ENDLESS}
    for place in (*uses.values(), *(place for found in refusals.values() for place in found.values())):
        if isinstance(place.play, int):
            last[place.play] = max(last.get(place.play, 0), place.at)
    kept = [best, *sorted(number for number in last if number != best)]

    def moved(place: SamplePosition) -> SamplePosition:
        return place if isinstance(place.play, str) else place._replace(play=kept.index(place.play))

    return Samples(
        rules=game.fingerprint,
        plays=tuple(RecordedPlay(plays[number].seed, plays[number].moves[: last[number]]) for number in kept),
        uses={name: moved(place) for name, place in sorted(uses.items())},
        refusals={
            name: {key: moved(place) for key, place in sorted(found.items())}
            for name, found in sorted(refusals.items())
        },
    )


def text(samples: Samples) -> str:
    """Return the file: a line for each play and each rule, so that a change can be read."""
    plays = [json.dumps({"seed": play.seed, "moves": play.moves}) for play in samples.plays]
    uses = [f"{json.dumps(name)}: {json.dumps(place)}" for name, place in samples.uses.items()]
    refusals = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in samples.refusals.items()]
    parts = (
        f'"format": {json.dumps(FORMAT)}',
        f'"rules": {json.dumps(samples.rules)}',
        f'"plays": [{_lines(plays)}]',
        f'"uses": {{{_lines(uses)}}}',
        f'"refusals": {{{_lines(refusals)}}}',
    )
    return f"{{{_lines(parts)}}}\n"


def _lines(parts: Iterable[str]) -> str:
    return "\n" + ",\n".join(parts) + "\n"


def main(*arguments: str) -> int:
    """Write the samples of games into a folder, each asked for as `name` or `name=players`; return the exit code."""
    if not arguments:
        sys.stderr.write("usage: python -m pilgrim_rules.sphinx_ext.sampling FOLDER GAME[=PLAYERS]...\n")
        return 2
    folder, *asked = arguments
    for each in asked:
        name, _, players = each.partition("=")
        if players and not players.isdecimal():
            sys.stderr.write(f"`{each}`: the number of players is no number\n")
            return 2
        try:
            game = pilgrim_rules.load(name, int(players) if players else None, ghosts=True)
        except RulesError as mistake:
            sys.stderr.write(f"{mistake}\n")
            return 2
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder, f"{Path(name).stem}.json").write_text(text(sample(game)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
