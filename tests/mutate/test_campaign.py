"""Campaigns of mutation: what is noticed, what survives, what is the same game."""

from __future__ import annotations

import pytest

from pilgrim_rules.loading import read_game
from tests.fuzz.texts import walk
from verifier.mutate.campaign import run
from verifier.mutate.proofs import by_proofs
from verifier.mutate.report import MutationReport, Outcome


def fates(report):
    return {each.name: each.fate for each in report.outcomes}


def test_claims_and_examples_kill_most_mutants_of_a_shipped_game():
    report = run(read_game("nim"))
    assert report.score > 0.85
    assert {"examples", "exploration"} == report.by_killer().keys()
    assert all(each.says for each in report.of("killed"))


def test_a_survivor_says_where_it_differs(tmp_path):
    report = run(walk(tmp_path))
    found = {each.name: each for each in report.of("survived")}
    survivor = found["step.do.2 drop: the effect is missing"]
    assert ("`step` leads to different states", ()) == (survivor.says, survivor.play)


def test_a_claim_kills_what_it_protects(tmp_path):
    name = "step.do.2 drop: the effect is missing"
    assert "survived" == fates(run(walk(tmp_path)))[name]
    claims = "step in_turn: stage == walking and stage' == walking implies turn' == next(turn)\n"
    report = run(walk(tmp_path, claims=claims))
    (killed,) = [each for each in report.outcomes if each.name == name]
    assert ("killed", "exploration") == (killed.fate, killed.by)
    assert "step `in_turn`" in killed.says


def test_the_same_game_in_other_words_is_equivalent():
    """Whoever bets is not none, so it makes no difference who begins when nobody has bet."""
    report = run(read_game("kuhn_poker"), only=lambda mistake: mistake.name == "bet.if.1 change: ann → ben")
    (found,) = report.of("equivalent")
    assert found.says.startswith("the same game")
    assert 1.0 == report.score


def test_large_games_are_played_instead_of_searched(tmp_path):
    game = walk(tmp_path, claims="invariant fresh\n    tired < 3 or stage == resting\n")
    report = run(game, max_states=0, games=4, only=lambda mistake: mistake.key.startswith("rest"))
    assert "play" in report.by_killer()
    assert not report.of("equivalent"), "play cannot know"
    assert all(each.says for each in report.of("survived"))


def test_a_survivor_of_play_says_where_it_was_seen_to_differ(tmp_path):
    name = "step.do.2 drop: the effect is missing"
    report = run(walk(tmp_path), max_states=0, games=4, only=lambda mistake: mistake.name == name)
    (survivor,) = report.of("survived")
    assert "`step` leads to different states" == survivor.says
    report = run(
        walk(tmp_path, limit=9, stop=9),
        max_states=0,
        games=1,
        longest=1,
        only=lambda mistake: mistake.key == "stop.do.1",
    )
    assert {"not seen to differ in 2 states"} == {each.says for each in report.of("survived")}


def test_a_killer_can_be_plugged_in(tmp_path):
    asked = []

    def suspicious(game):
        def kill(mutant):
            asked.append(mutant.mistake.name)
            return "I do not like it" if mutant.mistake.kind == "decider" else None

        return kill

    report = run(walk(tmp_path), others={"suspicion": suspicious})
    assert 1 == report.by_killer()["suspicion"]
    assert len(asked) == len(report.of("survived")) + len(report.of("equivalent")) + 1


def test_proofs_kill_what_breaks_them():
    game = read_game("bank")
    only = {"take.require.1 drop: the requirement is missing", "take.do.1.to drop: the effect is missing"}
    report = run(game, max_states=0, games=0, only=lambda mistake: mistake.name in only, others={"proofs": by_proofs})
    assert {"killed"} == set(fates(report).values())
    assert "proofs" in report.by_killer()


def test_a_sample_is_drawn_with_the_seed():
    game = read_game("nim")
    first, again, other = (run(game, limit=4, seed=seed) for seed in (1, 1, 5))
    assert fates(first) == fates(again)
    assert fates(first) != fates(other)
    assert first.possible > 4 >= len(first.outcomes)


def test_several_processes_judge_alike():
    game = read_game("nim")
    assert fates(run(game)) == fates(run(game, jobs=2))


def test_an_interrupt_keeps_what_was_judged():
    def stop(_outcome, number, _all):
        if number >= 3:
            raise KeyboardInterrupt

    report = run(read_game("nim"), progress=stop)
    assert report.interrupted
    assert 1 <= len(report.outcomes) <= 3


def test_clauses_are_counted():
    outcomes = tuple(
        Outcome(str(at), "drop", "key", "words", clauses, fate)
        for at, (clauses, fate) in enumerate(
            [(("A-1",), "killed"), (("A-1", "B-2"), "survived"), (("B-2",), "equivalent"), ((), "killed")]
        )
    )
    report = MutationReport("game", outcomes, 4, 0.0, interrupted=False)
    assert {"": (1, 0), "A-1": (1, 1), "B-2": (0, 1)} == report.by_clause()
    assert 2 / 3 == pytest.approx(report.score)
