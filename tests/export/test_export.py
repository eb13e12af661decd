"""Games written for other tools: each tool, or a reader of its language, finds as many states and steps as we do."""

import json
import re
import shutil
import subprocess
from functools import cache

import pytest

import pilgrim_rules as pr
from pilgrim_rules.cli.main import run
from pilgrim_rules.export.core_json import core_json
from pilgrim_rules.export.graph import dot
from pilgrim_rules.export.murphi import murphi
from pilgrim_rules.export.names import CannotExport
from pilgrim_rules.export.smt2 import smt2
from pilgrim_rules.export.tla import tla, tlc_configuration
from pilgrim_rules.language.load import read_game
from pilgrim_rules.semantics.errors import RulesGameError
from tests.export.smt2_reader import visit
from tests.support.proved_instances import large_slowly
from verifier.explore.search import explore

#: Between them they have secrets, chance, autos, automata, sub-turns, loops that write all at once, choices and sums.
SMALL = ("gleaners", "kuhn_poker", "pong_hau_ki", "watermill")
LARGER = ("nim", "rats")
LARGE = ("auction", "byways", "caravan", "kalah", "noughts_and_crosses", "pig", "quarry")


def games(*slow):
    return pytest.mark.parametrize("name", [*SMALL, *(pytest.param(name, marks=pytest.mark.slow) for name in slow)])


@cache
def ours(name):
    found = explore(read_game(name), check=False)
    return found.states, found.transitions


@games(*LARGER)
def test_a_module_of_tla_has_our_states_and_steps_and_its_claims_hold(name):
    reader = pytest.importorskip("tests.export.tla_reader", exc_type=ImportError)
    game = read_game(name)
    lines = [line.split() for line in tlc_configuration(game).splitlines()]
    claims = [[each for word, *each in lines if word == kind] for kind in ("INVARIANT", "PROPERTY")]

    found = reader.visit(reader.Module(tla(game)), *([each for (each,) in kind] for kind in claims))

    assert ours(name) == found


@games(*LARGER, *LARGE)
def test_rumur_finds_our_states_and_steps(name, tmp_path):
    if not (shutil.which("rumur") and shutil.which("cc")):
        pytest.skip("needs: apt-get install rumur gcc")

    assert ours(name) == rumur(murphi(read_game(name)), tmp_path)


def rumur(model, folder):
    (folder / "model.m").write_text(model)
    for command in (
        ["rumur", "--threads", "1", "--deadlock-detection", "off", "-o", "model.c", "model.m"],
        ["cc", "-O0", "-mcx16", "-w", "-o", "model", "model.c", "-lpthread"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    told = subprocess.run([folder / "model"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"(\d+) states, (\d+) rules fired", told)
    return int(found[1]), int(found[2])


@games(*LARGER)
def test_a_solver_computes_our_states_and_steps(name):
    game = read_game(name)

    assert ours(name) == visit(smt2(game), game)


BROKEN = """
game broken "Broken"
    players 1..1 named ann

stages
    playing by ann

state
    n : 0..9 = 0

action up
    by ann
    during playing
    require n < 9
    do
        n += 1

invariant small: n < 5

step slow: n' <= n + 1
"""


def test_a_wrong_claim_is_wrong_in_the_module_too(tmp_path):
    reader = pytest.importorskip("tests.export.tla_reader", exc_type=ImportError)
    (tmp_path / "game.rules").write_text(BROKEN)
    module = reader.Module(tla(read_game(tmp_path)))

    with pytest.raises(AssertionError, match="small is false"):
        reader.visit(module, ["TypeOK", "small"], ["slow"])


def refused(form):
    for name in pr.games():
        try:
            form(read_game(name))
        except CannotExport:
            yield name


def test_only_murphi_refuses_a_game_and_only_for_counters_without_end():
    without_end = [name for name in pr.games() if any(variable.type.is_open for variable in read_game(name).variables)]

    assert ([], without_end) == tuple(list(refused(form)) for form in (smt2, murphi))  # the next test is about TLA+


@pytest.mark.parametrize("name", large_slowly(pr.games()))
def test_every_shipped_game_is_good_tla(name):
    reader = pytest.importorskip("tests.export.tla_reader", exc_type=ImportError)

    reader.Module(tla(read_game(name)))


def test_the_graph_of_all_states_has_a_node_a_state_and_an_arrow_a_step():
    text = dot(read_game("kuhn_poker"))

    assert ours("kuhn_poker") == (
        len(re.findall(r"^  \d+ \[", text, re.MULTILINE)),
        len(re.findall(r"^  \d+ -> \d+ \[", text, re.MULTILINE)),
    )


def test_a_graph_that_is_too_large_is_refused():
    with pytest.raises(RulesGameError, match="more than 20 states"):
        dot(read_game("nim"), 20)


def test_the_tree_names_every_type_that_it_uses():
    data = json.loads(core_json(read_game("kuhn_poker")))

    def types(node):
        if isinstance(node, dict):
            if node.get("is") in {"Variable", "Read", "Apply", "Lit"}:
                yield node["type"]
            for part in node.values():
                yield from types(part)
        elif isinstance(node, list):
            for part in node:
                yield from types(part)

    assert set() == set(types(data["game"])) - data["types"].keys()
    assert data["types"]["Player"] == {"kind": "enum", "lo": 0, "hi": 1, "labels": ["ann", "ben"]}
    assert data["fingerprint"] == pr.load("kuhn_poker").fingerprint


def test_the_command_writes_what_tlc_reads(tmp_path, capsys):
    assert run(["export", "nim", "--to", "tla", "-o", str(tmp_path / "nim.tla")]) == 0
    assert (tmp_path / "nim.tla").read_text() == tla(read_game("nim"))
    assert "INVARIANT something_is_left" in (tmp_path / "nim.cfg").read_text()
    assert run(["export", "hoard", "--to", "murphi"]) == 2
    assert "has no upper end, and Murphi wants one" in capsys.readouterr().err
