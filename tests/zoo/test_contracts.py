"""Contracts: what an action does, proved, played and quoted."""

import pytest

from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.evidence.record import Record, ShownStep, Verdict
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.reference import Reference
from tests.support.proved_texts import game as loaded
from verifier.claims.obligations import obligations
from verifier.explore.search import explore
from verifier.prove.run import verify
from verifier.report.explain_failure import explain_failure

HEAD = """
game toll
    players 2..2 named ann, ben

stages
    hauling by turn
    over nobody

state
    coin[Player] : 0..9 = 4
    owner        : Player? = none
    turn         : Player = ann
    idle         : 0..3 = 0

action buy(n: 1..2)
    during hauling
    require owner is none and coin[turn] >= n
    do
        coin[turn] -= n
        owner = turn
        turn = next(turn)

action haul(p: Player)
    during hauling
    require owner == p and coin[turn] >= 1 and coin[p] <= 8
    do
        coin[turn] -= 1
        coin[p] += 1
        turn = next(turn)

action stop
    during hauling
    do stage = over
"""


def verdicts(text):
    report = verify(loaded(text), jobs=1, confirm=False, cache=False)
    return {record.name.removeprefix("toll."): str(record.verdict) for record in report.records}


def contract(*lines, of="haul"):
    return HEAD + f"\ncontract c of {of}\n" + "".join(f"    {line}\n" for line in lines)


def test_payer_and_payee_may_be_the_same():
    """Each cell changes by the sum of what the lines say of it."""
    found = verdicts(contract("coin[turn] pays 1 to coin[p]", "changes only turn"))

    assert found["contract.c.coin/haul"] == found["contract.c.frame/haul"] == "proved"


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ("coin[turn] pays 2 to coin[p]", "contract.c.coin/haul"),
        ("coin[p] gains 1", "contract.c.coin/haul"),  # who hauls over the own bridge gains nothing
        ("changes only coin", "contract.c.frame/haul"),
        ("ensures turn' == turn", "contract.c.ensures_1/haul"),
    ],
)
def test_a_wrong_line_is_refuted_by_a_play(line, broken):
    assert verdicts(contract(line))[broken] == "refuted"


def test_a_frame_is_about_cells():
    assert verdicts(contract("changes only coin[_], turn"))["contract.c.frame/haul"] == "proved"
    assert verdicts(contract("changes only coin[turn], turn"))["contract.c.frame/haul"] == "refuted"


def test_an_index_that_is_none_names_no_cell():
    """Before the bridge is bought it has no owner, and nobody gains anything."""
    found = verdicts(contract("coin[turn] pays n", "coin[owner] gains 5", of="buy"))

    assert found["contract.c.coin/buy"] == "proved"


def test_a_broken_contract_is_explained_with_the_values_of_the_move():
    """What is false is taken apart with the arguments that the contract speaks of."""
    game = loaded(contract("ensures coin'[p] == coin[p] + 2"))
    obligation = next(each for each in obligations(game) if each.subject == "c.ensures_1")
    reference = Reference.from_game(game)
    before = reference.apply(reference.start(), reference.declared.actions["buy"], (1,))
    after = reference.apply(before, reference.declared.actions["haul"], (0,))
    broken = Record(obligation.name, "step", "", Verdict.REFUTED, "play", picture=ShownStep(before, "haul(ann)", after))

    found = explain_failure(game, obligation, broken)
    assert "coin'[p] == coin[p] + 2" == found.false
    assert ("p = ann",) == found.where


def test_a_broken_contract_is_explained_in_a_state_that_refuses_the_move():
    """A solver asks for those requirements only that a proof needs, so the state it imagines may refuse the move."""
    game = loaded(contract("ensures coin'[p] == coin[p] + 2"))
    obligation = next(each for each in obligations(game) if each.subject == "c.ensures_1")
    start = Reference.from_game(game).start()
    broken = Record(
        obligation.name, "step", "", Verdict.NOT_INDUCTIVE, "induction", picture=ShownStep(start, "haul(ann)", start)
    )

    found = explain_failure(game, obligation, broken)
    assert ("p = ann",) == found.where


def test_a_contract_is_one_obligation_a_line():
    game = loaded(contract("coin[turn] pays 1 to coin[p]", "changes only turn", "ensures turn' != turn"))

    assert ["c.coin", "c.ensures_1", "c.frame"] == sorted(
        str(each.subject) for each in obligations(game) if each.claim.startswith("toll.contract.")
    )


def test_play_with_ghosts_asks_for_contracts_and_play_without_does_not():
    game = loaded(contract("coin[turn] pays 2 to coin[p]"))
    asked, plain = compiled(game, ghosts=True), compiled(game)
    state = asked.apply(asked.start, "buy", (1,))

    with pytest.raises(Contradiction, match=r"breaks its contract `c.coin`: `coin\[turn\] pays 2 to coin\[p\]`"):
        asked.apply(state, "haul", (0,))
    assert plain.apply(plain.apply(plain.start, "buy", (1,)), "haul", (0,))
    assert len(plain.start) < len(asked.start)


def test_both_searches_find_a_broken_contract():
    game = loaded(contract("coin[turn] pays 2 to coin[p]"))

    for native in (True, False):
        found = explore(game, max_states=1000, native=native).findings
        assert ["haul: contract c.coin"] == [each.name for each in found]


def test_the_game_that_is_proved_is_not_the_one_that_asks():
    """A contract that play asks as a line stays the claim that it is."""
    game = loaded(contract("coin[turn] pays 2 to coin[p]"))

    assert compiled(game, ghosts=True).game is game


def test_an_action_of_other_readings_has_no_contract_in_this_one():
    core = load_rules("tollgate", players=2).game

    assert {"buy", "haul", "rest"} == {claim.action for claim in core.claims if claim.kind == "contract"}


SUB_TURN = """
game errand
    players 2..2 named ann, ben

stages
    walking by turn
    sub asking by turn
    poll voting each p in turn from turn always vote
    over nobody

state
    turn  : Player = ann
    steps : 0..3 = 0

action ask
    during walking
    require steps < 3
    do
        steps += 1
        call asking

action poll_all
    during asking
    do ask voting then asking

action vote
    during voting
    do answer voting

action back
    during asking
    do return

action stop
    during walking
    do stage = over
"""


@pytest.mark.parametrize(("action", "cells"), [("ask", "stage, steps"), ("back", "stage"), ("vote", "stage")])
def test_the_stage_stands_for_the_way_back_and_for_answers(action, cells):
    """No text can spell the cells of sub-turns and polls, so `stage` names them; what is not named must stay."""
    text = SUB_TURN + f"\ncontract c of {action}\n    changes only "
    found, bare = verdicts(text + cells + "\n"), verdicts(text + "turn\n")

    assert found[f"errand.contract.c.frame/{action}"] == "proved"
    assert bare[f"errand.contract.c.frame/{action}"] == "refuted"
