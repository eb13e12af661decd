"""A search that closes is a proof: it settles what induction leaves open, audits included, and says within which limits."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game
from verifier.explore.search import explore
from verifier.prove.run import verify
from verifier.prove.search_proofs import METHOD, with_search

HOP = """\
    game hop "Hop"
        players 1..1 named ann

    stages
        hopping by ann
        over nobody

    {data}
    state
        n : 0..{top} = 0

    action hop
        require n <= {top} - 2
        do
            n += 2
            if n >= {top} - 1: stage = over

    invariant never: n != {never}
    """


def hop(never=21, top=22, data=""):
    return game(HOP.format(never=never, top=top, data=data))


def proved(played):
    return verify(played, jobs=1, confirm=False, cache=False)


def named(report, name="hop.invariant.never/hop"):
    return next(each for each in report.records if each.name == name)


def test_what_is_not_inductive_is_proved_by_having_visited_every_state():
    report = proved(hop())
    found = explore(hop())
    both = with_search(report, hop(), found)

    assert Verdict.NOT_INDUCTIVE is named(report).verdict
    assert 3 == report.exit_code
    assert (Verdict.PROVED, METHOD) == (named(both).verdict, named(both).method)
    assert ("1 player", f"{found.states:,} states") == named(both).bounds
    assert 0 == both.exit_code


def test_a_search_that_ended_early_changes_nothing():
    report = proved(hop())

    assert report is with_search(report, hop(), explore(hop(), max_states=3))


def test_no_refutation_is_taken_back():
    report = proved(hop(never=4))
    both = with_search(report, hop(never=4), explore(hop(never=4)))

    assert Verdict.REFUTED is named(both).verdict
    assert 1 == both.exit_code


def test_what_the_search_breaks_is_not_proved_by_it():
    """The prover is made to say nothing; the search finds the play."""
    report = proved(hop(never=4))
    silent = [
        each
        if each.verdict is not Verdict.REFUTED
        else type(each)(each.name, each.kind, "", Verdict.NOT_SETTLED, "none")
        for each in report.records
    ]
    both = with_search(type(report)(report.game, tuple(silent)), hop(never=4), explore(hop(never=4)))

    assert Verdict.NOT_SETTLED is named(both).verdict


def test_data_that_a_proof_leaves_open_are_a_limit_of_the_search():
    known = hop(data="param far : 0..9 = 3\n")
    played = replace(known, constants=tuple(replace(each, assumed=each.name == "far") for each in known.constants))
    both = with_search(proved(played), played, explore(played))

    assert Verdict.LIMITED is named(both).verdict
    assert "the data of this edition only" in named(both).bounds


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", "")
    monkeypatch.chdir(tmp_path)

    def written(text):
        (tmp_path / "hop.rules").write_text("\n".join(line[4:] for line in text.splitlines()) + "\n")
        return "hop.rules"

    return written


def test_the_command_does_not_call_unsettled_what_the_search_has_settled(file, capsys):
    name = file(HOP.format(never=21, top=22, data=""))

    assert Exit.UNSETTLED == run(["prove", name, "--jobs", "1", "--no-confirm"])
    capsys.readouterr()
    assert Exit.OK == run(["verify", name, "--jobs", "1", "--no-confirm", "--games", "5", "--format", "json"])
    (shown,) = json.loads(capsys.readouterr().out)["reports"]
    assert "closed" == shown["search"]["verdict"]
    assert {"proved"} == {each["verdict"] for each in shown["records"] if each["name"] == "hop.invariant.never/hop"}
