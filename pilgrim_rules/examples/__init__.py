"""Worked examples: run by the rules, once for each reading that their lines are about.

In: a core game and its examples. Out: what came of every line: the positions before and after it, why a move was refused,
and what is not as written.
"""

from pilgrim_rules.core.rulings import readings_of
from pilgrim_rules.examples.compiled_readings import CompiledReading, CompiledReadings
from pilgrim_rules.examples.run import ExampleResult, ReadingResult, StepResult, run_example, run_reading

__all__ = [
    "CompiledReading",
    "CompiledReadings",
    "ExampleResult",
    "ReadingResult",
    "StepResult",
    "readings_of",
    "run_example",
    "run_reading",
]
