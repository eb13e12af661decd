"""The directive `import-order`: the folders of the code in their one import order, each with its own docstring.

Reads:  ORDER in tests/test_architecture.py, which the tests enforce; the docstring of each package.
Writes: a table.   After: the page cannot say anything else than what is tested.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
LIST = ROOT / "tests/test_architecture.py"


def order() -> list[str]:
    """Return the packages, each of which may import only what stands before it."""
    for node in ast.parse(LIST.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ORDER":
            return list(ast.literal_eval(node.value))
    raise LookupError("tests/test_architecture.py has no list ORDER")


def purpose(package: str) -> str:
    """Return the first paragraph of a package's docstring."""
    path = ROOT / package.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    doc = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return " ".join(doc.split("\n\n")[0].split()).replace("`", "``").replace("````", "``")


class ImportOrder(SphinxDirective):
    """Shows the order as a table."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        lines = [
            ".. list-table::",
            "   :header-rows: 1",
            "   :widths: 34 66",
            "",
            "   * - Folder",
            "     - What it does",
        ]
        for package in order():
            name = package.replace(".", "/")
            shown = f"{name}/" if (ROOT / name).is_dir() else f"{name}.py"
            lines += [f"   * - ``{shown}``", f"     - {purpose(package)}"]
        self.env.note_dependency(str(LIST))
        whole = nodes.container()
        self.state.nested_parse(StringList([*lines, ""], source=str(LIST)), self.content_offset, whole)
        return whole.children


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("import-order", ImportOrder)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
