"""The domain `rules`: what can be linked, and the check that everything is shown exactly once.

Reads:  what directives note while pages are read.   Writes: targets for roles, search, indices and `objects.inv`.
After:  parallel and incremental builds see the same objects; a rule shown never or twice has failed the build.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar, NamedTuple

from docutils.nodes import Element, inline, make_id, reference
from sphinx.addnodes import pending_xref
from sphinx.builders import Builder
from sphinx.domains import Domain, Index, IndexEntry, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.errors import NoUri, SphinxError
from sphinx.roles import XRefRole
from sphinx.util.nodes import make_refnode

from pilgrim_rules.sphinx_ext.model import books

__all__ = [
    "KINDS",
    "RuleIndex",
    "RulesDomain",
    "ShownObject",
    "SplicingError",
    "anchor",
    "full_id",
    "natural_key",
]

#: Each kind of object: its label, and whether a search should show it first (0), as usual (1) or late (2).
KINDS = {
    "game": ("game", 0),
    "rule": ("rule", 0),
    "invariant": ("guarantee", 1),
    "ruling": ("ruling", 1),
    "option": ("option", 1),
    "clause": ("clause", 1),
    "example": ("example", 2),
    "arrangement": ("arrangement", 2),
    "term": ("term", 0),
    "piece": ("card or tile", 0),
    "refusal": ("reason to refuse", 1),
    "error": ("diagnostic", 1),
}


class ShownObject(NamedTuple):
    """Where an object is shown, and what a list of objects says about it."""

    docname: str
    anchor: str
    title: str
    about: str = ""


def full_id(game: str, name: str) -> str:
    """Return the id of something in a game: `pilgrim.build_shrine`, `pilgrim.SHR-3`."""
    return f"{game}.{name}"


def anchor(kind: str, id_: str) -> str:
    """Return the anchor of an object in its page; it changes only if the object's name does."""
    return make_id(f"{kind}-{id_}")


