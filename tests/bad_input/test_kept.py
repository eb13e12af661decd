"""Files that commands keep between runs, damaged: they are refused in a line, or as good as absent."""

import gzip
import json

import pytest
from hypothesis import strategies as st

from tests.bad_input.answers import ask, everywhere, often
from tests.bad_input.conftest import FILES
from tests.bad_input.damage import damaged, distorted

ONE = ["--only", "forward*", "--no-confirm", "-j", "1"]
KEPT = {
    "campaign of fuzzing": (["fuzz", "tracks.rules", "--games", "1", "--file", "kept.json"], "kept.json"),
    "campaign of mutation": (
        ["mutate", "tracks.rules", "--sample", "1", "--games", "1", "--states", "10", "--readings", "0", "--file", "kept.json"],
        "kept.json",
    ),
    "evidence": (["prove", "tracks.rules", *ONE, "--no-cache", "--evidence", "evidence"], "evidence/tracks.json.gz"),
    "findings": (["readings", "tracks.rules", "--games", "1", "--write", "findings"], "findings/measured.json"),
}  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", KEPT)
@often(3, 20)
def test_what_was_kept_and_is_damaged_does_no_harm(here, name, examples):
    command, file = KEPT[name]
    ask(*command)
    kept = here / file
    read, write = (gzip.decompress, gzip.compress) if kept.suffix == ".gz" else (bytes, bytes)
    text = read(kept.read_bytes()).decode()

    @everywhere(st.tuples(st.randoms(use_true_random=False), st.integers(1, 3)), examples)
    def _(drawn):
        random, times = drawn
        value = json.dumps(distorted(json.loads(text), random, times)).encode()
        kept.write_bytes(write(random.choice([value, damaged(text, random, times)])))
        if random.random() < 0.1:
            kept.write_bytes(kept.read_bytes()[: random.randrange(40)])
        ask(*(["readings", "tracks.rules", "--renew", "findings"] if name == "findings" else command))


@often(6, 200)
def test_reasons_for_mutants_that_cannot_be_read_are_refused_or_taken(here, examples):
    text = '[equivalent]\n"lay.a" = "it makes no difference"\n\n[explained]\n"lay.b" = "nobody minds"\n'

    @everywhere(st.tuples(st.randoms(use_true_random=False), st.integers(0, 3)), examples)
    def _(drawn):
        (here / "reasons.toml").write_bytes(damaged(text, *drawn))
        ask("mutate", "tracks.rules", "--only", "no such mutant", "--reasons", "reasons.toml")


@pytest.mark.parametrize("target", ["tracks.rules", "/dev/null/x", "", ".", "\udcff", "a" * 3000])
def test_places_that_cannot_be_written_are_refused(here, target):
    for words in (
        ["fuzz", "tracks.rules", "--games", "1", "--save", target],
        ["prove", "tracks.rules", *ONE, "--html", target],
        ["prove", "tracks.rules", *ONE, "--evidence", target],
        ["readings", "tracks.rules", "--games", "1", "--write", target],
        ["readings", "tracks.rules", "--renew", target],
        ["mutate", "tracks.rules", "--only", "no such mutant", "--evidence", target],
    ):
        ask(*words)
    assert FILES["tracks.rules"] == (here / "tracks.rules").read_text()
