"""What a wheel holds besides the files of the repository: the tables of the parser, which take most of a second to make.

Reads:  rules.lark.   Writes: a file of the wheel; for an editable install, the same file in the checkout, where git does not look at it.
After:  an installed library reads the tables if they were made by the lark that is installed; otherwise it makes them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GrammarTables(BuildHookInterface[Any]):
    """Puts the tables beside the grammar."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the tables before the wheel is packed."""
        sys.path.insert(0, self.root)
        from pilgrim_rules.language.syntax import grammar  # noqa: PLC0415  (found only now)

        if version == "editable":
            beside = Path(self.root, "pilgrim_rules/language/syntax", grammar.SHIPPED)
            beside.write_text(grammar.tables_to_ship(), encoding="utf-8")
            return
        self._folder = TemporaryDirectory()
        file = Path(self._folder.name, grammar.SHIPPED)
        file.write_text(grammar.tables_to_ship(), encoding="utf-8")
        build_data["force_include"][str(file)] = f"pilgrim_rules/language/syntax/{grammar.SHIPPED}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002  (as the hook is called)
        """Remove what was made only to be packed."""
        if version != "editable":
            self._folder.cleanup()
