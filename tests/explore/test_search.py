"""Searches of whole games: published counts, findings with shortest plays, budgets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pilgrim_rules.core.ir import Action, AskNetwork, Claim, Network, NetworkNode, Parameter, Ranking, Stage
from tests.support.core_builder import (
    BOOL,
    Binder,
    Bound,
    Read,
    enum,
    eq,
    game,
    lit,
    maybe,
    none,
    num,
    number,
    op,
    put,
    require,
    var,
)  # fmt: skip
from tests.support.noughts_game import noughts_and_crosses
from tests.support.searchable_games import ALONE, bank, counters
from verifier.explore import kernels
from verifier.explore.search import explore
from verifier.explore.source_text import NotVectorised

FOUR = number(0, 4)
STAGE = enum("Stage", "walking", "falling", "rolling", "over")
X = Read("x", (), FOUR)


def walk(*actions, claims=(), by=None, **parts):
    """A counter from 0 to 4 that moves as the actions say."""
    return game(
        "walk", ALONE, STAGE,
        stages=(
            Stage(0, "walking", "player", by or lit(ALONE, 0)),
            Stage(1, "falling", "auto", None),
            Stage(2, "rolling", "chance", None),
            Stage(3, "over", "nobody", None),
        ),
        variables=(var("stage", STAGE, lit(STAGE, 0)), var("x", FOUR, lit(FOUR, 0))),
        actions=actions, claims=claims, **parts,
    )  # fmt: skip


def step(name, by, *guard, stage=0, then=None, kind="action", params=(), weight=None):
    effects = [put("x", (), by, "add", f"{name}.x")]
    if then is not None:
        effects.append(put("stage", (), lit(STAGE, then)))
    lines = tuple(require(test, f"{name}.{at}") for at, test in enumerate(guard))
    return Action(name, kind, params, (stage,), lines, tuple(effects), weight)


def up(*guard, **rest):
    return step("up", lit(FOUR, 1), *guard, **rest)


def below(limit):
    return op("<", X, lit(FOUR, limit))


def test_counters_has_the_counts_that_arithmetic_gives():
    found = explore(counters(top=3))
    assert (4**5, 10 * 3 * 4**4, 5 * 3 + 1, "closed") == (found.states, found.transitions, found.depth, found.verdict)
    assert not found.findings
    assert not found.evaluated


def test_levels_count_the_states_by_distance():
    found = explore(noughts_and_crosses())
    assert (1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78) == found.levels


def test_without_generated_code_the_evaluator_finds_the_same(monkeypatch):
    small = [counters(top=1), bank(tokens=5), walk(up(below(3)), claims=(Claim("low", "invariant", below(2)),))]
    expected = [explore(each, native=False) for each in small]

    def no_code(*_):
        raise NotVectorised

    for name in ("kernel", "predicate", "descent"):
        monkeypatch.setattr(kernels, name, no_code)
    for each, fast in zip(small, expected, strict=True):
        slow = explore(each, native=False)
        assert replace(fast, seconds=0, evaluated=()) == replace(slow, seconds=0, evaluated=())
        assert set(slow.evaluated) >= {action.name for action in each.actions}


def test_numbers_beyond_machine_words_go_to_the_evaluator():
    huge = number(0, 2**70)
    far = op(">", num("+", X, lit(huge, 2**65)), lit(huge, 2**65))
    found = explore(walk(up(op("or", below(3), far), below(4)), claims=(Claim("far", "invariant", op("not", far)),)))
    assert ("up", "far") == found.evaluated
    assert 5 == found.states
    assert ["up"] == found.findings[0].moves


def test_a_violated_invariant_comes_with_a_shortest_play():
    two = step("two", lit(FOUR, 2), op("<", X, lit(FOUR, 3)))
    found = explore(walk(up(below(4)), two, claims=(Claim("low", "invariant", below(3)),)))
    (finding,) = [each for each in found.findings if each.kind == "invariant"]
    assert ("low", 2) == (finding.name, finding.times)
    assert 2 == len(finding.moves)
    assert [3] == finding.position["x"]
    assert found.closed


def test_leaving_a_range_is_found_with_a_shortest_play():
    found = explore(walk(up()))
    (finding,) = found.findings
    assert ("contradiction", "up: up.x", 1) == (finding.kind, finding.name, finding.times)
    assert ["up"] * 5 == finding.moves
    assert "`x` would be 5, but goes from 0 to 4" == finding.says
    assert (5, 4) == (found.states, found.transitions)


def test_a_dead_end_is_found_but_the_end_of_the_game_is_none():
    stuck = explore(walk(up(below(2))))
    (finding,) = stuck.findings
    assert ("dead end", ["up", "up"]) == (finding.kind, finding.moves)
    finished = explore(walk(up(below(2)), step("stop", lit(FOUR, 0), eq(X, lit(FOUR, 2)), then="over")))
    assert not finished.findings
    assert 1 == finished.finished


def test_two_autos_at_once_are_found():
    fall = up(below(1), then="falling")
    autos = [step(name, lit(FOUR, 0), stage=1, then="over", kind="auto") for name in ("left", "right")]
    found = explore(walk(fall, *autos))
    assert [("two autos", ["up"])] == [(each.kind, each.moves) for each in found.findings]
    assert "auto" != found.findings[0].play[0].kind


def test_a_stage_in_which_nobody_decides_is_found():
    someone = maybe(ALONE)
    decider = op("min", num("+", lit(someone, 0), X), lit(someone, 1), type_=someone)
    found = explore(walk(up(below(4)), step("stop", lit(FOUR, 0), then="over"), by=decider))
    (finding,) = found.findings
    assert ("to move", ["up"]) == (finding.kind, finding.moves)


def test_a_step_claim_is_asked_of_every_step():
    down = step("down", lit(number(-1, 0), -1), eq(X, lit(FOUR, 2)))
    rises = Claim("rises", "step", op("<", X, Read("x", (), FOUR, "next")))
    found = explore(
        walk(up(below(4)), down, step("stop", lit(FOUR, 1), eq(X, lit(FOUR, 3)), then="over"), claims=(rises,))
    )
    (finding,) = [each for each in found.findings if each.kind == "step"]
    assert (["up", "up", "down"], 1) == (finding.moves, finding.times)
    assert [1] == finding.position["x"]


def test_a_ranking_that_does_not_shrink_is_found():
    measure = (num("-", lit(FOUR, 4), X),)
    rest = step("rest", lit(FOUR, 0), eq(X, lit(FOUR, 1)))
    found = explore(walk(up(below(4)), rest, rankings=(Ranking("ends", measure),)))
    (finding,) = [each for each in found.findings if each.kind == "terminates"]
    assert ["up", "rest"] == finding.moves


def test_what_is_claimed_reachable_is_reached_or_not():
    claims = (Claim("three", "reachable", eq(X, lit(FOUR, 3))), Claim("four", "reachable", eq(X, lit(FOUR, 4))))
    found = explore(walk(up(below(3)), claims=claims))
    assert [("three", 3)] == [(each.name, len(each.play)) for each in found.witnesses]
    assert ("four",) == found.unreached


def test_an_outcome_without_weight_does_not_happen():
    by = number(0, 2)
    roll = step(
        "roll", Bound("n", by), below(3), stage=2, kind="chance", params=(Parameter("n", by),), weight=Bound("n", by)
    )
    begin = step("begin", lit(FOUR, 0), then="rolling")
    found = explore(walk(begin, roll))
    assert {"begin": 1, "roll": 6} == found.actions
    assert 6 == found.states


def test_an_outcome_that_weighs_less_than_nothing_is_a_contradiction():
    by = number(-1, 1)
    roll = step(
        "roll", Bound("n", by), stage=2, then="over", kind="chance", params=(Parameter("n", by),), weight=Bound("n", by)
    )
    found = explore(walk(step("begin", lit(FOUR, 1), then="rolling"), roll))
    (finding,) = found.findings
    assert ("contradiction", ["begin", "roll(-1)"]) == (finding.kind, finding.moves)
    assert "an outcome has a weight below zero" == finding.says


def test_audits_are_asked_when_wanted():
    island = Network(
        "islands", (), (NetworkNode((Binder("k", FOUR),), (Bound("k", FOUR),), op("<=", Bound("k", FOUR), X)),), ()
    )
    few = Claim("few", "audit", op("<", AskNetwork("nodes", "islands", (), (), FOUR), lit(FOUR, 3)))
    land = walk(up(below(4)), claims=(few,), networks=(island,))
    assert ["dead end"] == [each.kind for each in explore(land).findings]
    (finding, _) = explore(land, audits=True).findings
    assert ("few", ["up", "up"]) == (finding.name, finding.moves)


def test_a_search_that_runs_out_of_states_is_not_settled():
    found = explore(counters(), max_states=10_000)
    assert "not settled" == found.verdict
    assert "the budget of 10,000 states is used up" == found.reason
    assert 10_000 < found.states < 200_000


def test_a_search_that_runs_out_of_memory_is_not_settled():
    found = explore(counters(), max_bytes=2_000_000)
    assert "not settled" == found.verdict
    assert found.reason.startswith("the budget of 2 MiB is used up")
    assert found.bytes < 2_000_000


def test_a_search_can_stop_at_the_first_finding():
    found = explore(walk(up(), claims=(Claim("low", "invariant", below(2)),)), stop_at_finding=True)
    assert ["low"] == [each.name for each in found.findings]
    assert not found.closed


def test_ghosts_can_be_left_out():
    seen = var("seen", BOOL, lit(BOOL, 0), ghost=True)
    mark = replace(up(below(2)), body=(*up().body, put("seen", (), lit(BOOL, 1), key="ghost")))
    back = step("back", lit(number(-1, 0), -1), op(">", X, lit(FOUR, 0)))
    haunted = walk(mark, back)
    haunted = replace(haunted, variables=(*haunted.variables, seen))
    assert 4 == explore(haunted).states
    assert 3 == explore(haunted, ghosts=False).states


def test_progress_is_told_after_each_level():
    told = []
    explore(counters(top=2), progress=told.append)
    assert [1, 2, 3] == [each.depth for each in told[:3]]
    assert (243, 0) == (told[-1].states, told[-1].frontier)


def test_states_of_many_words_are_told_apart():
    """Forty cells of three values: two words, and a dynamic index across both."""
    cell, value = number(0, 39), number(0, 2)
    at, last = Bound("i", cell), Read("last", (), maybe(cell))
    fresh = op("or", eq(last, none(maybe(cell))), op(">", at, last))
    write = Action(
        "write", "action", (Parameter("i", cell),), (0,), (require(fresh),),
        (put("cells", (at,), lit(value, 1), "add"), put("last", (), at)),
    )  # fmt: skip
    bump = Action(
        "bump", "action", (), (0,),
        (require(op("!=", last, none(maybe(cell)))), require(eq(Read("cells", (last,), value), lit(value, 1)))),
        (put("cells", (last,), lit(value, 2)), put("last", (), lit(cell, 39))),
    )  # fmt: skip
    stage = enum("Stage", "playing")
    found = explore(
        game(
            "many", ALONE, stage,
            stages=(Stage(0, "playing", "player", lit(ALONE, 0)),),
            variables=(
                var("stage", stage, lit(stage, 0)),
                var("cells", value, lit(value, 0), cell),
                var("last", maybe(cell), none(maybe(cell))),
            ),
            actions=(write, bump),
        ),
        max_states=20_000,
    )  # fmt: skip
    assert not found.closed
    # Sets of at most k cells, and those with the last cell bumped: binomial sums.
    assert (1, 40, 780 + 40) == found.levels[:3]


@pytest.mark.parametrize("tokens", [1, 2, 7])
def test_small_banks_agree_with_plain_search(tokens):
    """The rules of `bank` written out by hand in a few lines, as a check of the core game itself."""
    frontier = seen = {(tokens, 0, 0, 0, 0)}
    steps = depth = 0
    while frontier:
        depth += 1
        after = set()
        for heap, *hands, turn in frontier:
            hold = hands[turn]
            choices = [(-n, {turn: n}) for n in (1, 2) if heap >= n] + [(0, {})]
            if hold:
                choices += [(1, {turn: -1})] + [(0, {turn: -1, to: 1}) for to in range(3) if to != turn]
            for gain, change in choices:
                steps += 1
                after.add((heap + gain, *(hand + change.get(at, 0) for at, hand in enumerate(hands)), (turn + 1) % 3))
        frontier = after - seen
        seen = seen | frontier
    found = explore(bank(tokens))
    assert (len(seen), steps, depth) == (found.states, found.transitions, found.depth)
