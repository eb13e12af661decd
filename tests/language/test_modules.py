"""Modules: mechanisms that games share, with their claims."""

import re
from collections import Counter

import pytest

from pilgrim_rules import load
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import check, load_rules, read_game

GAME = """\
game small
    players 2..2 named red, blue

enum Good: wood, stone

stages
    playing by turn
    over nobody

state
    turn        : Player
    gold[Player] : 0..9 = 3
    n           : 0..9

def worth(g: Good) -> 0..9 = 2 if g == stone else 1

effect cheer(p: Player)
    raise gold[p] by 1, at most 9

action rest
    during playing
    do turn = next(turn)
"""

TRACK = """\
module track "A track"
    ## Markers go up.
    takes type Kind            ## what has a marker
    takes last : 1..20 = 5     ## the top
    takes def step_of(k: Kind) -> 0..9
    takes effect at_the_top(p: Player)
    takes state purse[Player] : 0..

state
    track[Kind] : 0..last = 0

effect climb(p: Player, k: Kind)
    ## One goes up.
    for n in Kind where n == k: raise track[n] by step_of(n), at most last
    if track[k] == last: at_the_top(p)
    purse[p] = the (purse[p])

invariant low_enough: all k in Kind: track[k] <= last
"""


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return a function that reads a game whose own modules are given."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib").mkdir()

    def reader(text, **modules):
        for name, module in modules.items():
            (tmp_path / "lib" / f"{name}.rules").write_text(module)
        (tmp_path / "small.rules").write_text(text)
        return load_rules("small.rules")

    return reader


def mistakes(read, text, **modules):
    with pytest.raises(RulesError) as refused:
        read(text, **modules)
    return refused.value.diagnostics


def test_two_uses_have_names_of_their_own(read):
    text = (
        GAME
        + "\nuse track(Good, 7, worth, cheer, gold) as piety\n"
        + "\nuse track(Kind=Good, step_of=worth, at_the_top=cheer, purse=gold) as fame\n"
        + "\naction pray(g: Good)\n    during playing\n    do\n        piety_climb(turn, g)\n        fame_climb(turn, g)\n"
    )
    game = read(text, track=TRACK).game

    assert {"turn", "gold", "n", "piety", "fame"} == {each.name for each in game.variables} - {"stage"}
    assert {"piety_low_enough", "fame_low_enough"} == {each.name for each in game.claims if each.kind == "invariant"}
    assert [7, 5] == [max(v.type.hi for v in game.variables if v.name == name) for name in ("piety", "fame")]
    state = load("small.rules").start().play("pray(stone)").play("pray(stone)")
    assert {4} == {state[name, "stone"] for name in ("piety", "fame")}


def test_without_a_name_of_its_own_a_use_keeps_the_names_of_the_module(read):
    game = read(GAME + "\nuse track(Good, 7, worth, cheer, gold)\n", track=TRACK).game

    assert "track" in {each.name for each in game.variables}
    assert "low_enough" in {each.name for each in game.claims}


def test_a_mistake_in_a_module_is_shown_where_it_stands_and_where_it_is_used(read):
    wrong = TRACK.replace("raise track[n] by", "raise trak[n] by")
    (found,) = mistakes(read, GAME + "\nuse track(Good, 7, worth, cheer, gold) as piety\n", track=wrong)

    assert "unknown variable `trak`" == found.message
    assert "lib/track.rules" == found.span.file
    assert [("small.rules", "used here")] == [(span.file, label) for span, label in found.related]


def test_a_value_that_does_not_fit_is_shown_where_it_is_given(read):
    (found,) = mistakes(read, GAME + "\nuse track(Good, 70, worth, cheer, gold) as piety\n", track=TRACK)

    assert ("small.rules", "the value 70 is outside `1..20`") == (found.span.file, found.message)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("Good, 7, worth, cheer", "the module `track` takes a variable, `purse`"),
        ("Good, 7, worth, cheer, gold, gold", "the module `track` takes 5, and this is one more"),
        ("Good, 7, worth, cheer, purs=gold", "the module `track` takes no `purs`"),
        ("Good, 7, worth, cheer, gold, Kind=Good", "`Kind` is given twice"),
        ("worth, 7, worth, cheer, gold", "`Kind` is a type, and `worth` is not"),
        ("Good, 7, cheer, cheer, gold", "`step_of` is a definition, and `cheer` is not"),
        ("Good, 7, worth, worth, gold", "`at_the_top` is an effect, and `worth` is not"),
        ("Good, 7, worth, cheer, worth", "`purse` is a variable, and `worth` is not"),
        ("Good, 7, worth, cheer, 3 + 4", "`purse` is a variable, which is given by its name"),
        ("Player, 7, worth, cheer, gold", "`worth` is of other types than what the module takes"),
        ("Good, 7, worth, cheer, n", "`n` has 1 types of its index and value, where the module takes 2"),
        ("Good, 7, worth, cheer, turn", "`turn` has 1 types of its index and value, where the module takes 2"),
    ],
)
def test_what_is_given_must_be_what_is_taken(read, given, message):
    found = mistakes(read, GAME + f"\nuse track({given}) as piety\n", track=TRACK)

    assert ("PR215", message) == (found[0].code.id, found[0].message)


