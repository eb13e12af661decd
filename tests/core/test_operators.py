"""The one table of operators: its own claims are true, and no back end can be left out."""

import importlib
import re
import subprocess
import sys
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import pytest

from pilgrim_rules.core import operators
from pilgrim_rules.core.ir import FOLD_OPS, GRAPH_QUESTIONS, OPERATORS
from pilgrim_rules.core.operators import DECLARED, FOLDS, GROUPS, OPERATIONS, QUESTIONS, NotPositive
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.build_expressions import SPELLED
from pilgrim_rules.language.syntax.parse import parse

ROOT = Path(__file__).parents[2]
#: Where each table of operators stands, and the name under which it is declared.
BACK_ENDS = {
    "core/show": "pilgrim_rules.core.show_expr",
    "prose": "pilgrim_rules.prose.words",
    "grammar": "pilgrim_rules.language.syntax.build_expressions",
    "engine/lower": "pilgrim_rules.engine.lower.expressions",
    "smt connectives": "verifier.smt.encode.expressions",
    "smt terms": "verifier.smt.encode.expressions",
    "TLA+": "pilgrim_rules.export.tla_expressions",
    "Murphi": "pilgrim_rules.export.murphi_expressions",
    "SMT-LIB": "pilgrim_rules.export.smt2_expressions",
    "explore": "verifier.explore.operators",
    "mutate": "verifier.mutate.changes",
}
FOLD_BACK_ENDS = {
    "prose folds": "pilgrim_rules.prose.words",
    "engine/lower folds": "pilgrim_rules.engine.lower.folds",
    "explore folds": "verifier.explore.folds",
}
QUESTION_BACK_ENDS = {"prose questions": "pilgrim_rules.prose.words"}
SMALL = range(-2, 3)
INTERVALS = [(lo, hi) for lo in SMALL for hi in range(lo, 3)]
TRUTHS = [(0, 0), (0, 1), (1, 1)]


@pytest.fixture(scope="module", autouse=True)
def _imported():
    for module in (BACK_ENDS | FOLD_BACK_ENDS | QUESTION_BACK_ENDS).values():
        importlib.import_module(module)


def values_of(operation):
    return (0, 1) if operation.group == "connective" else SMALL


def numbers_of(op):
    least, most = OPERATIONS[op].arity
    return range(least, min(most, least + 1) + 1)


def value(op, args):
    """Return the value of the operator; None if it has none."""
    try:
        return OPERATIONS[op].meaning(*args)
    except NotPositive:
        return None


def test_the_tables_of_the_core_are_its_closed_unions():
    assert (OPERATORS, FOLD_OPS, GRAPH_QUESTIONS) == (OPERATIONS.keys(), FOLDS.keys(), QUESTIONS.keys())


def test_the_groups_partition_the_operators():
    groups = {group: {op for op, each in OPERATIONS.items() if each.group == group} for group in GROUPS}

    assert set(OPERATIONS) == set().union(*groups.values())
    assert all(not one & other for one, other in combinations(groups.values(), 2))


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_the_interval_of_an_operator_holds_every_result_and_is_no_wider_than_needed(op):
    operation = OPERATIONS[op]
    choices = TRUTHS if operation.group == "connective" else INTERVALS
    for args in product(choices, repeat=operation.arity[0]):
        results = [value(op, codes) for codes in product(*(range(lo, hi + 1) for lo, hi in args))]
        results = [each for each in results if each is not None]
        if not results:
            continue
        lo, hi = operation.interval(*args)
        assert lo <= min(results)
        assert max(results) <= hi
        if not operation.divides:
            assert (min(results), max(results)) == (lo, hi)


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_an_argument_that_decides_makes_the_others_idle(op):
    operation = OPERATIONS[op]
    for args in product(values_of(operation), repeat=operation.arity[0]):
        for at, code in enumerate(args):
            decided = operation.short_circuit and operation.short_circuit(at, code)
            if decided is not None:
                rests = product(values_of(operation), repeat=len(args) - at - 1)
                assert {decided} == {value(op, (*args[: at + 1], *rest)) for rest in rests}


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_the_laws_of_an_operator_hold(op):
    operation = OPERATIONS[op]
    for args in product(values_of(operation), repeat=2):
        if operation.commutative:
            assert value(op, args) == value(op, args[::-1])
        if operation.neutral is not None:
            assert args[0] == value(op, (args[0], operation.neutral))
        if operation.opposite is not None:
            assert value(op, args) == 1 - value(operation.opposite, args)
        if operation.mirror is not None:
            assert value(op, args) == value(operation.mirror, args[::-1])
    if operation.associative:
        for one, two, three in product(values_of(operation), repeat=3):
            assert value(op, (value(op, (one, two)), three)) == value(op, (one, value(op, (two, three))))


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_only_what_divides_has_no_value_somewhere(op):
    operation = OPERATIONS[op]
    missing = {args for args in product(values_of(operation), repeat=operation.arity[0]) if value(op, args) is None}

    assert operation.divides == bool(missing)
    assert all(args[1] <= 0 for args in missing)


