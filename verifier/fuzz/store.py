"""Store: a campaign in a file, to be gone on with.

Reads:  JSON.   Writes: JSON, all or nothing: the file is complete at every moment.
After:  what cannot be read, or belongs to other rules or another seed, is left out and not gone on with.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from pilgrim_rules import files
from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from verifier.fuzz.report import Tally

FORMAT = "pilgrim-rules/campaign/1"


def playprint(game: Game) -> str:
    """Return the fingerprint of what random play depends on: the rules and their claims, not the examples."""
    prints = Fingerprints(game)
    claims = [prints.claim(claim.name) for claim in game.claims] + [prints.ranking(each.name) for each in game.rankings]
    return sha256(repr((prints.rules, claims)).encode()).hexdigest()


def save(path: Path, fingerprint: str, seed: int, tally: Tally) -> None:
    """Write a campaign."""
    write(path, {"format": FORMAT, "rules": fingerprint, "seed": seed, "tally": tally.to_json()})


def write(path: Path, data: Any) -> None:
    """Write data as JSON, all or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def load(path: Path, fingerprint: str, seed: int) -> Tally:
    """Return the campaign in the file, or an empty one if there is none of these rules and this seed."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if (data["format"], data["rules"], data["seed"]) == (FORMAT, fingerprint, seed):
            return Tally.from_json(data["tally"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # a file of something else, or half of one: begin anew
    return Tally()
