"""Trails twice: what the rules count is counted again from the tiles alone, and a rule that miscounts is noticed."""

import shutil
from contextlib import suppress

import pytest

import pilgrim_rules as pr
from pilgrim_rules.language import find_game
from pilgrim_rules.semantics.errors import Contradiction
from tests.games.pilgrim.directed import SHOWN, directed

FOLDER = find_game.find("pilgrim")[0].parent
#: Seeds of directed games of four players: one with a trade route, one that tries a second shrine early, and others with
#: shrines and consecrated trails.
TRAILS = (12, 92, *(seed for players, seed in SHOWN if players == 4))
QUICK = 5  #: of them, asked in every run


def broken(game, plays, wanted=None):
    """Return the audits that a state of these plays breaks, asked whenever a tile has changed; stop at the one wanted."""
    audits = [each.name for each in game.core.claims if each.kind == "audit"]
    found = set()
    for play in plays:
        with suppress(Contradiction):  # a mistake may lead to more than a wrong count
            for before, after, _ in play:
                if before["tile"] != after["tile"]:
                    found |= {each for each in audits if each not in found and not game.code.holds(each, after.data)}
                if wanted in found:
                    return found
    return found


@pytest.fixture(scope="module")
def four():
    return pr.load("pilgrim", players=4, ghosts=True)


@pytest.fixture(scope="module")
def plays(four):
    return [list(directed(four, seed)) for seed in TRAILS]


@pytest.mark.covers("INV-PATHS", "INV-SHRINE-SPACING", "INV-TRAIL-SCORE", "INV-SITE-ONCE")
@pytest.mark.parametrize(
    "some",
    [
        pytest.param(slice(None, QUICK), id="the first games"),
        pytest.param(slice(QUICK, None), id="the others", marks=pytest.mark.slow),
    ],
)
def test_both_accounts_agree_after_every_tile_of_the_directed_games(four, plays, some):
    assert set() == broken(four, plays[some])


def test_the_directed_games_have_trails_of_every_kind(plays):
    finals = [play[-1][1] for play in plays]

    assert any(any(final["ended"].values()) for final in finals)
    assert any(True in visited.values() for final in finals for visited in final["visited"].values())
    assert any(True in docked.values() for final in finals for docked in final["docked"].values())
    assert 2 <= max(shrines for final in finals for shrines in final["shrines"].values())


#: A line of the rules, what is made of it, and the audit that notices.
MISTAKES = {
    "paths": ("    road[h, out] = r\n", "    road[h, out] = r if tiles[r] mod 3 != 2 else none\n", "lengths"),
    "owners": ("    road[h, into] = r\n    road[h, out] = r\n", "    road[h, into] = (next(r.1), r.2)\n    road[h, out] = (next(r.1), r.2)\n", "roads_come_from_the_city"),
    "closed": ("        ended[r] = true                                                         cites TRD-3", "        ended[r] = false                                                        cites TRD-3", "goals_end_roads"),
    "lengths": ("    tiles[r] += 1\n    tail[r] += 1\n", "    tiles[r] += 1 if tail[r] != 2 else 0\n    tail[r] += 1\n", "lengths"),
    "gaps": ("    require tail[(active, no)] >= shrines[(active, no)] + 1 ", "    require tail[(active, no)] >= 1                         ", "gaps_between_shrines"),
    "scores": ("the shrines[r] + 1) * (tail[r] + 1)", "the shrines[r] + 1) * tail[r]", "trails_score"),
    "consecrated": ("points[r] += tail[r] * last_multiplier(shrines[r])", "points[r] += tail[r] * last_multiplier(shrines[r]) + 1", "consecrated_trails_score"),
    "open": ("    tail[r] = 0\n    tip[r] = h\n", "    tail[r] = 1\n    tip[r] = h\n", "open_tails"),
}  # fmt: skip


@pytest.mark.slow  # each compiles the game anew
@pytest.mark.parametrize(("line", "mistake", "audit"), MISTAKES.values(), ids=MISTAKES)
def test_a_rule_that_miscounts_is_noticed(tmp_path, line, mistake, audit):
    folder = tmp_path / "pilgrim"
    shutil.copytree(FOLDER, folder)
    (folder / "claims" / "50-contracts.rules").unlink()  # which would end the play before the audit is asked
    roads = folder / "rules" / "60-roads.rules"
    text = roads.read_text("utf-8")
    assert 1 == text.count(line)
    roads.write_text(text.replace(line, mistake), "utf-8")
    game = pr.load(folder, players=4, ghosts=True)

    assert audit in broken(game, (directed(game, seed) for seed in TRAILS), audit)