@pytest.mark.parametrize("op", sorted(FOLDS))
def test_the_interval_of_a_fold_holds_every_result(op):
    fold = FOLDS[op]
    body, values = ((0, 1), (0, 1)) if fold.kind == "bool" else ((-2, 1), range(-2, 2))
    for least, most in ((0, 3), (2, 3), (3, 3), (0, 0)):
        lo, hi = fold.interval(body, least, most)
        for number in range(least, most + 1):
            for found in product(values, repeat=number):
                if found or fold.empty is not None:
                    assert lo <= fold.meaning(found) <= hi


@pytest.mark.parametrize("op", sorted(FOLDS))
def test_a_fold_combines_its_values_with_its_operator(op):
    fold = FOLDS[op]
    for two in product((0, 1) if fold.kind == "bool" else SMALL, repeat=2):
        assert fold.meaning(two) == OPERATIONS[fold.combines].meaning(*two)
        if two[0] == fold.decides:
            assert fold.meaning(two) == fold.meaning(two[:1])
    if fold.empty is not None:
        assert fold.empty == fold.meaning(())


@pytest.mark.parametrize("op", [op for op, form in SPELLED.items() if form == "infix"])
def test_every_operator_written_between_its_arguments_is_in_the_grammar(op):
    (definition,) = parse(SourceFile("x.rules", f"def f() = one {op} two\n"), Bag()).declarations

    assert isinstance(definition.body, ast.Binary)
    assert op == definition.body.op


# ------------------------------------------------------------------------------------------------- a new operator


def complaints():
    """Return what each declared table lacks or has too much, where anything is wrong."""
    return {back_end: found for back_end, wrong in DECLARED.items() if (found := wrong())}


def test_no_table_has_a_hole():
    assert {} == complaints()


def test_an_operator_that_only_the_union_has_is_missed_by_the_core(monkeypatch):
    monkeypatch.setattr(operators, "OPERATORS", OPERATORS | {"xor"})

    assert {"core operators": ["lacks `xor`"]} == complaints()


@pytest.mark.parametrize("group", GROUPS)
def test_a_new_operator_is_missed_by_every_back_end(monkeypatch, group):
    monkeypatch.setattr(operators, "OPERATORS", OPERATORS | {"xor"})
    monkeypatch.setitem(OPERATIONS, "xor", replace(OPERATIONS["+"], group=group))
    other_group = "smt terms" if group == "connective" else "smt connectives"

    assert {key: ["lacks `xor`"] for key in BACK_ENDS.keys() - {other_group}} == complaints()


def test_a_new_fold_is_missed_by_every_back_end(monkeypatch):
    monkeypatch.setattr(operators, "FOLD_OPS", FOLD_OPS | {"product"})
    monkeypatch.setitem(FOLDS, "product", FOLDS["sum"])

    assert {key: ["lacks `product`"] for key in FOLD_BACK_ENDS} == complaints()


def test_a_new_question_is_missed_by_every_back_end(monkeypatch):
    monkeypatch.setattr(operators, "GRAPH_QUESTIONS", GRAPH_QUESTIONS | {"diameter"})
    monkeypatch.setitem(QUESTIONS, "diameter", (0, "int"))

    assert {key: ["lacks `diameter`"] for key in QUESTION_BACK_ENDS} == complaints()


def test_an_operator_that_is_no_more_is_one_too_many_everywhere(monkeypatch):
    monkeypatch.delitem(OPERATIONS, "min")
    wrong = complaints()

    assert ["has `min`, which does not exist"] == wrong["explore"]
    assert (BACK_ENDS.keys() - {"smt connectives"}) | {"core operators"} == wrong.keys()


@pytest.mark.parametrize(("back_end", "module"), sorted(BACK_ENDS.items()))
def test_a_back_end_that_was_not_told_of_an_operator_cannot_be_imported(back_end, module):
    group = "connective" if back_end == "smt connectives" else "arithmetic"
    program = f"""
from pilgrim_rules.core import ir, operators
from pilgrim_rules.core.operators import Operation
ir.OPERATORS |= {{"xor"}}
operators.OPERATORS |= {{"xor"}}
operators.OPERATIONS["xor"] = Operation("{group}", None, None)
whole, operators.operator_table = operators.operator_table, None
def declare(back_end, table, groups=operators.GROUPS):
    return whole(back_end, table, groups) if back_end == {back_end!r} else table
operators.operator_table = declare
import {module}
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert f"IncompleteTable: the table of {back_end} lacks `xor`" == run.stderr.splitlines()[-1].rpartition(".")[2]


def test_every_declared_table_is_named_in_this_file():
    declared = re.compile(r'\b(?:operator|fold|question)_table\(\s*"([^"]+)"')
    files = (path for folder in ("pilgrim_rules", "verifier") for path in (ROOT / folder).rglob("*.py"))

    assert BACK_ENDS.keys() | FOLD_BACK_ENDS.keys() | QUESTION_BACK_ENDS.keys() == {
        name for path in files for name in declared.findall(path.read_text())
    }
