"""Kernels: what of Python is translated, and what is refused."""

import pytest
import wasmtime

from pilgrim_rules.engine.wasm.translate import NotUnderstood, translated


def run(source, *args, constants=None):
    """Return the result of the function `it`, as Python runs it; WebAssembly agrees."""
    made = translated(source, constants or {}, {})
    text = "\n".join(["(module", *made.values(), '(export "it" (func $it)))'])
    store = wasmtime.Store()
    instance = wasmtime.Instance(store, wasmtime.Module(store.engine, text), [])
    namespace = {"i32": int, "i64": int, **(constants or {})}
    exec(source, namespace)
    expected = int(namespace["it"](*args))
    assert expected == instance.exports(store)["it"](store, *args)
    return expected


def test_loops_branches_and_conditions_are_translated():
    source = """
def it(n: i32) -> i32:
    total = 0
    for k in range(n):
        if k == 3 or (k > 5 and k % 2 == 1):
            continue
        if k > 8:
            break
        total += k if not k == 4 else 100
    while total > 1000:
        total -= 7
    return total
"""

    assert 0 + 1 + 2 + 100 + 5 + 6 + 8 == run(source, 20)


def test_numbers_of_both_sizes_meet_in_the_larger_one():
    source = """
STEP = 3

def twice(x: i64) -> i64:
    return x * 2

def it(a: i32) -> i64:
    wide: i64 = a
    wide = twice(wide + STEP) << 20
    return (wide ^ 5) - a * BASE
"""

    assert ((7 + 3) * 2 << 20 ^ 5) - 7 * 11 == run(source, 7, constants={"BASE": 11})


def test_a_function_of_one_expression_is_written_where_it_is_called():
    source = """
def mixed(first: i32, second: i64) -> i64:
    \"\"\"Return a number of two.\"\"\"
    return second * 10 + first * first

def it(second: i32) -> i64:
    first = 7
    return mixed(second, mixed(first, 3)) - first
"""

    assert (30 + 49) * 10 + 25 - 7 == run(source, 5)
    assert "call" not in translated(source, {}, {})["it"]


@pytest.mark.parametrize(
    "source",
    [
        "def it(n: i32) -> i32:\n    return n\n\ndef it(n: i32) -> i32:\n    return n\n",
        "def load8(n: i32) -> i32:\n    return n\n",
        "LIMIT = 1\nLIMIT = 2\n",
    ],
)
def test_a_name_that_is_taken_is_refused(source):
    with pytest.raises(NotUnderstood, match="one name"):
        translated(source, {}, {})


@pytest.mark.parametrize(
    "body",
    [
        "return [1]",
        "return n.bit_length()",
        "return unknown(n)",
        "return 1 < n < 3",
        "wide: i64 = n\n    return wide",
        "n = n; del n",
        "return other",
    ],
)
def test_what_is_not_understood_is_refused(body):
    with pytest.raises(NotUnderstood):
        translated(f"def it(n: i32) -> i32:\n    {body}\n", {}, {})


def test_a_parameter_without_a_type_is_refused():
    with pytest.raises(NotUnderstood, match="annotated"):
        translated("def it(n) -> i32:\n    return n\n", {}, {})
