"""Sub-turns: they come back to where play was, as deep as the text shows, and the lemmas about it prove themselves."""

import pytest

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.language.load import read_game
from pilgrim_rules.language.syntax.format import format_source
from pilgrim_rules.prose import say_action
from pilgrim_rules.semantics.errors import Contradiction
from verifier.prove.run import verify

RULES = """\
game small
    players 2..2 named red, blue

stages
    playing by turn
    resting by turn
    sub school by turn
    sub exam(1..2) by turn
    over nobody

state
    turn : Player
    wits : 0..9

action learn
    during playing, resting
    do call school

action study
    during playing
    do call school then resting

action sit(n: 1..2)
    during school
    do call exam(n)

action solve
    during exam
    do
        raise wits by 1, at most 9
        return

action give_up
    during exam
    do return to over

action leave
    during school
    do return

action pass
    during playing, resting
    do
        turn = next(turn)
        stage = playing
"""
ENDLESS = RULES.replace("    during school\n    do call exam(n)", "    during school, exam\n    do call exam(n)")


@pytest.fixture
def load(tmp_path):
    """Return a function that reads the game, changed."""

    def read(old="", new="", rules=RULES):
        path = tmp_path / "small.rules"
        path.write_text(rules.replace(old, new), encoding="utf-8")
        return read_game(path)

    return read


@pytest.fixture
def refusals(load):
    """Return a function that gives code and message of each mistake."""

    def read(*change, **words):
        with pytest.raises(RulesError) as refusal:
            load(*change, **words)
        return [(found.code.id, found.message) for found in refusal.value.diagnostics]

    return read


def stages(game, *moves):
    """Return the stage after each of some moves."""
    code = compiled(game)
    state, found = code.start, []
    for name, *args in moves:
        state = code.apply(state, name, tuple(args))
        found.append(code.stage(state).name)
    return found


def test_play_comes_back_to_where_it_was(load):
    assert ["school", "playing"] == stages(load(), ("learn",), ("leave",))


def test_play_may_go_on_elsewhere(load):
    assert ["school", "resting", "school", "resting"] == stages(load(), ("study",), ("leave",), ("learn",), ("leave",))


def test_a_sub_turn_may_begin_another(load):
    moves = ("study",), ("sit", 2), ("solve",), ("leave",)

    assert ["school", "exam(2)", "school", "resting"] == stages(load(), *moves)


def test_what_was_interrupted_may_be_given_up(load):
    code = compiled(load())
    state = code.start
    for name, args in (("learn", ()), ("sit", (1,)), ("give_up", ())):
        state = code.apply(state, name, args)
    none = code.game.stage.size

    assert ("over", [none], [none]) == (
        code.stage(state).name, code.layout.decode(state)["return.1"], code.layout.decode(state)["return.2"]
    )  # fmt: skip


def test_there_are_as_many_cells_as_sub_turns_inside_each_other(load):
    def cells(game):
        return [each.name for each in game.variables if each.name.startswith("return.")]

    assert ["return.1", "return.2"] == cells(load())
    assert ["return.1"] == cells(load("do call exam(n)", "do stage = exam(n)"))


def test_the_lemmas_prove_themselves(load):
    records = [each for each in verify(load()).records if ".sub." in each.name or each.kind == "range"]

    assert {"sub.outside", "sub.school", "sub.exam", "sub.deeper"} == {claim.name for claim in load().claims}
    assert {Verdict.PROVED} == {each.verdict for each in records}


def test_stages_of_one_sub_turn_share_the_way_back(load):
    game = load("do call exam(n)", "do stage = exam(n)")
    records = [each for each in verify(game).records if ".sub." in each.name or each.kind == "range"]

    assert ["school", "exam(1)", "resting"] == stages(game, ("study",), ("sit", 1), ("solve",))
    assert {Verdict.PROVED} == {each.verdict for each in records}


def test_sub_turns_that_go_round_in_a_circle_need_a_bound(refusals):
    assert [("PR418", "sub-turns go round in a circle: `exam` calls `exam`")] == refusals(rules=ENDLESS)


def test_going_deeper_than_the_bound_is_a_contradiction(load):
    game = load("stages\n", "stages at most 2 deep\n", rules=ENDLESS)
    moves = ("learn",), ("sit", 1)

    assert ["school", "exam(1)"] == stages(game, *moves)
    with pytest.raises(Contradiction, match=r"`return.depth` would be 3, but goes from 0 to 2"):
        stages(game, *moves, ("sit", 2))


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("do call school then resting", "do call resting", "PR418", "`resting` is no sub-turn"),
        ("do call school then resting", "do call scool", "PR206", "unknown sub-turn `scool`"),
        ("do call school then resting", "do stage = school", "PR419", "a sub-turn begins here with nothing to go back to"),
        ("do return to over", "do stage = over", "PR419", "this leaves a sub-turn without going back"),
        ("do call exam(n)", "do call exam(n) then playing", "PR419", "play would go on in another turn"),
        ("do call school then resting", "do call school then school", "PR419", "play would go on in another turn"),
        ("    do return\n", "    do\n        return\n        stage = school\n", "PR419",
         "the stage is set twice around a sub-turn"),
        ("    do call school\n", "    do\n        if wits > 3: stage = resting\n        call school\n", "PR419",
         "the stage is set twice around a sub-turn"),
    ],
)  # fmt: skip
def test_a_wrong_way_in_or_out_is_refused(refusals, old, new, code, message):
    assert (code, message) in refusals(old, new)


def test_a_game_without_sub_turns_calls_none(refusals):
    rules = RULES.replace("sub ", "")

    assert {("PR418", "this game has no sub-turns")} == set(refusals(rules=rules))


def test_sub_turns_are_said_in_english(load):
    game = load()
    told = [[step.text for step in say_action(game, action).sections[-1].steps] for action in game.actions[:2]]

    assert [
        ["The stage becomes school; afterwards, play goes on where it was."],
        ["The stage becomes school; afterwards, it becomes resting."],
    ] == told


def test_the_layout_is_canonical():
    assert format_source(RULES, "small.rules") == RULES


def test_a_stage_may_be_called_sub(load):
    assert "sub" in load("    resting by turn\n", "    resting by turn\n    sub by turn\n").stage.labels
