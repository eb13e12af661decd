"""Probes: where play first meets a formula, on every machine."""

import pytest

from pilgrim_rules import load
from pilgrim_rules.core.ghosts import without_ghosts
from pilgrim_rules.core.ir import Require
from pilgrim_rules.engine.affected_claims import affected_claims
from pilgrim_rules.engine.bulk_play import BulkPlayer, BulkPolicy
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.probes import refusal_probe, with_probes
from pilgrim_rules.engine.python.compile import Compiled, source


def refusals(name):
    """Return a game that probes every requirement of its actions, and the names of the probes."""
    core = without_ghosts(load(name).core)
    probes = {
        f"{action.name}/{line.key}": refusal_probe(core, action, line.key)
        for action in core.actions
        for line in action.guard
        if isinstance(line, Require)
    }
    probed = with_probes(core, probes)
    return Compiled(probed, source(probed)), list(probes)


def player(code, *, wasm):
    machine = machines(code, affected_claims(code.game), wasm=wasm)()
    return BulkPlayer(code, machine, code.start, BulkPolicy(), None)


def test_every_machine_meets_probes_at_the_same_step():
    code, names = refusals("kalah")

    wasm, python = (player(code, wasm=wasm).met(4, 6) for wasm in (True, False))

    assert wasm == python
    assert wasm
    assert len(names) >= len(wasm)


def test_a_probe_is_met_where_it_says():
    code, names = refusals("kalah")
    found = player(code, wasm=True).met(4, 6)

    for claim, (seed, step) in found.items():
        state = code.start
        for number, args in player(code, wasm=True).moves(seed)[:step]:
            state = code.apply_of[number](state, *args)
        assert not code.holds(names[claim], state)


@pytest.mark.slow
def test_most_requirements_of_pilgrim_refuse_something_in_a_little_play():
    code, names = refusals("pilgrim")

    found = player(code, wasm=True).met(0, 30)

    assert len(names) / 2 < len(found)
