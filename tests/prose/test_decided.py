"""Rules told as they are played: rulings decided, and what follows from that carried out."""

from pathlib import Path

import pytest

from pilgrim_rules.core.rulings import choices_of
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.prose import say_action, say_def, words
from pilgrim_rules.prose.apply_rulings import assignments_left
from pilgrim_rules.sphinx_ext.blocks.ruling_diff import ruling_diff

TEXT = """\
game fords "Fords"
    players 2..2 named ann, bob

ruling toll_due
    ## Is there a toll?
    option free "no" default
    option paid "yes"

stages
    crossing by turn
    over nobody

state
    turn : Player
    coins[Player] : 0..3 = 3
    spare[Player] : 0..3? = none
    banks : 0..9

action cross(n: 1..2)
    during crossing
    let kept = spare[turn]
        else "nothing is kept"
    require toll_due == free or coins[turn] >= n
        else "no coin for the toll"
    require n + 0 <= banks + 2
        else "too far"
    do
        let half = kept + 1
        if toll_due == paid: coins[turn] -= min(half, coins[turn])
        if banks < 8:
            if n == 1: banks += 1
        stage = over
"""


@pytest.fixture
def game(tmp_path: Path):
    path = tmp_path / "fords.rules"
    path.write_text(TEXT)
    return load_rules(path).game


def steps(game, **options):
    choices = choices_of(game)
    for ruling in game.rulings:
        if ruling.name in options:
            choices[ruling.name] = [name for name, _ in ruling.options].index(options[ruling.name])
    return [step.text for part in say_action(game, game.actions[0], choices).sections for step in part.steps]


def test_a_requirement_that_a_ruling_makes_idle_is_not_told(game) -> None:
    assert not any("toll" in text or "coins" in text for text in steps(game))


def test_under_the_other_option_it_is_told_without_naming_the_ruling(game) -> None:
    told = steps(game, toll_due="paid")

    assert "The number of your coins is at least the chosen number." in told
    assert not any("ruling" in text for text in told)


def test_a_value_that_nothing_uses_any_more_is_not_named(game) -> None:
    assert not any(text.startswith("Let the half") for text in steps(game))
    assert any(text.startswith("Let the half") for text in steps(game, toll_due="paid"))


def test_one_condition_inside_another_is_one_condition(game) -> None:
    assert "If the number of banks is less than 8 and the chosen number is 1, the number of banks rises by 1." in steps(
        game
    )


def test_nothing_is_added(game) -> None:
    assert not any("plus 0" in text for text in steps(game))


def test_a_name_and_that_it_is_there_are_one_sentence(game) -> None:
    assert any(text.endswith("; call it the kept.") for text in steps(game, toll_due="paid"))


@pytest.mark.parametrize(
    ("clause", "denied"),
    [
        ("x is still to be asked", "x is no longer to be asked"),
        ("h is a hex of the rim that no building has left", "h is not a hex of the rim that no building has left"),
        ("red is owed", "red is not owed"),
        ("“full” holds", "“full” does not hold"),
        ("the letter lies face down in its deck", "the letter does not lie face down in its deck"),
    ],
)
def test_a_clause_is_denied_by_its_own_verb(clause: str, denied: str) -> None:
    assert words.negated(clause) == denied


def test_names_that_lowering_told_apart_have_low_numbers() -> None:
    assert words.words("p~2") == "p₂"


DAMMED = TEXT.replace(
    "        stage = over\n",
    """\
        if stopped(): banks = 0
        stage = over

def stopped() -> bool = dry() and coins[turn] == 0
def dry() -> bool = toll_due == paid
""",
)


@pytest.mark.parametrize(
    ("options", "written"), [({}, ["banks", "stage"]), ({"toll_due": "paid"}, ["coins", "banks", "banks", "stage"])]
)
def test_what_stands_behind_an_answer_that_was_not_chosen_is_not_written(tmp_path: Path, options, written):
    """A definition that another one settles settles what asks it."""
    path = tmp_path / "fords.rules"
    path.write_text(DAMMED)
    game = load_rules(path, rulings=options).game

    assert written == [stmt.variable for stmt in assignments_left(game, game.actions[0])]


def test_the_english_leaves_out_what_a_definition_settles(tmp_path: Path):
    """The steps of a rule agree with what its summary is asked to tell; under the other answer they are there."""
    path = tmp_path / "fords.rules"
    path.write_text(DAMMED)
    game = load_rules(path).game
    paid = {**choices_of(game), "toll_due": 1}

    assert not any("stopped" in text for text in steps(game))
    assert any("is stopped" in text or "“stopped” holds" in text for text in steps(game, toll_due="paid"))
    assert "“stopped” holds: never." in [say_def(game, each) for each in game.defs]
    assert not any(
        text.endswith("never.") for text in (say_def(game, each, paid) for each in game.defs if each.name == "stopped")
    )


def test_an_answer_changes_the_rule_where_it_settles_a_definition(tmp_path: Path):
    path = tmp_path / "fords.rules"
    path.write_text(DAMMED)
    game = load_rules(path).game

    changed = ruling_diff(game, game.actions[0], game.rulings[0], "paid")

    assert any("stopped" in text.lower() and "banks becomes 0" in text for text in changed.come), changed
    assert not any("banks becomes 0" in text for text in changed.gone)
