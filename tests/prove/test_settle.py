"""What is true is proved, what is false is not: on hand-built games, with guards and claims taken away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pilgrim_rules.core.ir import BOOL, Claim, Game
from pilgrim_rules.evidence.record import Record, Verdict
from tests.support.core_builder import Bound, Read, eq, every, lit, number, op, put
from tests.support.proved_texts import game as written
from tests.support.road_game import roads
from tests.support.searchable_games import THREE, bank, counters
from verifier.claims.obligations import Obligation, obligations
from verifier.prove.run import Report, verify
from verifier.prove.settings import ProofSettings
from verifier.prove.settle import Settler
from verifier.smt.solve.z3_solver import Solver
from verifier.smt.strategy.encoding_options import Options
from verifier.smt.strategy.recipes import Recipe, Step
from verifier.smt.strategy.refine import Failed, Proved, Refinement
from verifier.smt.strategy.two_worlds import build

FALSE = lit(BOOL, 0)
TRUE = lit(BOOL, 1)


def proved(game: Game, **options) -> Report:
    return verify(game, jobs=1, cache=False, **options)


def by_name(report: Report) -> dict[str, Record]:
    return {record.name: record for record in report.records}


def not_proved(report: Report) -> dict[str, Verdict]:
    return {record.name: record.verdict for record in report.records if record.verdict is not Verdict.PROVED}


def without(game: Game, action: str, key: str) -> Game:
    """The game in which an action lacks one requirement."""
    return replace(
        game,
        actions=tuple(
            replace(each, guard=tuple(line for line in each.guard if getattr(line, "key", "") != key))
            if each.name == action
            else each
            for each in game.actions
        ),
    )


def claiming(game: Game, *claims: Claim) -> Game:
    return replace(game, claims=(*game.claims, *claims))


# ------------------------------------------------------------------------------------------------------------- proofs


@pytest.mark.parametrize("game", [bank(), counters()], ids=lambda game: game.name)
def test_everything_about_a_small_game_is_proved_and_confirmed(game: Game):
    report = proved(game)

    assert {} == not_proved(report)
    assert 0 == report.exit_code
    assert {"agrees"} == {record.confirmed for record in report.records if record.queries}


def test_everything_about_roads_on_a_map_is_proved():
    """That a requirement can fail is left at what the invariants do not exclude, where a whole state would take long."""
    report = proved(roads(radius=2, tiles=12), confirm=False)

    assert {} == {name: each for name, each in not_proved(report).items() if "can_refuse" not in name}
    assert set(not_proved(report).values()) <= {Verdict.LIMITED}


def test_a_core_names_the_requirement_and_the_invariant_that_a_proof_needs():
    record = by_name(proved(bank(), names=["range/give"]))["bank.range/give"]

    assert {"require:give.0", "require:give.1", "goal", "conserved:all_tokens"} == set(record.core)


def test_what_a_proof_takes_for_granted_is_said_if_nobody_looked_at_it():
    record = by_name(proved(bank(), names=["range/give"]))["bank.range/give"]

    assert Verdict.CONDITIONAL is record.verdict
    assert "if `conserved.all_tokens`, which this run has not looked at" == record.reason


def test_a_claim_of_which_only_a_part_was_looked_at_is_taken_for_granted_too():
    names = ["range/give", "conserved.all_tokens/initially"]
    record = by_name(proved(bank(), names=names))["bank.range/give"]

    assert Verdict.CONDITIONAL is record.verdict
    assert "if `conserved.all_tokens`, which this run has not looked at" == record.reason


# -------------------------------------------------------------------------------------------------------- refutations


def test_a_missing_requirement_is_refuted_with_a_play():
    report = proved(without(bank(tokens=3), "pay", "pay.0"))
    record = by_name(report)["bank.range/pay"]

    assert Verdict.REFUTED is record.verdict
    assert "pay" == record.play[-1]
    assert 1 == report.exit_code


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        ("facing_side", {"roads.invariant.facing/lay"}),
        ("empty", {"roads.invariant.pairs/lay", "roads.invariant.tips/lay", "roads.conserved.tiles/lay"}),
        ("no_shrine_near", {"roads.invariant.shrines_apart/build"}),
        ("no_city_near", {"roads.invariant.shrines_apart/build"}),
        ("supply", {"roads.range/lay"}),
        ("not_city", {"roads.invariant.city_free/lay"}),
    ],
)
def test_a_dropped_guard_is_noticed_by_the_claims_it_protects(missing: str, expected: set[str]):
    game = roads(radius=2, tiles=12, drop=(missing,))
    report = proved(game, confirm=False, names=sorted({name.partition(".")[2] for name in expected}))
    found = {
        name for name, verdict in not_proved(report).items() if verdict in (Verdict.REFUTED, Verdict.NOT_INDUCTIVE)
    }

    assert expected == found


#: The tub cracks while the tap is open, which `shut` excludes; once it has a crack it drips.
TUB = """\
    game tub
        players 1..1 named ann

    stages
        on by ann

    state
        water : 0..3 = 0
        tap   : bool
        crack : bool
        floor : 0..1 = 0

    action fill
        require water < 3
        do water += 1

    action open_tap
        require water == 3
        do tap = true

    action burst
        require tap
        do
            tap = false
            crack = true

    action drip
        require crack
        do floor = 1

    action empty
        do water = 0

    invariant shut: not tap
    step dry: floor' == 0
    """


def test_where_all_states_can_be_visited_nobody_hunts_and_states_behind_broken_claims_are_seen(monkeypatch):
    monkeypatch.setattr("verifier.play.directed_hunt.DirectedHunt._search", lambda *_: pytest.fail("it hunts"))
    found = by_name(proved(written(TUB), confirm=False, names=("invariant.*", "step.*")))

    assert ("fill", "fill", "fill", "open_tap") == found["tub.invariant.shut/open_tap"].play
    assert (Verdict.REFUTED, "drip") == (found["tub.step.dry/drip"].verdict, found["tub.step.dry/drip"].play[-1])


def test_a_step_that_only_unreachable_states_allow_is_not_inductive(monkeypatch):
    """Hands never grow beyond nine from the start, but the invariants alone do not say so."""
    monkeypatch.setattr("verifier.prove.settle.strengthened", lambda *_: None)
    small = every("p", THREE, op("<=", Read("hand", (Bound("p", THREE),), number(0, 120)), lit(number(0, 120), 9)))
    game = claiming(without(bank(), "take", "nothing"), Claim("small", "invariant", small))
    game = replace(game, actions=tuple(each for each in game.actions if each.name in ("pay", "give", "pass")))
    report = proved(game, confirm=False)
    record = by_name(report)["bank.invariant.small/give"]

    assert Verdict.NOT_INDUCTIVE is record.verdict
    assert record.picture is not None
    assert "states of random play and search the one most like it differs in `hand`" in record.reason
    assert 3 == report.exit_code


def test_a_claim_that_is_false_at_the_start_is_refuted():
    game = claiming(
        bank(),
        Claim("rich", "invariant", op(">=", Read("hand", (lit(THREE, 0),), number(0, 120)), lit(number(0, 120), 1))),
    )

    assert Verdict.REFUTED is by_name(proved(game, confirm=False))["bank.invariant.rich/initially"].verdict


# ------------------------------------------------------------------------------------------------ unsoundness probes


@pytest.mark.parametrize(
    "game", [bank(tokens=5), counters(top=3), roads(radius=2, tiles=12)], ids=lambda game: game.name
)
def test_falsehood_is_never_proved_of_an_action_that_can_happen(game: Game):
    """With exactly the hypotheses that proofs use: all of them."""
    probe = claiming(game, Claim("never", "step", FALSE))
    settler = Settler(probe, ProofSettings(2_000_000, confirm=False))
    everything = tuple(f"{claim.kind}:{claim.name}" for claim in game.claims)
    with_all = Recipe("", (Step(None, "", 4, None, 2_000_000, everything),))
    for action in game.actions:
        name = f"{game.name}.step.never"
        obligation = Obligation(f"{name}/{action.name}", "step", name, "Never.", "never", action.name)
        outcome = settler.ladder.settle(obligation, with_all).outcome

        assert isinstance(outcome, Failed), action.name


def test_falsehood_is_proved_of_an_action_that_cannot_happen():
    """The negative control of the probe."""
    game = claiming(bank(), Claim("never", "step", FALSE))
    blocked = replace(game.actions[1], guard=(*game.actions[1].guard, replace(game.actions[1].guard[0], test=FALSE)))
    probe = replace(game, actions=(blocked,))
    obligation = Obligation("bank.step.never/pay", "step", "bank.step.never", "Never.", "never", "pay")

    assert isinstance(Settler(probe, ProofSettings(100_000)).ladder.settle(obligation).outcome, Proved)


# ------------------------------------------------------------------------------------------------------------ vacuity


def test_an_action_that_can_never_happen_is_vacuous():
    game = bank(tokens=2)
    never = replace(
        game.actions[3],
        name="never",
        guard=(
            replace(
                game.actions[1].guard[0], test=op(">", Read("bank", (), number(0, 2)), lit(number(0, 9), 2)), key="x"
            ),
        ),
    )
    report = proved(replace(game, actions=(*game.actions, never)))

    assert Verdict.VACUOUS is by_name(report)["bank.can_happen/never"].verdict
    assert 3 == report.exit_code


def test_an_action_that_some_play_uses_is_not_vacuous():
    record = by_name(proved(bank(tokens=2)))["bank.can_happen/give"]

    assert Verdict.PROVED is record.verdict
    assert record.play[-1].startswith("give(")


def test_an_invariant_that_no_state_breaks_is_vacuous():
    game = claiming(
        bank(), Claim("empty_words", "invariant", op(">=", Read("bank", (), number(0, 120)), lit(number(0, 120), 0)))
    )

    assert Verdict.VACUOUS is by_name(proved(game))["bank.falsifiable/empty_words"].verdict


def test_an_invariant_that_few_states_break_is_not_vacuous():
    """No random state breaks it; the solver finds one that does."""
    rare = op("!=", Read("bank", (), number(0, 120)), lit(number(0, 120), 77))
    game = claiming(bank(), Claim("rare", "invariant", rare))
    record = by_name(proved(game, names=["falsifiable/rare"]))["bank.falsifiable/rare"]

    assert (Verdict.PROVED, "solver's state") == (record.verdict, record.method)


# ----------------------------------------------------------------------------------------------------------- standing


def test_a_proof_that_rests_on_a_refuted_range_is_not_settled():
    report = proved(without(bank(tokens=3), "pay", "pay.0"))
    record = by_name(report)["bank.conserved.all_tokens/pay"]

    assert Verdict.NOT_SETTLED is record.verdict
    assert "range/pay" in record.reason


def test_invariants_may_rest_on_each_other():
    """Neither is inductive alone: each step copies the other's value."""
    turn = Read("turn", (), THREE)
    rest, tokens = Read("bank", (), number(0, 120)), number(0, 120)
    game = replace(
        bank(),
        actions=(
            replace(
                bank().actions[3],
                body=(
                    put(
                        "turn",
                        (),
                        op(
                            "mod",
                            op("*", turn, lit(number(2, 2), 2), type_=number(0, 6)),
                            lit(number(3, 3), 3),
                            type_=THREE,
                        ),
                    ),
                ),
            ),
        ),
        claims=(
            Claim("zero", "invariant", eq(turn, lit(THREE, 0))),
            Claim("full", "invariant", eq(rest, lit(tokens, 120))),
        ),
    )

    assert {} == {name: each for name, each in not_proved(proved(game, confirm=False)).items() if "invariant" in name}


