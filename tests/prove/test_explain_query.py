"""`pilgrim prove --explain`: the query in words, true of the query, useful to whoever edits the rules."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.language.load import read_game
from verifier.claims.obligations import obligations
from verifier.prove.explain_query import explained
from verifier.prove.settings import ProofSettings
from verifier.prove.settle import Settler

LARDER = """\
    game larder "The larder"
        players 2..2 named ann, bob

    type Shelf = 1..9

    stages
        cooking by turn
        over nobody

    state
        jar[Shelf]    : 0..5 = 2
        guard_of[Shelf] : Player? = none
        served        : 0..5 = 0
        turn          : Player = ann

    action open(s: Shelf)
        let free = guard_of[s]
        require jar[s] > 0
            else "the jar is empty"
        require free is none
            else "somebody guards it"
        do
            jar[s] -= 1
            served = min(served + 1, 5)
            turn = next(turn)

    action watch(s: Shelf)
        require jar[s] <= {most}
        do guard_of[s] = turn

    action stop
        require served == 5
        do stage = over

    invariant few: all s in Shelf: jar[s] <= 2
    invariant watched using few: all s in Shelf: guard_of[s] is some implies jar[s] <= 1
    reachable empty: jar[1] == 0

    example first
        when open(1)
        expect jar[1] == 1
    """


@pytest.fixture
def larder(tmp_path, monkeypatch):
    (tmp_path / "larder.rules").write_text(dedent(LARDER).replace("{most}", "1"))
    monkeypatch.setenv("PILGRIM_SPEC", str(tmp_path))
    return tmp_path / "larder.rules"


def told(capsys, *words: str) -> str:
    run(["prove", "larder", "--no-confirm", "--explain", *words])
    return capsys.readouterr().out


def test_a_step_is_told_from_what_is_assumed_to_the_verdict(larder, capsys):
    out = told(capsys, "invariant.watched/watch")

    for part in (
        "larder.invariant.watched/watch\n    `watch` keeps `watched`.",
        "the stage is cooking",
        "jar[s] <= 1   (watch.require.1)",
        "invariant watched: all s in Shelf: guard_of[s] is some implies jar[s] <= 1   (the claim itself, before the step)",
        "invariant few: all s in Shelf: jar[s] <= 2   (named by `using`)",
        "nothing that `watch` writes leaves its range   (an obligation of its own)",
        "guard_of[s] = turn",
        "afterwards: all s in Shelf: guard_of[s] is some implies jar[s] <= 1",
        "proved (induction)",
        "it needed: ",
    ):
        assert part in out


def test_where_a_hypothesis_is_used_is_said_with_the_words_of_the_rules(larder, capsys):
    assert "at s = s" in told(capsys, "invariant.watched/watch")


def test_what_an_action_writes_for_nothing_is_left_out_and_named(larder, capsys):
    out = told(capsys, "invariant.few/open")

    assert "what it writes to `served`, `turn` does not matter here" in out
    assert "turn = " not in out


def test_a_claim_is_told_as_a_whole_first(larder, capsys):
    out = told(capsys, "few")

    assert out.startswith("invariant few: all s in Shelf: jar[s] <= 2\n")
    assert "It is to hold at the start, and `open` must keep it." in out
    assert "`watch`, `stop` write nothing that it reads." in out


def test_every_kind_of_obligation_is_told(larder):
    settler = Settler(read_game("larder"), ProofSettings(2_000_000, confirm=False))
    for obligation in obligations(settler.game):
        lines, record = explained(settler, obligation)

        assert lines[:2] == [obligation.name, f"    {obligation.sentence}"]
        assert record is not None
        assert any(str(record.verdict) in line for line in lines)


def test_the_exit_code_is_that_of_the_verdict(larder, capsys):
    assert Exit.OK == run(["prove", "larder", "--no-confirm", "--explain", "watched"])
    larder.write_text(larder.read_text().replace("jar[s] <= 1\n    do", "jar[s] <= 2\n    do"))
    assert Exit.REFUTED == run(["prove", "larder", "--no-confirm", "--explain", "watched"])
    assert "refuted (play)" in capsys.readouterr().out


def test_a_name_that_is_not_there_gets_a_suggestion(larder, capsys):
    assert Exit.BAD_INPUT == run(["prove", "larder", "--explain", "wached"])
    assert "no obligation of `larder` is called `wached`; did you mean `watched`?" in capsys.readouterr().err


def test_without_a_game_there_is_nothing_to_explain(larder, capsys):
    (larder.parent / "other.rules").write_text(larder.read_text().replace("game larder", "game other"))

    assert Exit.BAD_INPUT == run(["prove", "--explain", "watched"])
    assert "name the game" in capsys.readouterr().err
