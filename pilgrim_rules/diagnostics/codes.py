"""Every diagnostic code, in one table. A code is never renumbered and never reused.

Reads:  nothing.   Writes: nothing; this file only names the mistakes.
After:  each code has an explanation in explain.toml and a golden file in tests/golden/bad.

PR1xx text and layout · PR2xx names · PR3xx types · PR4xx rules and effects · PR5xx claims and examples ·
PR6xx clauses · PR7xx data files (graphs, maps, editions) · PR8xx the game as a whole
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of mistake: its stable id, its title and its severity."""

    id: str
    title: str
    severity: Literal["error", "warning"] = "error"


def all_codes() -> tuple[Code, ...]:
    """Return every code of this file, in order."""
    return tuple(sorted((found for found in globals().values() if isinstance(found, Code)), key=lambda code: code.id))


# ------------------------------------------------------------------------------------------------ PR1xx text and layout

PR101 = Code("PR101", "file is not text")
PR102 = Code("PR102", "tab in the indentation")
PR103 = Code("PR103", "file begins with an indented line")
PR104 = Code("PR104", "text is not closed")
PR105 = Code("PR105", "inconsistent indentation")
PR106 = Code("PR106", "nested too deeply")
PR107 = Code("PR107", "line too long")
PR108 = Code("PR108", "unbalanced bracket")
PR109 = Code("PR109", "unknown kind of declaration")
PR110 = Code("PR110", "something else was expected")
PR111 = Code("PR111", "character that means nothing here")
PR112 = Code("PR112", "block expected")
PR113 = Code("PR113", "line stands where no block is open")
PR114 = Code("PR114", "file is too large")
PR115 = Code("PR115", "malformed clause id")
PR116 = Code("PR116", "line given twice")
PR117 = Code("PR117", "citation inside a comment")

# ---------------------------------------------------------------------------------------------------------- PR2xx names

PR201 = Code("PR201", "unknown name")
PR202 = Code("PR202", "declared twice")
PR203 = Code("PR203", "name hides another")
PR204 = Code("PR204", "unknown type")
PR205 = Code("PR205", "definitions go round in a circle")
PR206 = Code("PR206", "unknown stage")
PR207 = Code("PR207", "unknown action")
PR208 = Code("PR208", "not a thing of this kind")
PR209 = Code("PR209", "reserved word used as a name")
PR210 = Code("PR210", "imports go round in a circle")
PR211 = Code("PR211", "imported file not found")
PR212 = Code("PR212", "label belongs to several types")
PR213 = Code("PR213", "unknown invariant")
PR214 = Code("PR214", "unknown module")
PR215 = Code("PR215", "not what the module takes")
PR216 = Code("PR216", "not part of a module")

# ---------------------------------------------------------------------------------------------------------- PR3xx types

PR301 = Code("PR301", "wrong type")
PR302 = Code("PR302", "empty range")
PR303 = Code("PR303", "type is too large")
PR304 = Code("PR304", "wrong number of arguments")
PR305 = Code("PR305", "index may lie outside the table")
PR306 = Code("PR306", "value may be `none`")
PR307 = Code("PR307", "no such column or part")
PR308 = Code("PR308", "values of these types cannot be compared")
PR309 = Code("PR309", "may divide by zero")
PR310 = Code("PR310", "`max of` or `min of` nothing")
PR311 = Code("PR311", "not a constant")
PR312 = Code("PR312", "not a table")
PR313 = Code("PR313", "optional of an optional")
PR314 = Code("PR314", "numbers grow too large")
PR315 = Code("PR315", "initial value outside its range")
PR316 = Code("PR316", "constant takes too long to compute")
PR317 = Code("PR317", "no upper end")
PR331 = Code("PR331", "misuse of a zone")
PR332 = Code("PR332", "text of a row")

# ----------------------------------------------------------------------------------------------- PR4xx rules and effects

