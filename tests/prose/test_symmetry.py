"""A symmetry in English."""

from pilgrim_rules.language.load import read_game
from pilgrim_rules.prose import say_symmetry


def test_a_symmetry_says_what_changes_places():
    core = read_game("connect_four")
    [behind] = core.symmetries

    assert (
        "Nothing about the game changes if every column goes where the table “column behind” sends it and every square goes where"
        " the table “square behind” sends it."
    ) == say_symmetry(core, behind)
