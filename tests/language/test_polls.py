"""Polls: everybody who qualifies answers in turn, nobody where nobody does, and the lemmas prove themselves."""

import pytest

from pilgrim_rules.api.game import load as load_game
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.language.load import read_game
from pilgrim_rules.language.syntax.format import format_source
from pilgrim_rules.prose import say_action
from verifier.claims.obligations import obligations
from verifier.prove.run import verify

RULES = """\
game small
    players 3..3 named red, blue, green

stages
    playing by turn
    poll suffering each p in turn from turn where p != turn and life[p] > 0
    over nobody

state
    turn         : Player
    life[Player] : 0..3 = 1

action strike
    during playing
    do ask suffering

action finish
    during playing
    do ask suffering then over

action endure
    during suffering
    let p = asked(suffering)
        else "nobody is asked"
    do
        lower life[p] by 1, at least 0
        answer suffering

action wait
    during suffering
    do turn = turn
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that reads the game, changed."""

    def read(old="", new=""):
        path = tmp_path / "small.rules"
        path.write_text(RULES.replace(old, new), encoding="utf-8")
        return read_game(path)

    return read


SEALED = """\
game sealed
    players 3..3 named red, blue, green

stages
    opening by red
    poll bidding each p in Player secretly always write
    over nobody

state
    bid[Player] : 0..5 private until over
    highest     : 0..5

action open
    during opening
    do ask bidding then over

action write(n: 0..5)
    during bidding
    let p = asked(bidding)
        else "nobody is asked"
    do
        bid[p] = n
        {line}
        answer bidding
"""


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        (Verdict.PROVED, "highest = highest"),
        (Verdict.REFUTED, "highest = max(highest, n)"),
        (Verdict.REFUTED, "highest = max of bid[q] for q in Player"),
    ],
)
def test_nobody_learns_what_others_choose_in_a_secret_poll(tmp_path, verdict, line):
    path = tmp_path / "sealed.rules"
    path.write_text(SEALED.format(line=line))
    records = {each.name: each for each in verify(read_game(path), cache=False, confirm=False, jobs=1).records}

    assert verdict is records["sealed.no_leak/write"].verdict


def test_what_is_chosen_in_a_secret_poll_is_seen_by_whoever_chooses(tmp_path):
    path = tmp_path / "sealed.rules"
    path.write_text(SEALED.format(line="highest = highest"))
    trace = Trace.start(load_game(path))
    trace.play("open", "write(3)", "write(5)")

    assert ["open", "write(3)", "write(?)"] == [step.move for step in trace.seen_by("red")]
    assert ["open", "write(?)", "write(?)"] == [step.move for step in trace.seen_by("green")]
    assert {"red": "?", "blue": 5, "green": "?"} == trace.state.view("blue")["bid"]
    trace.play("write(1)")
    assert {"red": 3, "blue": 5, "green": 1} == trace.state.view("blue")["bid"]


def played(code, *moves, state=None):
    """Return the state after some moves, and who was asked before each."""
    state, asked = code.start if state is None else state, []
    for move in moves:
        asked.append(code.game.player.labels[code.by(state)])
        state = code.apply(state, move, ())
    return state, asked


def test_whoever_qualifies_is_asked_in_turn_and_play_comes_back(load):
    code = compiled(load())
    state, asked = played(code, "strike", "endure", "endure")

    assert (["red", "blue", "green"], "playing") == (asked, code.stage(state).name)
    assert [1, 0, 0] == code.layout.decode(state)["life"]


def test_whoever_was_asked_has_answered_even_if_the_answer_changes_who_qualifies(load):
    """An answer marks the player who was asked before it: blue, who has no life left afterwards."""
    code = compiled(load())
    state, _ = played(code, "strike", "endure")

    assert [0, 1, 0] == code.layout.decode(state)["answered.suffering"]


def test_a_move_that_is_no_answer_leaves_the_question_open(load):
    assert ["red", "blue", "blue"] == played(compiled(load()), "strike", "wait", "endure")[1]


def test_nobody_is_asked_where_nobody_qualifies(load):
    code = compiled(load("life[Player] : 0..3 = 1", "life[Player] : 0..3 = 0"))

    assert ["playing", "over"] == [code.stage(played(code, move)[0]).name for move in ("strike", "finish")]


def test_a_poll_may_go_on_elsewhere(load):
    code = compiled(load())

    assert "over" == code.stage(played(code, "finish", "endure", "endure")[0]).name


def test_a_second_poll_forgets_the_answers_of_the_first(load):
    code = compiled(load("life[Player] : 0..3 = 1", "life[Player] : 0..3 = 3"))
    moves = ["strike", "endure", "endure"] * 2

    assert ["red", "blue", "green"] * 2 == played(code, *moves)[1]


def test_the_lemmas_prove_themselves(load):
    records = verify(load()).records
    about = [
        each for each in records if ".sub." in each.name or ".poll." in each.name or each.kind in ("range", "one_side")
    ]

    assert {"sub.outside", "sub.suffering", "poll.suffering"} == {claim.name for claim in load().claims}
    assert {Verdict.PROVED} == {each.verdict for each in about}


def test_a_rule_that_leaves_nobody_to_be_asked_is_not_proved(load):
    """The lemma is a claim like others: what makes it false is found."""
    records = verify(load("    do turn = turn", "    do\n        for p in Player: life[p] = 0")).records
    (found,) = [each for each in records if each.name == "small.invariant.poll.suffering/wait"]

    assert Verdict.REFUTED == found.verdict


@pytest.mark.parametrize(
    ("old", "new"), [("ask suffering then over", "ask playing"), ("answer suffering", "answer sufering"),
                     ("asked(suffering)", "asked(playing)")],
)  # fmt: skip
def test_only_a_poll_is_asked_and_answered(load, old, new):
    with pytest.raises(RulesError) as refusal:
        load(old, new)

    assert "PR206" in {found.code.id for found in refusal.value.diagnostics}


def test_what_is_interrupted_can_be_asked(load):
    code = compiled(
        load("action wait", "invariant busy: interrupted(playing) implies stage == suffering\n\naction wait")
    )
    state, _ = played(code, "strike")

    assert code.holds("busy", state)


def test_polls_are_said_in_english(load):
    game = load()
    strike, endure = ([step.text for step in say_action(game, game.actions[at]).sections[-1].steps] for at in (0, 2))

    assert [
        (
            "For “suffering”, each player, in turn from you, who is not you and whose life is more than 0 "
            "answers; "
            "afterwards, play goes on where it was."
        )
    ] == strike
    assert "Whoever was asked for “suffering” has answered; the next is asked, or play goes on." in endure


def test_the_layout_is_canonical():
    assert format_source(RULES, "small.rules") == RULES


def test_who_pays_to_answer_evidently_exists(tmp_path):
    """A requirement says that somebody is asked; that it is this player who pays needs no proof of its own."""
    path = tmp_path / "small.rules"
    text = RULES.replace(
        "    life[Player] : 0..3 = 1\n", "    life[Player], coin[Player] : 0..3 = 1\n\npurse coin of p = coin[p]\n"
    )
    text = text.replace('"nobody is asked"\n', '"nobody is asked"\n    cost 1 coin\n')
    path.write_text(text, encoding="utf-8")
    game = read_game(path)

    assert game.actions[2].written.costs
    assert [] == [each.name for each in obligations(game) if each.kind == "defined"]
