"""Scores, ranks and possible moves are values like others: rules, claims and examples ask for them."""

import pytest

from pilgrim_rules.core.derived import derive_again
from pilgrim_rules.core.smart_constructors import TRUE
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.language.load import read_game
from pilgrim_rules.prose import say_claim
from verifier.mutate.edits import edit_requirements

RULES = """\
game small
    players 3..3 named red, blue, green

stages
    playing by turn
    over nobody

state
    turn         : Player
    pile[Player] : 0..9 = 3
    gold[Player] : 0..9

score of p in 1/2
    line "Pile of stones" pile[p]
    line "Gold" 2 * gold[p]

rank p by score desc, gold[p] asc

action take(n: 1..3)
    during playing
    require pile[turn] + n <= 9
    do
        pile[turn] += n
        turn = next(turn)

action finish
    during playing
    do stage = over

"""


@pytest.fixture
def load(tmp_path):
    """Return a function that reads the game with further declarations."""

    def read(text, rules=RULES):
        path = tmp_path / "small.rules"
        path.write_text(rules + text, encoding="utf-8")
        return read_game(path)

    return read


@pytest.fixture
def refusals(load):
    """Return a function that gives code and message of each mistake in further declarations."""

    def read(text, rules=RULES):
        with pytest.raises(RulesError) as refusal:
            load(text, rules)
        return [(found.code.id, found.message) for found in refusal.value.diagnostics]

    return read


@pytest.fixture
def wrong(load):
    """Return a function that tells what is wrong with an expectation; nothing, if it holds."""

    def ask(expectation, *lines):
        steps = "".join(f"    {line}\n" for line in (*lines, f"expect {expectation}"))
        game = load(f"example e\n{steps}")
        return run_example(CompiledReadings.from_game(game), game.examples[0]).wrong

    return ask


def test_the_score_is_counted_in_units_of_the_sheet(wrong):
    assert "" == wrong("score(red) == 3 + 2 * 4", "given gold[red] = 4")


def test_a_line_of_the_score_has_its_label(wrong):
    assert "" == wrong('score(red, "Gold") == 8 and score(red, "Pile of stones") == 3', "given gold[red] = 4")


def test_the_rank_counts_who_stands_before_a_player(wrong):
    given = ("given gold[blue] = 1", "given pile[blue] = 1", "given pile[green] = 2")

    assert "" == wrong("rank(red) == 1 and rank(blue) == 2 and rank(green) == 3", *given)


def test_players_who_agree_on_all_keys_have_the_same_rank(wrong):
    assert "" == wrong("rank(red) == 2 and rank(blue) == 2 and rank(green) == 1", "given gold[green] = 1")


def test_nobody_has_won_before_the_end(wrong):
    assert "" == wrong("not winner(green)", "given gold[green] = 1")


def test_whom_nobody_beats_has_won_at_the_end(wrong):
    assert "" == wrong("winner(green) and not winner(red)", "given gold[green] = 1", "when finish")


def test_a_move_is_possible_with_some_arguments_or_with_these(wrong):
    given = "given pile[red] = 7"

    assert "" == wrong("possible(take) and possible(take(2)) and not possible(take(3))", given)


def test_in_an_example_a_move_is_possible_only_in_its_stage(wrong):
    assert "" == wrong("not possible(take) and not possible(take(2))", "when finish")
    assert "stage" in wrong("possible(take)", "when finish")


def test_a_step_may_look_at_the_score_afterwards_of_a_player_named_before(load):
    game = load("step rising: score'(turn) > score(turn)\n")
    loaded = compiled(game)
    start = loaded.start
    after = loaded.apply(start, "take", (2,))

    assert loaded.holds("rising", start, after)
    assert not loaded.holds("rising", after, start)