def natural_key(text: str) -> list[tuple[int, str]]:
    """Return a key that sorts `SHR-10` after `SHR-9`."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", text)]


class RuleIndex(Index):
    """Every rule of every game."""

    name = "index"
    localname = "Rules of all games"
    shortname = "rules"

    def generate(self, docnames: Iterable[str] | None = None) -> tuple[list[tuple[str, list[IndexEntry]]], bool]:
        """Return the entries, one group a game."""
        wanted = None if docnames is None else set(docnames)
        groups: dict[str, list[IndexEntry]] = {}
        for (kind, id_), entry in sorted(self.domain.data["objects"].items(), key=lambda item: natural_key(item[0][1])):
            if kind == "rule" and (wanted is None or entry.docname in wanted):
                game, _, name = id_.partition(".")
                groups.setdefault(game, []).append(
                    IndexEntry(name, 0, entry.docname, entry.anchor, "", "", entry.about)
                )
        return sorted(groups.items()), False


#: Kinds whose links, if the author gives no words, are spelled with the title and not with the id.
SPOKEN = frozenset({"game", "rule", "invariant", "ruling", "option", "example", "term", "piece", "refusal"})


class SplicingError(SphinxError):
    """A rule that is shown never, or more than once."""

    category = "Rules"


class GameRole(XRefRole):
    """A role whose target may leave out the game: `:rules:rule:`drop`` means the game of the page."""

    def process_link(
        self,
        env: BuildEnvironment,
        refnode: Element,
        has_explicit_title: bool,  # noqa: ARG002, FBT001  (Sphinx's signature)
        title: str,
        target: str,
    ) -> tuple[str, str]:
        refnode["rules:game"] = env.ref_context.get("rules:game", "")
        return title, target.strip()


MOST_ABOUT = 200  #: characters of what a link says about its target
MANY = frozenset({"rules-below", "rules-gap", "rules-list", "rules-why-not", "rules-coverage"})


def _is_among_many(node: Element) -> bool:
    """Tell whether a link stands in a list, or in the part of a rule page that is folded."""
    around = node.parent
    while around is not None:
        if MANY.intersection(around.get("classes", ())):
            return True
        around = around.parent
    return False


class RulesDomain(Domain):
    """Games, their rules, and what is known about them."""

    name = "rules"
    label = "Rules"
    _mentioned: tuple[list[Any], int, frozenset[Any]] | None = (
        None  #: the places that were looked at, and what is there
    )
    data_version = 3
    object_types: ClassVar = {kind: ObjType(label, kind, "any") for kind, (label, _) in KINDS.items()}
    roles: ClassVar = {kind: GameRole(warn_dangling=True) for kind in KINDS}
    indices: ClassVar = [RuleIndex]
    initial_data: ClassVar[dict[str, Any]] = {
        "objects": {},  # (kind, id) -> ShownObject
        "shown": [],  # (docname, line, kind, id): every place that shows or hides something
        "games": {},  # docname -> the games it speaks of
        "declared": {},  # game -> (kind, id) of everything that must be shown, as it was last read
        "absent": {},  # docname -> files that were looked for and not there
        "printed": {},  # docname -> the page whose chapters it is made of
        "links": {},  # docname -> (kind, id) of what its links may mean
    }

    @property
    def objects(self) -> dict[tuple[str, str], ShownObject]:
        """All objects by kind and id."""
        found: dict[tuple[str, str], ShownObject] = self.data["objects"]
        return found

    def note(self, kind: str, id_: str, entry: ShownObject, line: int) -> None:
        """Note that an object is shown here; `entry.anchor` is empty if it is hidden on purpose."""
        self.data["shown"].append((entry.docname, line, kind, id_))
        if entry.anchor:  # the page that showed it before may still be read again, and then forgets only its own
            self.objects[kind, id_] = entry

    def note_game(self, name: str, docname: str, book: books.Book) -> None:
        """Note that a page speaks of a game, so that all of the game must be shown somewhere."""
        games = self.data["games"].setdefault(docname, set())
        if name in games:
            return
        games.add(name)
        # Kept, so that the next build need not read the games of pages that have not changed.
        self.data["declared"][name] = book.declared_ids
        absent = [str(path) for path in book.absent]
        if absent:
            self.data["absent"][docname] = absent

    def note_printed(self, docname: str, contents: str) -> None:
        """Note that a page is made of the chapters of another one."""
        self.data["printed"][docname] = contents

    @property
    def links(self) -> dict[str, frozenset[tuple[str, str]]]:
        """What the links of each page may mean."""
        found: dict[str, frozenset[tuple[str, str]]] = self.data["links"]
        return found

    def note_links(self, docname: str, links: frozenset[tuple[str, str]]) -> None:
        """Note what the links of a page may mean."""
        self.links[docname] = links

    def clear_doc(self, docname: str) -> None:
        """Forget what a page showed."""
        self.data["objects"] = {key: entry for key, entry in self.objects.items() if entry.docname != docname}
        self.data["shown"] = [place for place in self.data["shown"] if place[0] != docname]
        self.data["games"].pop(docname, None)
        self.data["absent"].pop(docname, None)
        self.data["printed"].pop(docname, None)
        self.data["links"].pop(docname, None)

    def merge_domaindata(self, docnames: AbstractSet[str], otherdata: dict[str, Any]) -> None:
        """Take over what another process noted for its pages."""
        for key, entry in otherdata["objects"].items():
            if entry.docname in docnames:
                self.objects.setdefault(key, entry)
        self.data["shown"] += [place for place in otherdata["shown"] if place[0] in docnames]
        for table in ("games", "absent", "printed", "links"):
            self.data[table].update({name: value for name, value in otherdata[table].items() if name in docnames})
        read = {name for docname in docnames for name in otherdata["games"].get(docname, ())}
        self.data["declared"].update({name: otherdata["declared"][name] for name in read})

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield every object for the search and for `objects.inv`."""
        for (kind, id_), entry in sorted(self.objects.items()):
            yield id_, entry.title, kind, entry.docname, entry.anchor, KINDS[kind][1]

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> reference | None:
        """Resolve a role: first in the game of the page, then by the full id."""
        del env
        for id_ in (f"{node.get('rules:game')}.{target}", target):
            entry = self.objects.get((typ, id_))
            if entry is not None:
                # Where hundreds of links stand together, below the fold, they do not explain themselves.
                about = "" if _is_among_many(node) else (entry.about or entry.title)[:MOST_ABOUT]
                if not node.get("refexplicit") and typ in SPOKEN:
                    contnode = inline("", entry.title)
                return make_refnode(builder, fromdocname, entry.docname, entry.anchor, contnode, about)
            if self._is_mentioned(typ, id_):
                raise NoUri  # hidden on purpose: the words stay, the link does not
        return None

    def _is_mentioned(self, kind: str, id_: str) -> bool:
        """Return whether a page shows something, or says that it is hidden. Thousands of links ask, after all pages were read."""
        shown = self.data["shown"]
        if self._mentioned is None or self._mentioned[0] is not shown or self._mentioned[1] != len(shown):
            self._mentioned = (shown, len(shown), frozenset(place[2:] for place in shown))
        return (kind, id_) in self._mentioned[2]

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, reference]]:
        """Resolve `:any:` by the full id."""
        found = [
            (f"rules:{kind}", self.resolve_xref(env, fromdocname, builder, kind, target, node, contnode))
            for kind in KINDS
        ]
        return [(role, ref) for role, ref in found if ref is not None]

    def check_consistency(self) -> None:
        """Fail the build unless everything of every game is shown exactly once."""
        problems = list(self._problems())
        if problems:
            raise SplicingError("\n".join(["not everything is shown exactly once:", *problems]))

    def _problems(self) -> Iterator[str]:
        places: dict[tuple[str, str], list[str]] = {}
        for docname, line, kind, id_ in sorted(self.data["shown"]):
            places.setdefault((kind, id_), []).append(f"{docname}:{line}")
        for name in sorted({name for names in self.data["games"].values() for name in names}):
            for kind, id_ in self.data["declared"][name]:
                if (kind, id_) not in places:
                    yield f"  {kind} {id_} is never shown (show it, or hide it with a reason)"
        for (kind, id_), where in places.items():
            if len(where) > 1:
                yield f"  {kind} {id_} is shown {len(where)} times: {', '.join(where)}"
