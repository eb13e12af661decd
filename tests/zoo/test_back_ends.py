"""Every classic through every back end: evaluator, compiled engine, library, examples, search, proof, encoding, fuzzing."""

import json
import random

import pytest

import pilgrim_rules as pr
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.semantics.errors import Contradiction
from tests.support.zoo import CLASSICS, SMALL, TABLES, classic, small, text_of
from verifier.claims.obligations import obligations
from verifier.crosscheck.engine_vs_smt import disagreements
from verifier.explore.search import explore
from verifier.fuzz.campaign import run as fuzz
from verifier.play.visits import random_states
from verifier.prove.run import verify

each_table = pytest.mark.parametrize(("name", "players"), TABLES)

#: Games without an end; all others are played to it.
ENDLESS = {"bank", "counters", "eight_puzzle"}
LONGEST = 400  #: a random play of any of the others is over by then, for the seeds used here


def random_play(code, seed, longest):
    """Yield the states of a random play, with the move that was made in each, decided by the compiled engine."""
    generator = random.Random(seed)
    state = code.start
    for _ in range(longest):
        options = [(a.name, args) for a in code.game.actions for args in code.legal(state, a.name)]
        if not options:
            return
        move = generator.choice(options)
        yield state, move
        state = code.apply(state, *move)


# -------------------------------------------------------------------------------------------------------------- playing


@each_table
def test_the_compiled_engine_agrees_with_the_evaluator(name, players):
    """Legal moves, next states, deciders, claims and scores, along a random play with all ghosts."""
    code = compiled(small(name, players), ghosts=True)
    reference, layout = code.reference, code.layout
    for state, (made, args) in random_play(code, seed=players, longest=12):
        position = layout.decode(state)
        for action in code.game.actions:
            assert list(reference.legal(position, action)) == code.legal(state, action.name)
        after = code.apply(state, made, args)
        assert layout.encode(reference.apply(position, reference.declared.actions[made], args)) == after
        assert reference.by(position) == code.by(state)
        for claim in code.game.claims:
            if claim.kind not in ("law", "audit", "contract"):  # contracts are lines of the effects here
                there = layout.decode(after)
                assert reference.holds(claim, position, there) == code.holds(claim.name, state, after), claim.name
        if code.game.score is not None:
            for player in range(players):
                assert reference.score(position, player) == code.score(state, player)
                assert reference.rank(position, player) == code.rank(state, player)


@each_table
def test_compiled_and_evaluated_steps_agree_on_states_that_no_play_reaches(name, players):
    code = compiled(small(name, players), ghosts=True)
    reference, layout = code.reference, code.layout
    for state in random_states(code, 4, seed=players):
        position = layout.decode(state)
        for action in code.game.actions:
            allowed = code.legal(state, action.name)
            assert list(reference.legal(position, action)) == allowed
            for args in allowed[:3]:
                made = _outcome(code.apply, state, action.name, args)
                told = _outcome(reference.apply, position, action, args)
                assert made == (told if isinstance(told, str) else layout.encode(told))


def _outcome(step, *arguments):
    try:
        return step(*arguments)
    except Contradiction as breach:
        return str(breach)


@each_table
def test_random_games_come_to_their_end(name, players):
    game = pr.load(name, players=players, **SMALL.get(name, {}))
    for seed in range(3):
        generator = random.Random(seed)
        state = game.start(seed=seed)
        for _ in range(LONGEST):
            if state.over:
                break
            assert state.to_move in game.players
            state = state.play(generator.choice(state.moves()))
        assert state.over != (name in ENDLESS)
        if state.over and game.core.score is not None:
            assert state.winners()
            assert sum(map(len, state.ranking)) == len(game.players)


@each_table
def test_moves_and_refusals_agree(name, players):
    """A move is on the list exactly if there is no reason against it."""
    game = pr.load(name, players=players, **SMALL.get(name, {}))
    generator = random.Random(players)
    state = game.start(seed=players)
    offered = set()
    for _ in range(12):
        if state.over:
            break
        now = {str(move) for move in state.moves()}
        offered |= now
        for text in sorted(offered)[:40]:
            reasons = state.why_not(text)
            assert (text in now) == (not reasons)
            assert all(str(reason) for reason in reasons)
        state = state.play(generator.choice(state.moves()))


