"""The pytest plugin, run for real: what is collected, chosen, spread over processes, and how a failure reads."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from pilgrim_rules.util import text_cache
from tests.support.warm_cache import warm

DUEL = """\
    game duel "A duel"
        players 2..3 named ann, bob, cid
        clauses "clauses.toml"

    stages
        playing by turn
        over nobody

    state
        points[Player] : 0..20 = 0
        turn           : Player = ann

    action win(n: 1..3)
        require points[turn] + n <= 9                  cites DUE-1
        do
            points[turn] += n
            turn = next(turn)

    action stop
        require points[turn] >= 6
        do stage = over

    action pass
        do turn = next(turn)

    invariant bounded: all p in Player: points[p] <= {most}    cites DUE-2
    audit small: all p in Player: points[p] < 12

    example one
        when win(2)
        expect points[ann] == 2
    """
CLAUSES = """\
    [[clause]]
    id = "DUE-1"
    section = "Play"
    kind = "limit"
    text = "Nobody has more than nine points."

    [[clause]]
    id = "DUE-2"
    section = "Play"
    kind = "limit"
    text = "Eight is the limit."
    """


def write(folder: Path, most: int = 9, text: str = DUEL) -> None:
    """Write the game; with `most` below nine it is refuted."""
    (folder / "duel.rules").write_text(dedent(text).replace("{most}", str(most)))
    (folder / "clauses.toml").write_text(dedent(CLAUSES))


def pytest_in(folder: Path, *words: str) -> str:
    """Run pytest there, in a process of its own: this one must not load our modules twice."""
    cache = warm(folder.parent / "cache", text_cache.folder())
    environment = {**os.environ, "PILGRIM_CACHE": str(cache), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rules-no-confirm", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


@pytest.fixture(scope="module")
def refuted(tmp_path_factory) -> tuple[Path, str]:
    """A run in which one claim fails: its folder and what it printed."""
    folder = tmp_path_factory.mktemp("duel")
    write(folder, most=8)
    words = ("-v", "--rules-games", "3", "--junit-xml=junit.xml", "-o", "junit_family=xunit1", "-k", "not audit")
    return folder, pytest_in(folder, *words)


def items(out: str) -> set[str]:
    """Return the items of `duel.rules` that a run names."""
    return set(re.findall(r"duel\.rules::(\S+(?: players\])?)", out))


def test_every_claim_is_an_item_for_each_number_of_players(tmp_path):
    write(tmp_path)
    found = items(pytest_in(tmp_path, "--collect-only", "-q", "--rules-players", "2", "--rules-players", "3"))

    kinds = ("range", "can_happen", "can_refuse", "one_side", "no_dead_end", "falsifiable")
    names = (*kinds, "invariant.bounded", "audit.small", "example.one")
    assert {f"{name}[{count} players]" for name in names for count in (2, 3)} == found


@pytest.mark.parametrize(
    ("word", "chosen"),
    [("bounded or audit", {"invariant.bounded", "audit.small"}), ("DUE-2", {"falsifiable", "invariant.bounded"})],
)
def test_claims_are_chosen_by_name_kind_and_clause(tmp_path, word: str, chosen: set[str]):
    write(tmp_path)

    assert chosen == items(pytest_in(tmp_path, "--collect-only", "-q", "-k", word))


def test_what_is_proved_passes_and_what_is_refuted_fails(refuted):
    _, out = refuted

    assert re.search(r"1 failed, 7 passed, 1 deselected", out)
    assert "duel.rules::range PASSED" in out
    assert "duel.rules::invariant.bounded FAILED" in out


def test_a_failure_shows_the_claim_the_play_and_where_to_look(refuted):
    folder, out = refuted
    for part in (
        "invariant.bounded: `bounded` holds in every state.",  # the head of the failure
        "✗ duel.invariant.bounded/win: refuted (play; 2 players)",
        "`win` keeps `bounded`.",
        "false: points[p] <= 8, with p = ",
        "clauses: DUE-2, DUE-1",
        "as an example to paste into the rules:",
        "example found_invariant_bounded_win",
        "to replay:   pilgrim replay ",
    ):
        assert part in out, part
    assert "Traceback" not in out
    assert "pytest_plugin.py" not in out
    page = re.search(r"to look at:  (\S+\.html)", out)
    assert page is not None
    assert "<html" in (folder / page[1]).read_text()


def test_a_report_says_where_a_claim_is_written_and_how_it_was_settled(refuted):
    folder, _ = refuted
    text = (folder / "junit.xml").read_text()
    line = dedent(DUEL).splitlines().index("invariant bounded: all p in Player: points[p] <= {most}    cites DUE-2")

    assert f'file="duel.rules" line="{line}"' in text
    assert re.search(r'name="method" value="[^"]*play', text)


@pytest.mark.slow
def test_the_example_that_is_shown_can_be_pasted_and_fails_until_the_rules_are_mended(refuted, tmp_path):
    _, out = refuted
    shown = out.partition("as an example to paste into the rules:")[2].partition("to look at:")[0].strip("\n")
    write(tmp_path, text=f"{dedent(DUEL)}\n{shown}\n")

    assert "`all p in Player: points[p] <= 8` is false" in pytest_in(tmp_path, "-k", "found")


def test_a_game_of_several_files_names_the_file_of_each_claim(tmp_path):
    write(tmp_path)
    head, _, rest = (tmp_path / "duel.rules").read_text().partition("invariant bounded")
    (tmp_path / "10-game.rules").write_text(head)
    (tmp_path / "20-claims.rules").write_text("invariant bounded" + rest)
    (tmp_path / "duel.rules").unlink()
    out = pytest_in(tmp_path, "-vv", "-k", "bounded")

    assert re.search(r"10-game\.rules::invariant\.bounded <- \S*20-claims\.rules PASSED", out)


@pytest.mark.slow
def test_claims_are_spread_over_processes(tmp_path):
    write(tmp_path, most=8)
    out = pytest_in(tmp_path, "-n", "2", "--rules-games", "3")

    assert re.search(r"1 failed, 8 passed", out)
    assert "✗ duel.invariant.bounded/win: refuted (play; 2 players)" in out


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        (DUEL.replace("do turn = next(turn)", "do turn = nobody"), (), "unknown name `nobody`"),
        (DUEL, ("--rules-players", "7"), "players"),
    ],
    ids=["rules", "players"],
)
def test_a_mistake_is_an_error_of_collection_with_its_place(tmp_path, text: str, words: tuple[str, ...], says: str):
    write(tmp_path, text=text)
    out = pytest_in(tmp_path, *words)

    assert "ERROR collecting duel.rules" in out
    assert says in out
    assert "Traceback" not in out


def test_other_tests_load_nothing_of_ours(tmp_path):
    (tmp_path / "test_other.py").write_text(
        "import sys\n"
        "def test_nothing_is_loaded():\n"
        "    assert not [name for name in sys.modules if name.startswith(('z3', 'pilgrim_rules'))]\n"
    )

    assert "1 passed" in pytest_in(tmp_path)
