"""Compiled modules: what the search tries, what is safe, what is kept in the cache."""

from __future__ import annotations

import marshal
import re
from dataclasses import replace

import pytest

from pilgrim_rules.core.ir import BOOL, Action, Given, Parameter, Require, Stage
from pilgrim_rules.engine.python.compile import Compiled, compiled, source
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.util import text_cache
from tests.support.core_builder import (
    HERE,
    Bound,
    Lookup,
    Read,
    enum,
    eq,
    game,
    lit,
    maybe,
    none,
    num,
    number,
    op,
    put,
    require,
    table,
    var,
)
from tests.support.market_game import market
from tests.support.noughts_game import noughts_and_crosses

PLAYER = enum("Player", "red")
STAGE = enum("Stage", "on")
RING = number(0, 99)
SIDE = number(0, 5)


def one_action(params, guard, *, variables=(), constants=(), body=()):
    """Return a game of one action."""
    act = Action("act", "action", params, (0,), guard, body or (put("stage", (), lit(STAGE, "on")),))
    return game(
        "one",
        PLAYER,
        STAGE,
        stages=(Stage(0, "on", "player", lit(PLAYER, "red")),),
        variables=(var("stage", STAGE, lit(STAGE, "on")), *variables),
        constants=constants,
        actions=(act,),
    )


def agreed(core):
    """Return the compiled game and its legal arguments, which the reference agrees with."""
    code = Compiled(core, source(core))
    legal = code.legal(code.start, "act")
    assert list(code.reference.legal(code.reference.start(), core.actions[0])) == legal
    return code, legal


def loops(code):
    """Return what the loops of the search go through."""
    search = re.search(r"def legal0_act\(s\):\n(.*?)\n\n", code.source, re.DOTALL)[1]
    return re.findall(r"for \w+ in (.*):", search)


def test_an_equation_binds_its_parameter_without_a_loop():
    there = num("+", Read("last", (), RING), lit(RING, 1))
    core = one_action(
        (Parameter("to", RING), Parameter("side", SIDE)),
        (require(eq(there, Bound("to", RING))), require(op("<", Bound("side", SIDE), lit(SIDE, 2)))),
        variables=(var("last", RING, lit(RING, 7)),),
    )
    code, legal = agreed(core)

    assert [(8, 0), (8, 1)] == legal
    assert ["(0, 1)"] == loops(code)


def test_an_equation_with_a_value_outside_the_type_allows_nothing():
    there = num("+", Read("last", (), RING), lit(RING, 1))
    core = one_action(
        (Parameter("to", RING),),
        (require(eq(Bound("to", RING), there)),),
        variables=(var("last", RING, lit(RING, 99)),),
    )

    assert [] == agreed(core)[1]


def test_a_relation_is_indexed_not_scanned():
    leads = table("leads", BOOL, (RING, RING), lambda a, b: b in (a + 1, a + 2))
    core = one_action(
        (Parameter("to", RING),),
        (require(Lookup("leads", (lit(RING, 50), Bound("to", RING)), BOOL)),),
        constants=(leads,),
    )
    code, legal = agreed(core)

    assert [(51,), (52,)] == legal
    assert ["(51, 52)"] == loops(code)


def test_a_relation_to_the_state_is_indexed_too():
    spot = number(0, 30)
    leads = table("leads", BOOL, (spot, spot), lambda a, b: b in (a + 1, a + 2))
    core = one_action(
        (Parameter("to", spot),),
        (require(Lookup("leads", (Read("last", (), spot), Bound("to", spot)), BOOL)),),
        variables=(var("last", spot, lit(spot, 29)),),
        constants=(leads,),
    )
    code, legal = agreed(core)

    assert [(30,)] == legal
    assert ["M0[s[1]]"] == loops(code)


def test_arguments_come_in_ascending_order_whatever_was_bound_first():
    core = one_action(
        (Parameter("a", RING), Parameter("b", SIDE)),
        (require(eq(Bound("a", RING), num("-", lit(RING, 9), Bound("b", SIDE)))),),
    )
    code, legal = agreed(core)

    assert [(4, 5), (5, 4), (6, 3), (7, 2), (8, 1), (9, 0)] == legal
    assert ["(0, 1, 2, 3, 4, 5)"] == loops(code)


def test_a_requirement_is_asked_in_the_outermost_loop_that_binds_its_names():
    def cell(*names):
        return Read("cell", tuple(Bound(name, SIDE) if name else lit(SIDE, 0) for name in names), BOOL)

    core = one_action(
        (Parameter("a", SIDE), Parameter("b", SIDE)),
        (require(cell("a", "b"), "both"), require(cell("a", ""), "first"), require(cell("", ""), "neither")),
        variables=(var("cell", BOOL, op("<", Bound("i1", SIDE), lit(SIDE, 3)), SIDE, SIDE),),
    )
    code, _ = agreed(core)
    order = re.findall(r"for|# \w+", re.search(r"def legal0_act.*?return out\n\n", code.source, re.DOTALL)[0])

    assert ["# neither", "for", "# first", "for", "# both"] == order


def test_a_line_asked_before_its_value_exists_does_no_harm():
    """`require open(b) or a > 3` tells that the optional is there; the line that uses it knows fewer names."""
    near = maybe(SIDE)
    x = Read("x", (), near)
    core = one_action(
        (Parameter("a", SIDE),),
        (
            require(op("not", op("or", eq(x, none(near)), op(">", Bound("a", SIDE), lit(SIDE, 3))))),
            require(Read("cell", (x,), BOOL)),
        ),
        variables=(var("x", near, none(near)), var("cell", BOOL, lit(BOOL, 1), SIDE)),
    )
    code, legal = agreed(core)
    there = code.layout.encode({"stage": [0], "x": [2], "cell": [1] * 6})

    assert [] == legal
    assert [(0,), (1,), (2,), (3,)] == code.legal(there, "act")


