"""Picture files: pictures beside the pages, which a browser fetches when the reader comes to see them.

Reads:  pictures.   Writes: SVG files, named by what is in them; nodes that show them.
After:  a page is as light as its text; a picture that many pages show is one file; without a script it is shown as well.
"""

from __future__ import annotations

import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from pilgrim_rules.core import ir
from pilgrim_rules.engine.rules import StateLike
from pilgrim_rules.figures.move_places import MovePlaces
from pilgrim_rules.figures.sprite_sheet import SpriteSheet

__all__ = ["PictureFile", "copy_pictures", "folder_of", "picture_file", "register", "text_file"]

_FOLDER = "rules_pictures"
_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


class PictureFile(nodes.General, nodes.Element):
    """A picture in a file: its name, what it shows in words, how large it is."""


def folder_of(env: BuildEnvironment) -> Path:
    """Return where pictures are kept until the pages are written: beside the pages as they were read."""
    return Path(env.doctreedir, _FOLDER)


def picture_file(
    folder: Path | None,
    state: StateLike,
    figure: ir.Figure,
    label: str,
    *,
    since: StateLike | None = None,
    found: MovePlaces | None = None,
) -> nodes.Node:
    """Return a picture that stands in a file of its own; without a folder no file is written."""
    sprites = SpriteSheet("p")
    drawn = sprites.picture(state, figure, label, since=since, found=found)
    head, _, rest = drawn.partition(">")
    parts = "".join(sprites.parts().values())
    svg = f'{head} xmlns="http://www.w3.org/2000/svg"><style>{sprites.style()}</style><defs>{parts}</defs>{rest}'
    name = text_file(folder, svg, "svg")
    size = _SIZE.search(head)
    assert size is not None, "every picture says how large it is"
    return PictureFile("", name=name, label=label, width=size[1], height=size[2])


def text_file(folder: Path | None, text: str, ending: str) -> str:
    """Put a text into a file that stands beside the pages with the pictures, and return its name; without a folder write nothing."""
    name = f"{sha256(text.encode()).hexdigest()[:16]}.{ending}"
    if folder is not None and not (folder / name).exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return name


def copy_pictures(app: Sphinx, problem: Exception | None) -> None:
    """Put the pictures that pages show beside them."""
    source = folder_of(app.env)
    if problem is not None or app.builder.format != "html" or not source.is_dir():
        return
    target = Path(app.outdir, "_images")
    target.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        if not (target / path.name).exists():
            shutil.copyfile(path, target / path.name)


def register(app: Sphinx) -> None:
    """Say how the node is written, and when the files are copied."""
    app.add_node(PictureFile, html=(_visit, _depart), text=_SKIPPED, latex=_SKIPPED, man=_SKIPPED)
    app.connect("build-finished", copy_pictures)


def _visit(self: Any, node: nodes.Element) -> None:
    where = f"{self.builder.imgpath}/{node['name']}"
    self.body.append(
        self.emptytag(
            node, "img", "", src=where, alt=node["label"], loading="lazy", width=node["width"], height=node["height"],
            CLASS="rules-picture",
        )
    )  # fmt: skip


def _depart(_self: Any, _node: nodes.Element) -> None:
    return None


_SKIPPED = (_depart, _depart)
