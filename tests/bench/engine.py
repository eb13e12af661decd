"""The engine: decisions a second of compiled play against the evaluator, copying a state, listing moves."""

import copy
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count

from pilgrim_rules.api.game import Game, State, load
from pilgrim_rules.language import find_game
from pilgrim_rules.semantics import chance
from tests.bench.measure import Figure, best, rate

#: Decisions a second that are aimed at.
TARGETS = {"noughts_and_crosses": 100_000, "pilgrim": 20_000}
FASTER = 15  #: times the evaluator
LONGEST = 200  #: decisions of one game; the evaluator takes its time, and some games need not end
WHOLE = 100_000  #: decisions of a game that ends by itself


def engine() -> Iterator[Figure]:
    """Measure random play of every shipped game, and what copying a state costs."""
    for name in find_game.names():
        game = load(name)
        ends = any(stage.kind == "nobody" for stage in game.core.stages)
        yield from _play(name, game, WHOLE if ends else LONGEST)
        if ends:
            yield _games(name, game)
    yield _copy(load("noughts_and_crosses"))


def _play(name: str, game: Game, longest: int) -> Iterator[Figure]:
    """Play games to their end, and by the evaluator as far as it gets."""
    compiled = _rate(game, partial(random_play, longest=longest))
    evaluated = _rate(game, reference_play)
    target = TARGETS.get(name)
    yield Figure(name, compiled, "decisions/s", evaluated, "the evaluator", target=target, more_is_better=True)
    if target is not None:
        times = compiled / evaluated
        yield Figure(f"{name}, compiled", times, "times", 1, "the evaluator", target=FASTER, more_is_better=True)


def _rate(game: Game, play: Callable[[Game, int], int]) -> float:
    seeds = count()
    return rate(lambda: play(game, next(seeds)))


def _games(name: str, game: Game) -> Figure:
    """Measure whole games, however long they are."""
    games, decisions = count(1), 0

    def play() -> int:
        nonlocal decisions
        decisions += random_play(game, next(games), longest=WHOLE)
        return 1

    whole = rate(play)
    return Figure(f"{name}, whole games", whole, "games/s", 1, f"games/s, {decisions / next(games):.0f} decisions each")


def random_play(game: Game, seed: int, longest: int = LONGEST) -> int:
    """Play one game at random through the public interface; return the number of decisions."""
    state = game.start(seed)
    generator = chance.seeded(~seed)
    for decisions in range(longest):
        if state.over:
            return decisions
        moves = state.moves()
        at, generator = chance.below(generator, len(moves))
        state = state.play(moves[at])
    return longest


def reference_play(game: Game, seed: int) -> int:
    """Play one game at random by the evaluator; return the number of decisions, chance and autos not counted."""
    reference = game.code.reference
    position = reference.start()
    generator = chance.seeded(~seed)
    decisions = 0
    while decisions < LONGEST and reference.stage(position).kind != "nobody":
        decisions += reference.stage(position).kind == "player"
        legal = [
            (action, args)
            for action in game.core.actions
            if position["stage"][0] in action.stages
            for args in reference.legal(position, action)
        ]
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
