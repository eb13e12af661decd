"""Dataclasses that are quick to define behave as the standard ones do."""

import copy
import dataclasses
from dataclasses import FrozenInstanceError, field, fields, replace

import pytest

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.util.fast_dataclass import dataclass as quick
from pilgrim_rules.util.fast_dataclass import replace as quick_replace


def made_by(dataclass):
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Node:
        span: Span = field(compare=False, repr=False)

    @dataclass(frozen=True, slots=True)
    class Thing(Node):
        """A thing."""

        name: str
        parts: tuple[int, ...] = ()
        note: str = field(default="", compare=False)

    @dataclass(frozen=True, slots=True)
    class Mark(Node):
        pass

    @dataclass(frozen=True, slots=True)
    class Box:
        kept: list[int] = field(default_factory=list)
        size: int = field(init=False, compare=False)

        def __post_init__(self):
            object.__setattr__(self, "size", len(self.kept))

    return Thing, Mark, Box


HERE, THERE = Span("a", 0, 1), Span("b", 2, 3)


@pytest.fixture(params=[quick, dataclasses.dataclass], ids=["quick", "standard"])
def classes(request):
    return made_by(request.param)


def test_what_is_compared_decides_on_equality_and_hash(classes):
    thing, mark, _ = classes

    assert thing("a", (1,), "x", span=HERE) == thing("a", (1,), "y", span=THERE)
    assert hash(thing("a", span=HERE)) == hash(thing("a", span=THERE))
    assert thing("a", span=HERE) != thing("b", span=HERE)
    assert thing("a", span=HERE) != ("a", ())
    assert mark(span=HERE) == mark(span=THERE)
    assert mark(span=HERE) != thing("a", span=HERE)


def test_fields_keywords_and_patterns_are_those_of_the_standard_library(classes):
    thing, mark, box = classes

    assert ["span", "name", "parts", "note"] == [each.name for each in fields(thing)]
    assert ("name", "parts", "note") == thing.__match_args__
    assert () == mark.__match_args__
    assert not hasattr(thing("a", span=HERE), "__dict__")
    assert thing("a", (2,), span=HERE) == replace(thing("a", span=HERE), parts=(2,))
    assert box().kept is not box().kept
    assert 2 == box([1, 2]).size


def test_it_prints_what_is_to_be_printed(classes):
    thing, _, _ = classes

    assert repr(thing("a", span=HERE)).endswith("Thing(name='a', parts=(), note='')")


def test_nothing_can_be_changed(classes):
    thing, _, _ = classes
    made = thing("a", span=HERE)

    with pytest.raises(FrozenInstanceError):
        made.name = "b"
    with pytest.raises(FrozenInstanceError):
        del made.name


@pytest.mark.parametrize(
    ("arguments", "says"),
    [((), "Thing.__init__() missing"), (("a", (), "", HERE), "Thing.__init__() takes")],
    ids=["too few", "too many"],
)
def test_wrong_arguments_are_refused_in_the_name_of_the_class(classes, arguments, says):
    thing, _, _ = classes

    with pytest.raises(TypeError) as refused:
        thing(*arguments)
    assert says in str(refused.value)


def test_it_can_be_copied_and_sent_to_another_process():
    checked = ir.Checked(ir.Lit(1, ir.BOOL), ir.BOOL, span=HERE)
    copied = copy.deepcopy(checked)  # by the protocol with which it is sent

    assert checked == copied
    assert HERE == copied.span


@pytest.mark.parametrize("module", [ir, ast], ids=["core", "syntax tree"])
def test_every_node_is_frozen_and_slotted(module):
    nodes = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]

    assert nodes
    assert [] == [each for each in nodes if "__slots__" not in vars(each) or each.__setattr__ is object.__setattr__]


@pytest.mark.parametrize("changed", [replace, quick_replace], ids=["standard", "quick"])
def test_both_ways_to_replace_do_the_same(classes, changed):
    thing, _, box = classes
    first = thing("a", (1,), "x", span=HERE)

    made = changed(first, name="b", span=THERE)

    assert (made.name, made.parts, made.note, made.span) == ("b", (1,), "x", THERE)
    assert (first.name, first.span) == ("a", HERE)
    assert type(made) is thing
    assert changed(box([1]), kept=[1, 2]).size == 2
    with pytest.raises(TypeError):
        changed(first, colour="red")
