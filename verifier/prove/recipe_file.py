"""Recipe file: how the dear obligations of a game were proved, kept with the game so that every checkout begins there.

Reads:  and writes `proofs/recipes.json` in the folder of a game.
After:  a file that cannot be read is no file: recipes save time, and nothing rests on them. Kept are those proofs before which
        other ways were tried in vain, and those that take long; the others are found at once. Obligations have the same
        names for every number of players, and mostly the same proofs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from pathlib import Path

from pilgrim_rules.language.find_game import PROOFS
from pilgrim_rules.util import atomic_write
from verifier.smt.strategy.recipes import Recipe, recipe_from

NAME = "recipes.json"
#: Resources from which on a proof is not found at once: less than a hundredth of a second of the solver, but as much again to write the query.
LONG = 5_000


def read_recipes(game: Path) -> dict[str, Recipe]:
    """Return the recipes in the folder of a game, by the name of the obligation."""
    try:
        data = json.loads((game / PROOFS / NAME).read_bytes())
        labels = [str(each) for each in data["labels"]]
        found = {str(name): recipe_from(_spelled(each, labels)) for name, each in data["recipes"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, AssertionError):
        return {}
    return {name: recipe for name, recipe in found.items() if recipe.steps}


def write_recipes(game: Path, recipes: Iterable[tuple[str, Recipe]]) -> int:
    """Write those recipes that save something, one a line, labels by number; return how many there are."""
    kept = {name: recipe for name, recipe in sorted(recipes) if recipe.steps and (recipe.wasted or recipe.spent > LONG)}
    labels = sorted({label for recipe in kept.values() for step in recipe.steps for label in step.labels})
    numbers = {label: number for number, label in enumerate(labels)}
    lines = [f"  {json.dumps(name)}: {json.dumps(_numbered(recipe, numbers))}" for name, recipe in kept.items()]
    body = ",\n".join(lines)
    text = f'{{\n"labels": {json.dumps(labels, indent=1)},\n"recipes": {{\n{body}\n}}}}\n'
    (game / PROOFS).mkdir(exist_ok=True)
    atomic_write.write(game / PROOFS / NAME, text.encode())
    return len(kept)


def update_recipes(game: Path, recipes: Iterable[tuple[str, Recipe]], obligations: Collection[str]) -> int:
    """Write recipes; those that are there already stay, if there is still such an obligation."""
    known = {name: recipe for name, recipe in read_recipes(game).items() if name in obligations}
    return write_recipes(game, (known | dict(recipes)).items())


def _numbered(recipe: Recipe, numbers: dict[str, int]) -> dict[str, object]:
    data = recipe.data()
    data["steps"] = [
        [*whole[: len(whole) - len(step.labels)], *(numbers[label] for label in step.labels)]
        for whole, step in zip(data["steps"], recipe.steps, strict=True)
    ]
    return data


def _spelled(data: dict[str, object], labels: list[str]) -> dict[str, object]:
    steps = data["steps"]
    assert isinstance(steps, list)
    head = 5  # part, ways, written out, split, spent
    return {**data, "steps": [[*step[:head], *(labels[number] for number in step[head:])] for step in steps]}
