"""The English of every shipped game: it can be said at all, and for some games it is reviewed word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilgrim_rules.core import ir
from pilgrim_rules.core.derived import is_derived
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import read_game
from pilgrim_rules.prose import say_action, say_claim, say_def, say_order, say_ranking, say_score_line
from tests.prose.test_english import as_text

GOLDEN = Path(__file__).parent / "golden"


def whole(game: ir.Game) -> str:
    """Return all English of a game."""
    parts = [as_text(say_action(game, action)) for action in game.actions]
    parts += [
        f"{definition.name}: {say_def(game, definition)}" for definition in game.defs if not is_derived(definition.name)
    ]
    parts += [f"{claim.name}: {say_claim(game, claim)}" for claim in game.claims]
    parts += [f"{ranking.name}: {say_ranking(game, ranking)}" for ranking in game.rankings]
    if game.score is not None:
        parts += [f"{line.label}: {say_score_line(game, line)}" for line in game.score.lines]
        parts.append(say_order(game))
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("name", find_game.names())
def test_every_shipped_game_can_be_said(name: str) -> None:
    try:
        game = read_game(name)
    except RulesError as mistakes:
        pytest.skip(f"{name} cannot be loaded: {mistakes}")

    assert "~" not in whole(game)
    assert "_" not in "".join(as_text(say_action(game, action)) for action in game.actions)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_the_english_is_as_reviewed(path: Path) -> None:
    """After a change of wording run `python -m tests.prose.test_zoo`, and read the diff."""
    assert whole(read_game(path.stem)) == path.read_text(encoding="utf-8")


if __name__ == "__main__":
    for golden in GOLDEN.glob("*.txt"):
        golden.write_text(whole(read_game(golden.stem)), encoding="utf-8")
