"""Options of the set-up: chosen by the players, read anew like a ruling, and no doubt about the text."""

import json

import pytest

import pilgrim_rules as pr
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.core.rulings import chosen, chosen_options, chosen_rulings
from pilgrim_rules.core.show import show_game
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language import instances
from pilgrim_rules.language.load import load_rules
from verifier.fuzz.variants import Variants
from verifier.smt.strategy.encoding_options import symbolic_constants, uncertain_constants

TEXT = """\
game walk
    players 1..1 named ann

option level
    ## How far it is.
    choice near "three steps" default
    choice far "five steps"

ruling pace
    option slow default
    option fast

preset long_fast "A long way, quickly"
    level = far
    pace = fast

stages
    walking by ann
    over nobody

param way : 3..5 = 5 if level == far else 3
state
    gone : 0..5 = 0

action walk
    during walking
    do
        raise gone by (2 if pace == fast else 1), at most way
        if gone == way: stage = over

action rest
    only when level == far
    during walking
    require gone == 1
    do gone = 0

score of p
    line "Steps" gone

example far_walk under level = far
    when walk
    when rest
    expect gone == 0
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "walk.rules"
    path.write_text(TEXT)
    return path


def way(game):
    return next(each.values for each in game.core.constants if each.name == "way")


def test_the_rules_are_read_anew_for_a_choice(path):
    near, far = pr.load(path), pr.load(path, options={"level": "far"})
    assert [(3,), (5,)] == [way(game) for game in (near, far)]
    assert [{"walk"}, {"walk", "rest"}] == [{action.name for action in game.core.actions} for game in (near, far)]


def test_an_option_is_no_ruling(path):
    core = pr.load(path, options={"level": "far"}, rulings={"pace": "fast"}).core
    assert (["pace"], ["level"]) == ([each.name for each in core.rulings], [each.name for each in core.options])
    assert ((("pace", "fast"),), (("level", "far"),)) == (chosen_rulings(core), chosen_options(core))
    assert {"pace": "fast", "level": "far"} == dict(chosen(core))
    assert "option level: near default, far" in show_game(core)


def test_proofs_about_all_rulings_leave_the_options_as_they_are_chosen(path):
    core = pr.load(path).core
    assert {"pace"} == symbolic_constants(core, all_rulings=True)
    assert {"pace", "level"} == uncertain_constants(core)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"rulings": {"level": "far"}}, "`level` is an option of the set-up"),
        ({"options": {"pace": "fast"}}, "`pace` is a ruling"),
        ({"options": {"level": "further"}}, "option `level` has no choice `further`"),
        ({"options": {"levle": "far"}}, "no ruling or option `levle`"),
    ],
)
def test_what_is_no_option_is_refused(path, words, said):
    with pytest.raises(RulesError, match=said.replace("(", r"\(")):
        load_rules(path, **words)


def test_a_preset_may_choose_options_and_a_trace_keeps_them_apart(path):
    game = pr.load(path, preset="long_fast")
    trace = Trace.start(game)
    trace.play("walk")
    assert ({"pace": "fast"}, {"level": "far"}) == (game.instance["rulings"], game.instance["options"])
    again = pr.State.from_json(trace.state.to_json())
    assert ((5,), trace.state) == (way(again.game), again)


def test_a_trace_of_before_there_were_options_is_still_read(path):
    data = json.loads(pr.load(path).start().to_json())
    del data["game"]["options"]
    assert 0 == pr.State.from_json(json.dumps(data))["gone"]


def test_a_variant_draws_options_only_if_it_is_asked_to(path):
    core = pr.load(path).core
    rulings = {dict(chosen(Variants(core, 1, rulings=True, data=False).numbered(at).game))["level"] for at in range(9)}
    both = {
        dict(chosen(Variants(core, 1, rulings=True, data=False, options=True).numbered(at).game))["level"]
        for at in range(9)
    }
    assert ({"near"}, {"near", "far"}) == (rulings, both)


def test_another_choice_keeps_what_else_is_decided(path):
    core = pr.load(path, rulings={"pace": "fast"}).core
    assert {"level": "far", "pace": "fast"} == dict(chosen(instances.with_rulings(core, [("level", "far")])))
