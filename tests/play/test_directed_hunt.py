"""Directed hunts: plays that break what one obligation says, short ones, seen by the evaluator."""

from __future__ import annotations

import pytest

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.engine.machines.choose import machines, wasm_is_installed
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game, record
from verifier.claims.obligations import obligations
from verifier.play.directed_hunt import DirectedHunt, games, states_that_meet
from verifier.play.hunt import Hunter
from verifier.play.replay import judge_play
from verifier.play.shorten import shortened
from verifier.play.visits import Visits

#: A claim that fails only after one of many actions was made nine times: a search in breadth does not come so far.
TOWER = """\
    game tower "A tower of stones"
        players 2..2 named ann, bob

    stages
        building by turn
        over nobody

    state
        height       : 0..20 = 0
        hoard[0..9]  : 0..9 = 0
        turn         : Player = ann

    action gather(k: 0..9)
        require hoard[k] < 9
        do
            hoard[k] += 1
            turn = next(turn)

    action build
        require height < 20
        do
            height += 1
            turn = next(turn)

    action tumble
        require height > 0
        do height = {after}

    action leave
        do stage = over

    invariant low: height <= {most}
    """


def tower(after="0", most=20):
    return game(TOWER.replace("{after}", after).replace("{most}", str(most)))


def visits(played):
    code = compiled(played, ghosts=True)
    found = Visits(code, Footprints.from_game(played))
    found.visit(code.start, None)
    return found


def obligation(played, name):
    return next(each for each in obligations(played) if each.name == f"tower.{name}")


def test_a_play_is_found_that_breaks_a_claim_far_from_the_start():
    played = tower(most=9)
    asked = obligation(played, "invariant.low/build")
    seen = visits(played)

    assert DirectedHunt(seen).look_for(asked)
    moves, _ = seen.plays[asked.name]
    assert judge_play(seen.footprints.declared, asked, moves) is not None


def test_the_play_has_no_decision_too_many():
    played = tower(most=9)
    asked = obligation(played, "invariant.low/build")
    seen = visits(played)
    DirectedHunt(seen).look_for(asked)

    assert [("build", ())] * 10 == seen.plays[asked.name][0]


def test_the_same_question_gives_the_same_play():
    plays = []
    for _ in range(2):
        played = tower(most=5)
        seen = visits(played)
        DirectedHunt(seen).look_for(obligation(played, "invariant.low/build"))
        plays.append(seen.plays["tower.invariant.low/build"])

    assert plays[0] == plays[1]


def test_what_is_true_is_not_hunted_down():
    played = tower()

    assert not DirectedHunt(visits(played)).look_for(obligation(played, "invariant.low/tumble"))


def test_a_step_that_leaves_a_range_is_found():
    played = tower(after="height - 2")
    asked = obligation(played, "range/tumble")
    seen = visits(played)

    assert DirectedHunt(seen).look_for(asked)
    assert judge_play(seen.footprints.declared, asked, seen.plays[asked.name][0]) is not None


def test_a_proof_that_fails_ends_in_a_play():
    found = record(tower(most=12), "invariant.low/build", budget=50_000)

    assert (Verdict.REFUTED, ("build",) * 13) == (found.verdict, tuple(found.play))


def test_a_long_play_becomes_a_short_one():
    played = tower(most=2)
    seen = visits(played)
    moves = [("gather", (k,)) for k in range(9)] + [("build", ()), ("tumble", ()), *[("build", ())] * 3]

    found = shortened(seen.compiled, seen.footprints, obligation(played, "invariant.low/build"), moves)

    assert [("build", ())] * 3 == found


@pytest.mark.parametrize("name", ["high", "never"])
def test_a_formula_is_met_in_a_state_in_which_it_holds(name):
    played = tower()
    formulas = {"high": "height >= 3", "never": "height > 0 and height < 1"}
    text = (
        TOWER.rstrip().replace("{after}", "0").replace("{most}", "20") + f"\n    reachable {name}: {formulas[name]}\n"
    )
    wanted = game(text).claims[-1].formula
    found = states_that_meet(compiled(played, ghosts=True), {name: wanted})

    assert (name == "high") == (name in found)
    assert all(compiled(played, ghosts=True).layout.decode(state)["height"][0] >= 3 for state in found.values())


def test_a_state_that_is_met_is_one_of_the_game_with_its_contracts():
    """A contract has a cell of its own, which the game that is hunted in has not."""
    plain = TOWER.rstrip().replace("{after}", "0").replace("{most}", "20")
    whole = game(plain + "\n    contract gathered of gather\n        hoard[k] gains 1\n")
    wanted = game(plain + "\n    reachable high: height >= 3\n").claims[-1].formula
    found = states_that_meet(compiled(whole, ghosts=True), {"high": wanted})

    assert 3 <= compiled(whole, ghosts=True).layout.decode(found["high"])["height"][0]


def test_a_game_that_python_plays_is_played_less_and_compiled_once(monkeypatch):
    """A network in the score cannot be held by WebAssembly."""
    text = (
        TOWER.replace("{after}", "0").replace("{most}", "20")
        + """
    network piles
        node k for k in 0..9 when hoard[k] > 0
        link k, k + 1 for k in 0..8 when both are nodes

    score of p
        line "Piles" components(piles)
    rank p by score desc
    """
    )
    slow, quick = (Hunter(compiled(each, ghosts=True)) for each in (game(text), tower()))
    made, hunt = [], DirectedHunt(visits(game(text)))
    monkeypatch.setattr("verifier.play.hunt.machines", lambda *of: made.append(of) or machines(*of))
    wanted = next(each for each in obligations(game(text)) if each.name == "tower.invariant.low/build")

    assert slow.is_slow
    assert quick.is_slow != wasm_is_installed()
    assert games(768, slow=True) < games(768, slow=False)
    assert not hunt.look_for(wanted)
    assert len(made) == 1
