"""Nobody reads outside a table, even if the checker has let through a text that does (`tests/support/wrong_checker.py`)."""

import pytest

from pilgrim_rules.core.definedness import is_partial
from pilgrim_rules.core.mark_partial import mark_partial
from pilgrim_rules.core.rule_walk import rule_expressions
from pilgrim_rules.engine.python.compile import Compiled, source
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import check, read_games
from pilgrim_rules.semantics.errors import Contradiction
from tests.support import wrong_checker
from tests.support.proved_texts import proved, record
from tests.support.wrong_checker import read_by_a_wrong_checker
from verifier.claims.obligations import obligations
from verifier.explore.search import explore

NEIGHBOURS = "`1` is not a value of `3..5`"


@pytest.fixture(scope="module")
def taken():
    return read_by_a_wrong_checker(wrong_checker.FALSE_PROOF)


def position(code, **codes):
    """Return the start with other values."""
    return {**code.layout.decode(code.start), **{name: [code_] for name, code_ in codes.items()}}


@pytest.mark.parametrize(
    "text", ["FALSE_PROOF", "DIVIDED", "IN_A_GUARD", "IN_A_DEFINITION", "IN_A_CLAIM", "IN_A_RANKING"]
)
def test_the_checker_refuses_a_text_that_reads_outside_a_table(text, tmp_path):
    path = tmp_path / "wrong.rules"
    path.write_text(getattr(wrong_checker, text), "utf-8")

    assert {"PR305", "PR309"} & {each.code.id for each in check(path)}


def test_effects_that_read_outside_a_table_are_a_contradiction_in_evaluator_and_engine(taken):
    code = Compiled(taken, source(taken))
    action = next(each for each in taken.actions if each.name == "take")
    here = position(code, open=1)
    with pytest.raises(Contradiction, match=NEIGHBOURS) as evaluated:
        code.reference.apply(here, action, ())
    with pytest.raises(Contradiction, match=NEIGHBOURS) as compiled:
        code.apply(code.layout.encode(here), "take", ())

    span = evaluated.value.breach.span
    assert "s = prize[" in wrong_checker.FALSE_PROOF[span.start : span.end]
    assert evaluated.value.breach == compiled.value.breach
    assert evaluated.value.breach.span == compiled.value.breach.span


@pytest.mark.parametrize("text", ["IN_A_GUARD", "IN_A_DEFINITION"])
def test_requirements_that_read_outside_a_table_are_a_contradiction_in_evaluator_and_engine(text):
    game = read_by_a_wrong_checker(getattr(wrong_checker, text))
    code = Compiled(game, source(game))
    action = next(each for each in game.actions if each.name == "enter")
    for ask in (
        lambda: list(code.reference.legal(code.reference.start(), action)),
        lambda: code.legal(code.start, "enter"),
        lambda: code.allowed(code.start, "enter", ()),
    ):
        with pytest.raises(Contradiction, match=r"`1` is not a value of `3..3`") as found:
            ask()
        assert found.value.breach.span is not None


def test_a_divisor_that_is_not_positive_is_a_contradiction_in_evaluator_and_engine():
    game = read_by_a_wrong_checker(wrong_checker.DIVIDED)
    code = Compiled(game, source(game))
    action = next(each for each in game.actions if each.name == "share")
    with pytest.raises(Contradiction, match="`-1` is not a value of"):
        code.reference.apply(code.reference.start(), action, ())
    with pytest.raises(Contradiction, match="`-1` is not a value of"):
        code.apply(code.start, "share", ())


@pytest.mark.parametrize(
    ("text", "kind"),
    [("FALSE_PROOF", "contradiction"), ("DIVIDED", "contradiction"), ("IN_A_GUARD", "contradiction"),
     ("IN_A_DEFINITION", "contradiction"), ("IN_A_CLAIM", "invariant")],
)  # fmt: skip
def test_a_search_finds_what_reads_outside_a_table(text, kind):
    found = explore(read_by_a_wrong_checker(getattr(wrong_checker, text)))

    assert kind in {each.kind for each in found.findings}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("FALSE_PROOF", "wrong.range/take"),
        ("DIVIDED", "wrong.range/share"),
        ("IN_A_GUARD", "wrong.defined/enter"),
        ("IN_A_DEFINITION", "wrong.defined/enter"),
        ("IN_A_CLAIM", "wrong.invariant.high/initially"),
        ("IN_A_RANKING", "wrong.defined/terminates.terminates"),
    ],
)
def test_what_reads_outside_a_table_is_refuted(text, name):
    game = read_by_a_wrong_checker(getattr(wrong_checker, text))

    assert Verdict.REFUTED == record(game, name).verdict


def test_nothing_is_proved_that_rests_on_a_value_that_may_not_exist():
    game = read_by_a_wrong_checker(wrong_checker.FALSE_PROOF)
    report = proved(game, "wrong.range/take", "wrong.invariant.nothing_won/take")

    assert Verdict.PROVED not in {each.verdict for each in report.records}


@pytest.mark.parametrize("name", find_game.names())
def test_in_the_shipped_games_every_value_evidently_exists(name):
    """No run-time check and no obligation is needed there, but for what the author has written as `the`."""
    for game in read_games(name):
        assert game == mark_partial(game)
        assert [] == [each.name for each in obligations(game) if each.kind == "defined"]


def test_marking_twice_is_marking_once():
    for text in ("FALSE_PROOF", "DIVIDED", "IN_A_GUARD", "IN_A_DEFINITION", "IN_A_CLAIM", "IN_A_RANKING"):
        game = read_by_a_wrong_checker(getattr(wrong_checker, text))
        defs = {each.name: each for each in game.defs}

        assert is_partial(rule_expressions(game), defs)
        assert game == mark_partial(game)
