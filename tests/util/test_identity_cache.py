"""Answers are remembered by which object was asked about, not by what it equals."""

from pilgrim_rules.util.identity_cache import cache_by_identity


def test_the_same_object_is_answered_once():
    asked = []
    answer = cache_by_identity(2)(lambda given: asked.append(given) or len(given))
    one, equal = [1, 2], [1, 2]

    assert [2, 2, 2] == [answer(one), answer(one), answer(equal)]
    assert 2 == len(asked)


def test_only_the_last_objects_are_remembered():
    asked = []
    answer = cache_by_identity(1)(lambda given: asked.append(given) or len(given))
    one, other = [1], [1, 2]

    assert [1, 2, 1] == [answer(one), answer(other), answer(one)]
    assert [one, other, one] == asked
