"""Shorter plays: a play that shows something becomes one of few decisions that shows the same."""

from __future__ import annotations

import pytest

from pilgrim_rules.engine.affected_claims import affected_claims
from pilgrim_rules.engine.bulk_play import RANDOM
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.engine.scripted_play import OPEN, Script, ScriptedPlayer
from tests.support.proved_texts import game
from verifier.play.hunt import Caught, Hunter
from verifier.play.shorter_plays import Shortener

#: Dice decide how high a stone lies; three high ones break the claim, and so do many low ones.
CAIRN = """\
    game cairn "Stones on a cairn"
        players 2..2 named ann, bob

    stages
        picking by turn
        tossing chance
        over nobody

    state
        height    : 0..40 = 0
        picked    : 0..9 = 0
        turn      : Player = ann

    action pick(k: 0..9)
        during picking
        require height < 30
        do
            picked = k
            stage = tossing

    action leave
        during picking
        require height >= 30
        do stage = over

    chance toss(k: 1..4)
        during tossing
        do
            height = min(30, height + (k if picked == 9 else 0))
            turn = next(turn)
            stage = picking

    invariant low: height < 9
    """


@pytest.fixture(params=[True, False], ids=["wasm", "python"])
def played(request):
    code = compiled(game(CAIRN), ghosts=True)
    make = machines(code, affected_claims(code.game), wasm=request.param)
    return code, ScriptedPlayer(code, make(), code.start, RANDOM, 0)


def shows(play):
    return bool(play)


def moves(code, *named):
    numbers = {action.name: number for number, action in enumerate(code.game.actions)}
    return tuple((numbers[name], (k,)) for name, k in named)


LONG = [
    *[("pick", 3), ("toss", 1), ("pick", 9), ("toss", 2), ("pick", 5), ("toss", 4), ("pick", 9), ("toss", 4)],
    *[("pick", 0), ("toss", 3), ("pick", 9), ("toss", 3), ("pick", 2), ("toss", 3), ("pick", 9), ("toss", 1)],
]


def test_a_script_is_followed_move_by_move(played):
    code, player = played
    long = moves(code, *LONG)
    chances, decisions = ([player.pack(each) for each in long[at::2]] for at in (1, 0))

    found = player.follow(Script(chances, decisions, 1), 0, len(decisions))

    assert [name for name, _ in LONG[:12]] == [code.game.actions[number].name for number, _ in found]
    assert long[:12] == tuple(found), "it ends with the step that breaks the claim"


def test_what_is_not_legal_is_passed_over_and_what_is_open_is_chosen(played):
    code, player = played
    leave = next(number for number, action in enumerate(code.game.actions) if action.name == "leave")
    nine = player.pack(moves(code, ("pick", 9))[0])
    high = player.pack(moves(code, ("toss", 4))[0])

    found = player.follow(Script([high] * 9, [player.pack((leave, ())), nine, OPEN, nine, nine], 2), 0, 5)

    assert [(9,), (9,), (9,)] == [args for number, args in found if args == (9,)]
    assert player.follow(Script([high] * 9, [nine, nine], 1), 0, 2) is None, "eight are not too many"


def test_turns_that_do_nothing_are_left_out(played):
    code, player = played
    found = Shortener(code.game, player, shows).shortest([moves(code, *LONG)], tries=600)

    assert [9, 9, 9] == [args[0] for number, args in found[0::2]]
    assert sum(args[0] for _, args in found[1::2]) >= 9


def test_every_machine_finds_the_same_play():
    code = compiled(game(CAIRN), ghosts=True)
    found = []
    for wasm in (True, False):
        player = ScriptedPlayer(code, machines(code, affected_claims(code.game), wasm=wasm)(), code.start, RANDOM, 0)
        found.append(Shortener(code.game, player, shows).shortest([moves(code, *LONG)], tries=60))

    assert found[0] == found[1]


def test_what_native_play_does_not_ask_is_left_as_it_is():
    code = compiled(game(CAIRN), ghosts=True)
    short = Caught("low", moves(code, ("pick", 9), ("toss", 1)))

    assert Hunter(code).shorter(short) is short
