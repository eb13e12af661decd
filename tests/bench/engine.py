"""The engine: decisions a second of compiled play against the evaluator, copying a state, listing moves."""

import copy
from collections.abc import Iterator

from pilgrim_rules import specs
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine import chance
from pilgrim_rules.engine.game import Game, load
from pilgrim_rules.engine.state import State
from tests.bench.measure import Figure, best, rate

#: Decisions a second that are aimed at, and how many times the evaluator's.
TARGETS = {"noughts_and_crosses": 100_000, "pilgrim": 20_000}
LEAST_SPEEDUP = 15
LONGEST = 2_000  #: decisions of one game; some games need not end


def engine() -> Iterator[Figure]:
    """Measure random play of every shipped game, and what copying a state costs."""
    for name in specs.names():
        try:
            game = load(name)
        except RulesError:
            continue  # not finished; `pilgrim check` says why
        yield from _play(name, game)
    yield _copy(load("noughts_and_crosses"))


def _play(name: str, game: Game) -> Iterator[Figure]:
    seeds = iter(range(1 << 30))
    compiled = rate(lambda: random_play(game, next(seeds)))
    evaluated = rate(lambda: reference_play(game, next(seeds)))
    against = "the evaluator"
    target = TARGETS.get(name)
    yield Figure(f"{name}, decisions", compiled, "/s", evaluated, against, target=target, more_is_better=True)


def random_play(game: Game, seed: int) -> int:
    """Play one game at random through the public interface; return the number of decisions."""
    state = game.start(seed)
    generator = chance.seeded(~seed)
    for decisions in range(LONGEST):
        if state.over:
            return decisions
        moves = state.moves()
        at, generator = chance.below(generator, len(moves))
        state = state.play(moves[at])
    return LONGEST


def reference_play(game: Game, seed: int, decisions: int = 12) -> int:
    """Play the beginning of a game by the evaluator; return the number of decisions."""
    reference = game.code.reference
    position = reference.start()
    generator = chance.seeded(seed)
    for made in range(decisions):
        legal = [
            (action, args)
            for action in game.core.actions
            if position["stage"][0] in action.stages
            for args in reference.legal(position, action)
        ]
        if not legal:
            return max(made, 1)
        at, generator = chance.below(generator, len(legal))
        position = reference.apply(position, *legal[at])
    return decisions


def _copy(game: Game) -> Figure:
    state = game.start()
    table = game.layout.decode(state.data)
    times = 10_000

    def each(call: object, *args: object) -> float:
        return best(lambda: [call(*args) for _ in range(times)]) / times * 1e6

    ours = each(lambda: State(game, bytes(bytearray(state.data))))
    return Figure("copy a state", ours, "µs", each(copy.deepcopy, table), "deepcopy of its tables", target=5.0)
