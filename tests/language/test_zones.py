"""Zones: a piece is in one place, numbers and order are kept, chance draws fairly, and the lemmas prove themselves."""

from collections import Counter

import pytest

from pilgrim_rules.core.show import show_game
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.language.load import read_game
from pilgrim_rules.language.syntax.format import format_source
from pilgrim_rules.prose import say_action
from tests.support.proved_texts import game, proved_with_lemmas, record
from verifier.claims.obligations import obligations
from verifier.prove.run import verify

RULES = """\
game small
    players 2..2 named ann, ben

enum Card: ace, king, queen, jack

zones of Card
    deck
    hand[Player]
    pile
    train ordered

stages
    playing by turn
    over nobody

state
    turn : Player

action take
    during playing
    require count(deck) + count(pile) > 0
    do draw 2 from deck to hand[turn]

action play(c: Card)
    during playing
    require c in hand[turn]
    do move c from hand[turn] to pile

action lay(c: Card)
    during playing
    require c in hand[turn]
    do move c from hand[turn] to train

action push(c: Card)
    during playing
    require c in hand[turn]
    do move c from hand[turn] to train at 1

action lift(c: Card)
    during playing
    require c in train
    do move c from train to hand[turn]

action end
    during playing
    require none of c in hand[turn]: c == ace
    do stage = over
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that reads the game, changed."""

    def read(old="", new=""):
        path = tmp_path / "small.rules"
        path.write_text(RULES.replace(old, new), encoding="utf-8")
        return read_game(path)

    return read


def zones(code, state):
    """Return the place of each card by its label, and the numbers of cards."""
    cells = code.layout.decode(state)
    place = next(each for each in code.game.variables if each.name == "place.Card")
    return [place.type.labels[each] for each in cells["place.Card"]], list(cells["count.Card"])


def played(code, *moves):
    """Return the state after some moves from the start."""
    state = code.start
    for name, *args in moves:
        state = code.apply(state, name, tuple(args))
    return state


ACE, KING, QUEEN, JACK = range(4)
HAND = (("take",), ("draw_deck", ACE), ("draw_deck", QUEEN))


def test_a_piece_is_in_one_place_and_the_numbers_follow(load):
    code = compiled(load())

    places, numbers = zones(code, played(code, *HAND, ("play", ACE)))

    assert ["pile", "deck", "hand[ann]", "deck"] == places
    assert [2, 1, 0, 1, 0] == numbers


def test_chance_draws_each_piece_of_the_deck_alike(load):
    code = compiled(load())
    state = played(code, *HAND[:2])

    assert {KING, QUEEN, JACK} == {args[0] for args in code.legal(state, "draw_deck")}
    assert 1 == len({code.weight(state, "draw_deck", args) for args in code.legal(state, "draw_deck")})


def test_no_more_is_drawn_than_there_is(load):
    code = compiled(load("draw 2", "draw 9"))
    state = played(code, ("take",), *(("draw_deck", card) for card in range(4)))

    assert [0, 4, 0, 0, 0] == zones(code, state)[1]
    assert "playing" == code.game.stage.labels[code.layout.decode(state)["stage"][0]]


def test_an_empty_deck_is_refilled(load):
    code = compiled(load("    deck\n", "    deck refilled from pile\n"))
    state = played(code, *HAND, ("play", ACE), ("play", QUEEN), ("take",), ("draw_deck", KING), ("draw_deck", JACK))
    empty = code.apply(state, "play", (KING,))
    again = code.apply(code.apply(empty, "take", ()), "draw_deck", (ACE,))

    assert {"hand[ann]": 1, "pile": 3} == Counter(zones(code, empty)[0])
    assert {"hand[ann]": 2, "deck": 2} == Counter(zones(code, again)[0])


def test_a_sequence_has_no_gaps(load):
    code = compiled(load("draw 2", "draw 3"))
    state = played(
        code, ("take",), ("draw_deck", ACE), ("draw_deck", KING), ("draw_deck", QUEEN),
        ("lay", ACE), ("lay", KING), ("push", QUEEN),
    )  # fmt: skip

    assert [2, 3, 1, 0] == list(code.layout.decode(state)["position.Card"])
    assert [0, 2, 1, 0] == list(code.layout.decode(code.apply(state, "lift", (ACE,)))["position.Card"])