PR401 = Code("PR401", "not something that can be assigned")
PR402 = Code("PR402", "ghost read in play")
PR403 = Code("PR403", "ghost written without saying so")
PR404 = Code("PR404", "action in a stage of another kind")
PR405 = Code("PR405", "action without a stage")
PR406 = Code("PR406", "stage and action disagree on who decides")
PR407 = Code("PR407", "loop writes one cell twice")
PR408 = Code("PR408", "loop too long to be sequential")
PR409 = Code("PR409", "`old`, `the` or a primed name has no meaning here")
PR410 = Code("PR410", "unknown purse")
PR411 = Code("PR411", "chance action and weight")
PR412 = Code("PR412", "`possible` goes round in a circle")
PR413 = Code("PR413", "auto with arguments")
PR414 = Code("PR414", "stage in which nothing can happen", "warning")
PR415 = Code("PR415", "only a player's action costs something")
PR416 = Code("PR416", "rule grows too large")
PR417 = Code("PR417", "cannot be always possible")
PR418 = Code("PR418", "no such sub-turn")
PR419 = Code("PR419", "way into or out of a sub-turn")
PR420 = Code("PR420", "too many choices of arguments")
PR430 = Code("PR430", "only the argument of a move can be secret")
PR431 = Code("PR431", "what not everybody sees is written where everybody sees it", "warning")
PR432 = Code("PR432", "secret poll with several answers")
PR433 = Code("PR433", "pieces of a zone made or lost", "warning")

# ---------------------------------------------------------------------------------------------- PR5xx claims and examples

PR501 = Code("PR501", "law speaks of the state")
PR502 = Code("PR502", "network asked in play or in a proof")
PR503 = Code("PR503", "example names no legal value")
PR504 = Code("PR504", "witness arranges the position")
PR505 = Code("PR505", "unknown ruling or option")
PR506 = Code("PR506", "ruling without exactly one default")
PR507 = Code("PR507", "law does not hold")
PR508 = Code("PR508", "measure is not made of numbers")
PR509 = Code("PR509", "no such score")
PR510 = Code("PR510", "unknown question to a network")
PR511 = Code("PR511", "action of another reading")
PR512 = Code("PR512", "campaign that cannot be played")
PR513 = Code("PR513", "total without exactly one rank")
PR514 = Code("PR514", "contract says nothing that can be asked")
PR515 = Code("PR515", "option that is not played")
PR516 = Code("PR516", "symmetry by what is no change of places")
PR517 = Code("PR517", "measure can fall for ever")

# ------------------------------------------------------------------------------------------------------- PR6xx clauses

PR601 = Code("PR601", "unknown clause")
PR602 = Code("PR602", "clause id given twice")
PR603 = Code("PR603", "badly formed clause id")
PR604 = Code("PR604", "record of the inventory lacks a field")
PR605 = Code("PR605", "field of the inventory is of the wrong kind")
PR606 = Code("PR606", "inventory refers to a clause it does not have")
PR607 = Code("PR607", "clause waived twice")
PR608 = Code("PR608", "waived clause is cited", "warning")

# ---------------------------------------------------------------------------------------------------- PR7xx data files

PR701 = Code("PR701", "file cannot be read")
PR702 = Code("PR702", "file is not TOML")
PR703 = Code("PR703", "unknown key in a data file")
PR704 = Code("PR704", "key missing in a data file")
PR705 = Code("PR705", "value of the wrong kind in a data file")
PR706 = Code("PR706", "badly formed label in a data file")
PR707 = Code("PR707", "name given twice in a data file")
PR708 = Code("PR708", "two cells at one place")
PR709 = Code("PR709", "unknown node in a graph file")
PR710 = Code("PR710", "sides are not mutual")
PR711 = Code("PR711", "too many nodes or rows")
PR712 = Code("PR712", "nothing in it")
PR713 = Code("PR713", "unusable list of sides")
PR714 = Code("PR714", "cut between cells that are not neighbours")
PR721 = Code("PR721", "no such entry in the edition")
PR722 = Code("PR722", "edition entry lacks a value")
PR723 = Code("PR723", "edition entry has a value too many")
PR724 = Code("PR724", "value outside its type")
PR725 = Code("PR725", "edition entry is of the other form")
PR726 = Code("PR726", "edition entry does not say where it comes from")

# --------------------------------------------------------------------------------------------- PR8xx the game as a whole

PR801 = Code("PR801", "unknown game")
PR802 = Code("PR802", "no rules in the folder")
PR803 = Code("PR803", "part of the game is missing")
PR804 = Code("PR804", "number of players")
