"""Invariants that are proposed: found where they help, shown as text that works when it is pasted, never believed unproved."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.evidence.record import STRENGTHENED, Verdict
from tests.support.proved_texts import game, proved, record
from verifier.play.visits import first_steps, random_play
from verifier.prove.run import verify
from verifier.prove.strengthen import candidates

#: Tokens move between a pile and three hands. That no hand grows too large follows from what nobody has written: their sum.
PURSES = """\
    game purses "Purses"
        players 3..3 named ann, bob, cid

    stages
        trading by turn

    state
        pile         : 0..99 = 9
        hand[Player] : 0..99 = 0
        turn         : Player = ann

    action take
        require pile > 0
        do
            pile -= 1
            hand[turn] += 1
            turn = next(turn)

    action give(to: Player)
        require to != turn and hand[turn] > 0
        do
            hand[turn] -= 1
            hand[to] += 1

    action back
        require hand[turn] > 0
        do
            hand[turn] -= 1
            pile += 1

    action pass
        do turn = next(turn)

    invariant few: all p in Player: hand[p] <= 9
    """

#: A lamp is out in the cellar. It is lit on the way up only; that the door is shut in the cellar is what nobody has written.
STAIRS = """\
    game stairs "Stairs"
        players 1..1 named ann

    enum Door: open, shut

    stages
        cellar by ann
        stairs by ann
        attic nobody

    state
        door  : Door = shut
        lamp  : bool = false
        tries : 0..20 = 0

    action up
        during cellar
        do
            door = open
            stage = stairs

    action light
        during cellar, stairs
        require door == open
        do lamp = true

    action climb
        during stairs
        do stage = attic

    action wait
        during cellar
        require tries < 20
        do tries += 1

    invariant dark_below: stage == cellar implies not lamp
    """


def verdicts(played) -> dict[str, Verdict]:
    return {each.name.partition(".")[2]: each.verdict for each in proved(played).records}


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        (PURSES, "invariant.few/give", "pile + (sum of hand[i] for i in Player) == 9"),
        (STAIRS, "invariant.dark_below/light", "door == shut"),
    ],
)
def test_a_claim_that_is_not_inductive_is_proved_with_what_is_proposed(text: str, name: str, line: str):
    found = record(game(text), name, confirm=True)

    assert (Verdict.PROVED, STRENGTHENED, "agrees") == (found.verdict, found.method, found.confirmed)
    assert line in found.reason
    assert any(label.startswith("strengthening:invariant ") for label in found.core)
    assert "rules" in found.about


@pytest.mark.parametrize("text", [PURSES, STAIRS])
def test_what_is_proposed_can_be_pasted_and_then_nothing_more_is_proposed(text: str):
    report = proved(game(text))
    lines = {line for each in report.records if each.method == STRENGTHENED for line in each.reason.splitlines()[1:]}
    pasted = game(dedent(text) + "\n".join(sorted(lines)) + "\n")

    assert lines
    assert set(verdicts(pasted).values()) <= {Verdict.PROVED, Verdict.LIMITED, Verdict.VACUOUS}
    assert STRENGTHENED not in {each.method for each in proved(pasted).records}


def test_what_is_true_and_out_of_reach_of_the_candidates_stays_not_inductive():
    """That a square has no factor two more than it should: no bound, stage, sum or pair says so."""
    text = """\
        game odd "Odd"
            players 1..1 named ann

        stages
            playing by ann

        state
            a : 0..400 = 1
            b : 0..400 = 3

        action twice
            require a < 150 and b < 150
            do
                a += 2
                b += 4

        action less
            require a > 5 and b > 10
            do
                a -= 4
                b -= 6

        invariant not_there: a != 100
        """

    found = record(game(text), "invariant.not_there/twice")
    assert Verdict.NOT_INDUCTIVE is found.verdict


def test_a_false_claim_is_not_proved_by_any_strengthening():
    played = game(PURSES.replace("hand[p] <= 9", "hand[p] <= 8"))

    assert Verdict.PROVED is not verdicts(played)["invariant.few/take"]
    assert Verdict.PROVED is not verdicts(played)["invariant.few/give"]


def test_candidates_are_true_of_what_was_seen_and_say_more_than_the_types():
    played = game(PURSES)
    code = compiled(played, ghosts=True)
    visits = random_play(code, steps=200)
    found = candidates(played, [code.layout.decode(state) for state in visits.came])
    texts = {show(each) for each in found}

    assert "pile + (sum of hand[i] for i in Player) == 9" in texts
    assert "pile <= 9" in texts
    assert not [text for text in texts if "<= 99" in text]


def test_a_bound_name_of_a_candidate_hides_nothing():
    """Where the rules use the names that come first, another is taken."""
    played = game(PURSES.replace("turn         : Player = ann", "turn         : Player = ann\n        i : 0..1 = 0"))
    visits = first_steps(compiled(played, ghosts=True), 3)
    assert visits is not None
    found = candidates(played, [visits.compiled.layout.decode(state) for state in visits.came])

    assert "pile + (sum of hand[j] for j in Player) == 9" in {show(each) for each in found}


def test_the_command_shows_what_to_add(tmp_path, monkeypatch, capsys):
    (tmp_path / "purses.rules").write_text(dedent(PURSES))
    monkeypatch.setenv("PILGRIM_SPEC", str(tmp_path))

    assert Exit.OK == run(["prove", "purses", "--no-confirm", "--only", "few", "--only", "range/*", "--jobs", "1"])
    out = capsys.readouterr().out
    assert "proved with a strengthening, which is proved as well; add it to the rules:" in out
    assert "    invariant few_helper_1: " in out


def test_a_strengthening_is_not_taken_from_the_cache_when_the_rules_have_changed(tmp_path, monkeypatch):
    """It rests on every action, although no claim in the rules names it."""
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path))
    first = verify(game(PURSES), names=("few",), jobs=1, confirm=False)
    changed = game(PURSES.replace("pile += 1", "pile += 2"))
    again = {each.name: each for each in verify(changed, names=("few",), jobs=1, confirm=False).records}

    assert STRENGTHENED in {each.method for each in first.records}
    assert not again["purses.invariant.few/give"].cached
    assert Verdict.PROVED is not again["purses.invariant.few/give"].verdict
