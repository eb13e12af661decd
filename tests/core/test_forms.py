"""What the author wrote is kept beside what it stands for, and the two never part."""

from dataclasses import replace

import pytest

from pilgrim_rules.core.codec import decode, encode
from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.forms import expand_form, expand_form_again, form_of
from pilgrim_rules.core.ir import BOOL, FORMS, Apply, Bound, Lit
from pilgrim_rules.core.show_expr import FORMS as SHOWN
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.core.smart_constructors import lit
from pilgrim_rules.core.validate import InternalError, validate
from pilgrim_rules.core.walk import free_names, rebuild, rebuild_written, substitute
from pilgrim_rules.prose.expressions import deny, say_expr
from pilgrim_rules.prose.voice import Voice
from tests.support.sample_game import EVERY_FORM, MOVE, PLACE, PLAYER, SAMPLE, maybe, number

X = Bound("x", PLACE)
AFTER = expand_form("next", (X,), PLACE, PLACE)


def with_test(test):
    """Return the sample with another first requirement of `move`."""
    guard = (replace(MOVE.guard[0], test=test), *MOVE.guard[1:])
    return replace(SAMPLE, actions=(SAMPLE.actions[0], replace(MOVE, guard=guard), *SAMPLE.actions[2:]))


def test_every_form_is_shown():
    assert FORMS == SHOWN.keys()


def test_a_form_is_shown_as_it_was_written():
    there = expand_form("is_some", (Bound("y", maybe(PLACE)),), maybe(PLACE), BOOL)

    assert "next(x)" == show(AFTER)
    assert "not y is some" == show(Apply("not", (there,), BOOL))
    assert "ord(previous(x)) + 1" == show(
        Apply(
            "+",
            (expand_form("ord", (expand_form_again(AFTER, (X,), "previous"),), PLACE, number(0, 2)), lit(1)),
            number(1, 3),
        )
    )


def test_a_form_takes_no_part_in_equality():
    plain = replace(AFTER, form=None)

    assert plain == AFTER
    assert hash(plain) == hash(AFTER)
    assert "(x + 1) mod 3" == show(plain)


def test_what_is_put_into_a_form_is_put_into_its_meaning():
    gate = substitute(AFTER, {"x": Lit(0, PLACE)})

    assert "next(gate)" == show(gate)
    assert expand_form("next", (Lit(0, PLACE),), PLACE, PLACE) == gate


def test_the_parts_of_a_form_are_those_that_were_written():
    assert (X,) == form_of(AFTER).args
    assert "next(gate)" == show(rebuild_written(AFTER, lambda _: Lit(0, PLACE)))


def test_what_is_changed_inside_has_no_form_any_more():
    assert form_of(rebuild(AFTER, lambda part: part)) is None


def test_forms_come_back_from_the_cache():
    again = decode(encode(SAMPLE))

    assert form_of(SAMPLE.actions[1].guard[0].test) == form_of(again.actions[1].guard[0].test)
    assert form_of(again.actions[1].guard[0].test) is not None


def test_two_spellings_of_one_meaning_have_one_fingerprint():
    spelled_out = with_test(replace(MOVE.guard[0].test, form=None))

    assert Fingerprints(SAMPLE).whole == Fingerprints(spelled_out).whole


def test_a_form_that_says_something_else_is_refused():
    lie = replace(MOVE.guard[0].test, form=replace(MOVE.guard[0].test.form, name="is_none"))

    with pytest.raises(InternalError, match="`is_none` stands for something else"):
        validate(with_test(lie))


WRITTEN = {
    "next": "next(p)",
    "previous": "previous(p)",
    "ord": "ord(p)",
    "seats_after": "seats_after(p, q)",
    "seats_after_or_at": "seats_after_or_at(p, q)",
    "players": "players",
    "negative": "-n",
    "folded": "1 + 1",
    "raised": "coins[p] raised by 1, at most n",
    "lowered": "coins[p] lowered by 1, at least n",
    "is_some": "where[p] is some",
    "is_none": "where[p] is none",
    "is": "n is 2..4",
    "in_type": "n in 2..9",
    "in": "n in {1, 4}",
    "in_stages": "stage in busy",
    "none_of": "none of p in Player: rich(p)",
    "pair": "(p, mill)",
    "first": "r.1",
    "second": "r.2",
    "stage": "turn(p)",
    "carried": "what turn carries",
    "shifted": "p",
    "known": "n + 1",
    "optional": "m",
    "within": "n",
    "old": "old (coins[p] > 1)",
    "primed": "rich'(p)",
    "unchanged": "unchanged (sum of coins[p] for p in Player)",
    "zone": "hand[p]",
    "in_zone": "p in deck",
}


def test_the_sample_has_every_form():
    assert FORMS == EVERY_FORM.keys()


@pytest.mark.parametrize("name", sorted(FORMS))
def test_each_form_is_shown_as_it_is_written(name):
    assert WRITTEN[name] == show(EVERY_FORM[name])


@pytest.mark.parametrize("name", sorted(FORMS))
def test_each_form_is_said(name):
    said = say_expr(EVERY_FORM[name], Voice.from_game(SAMPLE))

    assert said
    assert "{" not in said


@pytest.mark.parametrize("name", ["is", "in_type", "in", "in_stages"])
def test_the_opposite_of_a_test_is_written_inside_it(name):
    assert " not " in show(Apply("not", (EVERY_FORM[name],), BOOL)).removeprefix("not ")
    assert " not " in deny(EVERY_FORM[name], Voice.from_game(SAMPLE)).replace("neither", " not ")


@pytest.mark.parametrize("name", sorted(FORMS))
def test_names_in_each_form_are_replaced_in_what_it_stands_for(name):
    other = substitute(EVERY_FORM[name], {"p": Bound("z", PLAYER), "n": Bound("z", number(0, 9))})

    assert "p" not in free_names(other)
    assert form_of(other) is not None
    assert free_names(other) == frozenset().union(*map(free_names, form_of(other).args))