# ------------------------------------------------------------------------------------------------------------- driving


def test_a_budget_that_is_too_small_settles_nothing_and_says_so():
    report = proved(roads(radius=2, tiles=12), budget=50, names=["facing/lay", "*.facing/lay"], confirm=False)
    (record,) = report.records

    assert Verdict.NOT_SETTLED is record.verdict
    assert record.reason
    assert 3 == report.exit_code


def test_two_processes_say_what_one_says():
    alone, together = proved(bank()), verify(bank(), jobs=2, cache=False)

    def verdicts(report):
        return [(record.name, record.verdict, record.core) for record in report.records]

    assert verdicts(alone) == verdicts(together)


def test_stopping_keeps_what_was_settled():
    def stop(_record, count, _all):
        if count == 3:
            raise KeyboardInterrupt

    report = proved(bank(), progress=stop)

    assert report.interrupted
    assert 3 == len(report.records)
    assert 3 == report.exit_code


def test_the_obligations_of_a_game_and_its_records_are_the_same_list():
    game = bank()

    assert [each.name for each in obligations(game)] == [record.name for record in proved(game).records]


# --------------------------------------------------------------------------------------------------------- case splits

FORK = """
    game fork
        players 2..2 named red, blue

    stages
        going by turn

    state
        turn  : Player
        left  : 0..9
        right : 0..9
        steps : 0..9

    action go(bold: bool)
        during going
        require left < 9 and right < 9
        do
            if bold: left = left + 1
            else: right = right + 1
            steps = steps + 1
"""


@pytest.mark.parametrize("bold", [0, 1])
def test_a_check_is_not_lost_where_a_case_has_fewer_of_them(bold: int):
    """With `bold` held fast one branch is gone, so the number of the last check names nothing."""
    rules = written(FORK)
    settler = Settler(rules, ProofSettings(budget=2_000_000, confirm=False))
    obligation = next(each for each in obligations(rules) if each.name == "fork.range/go")
    options = Options(part=2, fixed=((("param", "bold"), bold),))
    task = build(settler.footprints, obligation, options)
    with Solver(2_000_000) as solver:
        outcome = Refinement(task, settler.ladder.oracle, settler.ladder.good, solver).settle()

    assert isinstance(outcome, Failed)
    assert "steps" in outcome.example.says
