"""The rules of core statements: what effects may write, and that ghosts never touch play.

Reads:  statements, through `Expressions`.   Writes: nothing.
After:  `InternalError` has been raised, or every cell written exists, and no line of play depends on a ghost.
"""

from __future__ import annotations

from typing import assert_never

from pilgrim_rules.core.ir import Assign, Branch, Define, Expr, Loop, Stmt
from pilgrim_rules.core.type_order import fits
from pilgrim_rules.core.validate_expr import Expressions, Scope

_MOST_SEQUENTIAL = 16


def check_block(check: Expressions, block: tuple[Stmt, ...], scope: Scope, *, ghostly: bool = False) -> None:
    """Check the statements of a block; in a `ghostly` one, which ghosts decide on, only ghosts may be written."""
    for stmt in block:
        match stmt:
            case Assign():
                _assign(check, stmt, scope, ghostly=ghostly)
            case Define(name=name, value=value):
                scope = check.bound(scope, name, value.type, ghostly=_reads_ghost(check, value, scope))
            case Branch(test=test, then=then, other=other):
                if test.type.kind != "bool":
                    check.fail("a Boolean is wanted", test)
                inner = ghostly or _reads_ghost(check, test, scope)
                check_block(check, then, scope, ghostly=inner)
                check_block(check, other, scope, ghostly=inner)
            case Loop():
                _loop(check, stmt, scope, ghostly=ghostly)
            case _:
                assert_never(stmt)


def _assign(check: Expressions, stmt: Assign, scope: Scope, *, ghostly: bool) -> None:
    variable = check.variables.get(stmt.variable)
    if variable is None:
        check.fail(f"there is no variable `{stmt.variable}`")
    if not stmt.key:
        check.fail(f"an assignment to `{variable.name}` has no key")
    check.saw_ghost = False
    check.cell(variable.name, variable.index, stmt.index, scope)
    check.expr(stmt.value, scope)
    if (ghostly or check.saw_ghost) and not variable.ghost:
        check.fail(f"`{variable.name}` is written depending on a ghost", stmt.value)
    # A number may leave the range, which is a contradiction in the rules; a value of another kind may not arrive.
    numbers = variable.type.kind == "int" and stmt.value.type.kind == "int"
    if not numbers and (stmt.mode == "add" or not fits(stmt.value.type, variable.type)):
        check.fail(f"`{variable.name}` cannot take `{stmt.value.type.name}`", stmt.value)


def _loop(check: Expressions, stmt: Loop, scope: Scope, *, ghostly: bool) -> None:
    if not stmt.simultaneous and stmt.binder.type.size > _MOST_SEQUENTIAL:
        check.fail(f"a loop over {stmt.binder.type.size} values runs one after the other")
    check.saw_ghost = False
    check.binder(stmt.binder, scope)
    inner = check.bound(scope, stmt.binder.name, stmt.binder.type)
    check.condition(stmt.where, inner)
    check_block(check, stmt.body, inner, ghostly=ghostly or check.saw_ghost)


def _reads_ghost(check: Expressions, expr: Expr, scope: Scope) -> bool:
    check.saw_ghost = False
    check.expr(expr, scope)
    return check.saw_ghost
