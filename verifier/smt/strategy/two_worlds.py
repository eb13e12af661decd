"""Two worlds: obligations about what a player can tell, as queries about two states that look alike to that player.

Reads:  an obligation of kind `sight` or `no_leak`.   Writes: a `Task`.
After:  the query is satisfiable if some player can tell two worlds apart that looked the same: by what is legal and why not,
        or by what is seen after a move that looked the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from pilgrim_rules.core.footprint import Footprints, writes
from pilgrim_rules.core.ir import Action, Variable
from pilgrim_rules.semantics.observation import Moved
from verifier.claims import formulas
from verifier.claims.obligations import Obligation
from verifier.claims.secrecy import VIEWER, Worlds
from verifier.play.judge_secrecy import judge_leak, judge_sight
from verifier.play.replay import Failure
from verifier.smt.encode.encoded_states import EncodedState, Scope, Symbolic, Veiled
from verifier.smt.encode.model_state import Candidate
from verifier.smt.strategy import build_query
from verifier.smt.strategy.build_query import QueryBuilder, Task
from verifier.smt.strategy.encoding_options import Options
from verifier.smt.strategy.relevance import Hypothesis
from verifier.smt.strategy.symmetry_query import SymmetryQuery
from verifier.smt.terms.terms import Term, Terms


def build(footprints: Footprints, obligation: Obligation, options: Options) -> Task:
    """Return the query of an obligation, of whatever kind."""
    match obligation.kind:
        case "sight":
            return TwoWorlds.for_obligation(footprints, obligation, options).sight()
        case "no_leak":
            return TwoWorlds.for_obligation(footprints, obligation, options).no_leak()
        case "symmetry":
            return SymmetryQuery.for_obligation(footprints, obligation, options).symmetric()
        case _:  # it is about one play
            return build_query.build(footprints, obligation, options)


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two worlds: the state, the scope behind the guard of the action, and its requirements."""

    state: EncodedState
    scope: Scope
    requirements: list[Hypothesis]


