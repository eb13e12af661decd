"""Campaigns of mutation: what is noticed, what survives, what is the same game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pilgrim_rules.evidence.mutant_results import MutantResult
from pilgrim_rules.language.load import read_game
from tests.support.walk_texts import walk
from verifier.mutate.campaign import draw, run
from verifier.mutate.detectors import Detection, by_proofs
from verifier.mutate.mutants import mistakes
from verifier.mutate.report import BadReasons, MutationReport, Reasons, read_reasons


def fates(report):
    return {each.name: each.fate for each in report.outcomes}


def test_claims_and_examples_kill_most_mutants_of_a_shipped_game():
    report = run(read_game("nim"))
    assert report.score > 0.85
    assert {"examples", "exploration"} == report.by_detector().keys()
    assert all(each.says for each in report.with_fate("killed"))


def test_a_survivor_says_where_it_differs(tmp_path):
    report = run(walk(tmp_path))
    found = {each.name: each for each in report.with_fate("survived")}
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
    """A lot is gone when it comes up, so it makes no difference that handing it over says so again."""
    name = "hand_over.do.1 drop: the effect is missing"
    report = run(read_game("auction"), only=lambda mistake: mistake.name == name)
    (found,) = report.with_fate("equivalent")
    assert found.says.startswith("the same game")
    assert 1.0 == report.score


def test_large_games_are_played_instead_of_searched(tmp_path):
    game = walk(tmp_path, claims="invariant fresh\n    tired < 3 or stage == resting\n")
    report = run(game, max_states=0, plays=4, only=lambda mistake: mistake.key.startswith("rest"))
    assert "play" in report.by_detector()
    assert not report.with_fate("equivalent"), "play cannot know"
    assert all(each.says for each in report.with_fate("survived"))


def test_a_survivor_of_play_says_where_it_was_seen_to_differ(tmp_path):
    name = "step.do.2 drop: the effect is missing"
    report = run(walk(tmp_path), max_states=0, plays=4, only=lambda mistake: mistake.name == name)
    (survivor,) = report.with_fate("recorded")
    assert ("`step` leads to different states", "recorded games") == (survivor.says, survivor.by)
    assert (0.0, 1.0) == (report.score, report.score_with_records)
    report = run(
        walk(tmp_path, limit=9, stop=9),
        max_states=0,
        plays=1,
        longest=1,
        only=lambda mistake: mistake.key == "stop.do.1",
    )
    assert {"not seen to differ in 2 states"} == {each.says for each in report.with_fate("survived")}


def test_a_killer_can_be_plugged_in(tmp_path):
    asked = []

    def suspicious(game):
        def detect(mutant):
            asked.append(mutant.mistake.name)
            return Detection("I do not like it") if mutant.mistake.kind == "decider" else None

        return detect

    report = run(walk(tmp_path), others={"suspicion": suspicious})
    assert 1 == report.by_detector()["suspicion"]
    assert len(asked) == len(report.with_fate("survived")) + len(report.with_fate("equivalent")) + 1


def test_proofs_kill_what_breaks_them():
    game = read_game("bank")
    only = {"take.require.1 drop: the requirement is missing", "take.do.1.to drop: the effect is missing"}
    report = run(game, max_states=0, plays=0, only=lambda mistake: mistake.name in only, others={"proofs": by_proofs})
    assert {"killed"} == set(fates(report).values())
    assert "proofs" in report.by_detector()


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
        MutantResult(str(at), "drop", "key", "words", clauses, fate)
        for at, (clauses, fate) in enumerate(
            [(("A-1",), "killed"), (("A-1", "B-2"), "survived"), (("B-2",), "equivalent"), ((), "killed")]
        )
    )
    report = MutationReport("game", outcomes, 4, 0.0, interrupted=False)
    assert {"": (1, 0), "A-1": (1, 1), "B-2": (0, 1)} == report.by_clause()
    assert 2 / 3 == pytest.approx(report.score)


def test_a_requirement_is_missed_where_a_claim_speaks_of_it(tmp_path):
    """Moves that only the mistake allows are made in states of the original game; the play that goes wrong is kept."""
    game = walk(tmp_path, claims="invariant fresh\n    tired <= 3\n")
    dropped = [each.name for each in mistakes(game) if each.kind == "drop" and "requirement" in each.words]
    report = run(game, max_states=0, plays=4, only=lambda mistake: mistake.name in dropped)
    killed = [each for each in report.with_fate("killed") if each.by == "play"]
    assert killed
    assert all(each.play and each.play[-1].partition("(")[0] == each.key.partition(".")[0] for each in killed)


def test_a_sample_has_every_file_and_kind_in_proportion():
    possible = list(mistakes(read_game("kuhn_poker")))
    drawn = draw(possible, len(possible) // 3, seed=3)
    kinds = {each.name: each.kind for each in possible}
    for kind in ("change", "drop"):
        whole, part = (sum(kinds[name] == kind for name in names) for names in (kinds, drawn))
        assert abs(part - whole / 3) <= 1
    assert draw(possible, None, 0) == draw(possible, 10**6, 5) == list(kinds)


def test_the_samples_of_two_seeds_have_little_in_common():
    possible = list(mistakes(read_game("kuhn_poker")))
    samples = [set(draw(possible, len(possible) // 8, seed)) for seed in range(6)]
    assert all(len(one & two) <= len(one) / 2 for one in samples for two in samples if one is not two)


def test_examples_of_every_number_of_players_are_told():
    """The mistake is named at one table, and noticed at another."""
    (game,) = (read_game("nim"),)
    other = replace(game, examples=())
    first = fates(run((other, game), max_states=0, plays=0))
    assert fates(run(game, max_states=0, plays=0)) == first


def test_a_campaign_is_gone_on_with(tmp_path):
    game, file, judged = read_game("nim"), tmp_path / "mutants.json", []

    def stop(outcome, number, _all):
        judged.append(outcome.name)
        if number == 3:
            raise KeyboardInterrupt

    assert run(game, file=file, progress=stop).interrupted
    again = run(game, file=file)
    assert judged == [each.name for each in again.outcomes[:3]]
    assert fates(run(game)) == fates(again)
    asked = []
    run(game, file=file, others={"nobody": lambda _: asked.append}, progress=None)
    assert len(asked) == len(again.with_fate("survived")), (
        "the settings differ, so survivors are judged again, and only they"
    )


def test_an_example_that_is_gone_speaks_no_more(tmp_path):
    game, file = read_game("nim"), tmp_path / "mutants.json"
    assert "examples" in run(game, file=file, max_states=0, plays=0).by_detector()
    assert not run(replace(game, examples=()), file=file, max_states=0, plays=0).with_fate("killed")


def test_reasons_are_given_and_checked(tmp_path):
    game, file = read_game("nim"), tmp_path / "reasons.toml"
    file.write_text('[equivalent]\n"playing decider: always `ann` decides" = "so I thought"\n')
    report = run(game, reasons=read_reasons(file))
    (survivor,) = report.with_fate("survived")
    assert survivor.reason.startswith("said to be equivalent, which it is not")
    file.write_text('[explained]\n"playing decider: always `ann` decides" = "no claim speaks of who decides"\n')
    (survivor,) = run(game, reasons=read_reasons(file)).with_fate("survived")
    assert "no claim speaks of who decides" == survivor.reason


@pytest.mark.parametrize("text", ["[equivalent", "[other]\n", "[equivalent]\na = 1\n"])
def test_bad_reasons_are_refused(tmp_path, text):
    file = tmp_path / "reasons.toml"
    file.write_text(text)
    with pytest.raises(BadReasons, match=r"reasons\.toml"):
        read_reasons(file)


def test_outcomes_survive_being_written():
    for each in run(read_game("nim")).outcomes:
        plain = each.to_data()
        assert replace(each, seconds=0.0) == replace(MutantResult.from_data({**plain, "place": {}}), seconds=0.0)


def test_a_reason_may_be_given_for_a_whole_pattern_of_names():
    told = Reasons({"give.if.1 drop": "this one", "give.*": "all of them"}, {"* decider: *": "nobody says"})
    assert "this one" == told.why_equivalent("give.if.1 drop")
    assert "all of them" == told.why_equivalent("give.do.2 change: 1 → 2")
    assert "" == told.why_equivalent("take.do.1 drop")
    assert "nobody says" == told.why("playing decider: always `ann` decides")
