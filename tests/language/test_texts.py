"""Texts of rows: each card says what it does, definitions have one chain of cases, and no card is forgotten."""

import pytest

from pilgrim_rules.core.show import show_game
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.inputs.clauses.clause_coverage import cards, cards_to_text
from pilgrim_rules.language.load import read_game
from pilgrim_rules.language.syntax.format import format_source
from pilgrim_rules.prose import say_text

RULES = """\
game small
    players 1..1 named ann

enum Event: rain, drought, calm
enum Good: wool, grain

stages
    playing by turn
    over nobody

state
    turn  : Player
    event : Event?
    coins : 0..9 = 0

def price(g: Good) -> 0..9 default 2

text rain of Event
    at once: coins += 1

text drought of Event
    ## Nothing grows.
    at once:
        if coins > 3: coins = 0
        else: coins = 1
    while event == drought: price(grain) = 5

text calm of Event: nothing

action reveal(e: Event)
    during playing
    do
        event = e
        text of e

action sell(g: Good)
    during playing
    do raise coins by price(g), at most 9
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that reads the game, changed."""

    def read(old="", new=""):
        path = tmp_path / "small.rules"
        path.write_text(RULES.replace(old, new), encoding="utf-8")
        return read_game(path)

    return read


RAIN, DROUGHT, CALM = range(3)
WOOL, GRAIN = range(2)


def coins(code, *moves):
    """Return the coins after some moves from the start."""
    state = code.start
    for name, *args in moves:
        state = code.apply(state, name, tuple(args))
    return code.layout.decode(state)["coins"][0]


def test_the_text_of_the_card_happens(load):
    code = compiled(load())

    assert 1 == coins(code, ("reveal", RAIN))
    assert 1 == coins(code, ("reveal", DROUGHT))
    assert 0 == coins(code, ("reveal", CALM))


def test_what_lasts_changes_a_definition_and_nothing_else(load):
    code = compiled(load())

    assert [2, 2] == [coins(code, ("sell", good)) for good in (WOOL, GRAIN)]
    assert [3, 6] == [coins(code, ("reveal", DROUGHT), ("sell", good)) for good in (WOOL, GRAIN)]


def test_the_first_text_decides(load):
    code = compiled(load("at once: coins += 1", "at once: coins += 1\n    while coins > 0: price(g) = 4 + ord(g)"))

    assert 6 == coins(code, ("reveal", DROUGHT), ("sell", GRAIN))


def test_each_card_is_said(load):
    game = load()
    rain, drought, calm = (" ".join(step.text for step in say_text(game, text)) for text in game.texts)

    assert "coins rises by 1" in rain.lower()
    assert "As long as" in drought
    assert "Nothing happens." == calm


def test_what_a_card_makes_true_is_said_plainly(load):
    rules = "def closed() default false\n\ntext rain of Event"
    game = load("text rain of Event\n    at once: coins += 1", f"{rules}\n    while event == rain: closed() = true")
    rain = " ".join(step.text for step in say_text(game, game.texts[0]))

    assert "closed" in rain
    assert "true" not in rain


def test_cards_are_counted(load):
    (found,) = cards(load())

    assert ("Event", 3, (), ("calm",)) == (found.table, found.total, found.cited, found.nothing)
    assert "Event: 3 cards" in cards_to_text(load())


def test_texts_are_shown_and_laid_out_as_they_are_written(load):
    assert "text of e" in show_game(load())
    assert RULES == format_source(RULES, "small.rules")


@pytest.mark.parametrize(
    ("old", "new"),
    [("text calm of Event: nothing", ""), ("text calm of Event", "text storm of Event"),
     ("-> 0..9 default 2", "-> 0..9 = 2"), ("text of e", "text of turn"), ("coins += 1", "text of rain")],
)  # fmt: skip
def test_a_card_without_text_and_a_text_without_card_are_refused(load, old, new):
    with pytest.raises(RulesError) as refusal:
        load(old, new)

    assert "PR332" in {found.code.id for found in refusal.value.diagnostics}
