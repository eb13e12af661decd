"""How an answer is asked for, and what makes it a good one."""

import io
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run

#: How a command may end; a bug of ours, or a disagreement of two of our answers, is not among them.
FINE = {Exit.OK, Exit.REFUTED, Exit.BAD_INPUT, Exit.UNSETTLED}
#: Words that only a program says to its programmer.
INSIDE = re.compile(
    r"Traceback|internal error:|<class|object at 0x|NoneType|KeyError|TypeError|ValueError|lark|Token\("
)


@dataclass(frozen=True)
class Answer:
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str


def ask(*args, stdin=b""):
    """Run a command line and return its answer, which must be a good one."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run([*map(str, args)])
    finally:
        sys.stdin = before
    found = Answer(code, out.getvalue(), err.getvalue())
    judge(found, args)
    return found


def judge(answer, args):
    """Say what is wrong with an answer: a word from the inside, a code that means a bug, silence about a mistake."""
    shown = f"{' '.join(map(str, args))[:400]!r} ended with {answer.code}\n{answer.out[-2000:]}\n{answer.err[-2000:]}"
    assert answer.code in FINE, shown
    assert not INSIDE.search(answer.err), shown
    assert "Traceback" not in answer.out, shown
    assert answer.code != Exit.BAD_INPUT or (answer.err + answer.out).strip(), shown


def everywhere(strategy, examples):
    """Return a decorator that asks a question about so many values of a strategy at once."""

    def decorate(question):
        settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))(
            given(strategy)(question)
        )()

    return decorate


def often(few, many):
    """Run a test with few examples, and among the slow tests with many."""
    return pytest.mark.parametrize(
        "examples", [pytest.param(few, id="some"), pytest.param(many, id="many", marks=pytest.mark.slow)]
    )
