"""Reviews: with which wording of the rulebook the rules were last compared.

Reads:  an inventory, and the kept hashes of its clauses (`reviewed.json` beside the inventory).   Writes: that file.
After:  a clause that was reworded since is to be reviewed, and so is a new one; where there is no file, nobody keeps
        reviews and nothing is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from pilgrim_rules.inputs.clauses.inventory import Inventory
from pilgrim_rules.util import atomic_write

FILE = "reviewed.json"
FORMAT = "pilgrim-rules/reviewed/1"


class BadReviews(Exception):
    """The file holds no reviews; the message says which file and why."""


@dataclass(frozen=True, slots=True)
class Reviews:
    """The hash of the wording of each clause that somebody compared with the rules; None if nobody keeps reviews."""

    kept: Mapping[str, str] | None = field(default=None, hash=False)

    def to_review(self, inventory: Inventory) -> tuple[str, ...]:
        """Return the clauses that were reworded or added since, in the order of the inventory."""
        if self.kept is None:
            return ()
        return tuple(id_ for id_ in inventory.ids() if self.kept.get(id_) != wording(inventory, id_))

    def accepted(self, inventory: Inventory, ids: Iterable[str]) -> Reviews:
        """Return the reviews with the present wording of some clauses; of clauses that are gone nothing is kept."""
        before = self.kept or {}
        now = {**before, **{id_: wording(inventory, id_) for id_ in ids}}
        return Reviews({id_: now[id_] for id_ in inventory.ids() if id_ in now})


def wording(inventory: Inventory, id_: str) -> str:
    """Return a short hash of everything the inventory says under an id."""
    record = inventory.find(id_)
    assert record is not None
    text = json.dumps(asdict(record), sort_keys=True, ensure_ascii=False, default=str)
    return sha256(text.encode()).hexdigest()[:12]


def reviews_file(inventory: Inventory) -> Path | None:
    """Return where the reviews of an inventory are kept; None if it was not read from a file."""
    given = next(iter(inventory.given.values()), None)
    return None if given is None else Path(given.document.source.name).with_name(FILE)


def read_reviews(inventory: Inventory) -> Reviews:
    """Read the reviews of an inventory."""
    path = reviews_file(inventory)
    if path is None or not path.exists():
        return Reviews()
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as problem:
        raise BadReviews(f"`{path}` cannot be read: {problem}") from None
    kept = data.get("clauses") if isinstance(data, dict) and data.get("format") == FORMAT else None
    if not isinstance(kept, dict) or not all(isinstance(each, str) for each in kept.values()):
        raise BadReviews(f"`{path}` is not of the form `{FORMAT}`: it maps clauses to hashes of their wording")
    return Reviews(kept)


def write_reviews(inventory: Inventory, reviews: Reviews) -> Path:
    """Write the reviews beside the inventory; return the file."""
    path = reviews_file(inventory)
    if path is None:
        raise BadReviews("the clauses were not read from a file, so there is no place beside them")
    try:
        atomic_write.write_json(path, {"format": FORMAT, "clauses": dict(reviews.kept or {})})
    except OSError as problem:
        raise BadReviews(f"`{path}` cannot be written: {problem.strerror}") from None
    return path
