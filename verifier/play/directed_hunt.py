"""Directed hunt: bulk play that is led to what one obligation is about.

Reads:  visits, an obligation.   Writes: a play that breaks the obligation, shortened; states that meet a formula.
After:  whatever is given back was seen again by the compiled engine, move by move; the evaluator has still to be asked. The same
        game and the same question give the same play; where WebAssembly is not installed, or cannot hold the game, fewer games are
        played, so fewer plays are found.

Who looks for what one action breaks makes that action heavier, and begins where play has been already, too: legal moves keep by
construction what a solver would have to invent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias, assert_never

from pilgrim_rules.core.ir import Expr
from pilgrim_rules.engine.affected_claims import affected_claims
from pilgrim_rules.engine.bulk_play import BulkPlayer, BulkPolicy
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.machines.machine import Machine
from pilgrim_rules.engine.machines.python_machine import PythonMachine
from pilgrim_rules.engine.probes import with_probes
from pilgrim_rules.engine.python.compile import Compiled, compiled
from pilgrim_rules.semantics.errors import STOPS
from verifier.claims.obligations import Obligation, affecting
from verifier.play.hunt import MILD, SLOWER, Caught, Hunter, hunting_machines
from verifier.play.hunt import Play as CodedPlay
from verifier.play.shorten import shortened
from verifier.play.visits import Move, Visits

Favour: TypeAlias = Literal["own", "claim", "none"]
#: What is made heavier, one hunt after the other, and how much: the obligation's own action, or all that its claim looks at. The
#: first of them show most.
WAYS: tuple[tuple[Favour, int], ...] = (("own", 100), ("claim", 20), ("own", 1000), ("claim", 100), ("none", 1))
QUICKLY = 2
#: Games of each hunt: from the start, and from each of this many visited states. Decisions of a game.
GAMES, GAMES_ELSEWHERE, PLACES, LONGEST = 768, 96, 6, 1500
#: Tries to make the first play shorter that breaks something, and any other: most are about the same mistake.
TRIES, TRIES_LATER = 30_000, 4_000
#: Games in which formulas are looked for, and games of one call.
MEETINGS, BATCH = 64, 16


def games(count: int, *, slow: bool) -> int:
    """Return how many games there is time for, of this many."""
    return max(1, count // SLOWER) if slow else count


def states_that_meet(whole: Compiled, probes: Mapping[str, Expr]) -> dict[str, bytes]:
    """Return for each formula that some game meets a state in which it holds."""
    code = compiled(with_probes(whole.game, probes), ghosts=True)
    machine = machines(code, affected_claims(code.game))()
    player = BulkPlayer(code, machine, code.start, BulkPolicy("weighted", palette=MILD), LONGEST)
    names, found = list(probes), dict[str, tuple[int, int]]()
    most = games(MEETINGS, slow=isinstance(machine, PythonMachine))
    for seed in range(0, most, BATCH):
        seen = [number for number, name in enumerate(names) if name in found]
        if len(seen) == len(names):
            break
        try:
            met = player.met(seed, min(BATCH, most), seen)
        except STOPS:  # other obligations tell that the rules contradict themselves
            break
        found |= {names[number]: place for number, place in met.items()}
    return dict(_states(whole, code, player, found))


def _states(
    whole: Compiled, code: Compiled, player: BulkPlayer, places: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[str, bytes]]:
    """Yield the states in which formulas were met, as states of the game itself; each game is played once more."""
    by_seed: dict[int, dict[int, list[str]]] = {}
    for name, (seed, step) in places.items():
        by_seed.setdefault(seed, {}).setdefault(step, []).append(name)
    for seed, steps in by_seed.items():
        state = code.start
        for number, (action, args) in enumerate(player.moves(seed)[: max(steps)], 1):
            state = code.apply_of[action](state, *args)
            for name in steps.get(number, ()):
                yield name, _with_claims(whole, code, state)


def _with_claims(whole: Compiled, code: Compiled, state: bytes) -> bytes:
    """Return a state of the game without its claims as one of the whole game; contracts have a cell of their own."""
    if whole.layout == code.layout:
        return state
    return whole.layout.encode({**whole.layout.decode(whole.start), **code.layout.decode(state)})


@dataclass
class DirectedHunt:
    """Looks for plays that break what a game claims; what it finds are the `plays` of the visits."""

    visits: Visits
    _tried: set[tuple[str, Favour, int, int]] = field(default_factory=set)
    _shortened: set[str] = field(default_factory=set)

    @cached_property
    def _make(self) -> Callable[[], Machine]:
        return hunting_machines(self.visits.compiled)

    def sweep(self) -> None:
        """Play a little, looking for everything at once."""
        hunter, wanted = Hunter(self.visits.compiled, make=self._make), set(self._claims())
        most = games(GAMES, slow=hunter.is_slow)
        while wanted and most > hunter.games:
            caught = hunter.hunt(wanted, games=most - hunter.games, longest=LONGEST)
            if caught is None or caught.claim is None:
                if caught is not None:
                    self._note([], self.visits.compiled.start, caught.play)
                break
            self._note([], self.visits.compiled.start, caught.play)
            wanted.discard(caught.claim)

    def look_for(self, obligation: Obligation, *, quickly: bool = False) -> bool:
        """Play until a play breaks the obligation; False if none does.

        quickly  only from the start, and in a way that mostly does.
        """
        starts = list(self._starts())
        for favour, heavier in WAYS[:QUICKLY] if quickly else WAYS:
            for at in range(1 if quickly else len(starts)):
                key = (obligation.name, favour, heavier, at)
                if obligation.name not in self.visits.plays and key not in self._tried:
                    self._tried.add(key)
                    self._search(obligation, (favour, heavier), *starts[at])
        if obligation.name not in self.visits.plays:
            return False
        self._shorten(obligation)
        return True

    def _claims(self) -> Iterator[str]:
        game = self.visits.compiled.game
        yield from (each.name for each in game.claims)
        yield from (each.name for each in game.rankings)

    def _search(self, obligation: Obligation, way: tuple[Favour, int], prefix: list[Move], start: bytes) -> None:
        hunter, claims = self._hunter(obligation, way, start)
        most = games(GAMES_ELSEWHERE if prefix else GAMES, slow=hunter.is_slow)
        while obligation.name not in self.visits.plays and most > hunter.games:
            caught = hunter.hunt(claims, games=most - hunter.games, longest=LONGEST)
            if caught is not None:
                self._note(prefix, start, caught.play)

    def _hunter(self, obligation: Obligation, way: tuple[Favour, int], start: bytes) -> tuple[Hunter, set[str]]:
        favour, heavier = way
        favoured = self._favoured(obligation, favour)
        hunter = Hunter(self.visits.compiled, favour=favoured, heavier=heavier, start=start, make=self._make)
        return hunter, {str(obligation.subject)} & set(self._claims())

    def _favoured(self, obligation: Obligation, favour: Favour) -> set[str]:
        own = set() if obligation.action is None else {obligation.action}
        match favour:
            case "none":
                return set()
            case "own":
                return own
            case "claim":
                game, footprints = self.visits.compiled.game, self.visits.footprints
                claim = footprints.declared.claims.get(obligation.subject or "")
                return own if claim is None else own | {each.name for each in affecting(game, claim, footprints)}
            case _:
                assert_never(favour)

    def _shorten(self, obligation: Obligation) -> None:
        """Make the play shorter by many tries, then leave out what single moves can be."""
        if obligation.name in self._shortened:
            return
        code, footprints = self.visits.compiled, self.visits.footprints
        best, says = self.visits.plays[obligation.name]
        hunter, claims = self._hunter(obligation, WAYS[1], code.start)
        claim = next(iter(claims), None)

        def shows(play: CodedPlay) -> bool:
            return claim is not None or obligation.name in self._broken_by(play)

        numbers = {action.name: number for number, action in enumerate(code.game.actions)}
        caught = Caught(claim, tuple((numbers[name], args) for name, args in best))
        tries = TRIES_LATER if self._shortened else TRIES
        self._shortened.add(obligation.name)
        shorter = hunter.shorter(caught, tries=tries, shows=shows)
        if shorter is not caught:
            found = self._broken_by(shorter.play).get(obligation.name)
            best, says = found or (best, says)
        self.visits.plays[obligation.name] = shortened(code, footprints, obligation, best), says

    def _broken_by(self, play: CodedPlay) -> dict[str, tuple[list[Move], str]]:
        """Return what a play from the start breaks."""
        found = DirectedHunt(Visits(self.visits.compiled, self.visits.footprints))
        found._note([], self.visits.compiled.start, play)
        return found.visits.plays

    def _starts(self) -> Iterator[tuple[list[Move], bytes]]:
        """Yield where games begin: the start, then visited states, each with the play to it."""
        code = self.visits.compiled
        yield [], code.start
        every = list(self.visits.came)
        for at in range(PLACES if len(every) > PLACES else 0):
            state = every[(2 * at + 1) * len(every) // (2 * PLACES)]
            if code.stage(state).kind != "nobody":
                yield self.visits.play_to(state), state

    def _note(self, prefix: list[Move], start: bytes, play: CodedPlay) -> None:
        """Make the moves again, and note what the last one breaks."""
        code = self.visits.compiled
        named = [(code.game.actions[number].name, args) for number, args in play]
        seen, state = Visits(code, self.visits.footprints), start
        for move in named[:-1]:
            state = code.apply(state, *move)
        if named:
            seen.options(state)
            after = seen.step(state, named[-1])
            if after is not None:
                seen.check_step(state, named[-1], after)
                seen.visit(after, (state, named[-1]))
                seen.options(after)
        else:
            seen.options(state)
        for name, (where, made, says) in seen.broken.items():
            whole = [*prefix, *named]
            ends_before = bool(named) and made is None and where == state
            self.visits.plays.setdefault(name, (whole[:-1] if ends_before else whole, says))
