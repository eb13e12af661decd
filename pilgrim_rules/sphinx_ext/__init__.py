"""The annotated rulebook: a Sphinx domain `rules` and the directives that splice a game into its pages.

Reads:  games (pilgrim_rules), evidence (JSON).   Writes: docutils nodes; never reST text, never a proof.
After:  every rule of every game that has a page is shown exactly once, or the build has failed.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from pilgrim_rules.language.lexer import RulesLexer
from pilgrim_rules.sphinx_ext import moved_objects, navigation, part_pages, print_page, search_objects
from pilgrim_rules.sphinx_ext.directives import DIRECTIVES
from pilgrim_rules.sphinx_ext.lists import lemma_graph
from pilgrim_rules.sphinx_ext.lists.findings import FindingsDirective
from pilgrim_rules.sphinx_ext.lists.option_proofs import OptionProofsDirective
from pilgrim_rules.sphinx_ext.lists.other_claims import ClaimsForDirective
from pilgrim_rules.sphinx_ext.lists.swings import SwingsDirective
from pilgrim_rules.sphinx_ext.model import books
from pilgrim_rules.sphinx_ext.nodes import headings, node_builders, picture_files
from pilgrim_rules.sphinx_ext.objects.domain import RulesDomain
from pilgrim_rules.sphinx_ext.pictures import picture_nodes as pictures
from pilgrim_rules.sphinx_ext.pictures import play_boards
from pilgrim_rules.util.code_hash import code_hash

__all__ = ["setup"]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the domain, the highlighter and the checks."""
    app.add_config_value("rules_evidence", "evidence", "env", types=frozenset({str}))
    app.add_config_value("rules_samples", "samples", "env", types=frozenset({str}))
    app.add_config_value("rules_history", "history", "env", types=frozenset({str}))
    app.add_config_value("rules_words_label", "", "env", types=frozenset({str}))
    app.add_config_value("rules_players", {}, "env", types=frozenset({dict}))
    app.add_config_value("rules_golden", "", "env", types=frozenset({str}))
    app.add_config_value("rules_synonyms", (), "html", types=frozenset({list, tuple}))
    app.add_lexer("rules", RulesLexer)
    app.connect("builder-inited", _add_static_files)
    app.add_domain(RulesDomain)
    measured = {"findings": FindingsDirective, "swings": SwingsDirective, "option-proofs": OptionProofsDirective}
    others = {"claims-for": ClaimsForDirective}
    for name, directive in {**DIRECTIVES, **measured, **others}.items():
        app.add_directive_to_domain("rules", name, directive)
    node_builders.register(app)
    picture_files.register(app)
    part_pages.register(app)
    navigation.register(app)
    search_objects.register(app)
    moved_objects.register(app)
    app.connect("env-get-outdated", books.outdated)
    app.connect("env-before-read-docs", books.preload)
    app.connect("build-finished", books.unfreeze)
    app.connect("doctree-read", headings.set_levels)
    app.connect("doctree-read", pictures.note_assumed_once)
    app.connect("doctree-resolved", headings.drop_copied_ids)
    app.add_node(play_boards.BoardPlace)
    app.connect("doctree-resolved", lemma_graph.link_lemmas)
    app.connect("doctree-resolved", play_boards.place_boards, priority=900)
    app.connect("build-finished", play_boards.write_boards)
    app.connect("env-before-read-docs", print_page.note_read)
    app.connect("env-updated", print_page.outdated)
    app.connect("doctree-resolved", print_page.insert_chapters)
    return {"version": "1", "env_version": _version(), "parallel_read_safe": True, "parallel_write_safe": True}


def _add_static_files(app: Sphinx) -> None:
    """Bring the style sheet and the script that the pages need."""
    app.config.html_static_path.append(str(Path(__file__).parent / "static"))
    app.add_css_file("rules.css")
    app.add_js_file("player.js", defer="defer")
    app.add_js_file("parts.js", defer="defer")
    app.add_js_file("search.js", defer="defer")
    app.add_js_file("open_board.js", defer="defer")


def _version() -> int:
    """Return a number for the code that what a build keeps was made by: what other code has kept is made again."""
    return int(code_hash("pilgrim_rules")[:8], 16)
