"""How the documents are built. `make docs` builds them; a warning is an error."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_ext")]

project = "Pilgrim Rules"
author = "Pilgrim Rules contributors"
copyright = author  # noqa: A001  (Sphinx's name)

extensions = ["sphinx.ext.autodoc", "sphinx_design", "pilgrim_rules.sphinx_ext", "docstrings", "import_order"]
exclude_patterns = ["_build", "adr/README*", "changelog.d"]

nitpicky = True
nitpick_ignore_regex = [
    (
        "py:.*",
        r"(collections|fractions|np|npt|numpy|os|pathlib|typing)\..*",
    ),  # other projects, which are not at hand offline
    (
        "py:.*",
        r"(pilgrim_rules\.)?(api|core|diagnostics|engine|figures|ir|play_pages|semantics|language)\..*",
    ),  # not part of the public interface
    (
        "py:.*",
        r"ActionKind|Chosen|Planes|Row|Diagnostic|LoadArguments|Picture|PictureOptions|Points|PolicyChoice|BulkResults|Rules|SourceFile|Span|StateLike|Table|Value",
    ),  # the same, by their short names
]
# The same input gives the same bytes: no date, no time, no host.
html_last_updated_fmt = None
html_copy_source = False
html_show_sphinx = False

html_theme = "furo"
html_title = project
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#7a3b12",
        "color-brand-content": "#7a3b12",
    },
    "dark_css_variables": {
        "color-brand-primary": "#e8a870",
        "color-brand-content": "#e8a870",
    },
}
rules_golden = "../tests/golden/bad"  # what users see of each mistake, as the tests compare it
rules_words_label = "evidence-words"
rules_players = {"pilgrim": 4}  # the fewest play where nothing is said; most examples of this rulebook have four
rules_synonyms = ["limit excess", "resource stone grain wood"]  # words of these rulebooks for what players ask
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
autodoc_member_order = "bysource"
