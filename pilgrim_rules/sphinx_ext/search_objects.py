"""Search: what players look for, as objects of their own that a search finds before it looks at the text of pages.

Reads:  what pages show.   Writes: a script with all objects, which only the page of the search loads.
After:  rules, reasons to refuse, cards, terms, rulings and clauses are found by whole words and by words that mean the same;
        those that players ask for most come first.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from sphinx.application import Sphinx

from pilgrim_rules.sphinx_ext.objects.domain import KINDS, RulesDomain, ShownObject
from pilgrim_rules.util import atomic_write

__all__ = ["SYNONYMS", "register", "write_objects"]

#: Words that mean the same at a table, a group a line; `rules_synonyms` adds others.
SYNONYMS = (
    "limit maximum cap",
    "tie tiebreak equal",
    "build construct erect",
    "cost price pay fee",
    "buy purchase acquire",
    "win winner victory",
    "point score vp",
    "resource good store supply",
    "coin money gold",
    "start begin setup preparation",
    "end finish over",
    "swap exchange trade",
    "remove demolish discard",
    "die dice roll",
    "forbid refuse illegal",
    "opponent other",
)
#: How much each kind counts beside how well the words fit; kinds that are not here are found by the text of their pages.
WEIGHTS = {
    "game": 30,
    "term": 26,
    "rule": 24,
    "piece": 22,
    "refusal": 20,
    "option": 12,
    "ruling": 10,
    "clause": 6,
    "error": 6,
}
_FILE = "rules_search.js"


def register(app: Sphinx) -> None:
    """Say when the objects are written."""
    app.connect("build-finished", write_objects)


def write_objects(app: Sphinx, problem: Exception | None) -> None:
    """Write the objects beside the pages."""
    if problem is not None or app.builder.format != "html":
        return
    domain = cast("RulesDomain", app.env.get_domain("rules"))
    pages: dict[str, int] = {}
    kinds = list(WEIGHTS)
    rows = [
        _row(kinds.index(kind), id_, shown, pages.setdefault(shown.docname, len(pages)))
        for (kind, id_), shown in sorted(domain.objects.items())
        if kind in WEIGHTS
    ]
    data = {
        "kinds": [[KINDS[kind][0], WEIGHTS[kind], kind == "refusal"] for kind in kinds],
        "pages": list(pages),
        "games": {id_: shown.title for (kind, id_), shown in sorted(domain.objects.items()) if kind == "game"},
        "synonyms": [group.split() for group in (*SYNONYMS, *app.config.rules_synonyms)],
        "objects": rows,
    }
    folder = Path(app.outdir, "_static")
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    atomic_write.write(folder / _FILE, f"PilgrimSearch({text});\n")


def _row(kind: int, id_: str, shown: ShownObject, page: int) -> list[object]:
    """Return an object as the script reads it: kind, game, title, about, page, anchor."""
    game = id_.partition(".")[0] if "." in id_ else ""
    about = "" if shown.about == shown.title else shown.about
    return [kind, game, shown.title, about, page, shown.anchor]
