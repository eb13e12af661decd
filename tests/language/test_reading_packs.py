"""Readings that are checked together: nothing depends on two of them, and no mistake is lost."""

from textwrap import dedent

from pilgrim_rules.core.origin import Origin
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.language import passes
from pilgrim_rules.language.load import check
from pilgrim_rules.language.names.reading_packs import joined, packed
from pilgrim_rules.language.names.symbols import collect
from pilgrim_rules.language.read_files import read_files

RULES = """
    game fork
        players 2..2

    ruling mode
        option one "one" default
        option two "two"

    ruling pace
        option slow "slow" default
        option fast "fast"

    ruling tone
        option high "high" default
        option low  "low"

    stages
        playing by turn

    state
        turn : Player
        a    : 0..9
        b    : 0..9

    def step(n: 0..9) -> 0..9 = n if pace == fast else 0

    action go
        do a = 1

    action jump
        only when mode == two
        require a == 0
        do a = 9

    action leap
        only when tone == low
        do b = step(b)
"""
MODE, PACE, TONE = ((("mode", "two"),), 2), ((("pace", "fast"),), 2), ((("tone", "low"),), 2)


def written(tmp_path, text):
    path = tmp_path / "fork.rules"
    path.write_text(dedent(text), "utf-8")
    return path


def symbols(path):
    bag = Bag()
    return collect(read_files((str(path),), bag).files, bag)


def test_readings_go_together_unless_a_rule_depends_on_both(tmp_path):
    packs = packed([MODE, PACE, TONE], symbols(written(tmp_path, RULES)))

    assert ((MODE, PACE), (TONE,)) == packs  # `leap` exists by the tone, and goes by the pace
    assert ((("mode", "two"), ("pace", "fast")), 2) == joined(packs[0])


def test_an_action_depends_on_who_decides_in_its_stage(tmp_path):
    text = RULES.replace("by turn", "by turn if pace == slow else next(turn)").replace(
        "do b = step(b)", "during playing\n        do b = 1"
    )
    packs = packed([PACE, TONE], symbols(written(tmp_path, text)))

    assert ((PACE,), (TONE,)) == packs  # `leap` exists by the tone, and the pace says who may do it


def test_readings_for_other_numbers_of_players_stay_apart(tmp_path):
    packs = packed([MODE, (PACE[0], 3)], symbols(written(tmp_path, RULES)))

    assert 2 == len(packs)


def test_a_mistake_of_one_reading_is_found_among_many(tmp_path):
    assert not check(written(tmp_path, RULES))

    found = check(written(tmp_path, RULES.replace("do a = 9", "do a = turn")))

    assert 1 == len(found.errors)


def test_few_instances_are_checked(tmp_path, monkeypatch):
    made = []
    usual = passes._instance
    monkeypatch.setattr(passes, "_instance", lambda *words: made.append(1) or usual(*words))

    passes.check(Origin((str(written(tmp_path, RULES.replace("pace == fast", "pace == slow"))),)))

    assert 2 == len(made)  # the default, and the two readings that have rules of their own
