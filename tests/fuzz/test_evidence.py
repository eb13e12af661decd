"""What random play says about obligations."""

from __future__ import annotations

import json

from tests.fuzz.texts import walk
from verifier.fuzz.campaign import run
from verifier.fuzz.evidence import entries
from verifier.report.evidence import SCHEMA_FILE

PLAYERS = {"players": 2}


def test_play_tests_and_refutes_but_never_proves(tmp_path):
    game = walk(tmp_path, claims="invariant fresh\n    tired < 2\n")
    found = {each["name"]: each for each in entries(game, run(game, games=10), PLAYERS)}
    assert {"tested", "refuted"} == {each["verdict"] for each in found.values()}
    assert ["leap", "rest", "leap"] == found["walk.invariant.fresh/leap"]["play"]
    assert "10 games" in found["walk.range/step"]["bounds"]


def test_entries_have_the_fields_of_evidence(tmp_path):
    fields = json.loads(SCHEMA_FILE.read_text())["$defs"]["record"]
    for each in entries(walk(tmp_path), run(walk(tmp_path), games=3), PLAYERS):
        assert set(fields["required"]) <= each.keys() <= fields["properties"].keys()
