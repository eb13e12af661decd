"""What the verifier writes is what the documents read, and no word outlives the text it was said of."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes

from pilgrim_rules.evidence.files import BadEvidence, Evidence, read, write
from pilgrim_rules.evidence.judged import JudgedEvidence, JudgedInstance, JudgedRecord, parts_of
from pilgrim_rules.evidence.record import Source, Verdict
from pilgrim_rules.evidence.status import Status
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.sphinx_ext.lists.object_lists import _rests
from pilgrim_rules.sphinx_ext.lists.other_claims import claims_of_others
from pilgrim_rules.sphinx_ext.model import books
from pilgrim_rules.sphinx_ext.model.connections import parts_of_proofs
from verifier.claims.obligations import obligations
from verifier.prove.run import verify
from verifier.report.run_result import run_result

TEXT = """\
game duel "Duel"
    players 2..3 named ann, bob, cid

stages
    playing by turn
    over nobody

state
    coins : 0..9 = 9
    held[Player] : 0..9 = 0
    turn : Player = ann

action take
    by turn
    during playing
    do
        move 1 from coins to held[turn]
        if coins == 0: stage = over

invariant none_lost: coins + (sum of held[p] for p in Player) == 9
invariant some_left: stage == playing implies coins > 0
reachable all_gone: coins == 0
terminates by (coins)
"""
Write = Callable[..., books.Book]


@pytest.fixture
def duel(tmp_path: Path) -> Write:
    """Return a function that proves the game for some players, if any, and then reads what its pages would say."""
    path, evidence = tmp_path / "duel.rules", tmp_path / "evidence.json.gz"

    def book(*players: int, old: str = "", new: str = "") -> books.Book:
        assert old in TEXT
        path.write_text(TEXT.replace(old, new) if old else TEXT)
        known = Evidence("duel")
        for count in players:
            loaded = load_rules(path, players=count)
            report = verify(loaded.game, cache=False, jobs=1, confirm=False)
            known = run_result(loaded, report).added_to(known)
        if players:
            write(evidence, known)
        return books._read(str(path), books.BookFiles(evidence, tmp_path / "none.json", tmp_path / "none.json"), None)

    return book


def test_proofs_are_shown_for_every_number_of_players_that_was_looked_at(duel: Write) -> None:
    book = duel(2, 3)

    assert book.status("none_lost") is Status.PROVED
    assert book.status("all_gone") is Status.PROVED
    assert book.status("terminates") is Status.PROVED
    assert {"2 players", "3 players"} <= {
        bound for record in book.evidence.about("none_lost") for bound in record.bounds
    }
    assert "z3-solver" in book.evidence.tools


def test_without_evidence_all_is_open(duel: Write) -> None:
    assert duel().status("none_lost") is Status.OPEN


def test_a_changed_claim_makes_its_own_proofs_stale_and_those_that_rest_on_it(duel: Write) -> None:
    duel(2)
    book = duel(old="implies coins > 0", new="implies coins >= 1")

    assert book.status("some_left") is Status.STALE
    (record,) = [each for each in book.evidence.of_rule("take") if each.kind == "range"]
    assert "invariant:some_left" in record.core
    assert record.status is Status.STALE
    (record,) = [each for each in book.evidence.about("none_lost") if each.part == "take"]
    assert record.status is Status.NOT_SETTLED
    assert record.reason == "it rests on `range/take`, which is not proved"


def test_a_changed_start_makes_what_is_said_of_the_start_stale(duel: Write) -> None:
    duel(2)
    book = duel(old="turn : Player = ann", new="turn : Player = bob")

    assert {record.part: record.status for record in book.evidence.about("none_lost")}["initially"] is Status.STALE
    assert book.status("all_gone") is Status.STALE


def test_a_new_rule_that_nobody_has_looked_at_leaves_a_claim_open(duel: Write) -> None:
    duel(2)
    more = "action steal\n    by turn\n    during playing\n    do\n        coins += 0\n\ninvariant none_lost"
    book = duel(old="invariant none_lost", new=more)

    assert Status.STALE not in {record.status for record in book.evidence.about("none_lost")}
    assert book.status("none_lost") is Status.OPEN


def test_evidence_under_another_ruling_is_not_that_of_these_pages(duel: Write) -> None:
    duel(2)
    ruling = "ruling r\n    option a default\n    option b\n\n"
    book = duel(old="invariant none_lost", new=f"{ruling}invariant none_lost")

    assert book.evidence.parts == ()


def test_a_number_of_players_that_is_allowed_no_more_is_left_out(duel: Write) -> None:
    duel(2, 3)
    book = duel(old="2..3 named ann, bob, cid", new="2..2 named ann, bob")

    assert [part.players for part in book.evidence.parts] == [2]


def record(
    source: Source, status: Status, kind: str = "kept", name: str = "g.invariant.i", part: str = "/take", **more: Any
) -> JudgedRecord:
    made = {"about": {"rules": "1"}, "source": source, "status": status, **more}
    return JudgedRecord(f"{name}{part}", kind, "What it says.", Verdict.PROVED, "somehow", **made)


@pytest.mark.parametrize(
    ("records", "status"),
    [
        ([record("proof", Status.NOT_SETTLED), record("search", Status.PROVED, part="")], Status.PROVED),
        ([record("proof", Status.NOT_INDUCTIVE), record("fuzz", Status.TESTED, part="")], Status.TESTED),
        ([record("proof", Status.PROVED), record("fuzz", Status.REFUTED)], Status.REFUTED),
        ([record("proof", Status.VACUOUS), record("fuzz", Status.TESTED, part="")], Status.VACUOUS),
        ([record("fuzz", Status.TESTED, part="")], Status.TESTED),
    ],
)
def test_of_several_ways_the_best_counts_unless_one_refutes(records: list[JudgedRecord], status: Status) -> None:
    part = JudgedInstance(2, records=tuple(records)).current({"rules": "1"}, {})

    assert JudgedEvidence((part,)).status("i") is status


def test_a_claim_that_says_nothing_is_not_shown_as_proved() -> None:
    empty = record("proof", Status.VACUOUS, "falsifiable", "g.falsifiable", "/i")
    part = JudgedInstance(2, records=(record("proof", Status.PROVED, "initially", part="/initially"), empty)).current(
        {"rules": "1"}, {}
    )

    assert JudgedEvidence((part,)).status("i") is Status.VACUOUS


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "pilgrim-rules/evidence/9"}', '{"format": 1}'])
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json.gz").write_bytes(gzip.compress(text.encode()))
    with pytest.raises(BadEvidence, match=r"x\.json"):
        read(tmp_path / "x.json.gz")


KEPT = sorted(Path(find_game.shipped().parent, "docs", "evidence").glob("*.json.gz"))


@pytest.mark.slow  # `make docs` reads it all
@pytest.mark.parametrize("path", KEPT, ids=lambda p: p.name)
def test_the_evidence_that_comes_with_the_documents_can_be_read(path: Path) -> None:
    assert parts_of(read(path))


def test_games_in_which_a_rule_was_never_used_do_not_count_for_it() -> None:
    def part(players: int, *idle: str) -> JudgedInstance:
        bounds = (f"{players} players", f"{players}00 games, 9 steps, seed 0", *idle)
        return JudgedInstance(players, records=(record("fuzz", Status.TESTED, "range", "g.range", "", bounds=bounds),))

    found = JudgedEvidence((part(2), part(3, "`drop` was never made")))

    assert (found.played("drop"), found.played("take")) == (200, 500)


@pytest.mark.parametrize("name", ["pig", "watermill", "kuhn_poker", "pilgrim"])
def test_the_parts_that_a_proof_must_have_are_those_that_the_verifier_proves(name: str) -> None:
    game = load_rules(name).game
    asked: dict[str, set[str]] = {}
    for each in obligations(game):
        if each.kind in ("initially", "kept", "follows", "step", "decreases"):
            asked.setdefault(each.subject or "", set()).add(each.name.partition("/")[2])

    assert {claim: set(parts) for claim, parts in parts_of_proofs(game).items()} == asked


MORE = "invariant only_three when players == 3: all p in Player: held[p] + coins <= 9\n    ## Cid holds coins too.\n\ninvariant some_left"


@pytest.mark.parametrize(("looked_at", "said"), [((2, 3), "1 proved."), ((2,), "1 open.")])
def test_what_is_claimed_only_of_more_players_than_the_pages_show_has_a_table(
    duel: Write, looked_at: tuple[int, ...], said: str
) -> None:
    book = duel(*looked_at, old="invariant some_left", new=MORE)
    (three,) = [game for game in book.other_tables if game.players == 3]
    counted, table = claims_of_others(book, three)
    _, row = table.findall(nodes.row)

    assert counted.astext() == f"Of 1 claim: {said}"
    assert row.astext().startswith("only three: Cid holds coins too.")
    assert claims_of_others(book, book.game)[0].astext().startswith("Nothing more is claimed")


def test_parts_that_rest_on_what_is_not_proved_are_told_together() -> None:
    assert ("it rests on what is not proved", "sell grain (`invariant.six`)") == _rests(
        "it rests on `invariant.six`, which is not proved", "sell_grain"
    )
    own, part = _rests("it rests on `range/sell_grain`, which is not proved", "sell_grain")
    assert "leaves its range" in own
    assert part == "sell grain"
    assert ("the budget is spent", "sell") == _rests("the budget is spent", "sell")
