"""A run as a whole: exit codes, interruption, processes that die, rulings and data left open."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from textwrap import dedent

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.evidence.files import read
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.language.load import read_game
from tests.support.proved_texts import game, proved, record
from tests.support.searchable_games import bank
from verifier.claims.obligations import obligations
from verifier.prove import workers
from verifier.prove.run import verify

TRADE = """\
    game trade "Trade"
        players 2..2 named ann, bob
        edition "edition.toml"

    param price : 1..4 from edition.price

    ruling debts
        option forbidden default
        option allowed

    stages
        trading by turn

    state
        coins[Player] : -20..20 = 8
        turn          : Player = ann

    action buy
        require {line}
        do
            coins[turn] -= price
            coins[next(turn)] += price
            turn = next(turn)

    action pass
        do turn = next(turn)

    conserved money = (sum of coins[p] for p in Player) == 16
    invariant solvent: all p in Player: coins[p] >= 0
    """

CHECKED = "coins[turn] >= price or debts == allowed"


@pytest.fixture
def trade(tmp_path, monkeypatch):
    """Return a function that writes the game with a requirement, the price being a guess."""
    monkeypatch.setenv("PILGRIM_SPEC", str(tmp_path))
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path / "cache"))
    (tmp_path / "edition.toml").write_text('[price]\nsource = "assumed"\nnote = "a guess"\nvalues = 2\n')

    def write(line: str = CHECKED):
        (tmp_path / "trade.rules").write_text(dedent(TRADE).format(line=line))
        return read_game("trade")

    return write


# ----------------------------------------------------------------------------------------------------------- exit codes


def prove(*words: str) -> int:
    return run(["prove", "trade", "--no-confirm", "--jobs", "1", *words])


def test_0_if_all_is_proved(trade):
    trade()

    assert Exit.OK == prove()


def test_1_if_something_is_refuted(trade, capsys):
    trade("coins[turn] > -2")

    assert Exit.REFUTED == prove("--only", "solvent")
    assert "✗ trade.invariant.solvent/buy: refuted (play; 2 players)" in capsys.readouterr().out


def test_2_if_the_rules_are_wrong(trade, capsys):
    trade()
    path = Path(os.environ["PILGRIM_SPEC"]) / "trade.rules"
    path.write_text(path.read_text() + "invariant wrong: coins[nobody] == 0\n")

    assert Exit.BAD_INPUT == prove()
    assert "nobody" in capsys.readouterr().err


def test_3_if_something_is_vacuous(trade, capsys):
    trade(f"{CHECKED}\n    require coins[turn] > -20")

    assert Exit.UNSETTLED == prove()
    assert "∅ trade.can_refuse/buy.require.2: vacuous" in capsys.readouterr().out


def test_3_if_something_is_not_settled(trade, capsys):
    trade()

    assert Exit.UNSETTLED == prove("--budget", "1", "--only", "solvent")
    assert "not settled" in capsys.readouterr().out


def test_4_if_the_second_solver_disagrees(trade, monkeypatch, capsys):
    trade()
    monkeypatch.setattr("verifier.smt.solve.cvc5_solver.check_with_cvc5", lambda _text: "sat")

    assert Exit.DISAGREEMENT == run(["prove", "trade", "--confirm", "--jobs", "1", "--only", "solvent"])
    assert "THE SECOND SOLVER DISAGREES" in capsys.readouterr().out


# -------------------------------------------------------------------------------------------------- what is left open


def test_a_proof_holds_for_every_value_of_a_guess(trade):
    found = record(trade(), "invariant.solvent/buy")

    assert Verdict.PROVED is found.verdict
    assert "for every `price` in its range" in found.bounds


def test_what_holds_for_the_guess_alone_is_not_proved(trade):
    """With the price 2 nobody gets into debt; with 4, from 3 coins, somebody does."""
    found = record(trade("coins[turn] >= 2 and coins[turn] mod 2 == 0 or debts == allowed"), "invariant.solvent/buy")

    assert Verdict.NOT_INDUCTIVE is found.verdict


def test_rulings_are_as_they_are_unless_all_are_asked_for(trade):
    played = trade()

    assert Verdict.PROVED is record(played, "invariant.solvent/buy").verdict
    open_ruling = record(played, "invariant.solvent/buy", all_rulings=True)
    assert Verdict.NOT_INDUCTIVE is open_ruling.verdict


def test_what_holds_under_every_ruling_says_so(trade):
    """The sum is kept under both options, as far as nothing leaves its range; with debts, a purse does."""
    found = {each.name: each for each in proved(trade(), "conserved.money/buy", all_rulings=True).records}

    assert Verdict.CONDITIONAL is found["trade.conserved.money/buy"].verdict
    assert "for every `debts` in its range" in found["trade.conserved.money/buy"].bounds
    assert Verdict.NOT_SETTLED is record(trade(), "conserved.money/buy", all_rulings=True).verdict


# ---------------------------------------------------------------------------------------------------------- interruption

INTERRUPTED = """\
import os, signal, sys
from tests.support.searchable_games import bank
from verifier.prove.run import verify