def test_a_module_cannot_speak_of_what_it_does_not_take(read):
    greedy = "module greedy\n\neffect grab() \n    n = 0\n"
    (found,) = mistakes(read, GAME + "\nuse greedy as hoard\n", greedy=greedy)

    assert ("PR216", "lib/greedy.rules") == (found.code.id, found.span.file)


def test_a_module_stands_in_a_file_of_its_own(read):
    assert ["PR216"] == [each.code.id for each in mistakes(read, GAME + "\nmodule inside\n")]


def test_what_a_module_binds_hides_nothing_of_the_game(read):
    """`n` is a variable of the game, and the module has a loop over `n`."""
    game = read(GAME + "\nuse track(Good, 7, worth, cheer, gold) as piety\n", track=TRACK).game

    assert "n" in {each.name for each in game.variables}


def test_modules_may_use_modules_and_both_places_are_shown(read):
    outer = "module outer\n    takes type Thing\n\nuse inner(Thing) as box\n\ndef full(t: Thing) = box[t] == 3\n"
    inner = "module inner\n    takes type Item\n\nstate\n    inner[Item] : 0..3 = 0\n"
    game = read(GAME + "\nuse outer(Good) as shed\n", outer=outer, inner=inner).game

    assert {"shed_box"} <= {each.name for each in game.variables}
    (found,) = mistakes(
        read, GAME + "\nuse outer(Good) as shed\n", outer=outer, inner=inner.replace("0..3 = 0", "0..3 = 7")
    )
    assert ["lib/outer.rules", "small.rules"] == [span.file for span, _ in found.related]


def test_modules_that_use_each_other_go_round(read):
    one = "module one\n\nuse two as b\n"
    two = "module two\n\nuse one as a\n"
    (found,) = mistakes(read, GAME + "\nuse one as x\n", one=one, two=two)

    assert ("PR210", "modules go round: `one` uses `two` uses `one`") == (found.code.id, found.message)


def test_stages_and_zones_of_a_module_join_those_of_the_game(read):
    deck = """\
module deck
    takes type Card
    takes state turn : Player

zones of Card
    deck hidden
    pile

stages
    sub sorting by turn

effect turn_over()
    draw 1 from deck to pile

action enough
    during sorting
    do return

invariant drawn_one_by_one: stage == drawing_deck implies due(deck) > 0
"""
    text = (
        GAME
        + "\nuse deck(Good, turn) as stack\n\naction look\n    during playing\n    do stack_turn_over()\n\naction sort\n    during playing\n    do call stack_sorting\n"
    )
    game = read(text, deck=deck).game

    assert ["playing", "over", "stack_sorting", "drawing_stack"] == [each.name for each in game.stages]
    assert {"draw_stack", "stack_enough"} <= {each.name for each in game.actions}


def test_rules_of_a_module_cite_what_its_use_cites(read, tmp_path):
    (tmp_path / "c.toml").write_text(
        '[[clause]]\nid = "TRK-1"\nsection = "Track"\nkind = "effect"\ntext = "Markers go up."\n'
    )
    text = GAME.replace("    players", '    clauses "c.toml"\n    players', 1)
    game = read(text + "\nuse track(Good, 7, worth, cheer, gold) as piety cites TRK-1\n", track=TRACK).game

    assert [("TRK-1",)] == [each.note.clauses for each in game.effects if each.name == "piety_climb"]
    assert [()] == [each.note.clauses for each in game.claims if each.name == "piety_low_enough"]


def test_what_is_kept_of_a_game_is_forgotten_when_a_module_changes_or_another_stands_above_it(
    read, tmp_path, monkeypatch
):
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path / "cache"))
    text = GAME + "\nuse clock(9, turn, playing, over) as days\n"
    assert "days" in {each.name for each in read(text).game.variables}
    mine = "module clock\n    takes a : 0..9\n    takes state b : Player\n    takes stage c\n    takes stage d\n\nstate\n    hours : 0..a = 0\n"

    assert "days_hours" in {each.name for each in read(text, clock=mine).game.variables}
    assert "days_minutes" in {each.name for each in read(text, clock=mine.replace("hours", "minutes")).game.variables}


def test_every_module_is_used_by_two_games_and_documented():
    uses = Counter()
    for name in find_game.names():
        found = {
            each for path in find_game.find(name) for each in re.findall(r"^use (\w+)", path.read_text(), re.MULTILINE)
        }
        uses.update(found)
    named = [path.stem for path in find_game.modules()]

    assert [] == [name for name in named if uses[name] < 2]
    assert [] == [path.stem for path in find_game.modules() if '"\n    ##' not in path.read_text()]


def test_a_folder_of_modules_is_no_game():
    assert find_game.LIB not in find_game.names()


def test_check_finds_mistakes_of_modules(read):
    read(GAME)
    with pytest.raises(RulesError):
        read(GAME + "\nuse seat(playing, over, red)\n")

    assert ["PR214"] == [each.code.id for each in check("small.rules").errors]


def test_a_game_that_uses_a_module_can_be_read_with_other_choices():
    assert 4 == read_game("hoard", players=4).players
