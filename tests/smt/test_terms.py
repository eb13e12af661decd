"""Terms fold to what they mean, and mean the same to z3, to cvc5 and to us."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.smt.solve.cvc5_solver import check_with_cvc5
from verifier.smt.solve.smtlib import script
from verifier.smt.solve.z3_solver import Sat, Solver, Unsat
from verifier.smt.terms.terms import Arena, Symbol, Term

NAMES = {"x": (0, 6), "y": (-3, 4), "z": (2, 2)}
TABLE = Symbol("t", 1, "Int", -1, 3)


def table(index: int) -> int:
    return (index * 3 + 1) % 5 - 1


@st.composite
def terms(draw, arena: Arena, depth: int):
    """Draw an integer term together with the function that computes it."""
    kind = (
        draw(st.sampled_from(["leaf", "leaf", "add", "scale", "mul", "div", "mod", "ite", "table"]))
        if depth
        else "leaf"
    )
    match kind:
        case "leaf":
            name = draw(st.sampled_from([*NAMES, ""]))
            if name:
                return arena.const(name, "Int", *NAMES[name]), lambda env: env[name]
            value = draw(st.integers(-5, 5))
            return arena.num(value), lambda _: value
        case "table":
            inner, mean = draw(terms(arena, depth - 1))
            return arena.app(TABLE, (inner,)), lambda env: table(mean(env))
        case "scale":
            factor = draw(st.integers(-3, 3))
            inner, mean = draw(terms(arena, depth - 1))
            return arena.linear(1, ((factor, inner),)), lambda env: 1 + factor * mean(env)
        case "div" | "mod":
            by = draw(st.integers(1, 4))
            inner, mean = draw(terms(arena, depth - 1))
            if kind == "div":
                return arena.div(inner, arena.num(by)), lambda env: mean(env) // by
            return arena.mod(inner, arena.num(by)), lambda env: mean(env) % by
        case "ite":
            test, holds = draw(formulas(arena, depth - 1))
            (left, a), (right, b) = draw(terms(arena, depth - 1)), draw(terms(arena, depth - 1))
            return arena.ite(test, left, right), lambda env: a(env) if holds(env) else b(env)
        case _:
            (left, a), (right, b) = draw(terms(arena, depth - 1)), draw(terms(arena, depth - 1))
            if kind == "add":
                return arena.sub(arena.add(left, right), arena.num(1)), lambda env: a(env) + b(env) - 1
            return arena.mul(left, right), lambda env: a(env) * b(env)


@st.composite
def formulas(draw, arena: Arena, depth: int):
    """Draw a formula together with the function that decides it."""
    kind = (
        draw(st.sampled_from(["eq", "le", "lt", "not", "and", "or", "iff"]))
        if depth
        else draw(st.sampled_from(["eq", "le"]))
    )
    if kind in ("eq", "le", "lt"):
        (left, a), (right, b) = draw(terms(arena, max(0, depth - 1))), draw(terms(arena, max(0, depth - 1)))
        made = {"eq": arena.eq, "le": arena.le, "lt": arena.lt}[kind](left, right)
        compare = {"eq": lambda p, q: p == q, "le": lambda p, q: p <= q, "lt": lambda p, q: p < q}[kind]
        return made, lambda env: compare(a(env), b(env))
    (left, a), (right, b) = draw(formulas(arena, depth - 1)), draw(formulas(arena, depth - 1))
    match kind:
        case "not":
            return arena.neg(left), lambda env: not a(env)
        case "and":
            return arena.conj(left, right), lambda env: a(env) and b(env)
        case "or":
            return arena.disj(left, right), lambda env: a(env) or b(env)
        case _:
            return arena.iff(left, right), lambda env: a(env) == b(env)


def pinned(arena: Arena, env: dict[str, int], formula: Term) -> list[tuple[str | None, Term]]:
    """The formula, with every unknown and the whole table given."""
    pins = [arena.eq(arena.const(name, "Int", *NAMES[name]), arena.num(value)) for name, value in env.items()]
    entries = [arena.eq(arena.app(TABLE, (arena.num(at),)), arena.num(table(at))) for at in range(-80, 81)]
    return [(None, each) for each in (*pins, *entries)] + [("goal", formula)]


values = st.fixed_dictionaries({name: st.integers(*bounds) for name, bounds in NAMES.items()})


@settings(max_examples=25, deadline=None)
@given(st.data(), values)
def test_both_solvers_agree_with_arithmetic(data, env):
    arena = Arena()
    formula, decide = data.draw(formulas(arena, 3))
    query = pinned(arena, env, formula)

    with Solver(2_000_000) as solver:
        for label, term in query:
            solver.add(term, label)
        answer = solver.check()

    assert isinstance(answer, Sat if decide(env) else Unsat)
    assert check_with_cvc5(script(query)) == ("sat" if decide(env) else "unsat")


def test_what_the_bounds_decide_needs_no_solver():
    arena = Arena()
    x = arena.const("x", "Int", 0, 6)

    assert arena.truth(True) is arena.le(x, arena.num(6))
    assert arena.truth(False) is arena.eq(x, arena.num(7))
    assert arena.truth(True) is arena.eq(arena.sub(arena.add(x, arena.num(2)), x), arena.num(2))


def test_a_core_names_only_what_is_needed():
    arena = Arena()
    x = arena.const("x", "Int", 0, 10)
    with Solver(100_000) as solver:
        solver.add(arena.le(x, arena.num(5)), "low")
        solver.add(arena.le(arena.num(6), x), "high")
        solver.add(arena.neg(arena.eq(x, arena.num(3))), "beside the point")
        answer = solver.check()

    assert Unsat(("low", "high")) == answer


def test_an_exhausted_budget_is_no_answer():
    arena = Arena()
    unknowns = [arena.const(f"x{at}", "Int", 0, 50) for at in range(12)]
    with Solver(200) as solver:
        for at, each in enumerate(unknowns):
            for other in unknowns[:at]:
                solver.add(arena.neg(arena.eq(each, other)))
        solver.add(arena.eq(arena.add(*unknowns), arena.num(65)))
        answer = solver.check()

    assert not isinstance(answer, Sat | Unsat)
