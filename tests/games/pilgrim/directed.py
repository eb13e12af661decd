"""Players who need no thought: one that chooses evenly, and one that prefers roads, shrines and buildings.

The same seed plays the same game. Both choose an action first and then its arguments, so that rare actions are seen.
`uses` names what a move makes use of and `wanted` what has to be seen; after a change of the rules
`python -m tests.games.pilgrim.directed` finds directed games that show all of it again.
"""

import pilgrim_rules as pr
from pilgrim_rules.semantics.chance import below, choose, seeded

PREFERRED = {
    "raise_building": 90, "build_shrine": 80, "donate": 60, "extend_road": 60, "hew": 20, "buy": 6, "collect": 6,
    "start_road": 6, "assign": 4, "devote": 4, "put_aside": 4, "put_aside_for_piety": 4, "smith": 4, "take_income": 4,
    "tax": 4, "end_turn": 2, "finish": 2, "tithe": 2, "demolish": 1, "reassign": 1, "recall": 1, "sell": 1,
}  # fmt: skip

#: Directed games that together make use of everything: the number of players, and the seed.
SHOWN = (
    (4, 48), (4, 187), (4, 25), (4, 127), (3, 36), (4, 72), (4, 186), (4, 205), (4, 76), (4, 80), (2, 33), (2, 189), (4, 22), (4, 116), (4, 229),
)  # fmt: skip

#: What a road can reach: sites, ports, and the favours for trails to sites.
GOALS = ("visited", "docked", "favour")


def steps(game, seed, weights, otherwise):
    """Yield each step of a game: the state before, the state after, and the move."""
    state, generator = game.start(seed=seed), seeded(seed + 1_000_000)
    while not state.over:
        moves = {}
        for move in state.moves():
            moves.setdefault(move.action, []).append(move)
        at, generator = choose(generator, [weights.get(name, otherwise) for name in moves])
        fitting = list(moves.values())[at]
        at, generator = below(generator, len(fitting))
        before, state = state, state.play(fitting[at])
        yield before, state, fitting[at]


def play(game, seed):
    """Return the states of a random game."""
    return [game.start(seed=seed), *(after for _, after, _ in steps(game, seed, {}, 1))]


def directed(game, seed):
    """Yield the steps of a game whose players prefer roads, shrines and buildings."""
    yield from steps(game, seed, PREFERRED, 3)


def uses(before, after, move):
    """Yield what a move makes use of: the action, the building and on which terms, the tiles laid."""
    yield move.action
    building = "confession_box" if move.action == "confess" else move.arguments[0] if move.arguments else ""
    if move.action in {"raise_building", "donate"}:
        yield f"{move.action} {building}"
    if move.action in {"use", "confess"}:
        owner = before["owner", building]
        yield f"use {building} {'from the rim' if owner is None else 'own' if owner == before.to_move else 'of another'}"
    if move.action in {"start_road", "extend_road"}:
        yield from (f"lay {shape}" for shape, left in after["supply"].items() if left < before["supply", shape])
        yield from (f"reach with {name}" for name in GOALS if after[name] != before[name])
    if move.action == "build_shrine":
        no = int(move.arguments[0])
        yield f"shrine {after['shrines'][before.to_move, no]}"


def wanted(game):
    """Return what has to be seen: actions, buildings on all terms, tiles with one or two roads, goals, a second shrine."""
    named = {each.name: each.labels for each in game.core.types}
    terms = ("use {} from the rim", "use {} own", "use {} of another", "raise_building {}", "donate {}")
    actions = {action.name for action in game.core.actions if action.kind == "action"}
    buildings = {term.format(each) for each in named["Building"] for term in terms}
    tiles = {f"lay {each}" for each in named["Shape"] if not each.startswith("triple")}
    return actions | buildings | tiles | {f"reach with {name}" for name in GOALS} | {"shrine 1", "shrine 2"}


def _choose_again(seeds):
    """Print a few of many directed games that together show everything, and what none of them shows."""
    found = {}
    for players in (2, 3, 4):
        game = pr.load("pilgrim", players=players)
        for seed in range(seeds):
            found[players, seed] = {each for step in directed(game, seed) for each in uses(*step)}
    left = wanted(game)
    print("never:", sorted(left - set().union(*found.values())))
    left &= set().union(*found.values())
    while left:
        best = max(found, key=lambda each: len(found[each] & left))
        left -= found[best]
        print(best, end=", ")


if __name__ == "__main__":
    _choose_again(220)
