"""A small game with something to be said about it, and what a prover might say, without asking one."""

from collections.abc import Callable

import pytest

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.evidence.record import ClaimSpan, Record, Verdict
from pilgrim_rules.language.load import Loaded, load_rules
from verifier.claims.obligations import obligations
from verifier.claims.verdict_dependencies import verdict_dependencies
from verifier.prove.run import Report

WELL = """\
game well "A well"
    players 1..3 named ann, bob, cid

stages
    playing by turn
    over nobody

state
    water : 0..9 = 9
    bucket[Player] : 0..9 = 0
    turn : Player = ann

ruling spill
    option allowed default
    option forbidden

action draw(n: 1..3)
    by turn
    during playing
    require n <= water else "there is not so much water"
    do
        move n from water to bucket[turn]
        if water == 0: stage = over

invariant none_lost
    ## No water gets lost.
    water + (sum of bucket[p] for p in Player) == 9
invariant modest: all p in Player: stage == playing implies bucket[p] <= 4 and water >= 0
step falls: water' < water
terminates by (water)
reachable empty: water == 0
"""


@pytest.fixture
def well(tmp_path, monkeypatch) -> Callable[..., Loaded]:
    """Return a function that loads the game, with some of its text replaced."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "well.rules"

    def load(*changes: tuple[str, str], players: int = 2) -> Loaded:
        text = WELL
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
        return load_rules(path, players=players)

    return load


@pytest.fixture
def said() -> Callable[..., Report]:
    """Return a function that makes a report: everything is proved by induction, except for what is given by name."""

    def made(loaded: Loaded, only: str = "", **otherwise: dict[str, object]) -> Report:
        game, prints = loaded.game, Fingerprints(loaded.game).named()
        records = []
        for each in obligations(game):
            if only not in each.name:
                continue
            own = otherwise.get(each.name.partition(".")[2], {})
            words = {"verdict": Verdict.PROVED, "core": (), "seconds": 0.25, **own}
            names = verdict_dependencies(each, words["verdict"], words["core"])
            records.append(
                Record(
                    name=each.name,
                    kind=each.kind,
                    sentence=each.sentence,
                    method="induction",
                    clauses=each.clauses,
                    bounds=(f"{game.players} players",),
                    about={name: prints[name] for name in names},
                    rlimit=1000,
                    queries=1,
                    place=None if each.span is None else ClaimSpan(each.span.file, each.span.start, each.span.end),
                    **words,
                )
            )
        return Report(game.name, tuple(records))

    return made
