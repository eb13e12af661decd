"""The error catalogue: every diagnostic code, what it means, how to fix it, and what the user really sees.

Reads:  the table of codes, their explanations, the golden transcripts of the tests.   Writes: nodes.
After:  the catalogue cannot fall behind: a code that exists is listed, and a transcript is one that a test compares.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from docutils import nodes

from pilgrim_rules.diagnostics.codes import Code, all_codes
from pilgrim_rules.diagnostics.explanations import explain
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.objects.domain import anchor

__all__ = ["AREAS", "catalogue", "transcripts"]

#: The first digit of a code, and what the codes with it are about.
AREAS = {
    "PR1": "Text and layout",
    "PR2": "Names",
    "PR3": "Types",
    "PR4": "Rules and effects",
    "PR5": "Claims and examples",
    "PR6": "Clauses",
    "PR7": "Data files",
    "PR8": "The game as a whole",
}


def catalogue(golden: Path | None) -> list[nodes.Node]:
    """Return a section for each area, with an entry for each code."""
    shown: list[nodes.Node] = []
    for area, codes in groupby(all_codes(), key=lambda code: code.id[:3]):
        section = nodes.section("", nodes.title("", AREAS[area]), ids=[nodes.make_id(f"errors-{area}")])
        entries = nodes.definition_list("", classes=["rules-list", "rules-errors"])
        entries += [_entry(code, golden) for code in codes]
        section += entries
        shown.append(section)
    return shown


def transcripts(golden: Path | None, code: Code) -> list[Path]:
    """Return the golden files whose transcript shows the code first; none without a folder of them."""
    if golden is None:
        return []
    found = sorted(golden.glob(f"{code.id}*.expect"))
    return found or sorted(golden.glob(f"{code.id.lower()}*.expect"))


def _entry(code: Code, golden: Path | None) -> nodes.definition_list_item:
    severity = "" if code.severity == "error" else f" ({code.severity})"
    term = nodes.term("", f"{code.id} {code.title}{severity}", ids=[anchor("error", code.id)])
    body: list[nodes.Node] = []
    explanation = explain(code.id)
    if explanation is not None:
        body.append(node_builders.para(*node_builders.prose(explanation.means)))
        body.append(_block(explanation.bad.strip("\n"), "rules" if code.id[2] in "123458" else "toml"))
    for path in transcripts(golden, code)[:1]:
        body.append(node_builders.para("What you see:"))
        body.append(_block(path.read_text(encoding="utf-8").rstrip("\n"), "text"))
    if explanation is not None:
        body.append(
            node_builders.para(node_builders.strong("How to fix it."), " ", *node_builders.prose(explanation.fix))
        )
    return nodes.definition_list_item("", term, nodes.definition("", *body))


def _block(text: str, language: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language=language, force=True)
