"""States that look the same to a player are drawn: what the player sees, and what always holds, decides which, and nothing else does."""

import re
from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest

import pilgrim_rules as pr
from pilgrim_rules.api.game import Game, State
from pilgrim_rules.api.unseen_numbers import UnseenNumbers, asked_of_unseen
from pilgrim_rules.language import find_game
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.partial import Residual

MARKET = """\
game market
    players 3..3 named ann, ben, cas
stages
    playing by turn
    over nobody
enum Good: grain, wool, salt
state
    turn                       : Player = ann
    supply[g in Good]          : 0..4 = 4
    own[p in Player, g in Good] : 0..4 private = 0
    purse[Player]              : 0..7 private = 3
    wanted[Player]             : Good private = grain
public def coins() -> 0..21 = sum of purse[p] for p in Player
invariant kept: all g in Good: supply[g] + (sum of own[p, g] for p in Player) == 4
invariant has_wool: all p in Player: wanted[p] == wool implies own[p, wool] > 0
action buy(g: Good)
    require supply[g] > 0
        else "none is left"
    require purse[turn] > 0
        else "no money"
    do
        supply[g] -= 1
        own[turn, g] += 1
        purse[turn] -= 1
        turn = next(turn)
action stop
    do stage = over
"""


@cache
def loaded(name: str, players: int | None) -> Game:
    return pr.load(name, players)


def tables() -> list[tuple[str, int | None]]:
    """Return every shipped game whose text keeps something from somebody, those of several files with every number of players."""
    found: list[tuple[str, int | None]] = []
    for name in find_game.names():
        files = find_game.find(name)
        if any(re.search(r"\b(private|hidden|seen by)\b", file.read_text()) for file in files):
            found += [(name, players) for players in ((2, 3, 4) if len(files) > 1 else (None,))]
    return found


def positions(game: Game, seed: int, share: float, longest: int = 400) -> list[State]:
    """Return some positions of a random game."""
    random, state, found = Random(seed), game.start(seed), []
    for _ in range(longest):
        if state.to_move is None:
            break
        if random.random() < share:
            found.append(state)
        state = state.play(str(random.choice(state.moves())))
    return [*found, state]


@pytest.mark.parametrize(
    ("name", "players"),
    [pytest.param(*each, marks=pytest.mark.slow if each[1] in (3, 4) else ()) for each in tables()],
)
def test_a_sample_looks_the_same_and_keeps_what_always_holds(name, players):
    """And the sample has no more to tell than the state it was drawn for: the next ones are the same."""
    game = loaded(name, players)
    claims = [each.name for each in game.core.claims if each.kind in ("invariant", "conserved")]
    for state in positions(game, seed=3, share=0.5 if players is None else 0.03):
        for player in game.people:
            view = state.view(player)
            first, *others = (game.state_from_bytes(data) for data in view.samples(range(3)))

            assert {view.to_json()} == {each.view(player).to_json() for each in (first, *others)}
            assert [] == [claim for claim in claims if not game.code.holds(claim, first.data)]
            assert others[0] == first.resample(player, 1)
            assert others[1] == others[0].resample(player, 2)


@pytest.fixture(scope="module")
def market(tmp_path_factory):
    path = tmp_path_factory.mktemp("market") / "market.rules"
    path.write_text(MARKET)
    return pr.load(path).start().play("buy(wool)", "buy(wool)", "buy(grain)", "buy(salt)")


def fitting(market: State) -> set[tuple[int, ...]]:
    """Return all that Ann must reckon with, by a count of its own: what Ben and Cas hold, have to spend and want."""
    goods = ("grain", "wool", "salt")
    theirs = {each: 4 - market["supply", each] - market["own", "ann", each] for each in goods}
    left = market.view("ann").public()["coins"] - market["purse", "ann"]
    kinds = [[(ben, cas) for ben, cas in product(range(5), repeat=2) if ben + cas == theirs[each]] for each in goods]
    return {
        (*grain, *wool, *salt, ben, left - ben, *wants)
        for grain, wool, salt in product(*kinds)
        for ben in range(8)
        if 0 <= left - ben <= 7
        for wants in product(range(3), repeat=2)
        if all(want != goods.index("wool") or has for want, has in zip(wants, wool, strict=True))
    }


def test_each_state_that_fits_is_drawn_as_often_as_any_other(market):
    """All unseen cells together have 312,500 × 64 × 9 values, too many to list; Ben's and Cas's goods of a kind have few."""
    people, goods, fits = ("ben", "cas"), ("grain", "wool", "salt"), fitting(market)
    drawn = Counter()
    for data in market.view("ann").samples(range(40 * len(fits))):
        state = market.game.state_from_bytes(data)
        held = (state["own", who, each] for each in goods for who in people)
        drawn[
            (*held, *(state["purse", who] for who in people), *(goods.index(state["wanted", who]) for who in people))
        ] += 1

    assert fits == set(drawn)
    chi_square = sum((many - 40) ** 2 / 40 for many in drawn.values())
    free = len(fits) - 1
    assert abs(chi_square - free) < 5 * (2 * free) ** 0.5


def test_only_what_speaks_of_unseen_cells_is_asked(market):
    asked = asked_of_unseen(market.game)

    assert {"kept", "has_wool"} <= {each.name for each in asked.claims}
    assert ["coins"] == [each.name for each in asked.public]


def exactly(cells: range, total: int) -> Residual:
    """Return that cells add up to a total."""

    def within(bounds):
        low, high = (sum(bounds[at][side] for at in cells) for side in range(2))
        return int(low == high == total), int(low <= total <= high)

    return Residual(frozenset(cells), within)


def test_groups_that_cannot_be_listed_are_drawn_one_by_one_and_taken_back():
    """So many cells that add up to 49 leave the last ones little choice: 252 ways."""
    numbers = UnseenNumbers([range(10)] * 6, [exactly(range(6), 49)], ())
    generator, found = chance.seeded(1), set()
    for _ in range(4_000):
        values, generator = numbers.draw({}, generator)
        found.add(tuple(values))

    assert {49} == {sum(each) for each in found}
    assert 252 == len(found)


def test_cells_that_are_dealt_are_taken_as_they_are():
    numbers = UnseenNumbers([range(10)] * 3, [exactly(range(3), 20)], {0})

    for seed in range(20):
        values, _ = numbers.draw({0: 4}, chance.seeded(seed))
        assert (4, 16) == (values[0], sum(values[1:]))


@pytest.mark.parametrize("size", [2, 6])
def test_nothing_is_drawn_if_nothing_fits(size):
    numbers = UnseenNumbers([range(10)] * size, [exactly(range(size), 91)], ())

    assert numbers.draw({}, chance.seeded(1))[0] is None


@pytest.mark.parametrize("name", ["world_without_end", "column_of_fire"])
def test_a_search_plays_a_game_with_unseen_numbers(name):
    game = loaded(name, 2)
    first, _ = game.people
    played = game.playouts(1, seed=1, policy="random", seats={first: "mcts:10"})

    assert played.over.all()
    assert list(played) == list(game.playouts(1, seed=1, policy="random", seats={first: "mcts:10"}))