def test_the_lemmas_prove_themselves(load):
    records = verify(load()).records
    made = [each for each in records if ".zone." in each.name or ".zones." in each.name or ".order." in each.name]

    assert len(made) > 30
    assert {Verdict.PROVED} == {each.verdict for each in made}
    assert {Verdict.PROVED} == {each.verdict for each in records if ".range" in each.name or ".draw.deck" in each.name}


def test_moving_what_is_not_there_is_a_contradiction_that_the_proof_finds(load):
    game = load(
        "    require c in hand[turn]\n    do move c from hand[turn] to pile", "    do move c from hand[turn] to pile"
    )
    found = [each for each in verify(game).records if each.name.startswith("small.range/play")]

    assert {Verdict.REFUTED} == {each.verdict for each in found}


def test_zones_are_shown_and_said_as_they_are_written(load):
    game = load()
    text = show_game(game)
    play = next(each for each in game.actions if each.name == "play")
    said = " ".join(step.text for step in say_action(game, play).sections[-1].steps)

    assert "move c from hand[turn] to pile" in text
    assert "draw 2 from deck to hand[turn]" in text
    assert "to the pile" in said


def test_zones_are_laid_out_once():
    assert RULES == format_source(RULES, "small.rules")


def test_a_zone_without_order_has_no_positions(load):
    with pytest.raises(RulesError) as refusal:
        load("to pile", "to pile at 2")

    assert {"PR331"} == {found.code.id for found in refusal.value.diagnostics}


HIDDEN_KINDS = """\
    game bag "A bag"
        players 2..2 named ann, ben

    rows Ball
        copies : 1..3
        row red  : 3
        row blue : 1

    zones of b in Ball: 0..3 = b.copies
        bag hidden
        hand[Player] private

    stages
        drawing by turn
        over nobody

    state
        turn : Player = ann

    action reach_in
        during drawing
        do
            draw 1 from bag to hand[turn] then (over if count(bag) == 1 else drawing)
            turn = next(turn)
    """


def test_how_many_of_all_kinds_lie_in_a_hidden_zone_is_open():
    """The kinds are hidden, their number is not: so a draw tells nothing, and nobody has to say so."""
    made = game(HIDDEN_KINDS)

    assert {"count.bag", "count.hand"} == {each.name for each in made.defs if each.public}
    for name in ("no_leak/reach_in", "no_leak/draw_bag"):
        assert Verdict.PROVED is record(made, name).verdict


def test_that_a_drawn_piece_is_there_is_no_requirement_that_must_be_able_to_fail():
    assert [] == [each.name for each in obligations(game(HIDDEN_KINDS)) if each.kind == "can_refuse"]


HANDS = """
def holds(p: Player, c: Card) -> bool = c in hand[p]

step hands_only_grow: all p in Player, c in Card: holds(p, c) implies holds'(p, c)
step hands_lose_one: all p in Player: (count of c in Card where holds(p, c) and not holds'(p, c)) <= 1

contract on_the_pile of play
    changes only hand[turn], pile
    ensures not holds'(turn, c)

contract a_card_less of lay
    hand[turn] pays 1 to train
    changes only stage

contract from_the_deck of lift
    changes only deck, hand[turn]

contract two_at_most of take
    changes only stage
"""


def test_what_lies_in_a_zone_is_asked_of_the_state_after_a_step(load):
    """Of claims that prime a definition, and of contracts that name zones."""
    made = load("action end", HANDS + "\naction end")

    report = proved_with_lemmas(made, "step.*", "contract.*")
    wrong = {each.name.partition(".")[2] for each in report.records if each.verdict is not Verdict.PROVED}

    shrinks = {f"step.hands_only_grow/{action}" for action in ("lay", "play", "push")}
    assert {*shrinks, "contract.from_the_deck.frame/lift"} == wrong


def test_what_lay_in_a_zone_before_the_action_can_be_asked(load):
    made = load(
        "do move c from train to hand[turn]",
        "do\n        move c from train to hand[turn]\n        if old (c in hand[turn]): stage = over",
    )

    state = played(compiled(made), *HAND, ("lay", ACE), ("lift", ACE))

    assert 0 == compiled(made).layout.decode(state)["stage"][0]