def test_a_definition_and_a_requirement_may_ask_for_the_score(load):
    game = load(
        "def rich(p: Player) = score(p) >= 8\n\naction boast\n    during playing\n    require rich(turn) and rank(turn) == 1\n"
        "    do stage = over\n"
    )

    assert {"rich", "score.points", "score.rank"} == {made.name for made in game.defs}


def test_what_nobody_asks_for_is_not_in_the_core(load):
    assert () == load("").defs


def test_a_score_that_asks_for_itself_goes_round_in_a_circle(refusals):
    rules = RULES.replace('line "Gold" 2 * gold[p]', 'line "Gold" luck(p)')

    assert [("PR205", "this definition uses itself: `luck` uses `score` uses `luck`")] == refusals(
        "def luck(p: Player) = 2 if score(p) > 3 else 0\n", rules
    )


def test_a_name_of_the_game_stands_above_that_of_the_language(load):
    game = load("def winner(p: Player) = gold[p] > 3\n\ninvariant poor: none of p in Player: winner(p)\n")

    assert ["winner"] == [made.name for made in game.defs]


def test_a_game_without_score_has_none_to_ask_for(refusals):
    start, end = RULES.index("score of"), RULES.index("action take")
    rules = RULES[:start] + RULES[end:]

    assert [("PR509", "this game keeps no score")] == refusals("invariant a: score(red) > 0\n", rules)
    assert [("PR509", "this game ranks nobody")] == refusals("invariant a: rank(red) > 0\n", rules)


@pytest.mark.parametrize(
    ("formula", "code", "message"),
    [
        ('score(red, "Silver") > 0', "PR509", "`Silver` is no line of the score"),
        ("score(red, 1) > 0", "PR509", "this is no line of the score"),
        ("rank(red, blue) > 0", "PR304", "`rank` takes 1 argument, not 2"),
        ("possible(drop)", "PR207", "unknown action `drop`"),
        ("possible(take(4))", "PR301", "this is 4, but 1 to 3 is wanted"),
        ("score'(red) > 0", "PR409", "`score'` has no meaning in a claim"),
        ('gold["red"] > 0', "PR301", "a text is no value"),
    ],
)
def test_a_wrong_question_is_answered_with_what_is_wrong(refusals, formula, code, message):
    assert [(code, message)] == refusals(f"invariant a: {formula}\n")


def test_a_line_of_the_score_has_one_label(refusals):
    rules = RULES.replace('"Gold"', '"Pile of stones"')

    assert [("PR202", "two lines of the score are called “Pile of stones”")] == refusals("", rules)


def test_a_prime_needs_something_that_changes(refusals):
    assert [("PR409", "`max` does not look at the state, so it is the same after a step")] == refusals(
        "step a: max'(1, 2) == 2\n"
    )


def test_a_changed_requirement_changes_what_is_possible(load):
    """A mistake in a guard is a mistake in every `possible` that asks for it."""
    game = load("invariant a: possible(take(3))\n")
    changed = edit_requirements(game, "take.require.1", lambda _: None)

    assert game != changed
    assert [TRUE] == [made.body for made in changed.defs]
    assert game == derive_again(game)


def test_scores_and_moves_are_said_in_english(load):
    game = load(
        'invariant a: all p in Player: score(p) >= score(p, "Gold") and rank(p) <= 3 and not winner(p)\n'
        "invariant b: possible(take(2)) or not possible(take)\n"
    )
    said = [say_claim(game, claim) for claim in game.claims]

    assert [
        "In every state, for every player, this player's score is at least this player's score for “Gold”, this player's rank is at most 3 and this player has not won.",
        "In every state, it is possible to take (2) or it is not possible to take.",
    ] == said


@pytest.mark.parametrize("question", ["score'(red)", "rank'(red)", "(1 if winner'(red) else 0)"])
def test_what_is_asked_only_after_the_step_is_kept(load, question):
    """What is primed has been opened; its definition is still needed to spell it."""
    load(f"step later: {question} >= 0\n")
    load(f"contract later of take\n    ensures {question} >= 0\n")