def stop(record, count, total):
    if count == 3:
        os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever starts us in the background has it ignored
report = verify(bank(), jobs=2, confirm=False, progress=stop)
print(report.interrupted, len(report.records), report.exit_code)
"""


def test_an_interrupt_keeps_what_was_settled_and_the_next_run_goes_on(tmp_path, monkeypatch):
    environment = {**os.environ, "PILGRIM_CACHE": str(tmp_path)}
    made = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], env=environment, capture_output=True, text=True, timeout=300, check=True
    )
    interrupted, count, code = made.stdout.split()

    assert ("True", "3") == (interrupted, code)
    assert 3 <= int(count) < len(obligations(bank()))
    assert "Traceback" not in made.stderr
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path))
    again = verify(bank(), jobs=1, confirm=False)
    assert int(count) == sum(each.cached for each in again.records)
    assert 0 == again.exit_code


# ------------------------------------------------------------------------------------------------- processes that die

_settle = workers.settle


def _deadly(setup, obligation, hints):
    """Kill the process that works on one obligation."""
    if obligation.name == "bank.range/give":
        os.kill(os.getpid(), signal.SIGKILL)
    return _settle(setup, obligation, hints)


def test_a_process_that_dies_once_loses_nothing(tmp_path, monkeypatch):
    marked = tmp_path / "died"

    def once(setup, obligation, hints):
        if obligation.name == "bank.range/give" and not marked.exists():
            marked.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return _settle(setup, obligation, hints)

    monkeypatch.setattr(f"{__name__}._once", once, raising=False)
    monkeypatch.setattr(workers, "settle", _through_once)
    report = verify(bank(), jobs=2, cache=False, confirm=False)

    assert marked.exists()
    assert [each.name for each in obligations(bank())] == [each.name for each in report.records]
    assert 0 == report.exit_code


def _through_once(setup, obligation, hints):
    return globals()["_once"](setup, obligation, hints)


def test_an_obligation_that_kills_every_process_is_not_settled_and_takes_nothing_with_it(monkeypatch):
    monkeypatch.setattr(workers, "settle", _deadly)
    report = verify(bank(), jobs=2, cache=False, confirm=False, names=["range*", "conserved*"])
    lost = [each.name for each in report.records if each.reason == workers.DIED]

    assert ["bank.range/give"] == lost
    assert {"bank.range/take", "bank.range/pay", "bank.range/pass"} < {each.name for each in report.records}
    assert 3 == report.exit_code


class Breaking(Executor):
    """Breaks down with one piece of work, and does the others."""

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        if args[1].name == "bank.range/give":
            future.set_exception(BrokenExecutor("gone"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_what_somebody_else_s_process_loses_is_not_settled():
    report = verify(bank(), cache=False, confirm=False, executor=Breaking(), names=["range*", "conserved*"])
    lost = [each.name for each in report.records if each.reason == "gone"]

    assert ["bank.range/give"] == lost
    assert len(report.records) == len(
        [each for each in obligations(bank()) if each.kind in ("range", "initially", "kept")]
    )


# ------------------------------------------------------------------------------------------------- without a solver


def test_a_proof_that_folds_away_says_that_no_solver_was_asked():
    text = """\
        game fold "Fold"
            players 1..1 named ann

        stages
            playing by ann

        state
            n : 0..3 = 0

        action set_
            do n = 2

        invariant small: n != 3
        """
    found = record(game(text), "range/set_", confirm=True)

    assert (Verdict.PROVED, "simplification", "", 0) == (found.verdict, found.method, found.confirmed, found.queries)


def test_evidence_names_no_solver_for_it(trade, tmp_path):
    trade()
    run(["prove", "trade", "--jobs", "1", "--evidence", str(tmp_path / "evidence")])
    (records,) = read(tmp_path / "evidence" / "trade.json.gz").instances.values()

    for each in records:
        solved = "z3-solver" in each.tools
        assert solved == bool(each.queries), each.name
        assert solved or "cvc5" not in each.tools, each.name


def test_a_whole_run_in_this_process_and_in_two_says_the_same():
    alone = proved(bank())
    together = verify(bank(), jobs=2, cache=False, confirm=False)

    assert [(each.name, each.verdict) for each in alone.records] == [
        (each.name, each.verdict) for each in together.records
    ]
