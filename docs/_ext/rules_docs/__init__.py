"""The annotated rulebook: a Sphinx domain `rules` and the directives that splice a game into its pages.

Reads:  games (pilgrim_rules), evidence (JSON).   Writes: docutils nodes; never reST text, never a proof.
After:  every rule of every game that has a page is shown exactly once, or the build has failed.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from pilgrim_rules.core import ir
from pilgrim_rules.lexer import RulesLexer
from rules_docs import disclosure, docstrings, pictures, printed, shelf
from rules_docs.domain import RulesDomain
from rules_docs.findings import Findings

__all__ = ["setup"]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the domain, the highlighter and the checks."""
    app.add_config_value("rules_evidence", "evidence", "env", types=frozenset({str}))
    app.add_config_value("rules_samples", "samples", "env", types=frozenset({str}))
    app.add_config_value("rules_words_label", "", "env", types=frozenset({str}))
    app.add_config_value("rules_players", {}, "env", types=frozenset({dict}))
    app.add_config_value("rules_golden", "../tests/golden/bad", "env", types=frozenset({str}))
    app.add_lexer("rules", RulesLexer)
    app.add_domain(RulesDomain)
    app.add_directive_to_domain("rules", "findings", Findings)
    disclosure.register(app)
    app.connect("env-get-outdated", shelf.outdated)
    app.connect("doctree-read", pictures.finish)
    app.connect("env-updated", printed.outdated)
    app.connect("doctree-resolved", printed.put_in)
    if "sphinx.ext.autodoc" in app.extensions:
        app.connect("autodoc-process-docstring", docstrings.process)
    return {"version": "1", "env_version": _version(), "parallel_read_safe": True, "parallel_write_safe": True}


def _version() -> int:
    """Return a number for the code that what a build keeps was made by: what other code has kept is made anew."""
    folders = (Path(__file__).parent, Path(ir.__file__).parent)
    texts = [path.read_bytes() for folder in folders for path in sorted(folder.glob("*.py"))]
    return crc32(b"".join(texts))
