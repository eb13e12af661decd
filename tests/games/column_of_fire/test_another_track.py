"""A Column of Fire on a track with fewer spaces of a colour than the one assumed: what its own examples cannot show."""

import shutil

import pytest

from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import load_rules

EXAMPLE = """
example blocked_before_a_ship under blocked = any_colour        cites GAP-MUST-MOVE-BLOCKED, TWO-2
    given players == 3
    given do lay_out()
    given do part_two(red)
    given disk[red] = space_4
    given disk[blue] = space_9
    given disk[green] = space_19
    given do ally(red, white, england_10, 2)
    given do ally(red, blue_die, france_10, 2)
    given do ally(red, orange, netherlands_10, 2)
    given do ally(red, purple, england_11, 2)
    when stay
    expect disk[red] == space_5 and ship_stone
    expect not ship_stone under blocked = any_colour, ship_stone_by = purple_die
    when lay_ship_stone under blocked = any_colour
    expect stones[france, neutral] == 1 under blocked = any_colour
"""


@pytest.fixture
def short_of_brown(tmp_path):
    """Return the rules with three brown spaces, and an example in which disks stand on all of them."""
    folder = tmp_path / "column_of_fire"
    shutil.copytree(find_game.shipped() / "column_of_fire", folder)
    data = folder / "data" / "edition.toml"
    brown = 'colour = "brown"'
    before, after = data.read_text("utf-8").split('name = "space_14"')
    assert after.lstrip(" ,").startswith(brown)
    data.write_text(f'{before}name = "space_14"{after.replace(brown, brown.replace("brown", "white"), 1)}', "utf-8")
    (folder / "boundaries" / "zz.rules").write_text(EXAMPLE, "utf-8")
    return load_rules(folder, players=3).game


@pytest.mark.slow
@pytest.mark.covers("TWO-2", "GAP-TWO-THREE-NEUTRAL")
def test_a_blocked_disk_that_comes_to_a_ship_brings_a_neutral_stone(short_of_brown):
    readings = CompiledReadings.from_game(short_of_brown)
    example = next(each for each in short_of_brown.examples if each.name == "blocked_before_a_ship")

    assert not run_example(readings, example).wrong
