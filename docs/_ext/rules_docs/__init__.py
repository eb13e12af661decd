"""The annotated rulebook: a Sphinx domain `rules` and the directives that splice a game into its pages.

Reads:  games (pilgrim_rules), evidence (JSON).   Writes: docutils nodes; never reST text, never a proof.
After:  every rule of every game that has a page is shown exactly once, or the build has failed.
"""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

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
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
