"""The files that a page shows: its code blocks with a caption, by that caption. Tests follow a page by writing them."""

import re
from pathlib import Path
from textwrap import dedent

_BLOCK = re.compile(
    r"^\.\. (code-block|literalinclude)::[ ]*(\S*)\n((?:[ ]{3}:.*\n)*)((?:\n|[ ]{3}.*\n)*)", re.MULTILINE
)
_CAPTION = re.compile(r":caption: (.+)")


def page_files(page: Path) -> dict[str, str]:
    """Return the text of each block that has a caption; a block of an included file is that file."""
    found: dict[str, str] = {}
    for kind, argument, options, body in _BLOCK.findall(page.read_text("utf-8")):
        caption = _CAPTION.search(options)
        if caption is not None:
            text = dedent(body).strip("\n") + "\n"
            found[caption[1]] = (page.parent / argument).read_text("utf-8") if kind == "literalinclude" else text
    return found
