"""The second opinion: cvc5 reads the text of a query and answers for itself.

Reads:  SMT-LIB 2 text.   Writes: `unsat`, `sat`, `spent` or `unknown`.
After:  a proof is confirmed only by `unsat`; `sat` is an alarm. `spent` means that its resource units did not suffice, as they
        would not on any other machine; `unknown` that it was stopped, and may answer another time.
"""

from __future__ import annotations

from time import monotonic
from typing import Literal, TypeAlias

import cvc5

Opinion: TypeAlias = Literal["unsat", "sat", "spent", "unknown"]

#: cvc5's own resource units for one query, and milliseconds as a net far above them: some queries spend minutes on few
#: units. What is not answered is recorded as not answered.
BUDGET = 200_000
NET = 10_000


def check_with_cvc5(text: str, budget: int = BUDGET) -> Opinion:
    """Return what cvc5 says of a query."""
    begun = monotonic()
    solver = cvc5.Solver()
    solver.setOption("rlimit", str(budget))
    solver.setOption("tlimit-per", str(NET))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
    symbols = parser.getSymbolManager()
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, symbols) or answer
    match answer.strip():
        case "unsat":
            return "unsat"
        case "sat":
            return "sat"
        case _:  # "unknown", or a message
            return "spent" if monotonic() - begun < NET / 2000 else "unknown"


def version() -> str:
    """Return the version of cvc5."""
    return str(cvc5.__version__)
