"""Presets: a named choice of rulings, checked where it is written and overruled by who loads the game."""

import pytest

import pilgrim_rules as pr
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language.load import load_rules, read_game

TEXT = """\
game small
    players 2..2 named red, blue
    clauses "clauses.toml", "more.toml"

stages
    playing by turn
    over nobody

ruling last_leg
    option counts default
    option ignored

ruling first_leg                                                             cites GAP-FIRST
    option long default
    option short

preset plain "As it comes"

preset strict "To the letter"                                                cites DE-STRICT
    last_leg = ignored                                                       cites DE-LAST
    first_leg = short

state
    turn : Player

enum Colour: white, black                                                    cites CMP-1

action finish
    during playing
    do stage = over
"""
CLAUSES = """\
[[clause]]
id = "CMP-1"
section = "Components"
kind = "component"
text = "There are two colours."

[[gap]]
id = "GAP-FIRST"
kind = "silence"
clauses = ["CMP-1"]
problem = "How long is the first leg?"
options = ["long", "short"]
ruling = "long"
"""
DIFFERENCE = """\
[[difference]]
id = "{id}"
section = "Legs"
en = "It counts."
de = "It does not."
severity = "changes-play"
ruling = "English"

"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "clauses.toml").write_text(CLAUSES)
    (tmp_path / "more.toml").write_text(DIFFERENCE.format(id="DE-STRICT") + DIFFERENCE.format(id="DE-LAST"))
    path = tmp_path / "small.rules"
    path.write_text(TEXT)
    return path


def chosen(game):
    return {
        each.name: each.type.labels[each.values[0]] for each in game.constants if each.source == "ruling"
    }  # fmt: skip


def test_without_a_preset_every_ruling_has_its_default(path):
    assert {"last_leg": "counts", "first_leg": "long"} == chosen(read_game(path))


def test_a_preset_without_lines_changes_nothing(path):
    assert chosen(read_game(path)) == chosen(read_game(path, preset="plain"))


def test_a_preset_chooses_options(path):
    assert {"last_leg": "ignored", "first_leg": "short"} == chosen(read_game(path, preset="strict"))


def test_a_ruling_that_is_asked_for_stands_above_the_preset(path):
    game = read_game(path, preset="strict", rulings={"GAP-FIRST": "long"})

    assert {"last_leg": "ignored", "first_leg": "long"} == chosen(game)


def test_a_preset_is_kept_with_its_title_and_citations(path):
    preset = read_game(path).presets[1]

    assert ("strict", "To the letter") == (preset.name, preset.title)
    assert (("last_leg", "ignored"), ("first_leg", "short")) == preset.choices
    assert ("DE-STRICT", "DE-LAST") == preset.note.clauses


def test_what_leaves_only_a_name_in_the_core_keeps_its_citations(path):
    assert [("Colour", "enum", ("CMP-1",))] == [
        (each.name, each.kind, each.note.clauses) for each in read_game(path).namings
    ]


def test_an_inventory_may_have_several_files(path):
    inventory = load_rules(path).inventory

    assert ["CMP-1"] == [each.id for each in inventory.clauses]
    assert ["DE-STRICT", "DE-LAST"] == [each.id for each in inventory.differences]


def test_a_trace_spells_out_what_the_preset_has_chosen(path):
    game = pr.load(path, preset="strict")

    assert {"last_leg": "ignored", "first_leg": "short"} == game.instance["rulings"]
    assert game == pr.load(**game.instance)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("last_leg = ignored", "last_log = ignored", "no ruling or option `last_log`"),
        ("last_leg = ignored", "last_leg = ignoring", "ruling `last_leg` has no option `ignoring`"),
        ("first_leg = short", "last_leg = counts", "`last_leg` is chosen twice"),
    ],
)
def test_a_mistake_in_a_preset_is_found_though_nobody_chose_it(path, old, new, message):
    path.write_text(TEXT.replace(old, new))

    with pytest.raises(RulesError) as refusal:
        read_game(path)

    assert [message] == [each.message for each in refusal.value.diagnostics]
    assert refusal.value.diagnostics[0].span is not None


def test_a_preset_that_is_not_there_is_named(path):
    with pytest.raises(RulesError) as refusal:
        read_game(path, preset="strikt")

    assert [("no preset `strikt`", "did you mean `strict`?")] == [
        (each.message, each.help) for each in refusal.value.diagnostics
    ]
