"""Counters without upper end: through the checker, the engine, proofs and the search."""

import pytest

import pilgrim_rules as pr
from pilgrim_rules.api.observations import Observations
from pilgrim_rules.core.ir import OPEN_END
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.language.load import read_game
from pilgrim_rules.language.syntax.format import format_source
from pilgrim_rules.semantics.errors import Contradiction, EngineLimit
from pilgrim_rules.semantics.state_layout import MOST_STORED
from verifier.explore.search import explore
from verifier.explore.state_packing import NeedsCap
from verifier.prove.run import verify

RULES = """\
game small
    players 2..2 named red, blue

type Wealth = 0..

stages
    playing by turn
    over nobody

state
    turn          : Player
    coins[Player] : 0.. = 3
    total         : Wealth = 6
    debt          : -5.. = -2

def half(n: 0..) -> 0.. = n div 2

effect earn(n: 0..)
    coins[turn] += n
    total += n

action dig(n: 1..3)
    do
        earn(n)
        turn = next(turn)

action double
    require coins[turn] in 5..
    do earn(coins[turn])

action lose
    do
        coins[turn] -= 1
        total -= 1

score of p
    line "Coins" coins[p]
    line "Half" half(coins[p])

conserved all_coins = coins[red] + coins[blue] == total
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that reads the game, changed."""

    def read(old="", new="", more=""):
        path = tmp_path / "small.rules"
        path.write_text(RULES.replace(old, new) + more, encoding="utf-8")
        return read_game(path)

    return read


@pytest.fixture
def code(load):
    return compiled(load())


def rich(code, coins):
    """Return the state in which red has so many coins."""
    position = code.layout.decode(code.start)
    return code.layout.encode({**position, "coins": [coins, 3], "total": [coins + 3]})


def test_a_counter_has_no_upper_end(load):
    types = {each.name: (each.type.name, each.type.lo, each.type.hi) for each in load().variables}

    assert ("0..", 0, OPEN_END) == types["coins"]
    assert ("Wealth", 0, OPEN_END) == types["total"]
    assert ("-5..", -5, OPEN_END) == types["debt"]


def test_what_is_made_of_it_has_no_upper_end_either(load):
    game = load(more="\ninvariant a: 3 * half(coins[red]) + 7 < 100 and total - coins[red] > 0 - 50\n")

    assert game.claims[1].name == "a"


def test_play_counts_far(code):
    state = code.apply(rich(code, 10**9), "double", ())

    assert [2 * 10**9, 3] == code.layout.decode(state)["coins"]
    assert (2 * 10**9, 10**9) == code.score(state, 0)


def test_beyond_its_width_the_engine_stops_and_blames_itself(code):
    with pytest.raises(EngineLimit, match=r"`coins\[red\]` would be 4,000,000,000") as stop:
        code.apply(rich(code, 2 * 10**9), "double", ())

    assert not isinstance(stop.value, Contradiction)
    assert issubclass(pr.EngineLimit, pr.RulesGameError)


def test_a_position_beyond_the_width_cannot_be_stored(code):
    with pytest.raises(EngineLimit):
        rich(code, MOST_STORED + 1)


def test_the_lower_end_is_a_contradiction_as_ever(code):
    with pytest.raises(Contradiction, match=r"`coins\[red\]` would be -1, but goes from 0 up"):
        code.apply(rich(code, 0), "lose", ())


def test_the_evaluator_has_no_limit(code):
    position = {**code.layout.decode(code.start), "coins": [10**12, 0], "total": [10**12]}
    double = code.reference.declared.actions["double"]

    assert [2 * 10**12, 0] == list(code.reference.apply(position, double, ())["coins"])


def verdicts(game):
    """Return the verdict on each obligation."""
    return {each.name.removeprefix("small."): each.verdict for each in verify(game).records}


def test_a_proof_knows_no_upper_end(load):
    """Sums are kept and lower ends held however far play counts; an upper end that nobody keeps is not proved."""
    careful = "action lose\n    require coins[turn] > 0"
    found = verdicts(load("action lose", careful, more="\ninvariant few: total <= 2000000000\n"))

    assert {Verdict.PROVED} == {found[f"conserved.all_coins/{each}"] for each in ("dig", "double", "lose")}
    assert {Verdict.PROVED} == {found[f"range/{each}"] for each in ("dig", "double", "lose")}
    assert Verdict.PROVED != found["invariant.few/dig"]


def test_a_lower_end_that_play_leaves_is_refuted(load):
    assert Verdict.REFUTED == verdicts(load())["range/lose"]


def test_a_search_has_to_be_told_how_far(load):
    with pytest.raises(NeedsCap, match="`coins`, `debt`, `total` have no upper end"):
        explore(load())


def test_a_search_says_what_it_did_not_follow(load):
    found = explore(load(), caps={"coins": 6, "total": 12, "debt": 0})

    assert not found.closed
    assert "beyond `coins` = 6" in str(found.reason)
    assert {"lose: lose.do.1"} == {each.name for each in found.findings}  # nothing else is wrong


def test_a_search_in_which_no_counter_goes_too_far_closes(load):
    rules = RULES.replace("do\n        earn(n)", "require total < 10\n    do\n        earn(n)").replace(
        "in 5..", "in 90.."
    )
    game = load(RULES, rules.replace("do\n        coins[turn] -= 1\n        total -= 1", "do stage = over"))

    assert explore(game, caps={"coins": 20, "total": 40, "debt": 0}).closed


def test_agents_see_it_within_the_width_of_the_engine(load, tmp_path):
    load()
    game = pr.load(tmp_path / "small.rules")
    observing = Observations(game)

    assert [MOST_STORED] * 3 == list(observing.highest[3:6])
    assert 3 in observing.row(game.start(), 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dig(n: 1..3)", "dig(n: 1..)"),
        ("coins[Player] :", "coins[0..] :"),
        ("-5.. = -2", "(0..)? = none"),
        ("-5.. = -2", "(0..) * (0..1)"),
        ("coins[turn] in 5..", "some n in 0..: n == 3"),
        ("action double", "param most : 0.. = 3\n\naction double"),
    ],
)
def test_nothing_goes_through_numbers_without_end(load, old, new):
    with pytest.raises(RulesError) as refusal:
        load(old, new)

    assert {"PR317"} == {found.code.id for found in refusal.value.diagnostics}


def test_numbers_that_are_made_of_ranges_may_not_grow_without_end(load):
    with pytest.raises(RulesError) as refusal:
        load(more="\nstate\n    big : 0..2000000\n\ninvariant a: big * big > 0\n")

    assert ["PR314"] == [found.code.id for found in refusal.value.diagnostics]


def test_the_layout_of_such_a_type_is_canonical():
    assert "coins[Player] : 0.. = 3" in format_source(RULES, "small.rules")


def test_many_games_at_once_stop_at_the_same_limit(tmp_path):
    """The number is doubled until no cell holds it; the printed code blames itself as the engine does."""
    path = tmp_path / "doubling.rules"
    path.write_text(
        "game doubling\n    players 1..1 named red\n\nstages\n    playing by red\n    over nobody\n\n"
        "state\n    coins : 0.. = 3\n\naction double\n    do coins = 2 * coins\n\n"
        "action stop\n    require coins > 2000000000\n    do stage = over\n",
        encoding="utf-8",
    )

    with pytest.raises(EngineLimit, match="`coins` would be 3,221,225,472"):
        pr.load(path).playouts(50, seed=1)
