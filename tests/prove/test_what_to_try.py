"""An obligation without an answer comes with a line that says what to try."""

import pytest

from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.language.load import read_game
from verifier.claims.obligations import Obligation, obligations
from verifier.prove.run import verify
from verifier.prove.what_to_try import what_is_on_its_way, what_to_exclude, what_to_try

RULES = """\
game piles
    players 2..2 named ann, ben

enum Stone: a, b, c, d, e, f, g, h, i, j, k, l

stages
    taking by turn
    over nobody

state
    turn          : Player = ann
    owner[Stone]  : Player? = none
    small         : 0..9

action take(s: Stone)
    during taking
    require owner[s] is none
    do
        owner[s] = turn
        for t in Stone where owner[t] is none: owner[t] = none
        turn = next(turn)
        if all t in Stone: owner[t] is some: stage = over

def stones(p: Player) = count of s in Stone where owner[s] == p

invariant no_more_than_half: all p in Player: stones(p) <= 12 and (count of s in Stone where owner[s] is none) <= 12
invariant few: small <= 9
invariant fewer using few, no_more_than_half: stones(ann) <= 8
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    path = tmp_path_factory.mktemp("piles") / "piles.rules"
    path.write_text(RULES)
    return read_game(path)


def advice(game, name, open_data=()):
    return what_to_try(game, next(each for each in obligations(game) if each.name == f"piles.{name}"), open_data)


def test_a_wide_count_is_to_be_kept(game):
    said = advice(game, "invariant.no_more_than_half/take")

    assert "keep `count of s in Stone where" in said
    assert "claim each count by itself" in said
    assert "let `take` do in several steps what it does for all of `Stone` at once" in said


def test_a_dead_end_needs_an_action_that_is_always_possible(game):
    assert "`taking by … always ACTION`" in advice(game, "no_dead_end/taking")


def test_data_that_are_left_open_need_a_law(game):
    assert "a law about `price`" in advice(game, "range/take", ("price",))


def test_what_uses_lemmas_may_follow_from_them(game):
    said = advice(game, "invariant.fewer/take")

    assert "`follows from few, no_more_than_half` and what else implies it, in place of `using`" in said


def test_where_nothing_is_wide_the_query_can_be_explained(game):
    said = advice(game, "invariant.few/initially")

    assert "to try: `pilgrim prove --explain invariant.few/initially`, which says what is asked" == said


def test_a_spent_budget_says_what_to_try(game):
    report = verify(game, names=("invariant.no_more_than_half/take",), budget=1, confirm=False, cache=False, jobs=1)

    (found,) = report.records
    assert Verdict.NOT_SETTLED is found.verdict
    assert "to try: keep `count of" in found.reason


def test_a_claim_that_is_not_inductive_says_what_to_exclude(tmp_path):
    rules = tmp_path / "hidden.rules"
    rules.write_text(
        'game hidden "A counter that only claims could know"\n    players 1..1 named ann\n\n'
        "stages\n    going by ann\n    over nobody\n\n"
        "state\n    x : 0..999 = 0\n\n"
        "action give\n    do x = (x + 2) mod 1000\n\n"
        "action stop\n    do stage = over\n\n"
        "invariant never: x != 501\n"
    )
    report = verify(read_game(str(rules)), names=("invariant.never/give",), confirm=False, cache=False, jobs=1)

    (found,) = (each for each in report.records if each.name == "hidden.invariant.never/give")
    assert Verdict.NOT_INDUCTIVE is found.verdict
    assert "to try: an invariant that this state breaks" in found.reason


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("no_leak", "say what is given away, with `reveal` or `public def`"),
        ("follows", "another invariant behind `follows from`"),
        ("kept", "an invariant that this state breaks"),
    ],
)
def test_what_helps_against_a_state_that_nobody_reaches_depends_on_what_is_asked(kind, says, game):
    said = what_to_exclude(game, Obligation(f"lost.{kind}/go", kind, f"lost.{kind}", "…"))

    assert said.startswith("to try: ")
    assert says in said
    assert "`pilgrim explore`" in said


DRAWN = """\
game drawn
    players 2..2 named ann, ben

enum Card: one, two, three

zones of c in Card
    deck
    hand[Player]

stages
    beginning auto
    playing by ann
    over nobody

auto begin
    during beginning
    do draw 1 from deck to hand[ann] then playing

action end
    during playing
    do stage = over

invariant one_card: stage == playing implies count(hand[ann]) == 1
invariant one_card_and_more
    stage == playing or interrupted(playing) implies count(hand[ann]) + coming(hand[ann]) == 1
"""


@pytest.mark.parametrize(("claim", "helps"), [("one_card", True), ("one_card_and_more", False)])
def test_a_claim_about_a_stage_forgets_the_draw_that_leads_there(claim, helps, tmp_path):
    path = tmp_path / "drawn.rules"
    path.write_text(DRAWN)
    drawn = read_game(path)
    obligation = next(each for each in obligations(drawn) if each.name == f"drawn.invariant.{claim}/draw_deck")

    assert helps == ("`stage == S or interrupted(S)`" in what_to_exclude(drawn, obligation))


CARDS = """\
game cards
    players 2..2 named ann, ben

enum Card: page, knight, queen, king

zones of Card
    deck hidden
    hand[Player] private

stages
    drawing auto
    playing by turn
    over nobody

state
    turn : Player = ann

auto begin_turn during drawing
    do
        if count(deck) == 0: stage = over
        else: draw 1 from deck to hand[turn] then playing

action rest
    during playing
    do
        turn = next(turn)
        stage = drawing

step the_turn_goes_on: stage == playing implies turn' != turn
invariant four: stage == over or count(deck) + count(hand[ann]) + count(hand[ben]) == 4
invariant forgotten: stage in {drawing, playing, over} or count(deck) > 3
terminates by (count(deck), 1 if stage == playing else 0)
"""


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    path = tmp_path_factory.mktemp("cards") / "cards.rules"
    path.write_text(CARDS)
    return read_game(path)


def of(game, name):
    return next(each for each in obligations(game) if each.name == f"cards.{name}")


def test_a_claim_that_idle_steps_break_says_for_whom_it_stands(cards):
    said = what_to_exclude(cards, of(cards, "step.the_turn_goes_on/otherwise"))

    assert "this part stands for all actions that write nothing it primes (`turn'`)" in said
    assert "`contract the_turn_goes_on of ACTION`" in said
    assert "an invariant" not in said


def test_a_claim_that_forgets_a_draw_is_told_of_what_is_on_its_way(cards):
    assert "`count(hand[p]) + coming(hand[p])`" in what_is_on_its_way(
        cards, of(cards, "invariant.forgotten/begin_turn")
    )
    assert not what_is_on_its_way(cards, of(cards, "invariant.forgotten/rest"))


def test_a_measure_that_forgets_a_draw_is_told_what_is_due(cards):
    said = what_is_on_its_way(cards, of(cards, "terminates.terminates/begin_turn"))

    assert "`count(deck) - due(deck)`" in said