@each_table
def test_states_and_records_survive_being_written_down(name, players):
    game = pr.load(name, players=players, **{key: str(value) for key, value in SMALL.get(name, {}).items()})
    trace = pr.Trace.start(game, seed=5)
    generator = random.Random(5)
    for _ in range(6):
        if not trace.state.over:
            trace.play(generator.choice(trace.state.moves()))

    assert trace.state == pr.State.from_json(trace.state.to_json())
    assert trace.state == pr.Trace.from_json(trace.to_json()).replay().state
    assert json.loads(trace.to_itf())["states"]


def test_what_is_hidden_stays_hidden():
    """Kuhn's poker: a player sees one card, a watcher none, and everybody all of them once the game is over."""
    state = pr.load("kuhn_poker").start().play("deal(1)", "deal(2)", "lay_aside(0)")

    assert {"ann": 1, "ben": "?"} == state.view("ann")["hand"]
    assert {"ann": "?", "ben": 2} == state.view("ben")["hand"]
    assert {"ann": "?", "ben": "?"} == state.view(None)["hand"]
    assert "?" == state.view("ann")["spare"]

    shown = state.play("bet", "call")
    assert {"ann": 1, "ben": 2} == shown.view(None)["hand"]
    assert 0 == shown.view(None)["spare"]


# ------------------------------------------------------------------------------------------------------------ verifying


@each_table
def test_its_examples_come_out_as_written(name, players):
    readings = CompiledReadings.from_game(classic(name, players))

    assert [] == [
        (each.name, told.wrong) for each in readings.game.examples if (told := run_example(readings, each)).wrong
    ]


#: states, transitions, levels and finished states of instances that `tests/explore` does not count.
COUNTS = {
    ("auction", 2): (10_492, 16_935, 14, 828),
    ("auction", 3): (87_013, 160_638, 18, 7_260),
    ("eight_puzzle", 1): (181_440, 483_840, 32, 0),
    ("hex", 2): (20_638, 31_291, 28, 994),
    ("kuhn_poker", 3): (641, 640, 10, 312),
    ("pong_hau_ki", 2): (112, 132, 31, 4),
    ("watermill", 1): (222, 377, 10, 46),
    ("watermill", 2): (26_121, 49_193, 19, 4_699),
}


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_a_search_of_all_states_finds_nothing_wrong(name, players):
    found = explore(small(name, players))

    assert COUNTS[name, players] == (found.states, found.transitions, found.depth, found.finished)
    assert ("closed", (), (), ()) == (found.verdict, found.findings, found.unreached, found.evaluated)
    assert all(found.actions.values()), "every action happens"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CLASSICS if "\naudit " in text_of(name)])
def test_audits_hold_in_every_state(name):
    found = explore(small(name), audits=True)

    assert ("closed", ()) == (found.verdict, found.findings)


@each_table
def test_its_obligations_have_names_and_sentences(name, players):
    found = obligations(classic(name, players))

    assert len(found) == len({each.name for each in found})
    assert all(each.name.startswith(f"{name}.") and each.sentence for each in found)


#: Games whose proofs take more than a few seconds.
LONG = {"connect_four", "hex", "kalah", "noughts_and_crosses"}
#: Games that are proved here in every run; `make prove` proves all of them, for all numbers of players.
PROVED = {("nim", 2), ("kuhn_poker", 2), ("pig", 2), ("watermill", 1)}


@pytest.mark.parametrize(
    ("name", "players"),
    [
        pytest.param(name, players, marks=() if (name, players) in PROVED else pytest.mark.slow)
        for name, players in TABLES
    ],
)
def test_every_claim_is_proved(name, players):
    found = verify(classic(name, players), jobs=1, confirm=False)

    assert [] == [
        (each.name, each.verdict.value, each.reason) for each in found.records if each.verdict is not Verdict.PROVED
    ]


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.slow if each in LONG else ()) for each in CLASSICS]
)
def test_engine_and_encoding_agree(name):
    """On states of play and on states that no play reaches."""
    game = small(name)
    code = compiled(game, ghosts=True)
    reached = [state for state, _ in random_play(code, seed=3, longest=8)][-1:]
    states = [code.layout.decode(state) for state in (*reached, *random_states(code, 1, seed=3))]

    assert [] == list(disagreements(game, states, solve=False))


@each_table
def test_a_little_fuzzing_finds_nothing(name, players):
    found = fuzz(small(name, players), games=2, seed=1, longest=30)

    assert () == found.failures
