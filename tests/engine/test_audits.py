"""Compiled audits, whose graphs are drawn when they are asked for, say what the evaluator says."""

from __future__ import annotations

from itertools import product

import pytest

from pilgrim_rules.core.ir import AskNetwork, Bound, Claim, Network, NetworkLink, NetworkNode, Stage
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.inputs.graphs import network
from tests.support.core_builder import (
    BOOL,
    Binder,
    Read,
    enum,
    eq,
    every,
    game,
    lit,
    maybe,
    none,
    num,
    number,
    op,
    some,
    table,
    var,
)  # fmt: skip

PLAYER = enum("Player", "red", "blue")
PLACE = enum("Place", "a", "b", "c")
STAGE = enum("Stage", "playing")
COUNT = number(0, 99)
P, Q, R = Bound("p", PLAYER), Bound("q", PLACE), Bound("r", PLACE)


def ask(question, *nodes, type_=BOOL):
    return AskNetwork(question, "roads", (P,), tuple((node,) for node in nodes), type_)


def claim(name, formula):
    return Claim(name, "audit", every("p", PLAYER, formula))


@pytest.fixture
def roads():
    """Places owned by players; neighbours on a line are linked if both belong to the same player."""
    owned = eq(Read("owner", (Q,), maybe(PLAYER)), P)
    drawn = Network(
        "roads", (Binder("p", PLAYER),),
        (NetworkNode((Binder("q", PLACE),), (Q,), owned),),
        (NetworkLink((Binder("q", PLACE), Binder("r", PLACE, among=("next", (Q,)))), (Q,), (R,), owned, True),),
    )  # fmt: skip
    distance = maybe(number(0, 3))
    claims = (
        claim("paths", every("q", PLACE, op("implies", ask("has", Q), ask("is_path", Q)))),
        claim("few", op("<", ask("nodes", type_=COUNT), lit(COUNT, 3))),
        claim("apart", every("q", PLACE, every("r", PLACE, op("or", op("==", Q, R), op("not", ask("linked", Q, R)))))),
        claim("whole", op("<=", ask("components", type_=COUNT), lit(COUNT, 1))),
        claim("near", every("q", PLACE, every("r", PLACE, eq(
            op("==", ask("distance", Q, R, type_=distance), none(distance)), op("not", ask("connected", Q, R)))))),
        claim("ends", some("q", PLACE, op("<=", num("+", ask("degree", Q, type_=COUNT), ask("reach", Q, type_=COUNT)), lit(COUNT, 1)))),
    )  # fmt: skip
    return game(
        "roads", PLAYER, STAGE,
        stages=(Stage(0, "playing", "player", lit(PLAYER, 0)),),
        variables=(var("stage", STAGE, lit(STAGE, 0)), var("owner", maybe(PLAYER), none(maybe(PLAYER)), PLACE)),
        constants=(table("next", BOOL, (PLACE, PLACE), lambda a, b: abs(a - b) == 1),),
        claims=claims, networks=(drawn,),
    )  # fmt: skip


def test_compiled_audits_agree_with_the_evaluator_in_every_state(roads):
    code = compiled(roads)
    seen = set()
    for owners in product(range(3), repeat=3):
        position = {"stage": [0], "owner": list(owners)}
        state = code.layout.encode(position)
        expected = [each.name for each in roads.claims if not code.reference.holds(each, position)]
        assert expected == [each.name for each in roads.claims if not code.holds(each.name, state)]
        seen.update(expected)
    assert {"few", "apart", "whole", "ends"} <= seen, "the audits can fail"


def test_a_graph_is_drawn_again_only_if_what_it_looks_at_changes(roads, monkeypatch):
    drawings = []
    build = network.build
    monkeypatch.setattr(network, "build", lambda *parts: drawings.append(parts) or build(*parts))
    code = compiled(roads)
    first = code.layout.encode({"stage": [0], "owner": [0, 0, 0]})
    other = code.layout.encode({"stage": [0], "owner": [0, 0, 1]})
    assert (code.holds("paths", first), code.holds("whole", first), code.holds("few", first)) == (True, True, False)
    before = len(drawings)
    code.holds("whole", bytes(first))
    assert len(drawings) == before
    assert not code.holds("apart", other)
    assert len(drawings) > before