def test_names_and_words_of_a_spec_are_never_source():
    """Whatever a name looks like, only letters, digits and `_` of it reach the module."""
    evil = "x'\"\n) or __import__('os').abort()  # \u202e\\"
    core = one_action(
        (Parameter(evil, SIDE),),
        (
            Given(evil + "2", Read(evil, (), SIDE)),
            Require(eq(Bound(evil, SIDE), Bound(evil + "2", SIDE)), evil, evil, (evil,), span=HERE),
        ),
        variables=(var(evil, SIDE, lit(SIDE, 4)),),
        body=(put(evil, (), Bound(evil, SIDE)),),
    )
    core = replace(core, name=evil, actions=(replace(core.actions[0], name=evil),))
    text = source(core)
    code = Compiled(core, text)

    assert [(4,)] == code.legal(code.start, evil)
    assert "import" not in text.replace("__import__", "").replace("_import_", "")
    assert text.isascii()
    assert not re.search(r"['\"\\]", text.replace("'little'", ""))


def test_ghosts_change_nothing_that_is_played():
    with_, without = compiled(market(), ghosts=True), compiled(market())
    state, ghostly = without.start, with_.start
    for action, args in (("roll", (2,)), ("buy", (0, 4)), ("roll", (1,)), ("buy", (1, 1))):
        assert without.legal(state, action) == with_.legal(ghostly, action)
        state, ghostly = without.apply(state, action, args), with_.apply(ghostly, action, args)

    assert state == ghostly[: with_.layout.plain]
    assert 2 == with_.layout.decode(ghostly)["bought"][0]
    assert with_.holds("counted", ghostly)
    with pytest.raises(KeyError):
        without.holds("counted", state)


def test_claims_about_networks_and_steps_are_answered():
    code = compiled(market())
    after = code.apply(code.apply(code.start, "roll", (1,)), "buy", (0, 4))

    assert code.holds("shown", after)
    assert code.holds("fewer", code.start, after)
    assert not code.holds("fewer", after, code.start)
    assert (3, 4) == code.ranking("down", after)
    assert 2 == code.value("cost", after, 1)
    assert [0, 1] == [code.value("groups", state) for state in (code.start, after)]


def test_a_contradiction_names_the_cell_and_the_line():
    code = compiled(market(generous=True))
    state = code.layout.encode({**code.layout.decode(code.start), "stage": [2]})

    with pytest.raises(Contradiction, match=r"`coins\[red\]` would be 510, but goes from 0 to 300") as caught:
        code.apply(state, "close", ())
    assert "tip" == caught.value.breach.key
    with pytest.raises(Contradiction) as slow:
        Reference.from_game(code.game).apply(code.layout.decode(state), code.game.actions[2], ())
    assert caught.value.breach == slow.value.breach


# --------------------------------------------------------------------------------------------------------------- cache


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path / "deep" / "cache"))
    return tmp_path / "deep" / "cache"


def test_a_module_is_kept_and_read_again(folder, monkeypatch):
    first = compiled(noughts_and_crosses())
    monkeypatch.setattr("pilgrim_rules.engine.python.compile.source", lambda _: pytest.fail("it is in the cache"))

    assert first.source == compiled(noughts_and_crosses()).source


def test_byte_code_is_kept_too(folder, monkeypatch):
    first = compiled(noughts_and_crosses())
    next(folder.glob("*.py")).unlink()
    monkeypatch.setattr("pilgrim_rules.engine.python.compile.compile", lambda *_: pytest.fail("kept"), raising=False)

    again = compiled(noughts_and_crosses())

    assert first.legal(first.start, "place") == again.legal(again.start, "place")
    assert first.source == again.source


@pytest.mark.parametrize(
    "damage",
    [
        lambda t: t[:-20],
        lambda t: t.replace(b"return", b"break", 1) + b" ",
        lambda _: b"",
        lambda _: b"\0",
        lambda _: b"\xff\xff",
    ],
)
def test_a_damaged_module_is_made_anew(folder, damage):
    first = compiled(noughts_and_crosses())
    for file in folder.iterdir():
        file.write_bytes(damage(file.read_bytes()))

    assert first.source == compiled(noughts_and_crosses()).source
    assert next(folder.glob("*.py")).read_text().endswith(first.source)


@pytest.mark.parametrize("kept", [b"", b"no code", marshal.dumps(7), marshal.dumps(compile("x", "x", "exec"))[:-5]])
def test_byte_code_that_is_none_is_made_anew(folder, kept):
    first = compiled(noughts_and_crosses())
    (file,) = folder.glob("*.code")
    text_cache.write_bytes(file.name.partition(".")[0], kept, file.name[file.name.index(".") :])

    assert first.source == compiled(noughts_and_crosses()).source


def test_other_rules_have_another_module(folder):
    compiled(market())
    compiled(market(generous=True))
    compiled(market(), ghosts=True)

    assert 3 == len(list(folder.glob("*.py")))


def test_a_cache_that_cannot_be_written_is_no_mistake(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    for place in (str(tmp_path / "file"), str(tmp_path / "file" / "below"), ""):
        monkeypatch.setenv("PILGRIM_CACHE", place)
        assert compiled(noughts_and_crosses()).start
        assert text_cache.read("key") is None


def test_the_cache_is_where_the_desktop_keeps_caches(monkeypatch, tmp_path):
    monkeypatch.delenv("PILGRIM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tmp_path / "pilgrim-rules" == text_cache.folder()
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert tmp_path / "home" / ".cache" / "pilgrim-rules" == text_cache.folder()
