"""Maps and data: another map loads if it is one, and a mistake in it breaks a law that is named where it stands."""

import json
import re
import tomllib

import pytest

import pilgrim_rules as pr
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.inputs.data.edition import SOURCES
from pilgrim_rules.language import find_game
from tests.games.pilgrim.directed import play
from tests.games.pilgrim.test_play import ends_well

FOLDER = find_game.find("pilgrim")[0].parent
REFERENCE = (FOLDER / "data" / "map.toml").read_text("utf-8")


def changed(text, cell, **columns):
    """Return a map with other columns of a cell; None takes a column away."""
    start = text.index(f'[[cell]]\nname = "{cell}"\n')
    end = text.find("\n[[cell]]", start) % (len(text) + 1)
    block = text[start:end].rstrip()
    for column, value in columns.items():
        block = re.sub(rf"\n{column} = [^\n]*", "", block)
        if value is not None:
            block += f"\n{column} = {json.dumps(value)}"
    return f"{text[:start]}{block}\n{text[end:]}"


@pytest.fixture
def load(tmp_path):
    """Return a function that loads the game with the text of a map."""

    def loaded(text):
        path = tmp_path / "map.toml"
        path.write_text(text, "utf-8")
        return pr.load("pilgrim", players=2, map=str(path))

    return loaded


@pytest.mark.covers("CMP-1", "SET-11")
def test_another_map_loads_and_is_played_to_the_end(load):
    """The numbers of two hexes of the north-west quarter are exchanged, and a bank of a river is given up."""
    other = changed(changed(REFERENCE, "d1", die=6), "e1", die=5)
    game = load(other.replace('"to_s" = "one_bank", ', "", 1))

    assert ends_well(play(game, seed=0)[-1])


#: What is wrong with a map, and the law that it breaks.
MISTAKES = {
    "two cities": (changed(REFERENCE, "b2", terrain="urban", quadrant=None), "one_city"),
    "no port": (changed(REFERENCE, "a1", terrain="land", port=None, quadrant="nw"), "four_ports"),
    "a port inland": (
        changed(changed(REFERENCE, "a1", terrain="land", port=None, quadrant="nw"), "c3", terrain="port", quadrant=None, port="port_nw"),
        "ports_lie_on_the_rim",
    ),
    "a gap in the ring": (changed(REFERENCE, "d1", space=None), "ring_is_whole"),
    "a ring that jumps": (changed(changed(REFERENCE, "b1", space=10), "j1", space=2), "ring_goes_round"),
    "land without a quarter": (changed(REFERENCE, "c3", quadrant=None), "quarters_are_land"),
    "quarters side by side": (changed(REFERENCE, "c3", quadrant="sw"), "rivers_part_quarters"),
    "a number twice": (changed(REFERENCE, "d1", die=6), "die_spaces"),
    "a site behind water": (
        changed(changed(REFERENCE, "b2", terrain="river", quadrant=None), "b3", terrain="river", quadrant=None),
        "sites_can_be_reached",
    ),
    "a gate that is not listed": (changed(REFERENCE, "f4", terrain="land", quadrant="nw"), "every_gate_is_listed"),
}  # fmt: skip


def slowly(name):
    """Return a mistake as a parameter; each loads the game anew, so all but one are looked for in long runs only."""
    return pytest.param(*MISTAKES[name], id=name, marks=() if name == "a site behind water" else pytest.mark.slow)


@pytest.mark.parametrize(("text", "law"), [slowly(name) for name in MISTAKES])
@pytest.mark.covers("CMP-1", "MAP-2", "MAP-8", "RND-6", "SET-11", "TRD-2")
def test_a_mistake_in_a_map_is_a_law_that_does_not_hold(load, text, law):
    with pytest.raises(RulesError) as refusal:
        load(text)

    broken = {each.message: each for each in refusal.value.diagnostics}
    found = broken[f"the data breaks the law `{law}`"]
    assert "PR507" == found.code.id
    assert found.span.file.endswith("rules/10-components.rules")
    assert found.help


def test_every_entry_of_the_edition_says_where_it_comes_from():
    entries = tomllib.loads((FOLDER / "data" / "edition.toml").read_text("utf-8"))

    assert [] == [name for name, entry in entries.items() if entry.get("source") not in SOURCES]
    assert [] == [name for name, entry in entries.items() if entry["source"] == "assumed" and "unknown" not in entry]


def test_the_map_says_that_it_is_assumed():
    assert tomllib.loads(REFERENCE)["note"].startswith("assumed")


def test_what_the_rules_take_from_the_edition_and_do_not_state_is_marked_as_assumed():
    entries = tomllib.loads((FOLDER / "data" / "edition.toml").read_text("utf-8"))
    constants = {each.name: each for each in pr.load("pilgrim", players=2).core.constants}

    assert {name: True for name, entry in entries.items() if entry["source"] == "assumed" and name in constants} == {
        name: constants[name].assumed for name in entries if entries[name]["source"] == "assumed" and name in constants
    }