class TwoWorlds(QueryBuilder):
    """Builds queries about two states that look alike to a player."""

    def sight(self) -> Task:
        """Ask for two states that look alike, in which a requirement of the action holds in one only."""
        action, worlds = self._action(), Worlds(self.footprints)
        player, here, there = self._look_alike()
        query, encoder, arena = self.encoder.query, self.encoder, self.encoder.arena
        query.add(encoder.truth(formulas.in_its_stages(self.game, action), Scope({}, here), 1), "during")
        for stage in (self.footprints.declared.stages[code] for code in action.stages):
            if stage.by is not None:
                decides = arena.eq(encoder.code(stage.by, Scope({}, here)), player)
                inside = encoder.truth(formulas.stage_is(self.game, stage.code), Scope({}, here), 0)
                query.add(arena.implies(inside, decides), "by")
        params = {param.name: encoder.unknown(param.name, param.type, ("param", param.name)) for param in action.params}
        scope = Scope({**params, VIEWER: player}, here, next=there)
        goals = tuple(worlds.asked_alike(action))
        self._deny(goals, scope)
        known = [*self._alike(worlds, player, here, there), *self._both(here, there)]
        if action.kind == "auto":
            known += self._revealed_alike(action, scope)

        def replay(candidate: Candidate) -> Failure | None:
            args = tuple(candidate.value(params[param.name]) for param in action.params)
            worlds_ = candidate.position(here), candidate.position(there)
            return judge_sight(candidate.declared, candidate.value(player), (action.name, args), *worlds_)

        return self._task(known, (), replay, self.footprints.joint(goals).variables, len(goals))

    def no_leak(self) -> Task:
        """Ask for two states that look alike, and a move in each that looks the same, after which they do not."""
        action, worlds = self._action(), Worlds(self.footprints)
        player, here, there = self._look_alike()
        one = _Side(here, *self._enter(action, here))
        other = _Side(there, *self._enter(action, there, self._other_arguments(action, one, player, there)))
        (checks, after), (checks_there, after_there) = (self._execute(action.body, side.scope) for side in (one, other))
        goals = tuple(formula for _, formula in worlds.afterwards(writes(action.body)))
        scope = Scope({VIEWER: player}, after, old=here, next=after_there)
        self._deny(goals, scope)
        self._assume_range(checks)
        self._assume_range(checks_there)
        self._hear_alike(action, one, other, player)
        opened = [Hypothesis(f"require:{name}", formula, scope) for name, formula in worlds.opened()]
        known = [*self._alike(worlds, player, here, there), *one.requirements, *other.requirements, *opened]

        def replay(candidate: Candidate) -> Failure | None:
            moves = (
                Moved(
                    candidate.position(side.state),
                    action,
                    tuple(candidate.value(self._meaning(side.scope, param.name)) for param in action.params),
                )
                for side in (one, other)
            )
            return judge_leak(candidate.declared, candidate.value(player), *moves)

        looks_at = self.footprints.joint(goals).variables
        begin = () if self.lean else tuple(each.label for each in known)
        return self._task([*known, *self._both(here, there)], begin, replay, looks_at, max(1, len(goals)))

    # -------------------------------------------------------------------------------------------------------- parts

    def _look_alike(self) -> tuple[Term, EncodedState, EncodedState]:
        """Return a player, and two states that share every cell which the player sees in the first."""
        encoder, query, arena = self.encoder, self.encoder.query, self.encoder.arena
        here = self._unknown()
        player = encoder.unknown("player", self.game.player, "player")

        def seen(variable: Variable, index: Terms) -> Term:
            if variable.seen is None:
                return arena.truth(True)
            names = {**dict(zip(variable.over, index, strict=True)), variable.seen.viewer: player}
            return encoder.truth(variable.seen.test, Scope(names, here), 0)

        veiled = Veiled(here, Symbolic(query, "'"), seen)
        return player, here, EncodedState.fresh(query, veiled, self.footprints.declared.variables)

    def _alike(self, worlds: Worlds, player: Term, here: EncodedState, there: EncodedState) -> list[Hypothesis]:
        scope = Scope({VIEWER: player}, here, next=there)
        return [Hypothesis(f"require:{name}", formula, scope) for name, formula in worlds.alike()]

    def _both(self, here: EncodedState, there: EncodedState) -> list[Hypothesis]:
        return [*self._invariants(Scope({}, here)), *self._invariants(Scope({}, there))]

    def _other_arguments(self, action: Action, one: _Side, player: Term, there: EncodedState) -> dict[str, Term]:
        """Return the arguments in the other world: the same, unless the player does not see them."""
        encoder, query, arena = self.encoder, self.encoder.query, self.encoder.arena
        mine = {param.name: self._meaning(one.scope, param.name) for param in action.params}
        theirs = {
            param.name: mine[param.name]
            if param.seen is None
            else encoder.unknown(f"{param.name}'", param.type, ("other", param.name))
            for param in action.params
        }
        for param in action.params:
            if param.seen is not None:
                viewer = {param.seen.viewer: player}
                seen = encoder.truth(param.seen.test, Scope({**mine, **viewer}, one.state), 0)
                there_seen = encoder.truth(param.seen.test, Scope({**theirs, **viewer}, there), 0)
                query.add(arena.eq(seen, there_seen), "seen")
                query.add(arena.implies(seen, arena.eq(mine[param.name], theirs[param.name])), "seen")
        return theirs

    def _hear_alike(self, action: Action, one: _Side, other: _Side, player: Term) -> None:
        """Assert that what the action reveals to the player is the same in both worlds."""
        encoder, query, arena = self.encoder, self.encoder.query, self.encoder.arena
        for reveal in action.reveals:
            values = [encoder.code(reveal.value, side.scope) for side in (one, other)]
            if reveal.to is None:
                query.add(arena.eq(*values), "reveal")
                continue
            viewer = {reveal.to.viewer: player}
            heard = [encoder.truth(reveal.to.test, side.scope.bind(viewer), 0) for side in (one, other)]
            query.add(arena.eq(*heard), "reveal")
            query.add(arena.implies(heard[0], arena.eq(*values)), "reveal")

    def _revealed_alike(self, action: Action, scope: Scope) -> list[Hypothesis]:
        """Return that what an auto would reveal is the same in both worlds."""
        worlds = Worlds(self.footprints)
        return [
            Hypothesis(f"require:{reveal.key}", formula, scope)
            for reveal, formula in zip(action.reveals, worlds.revealed_alike(action), strict=True)
        ]
