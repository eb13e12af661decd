"""Every diagnostic, as the user sees it. `pytest tests/golden --accept` writes the expected texts anew."""

import pytest

from tests.golden.transcript import CASES, MADE, ROOT, expected, found, transcript


@pytest.fixture
def bag(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path if case in MADE else ROOT)
    monkeypatch.setenv("PILGRIM_CACHE", "")
    return found(case, tmp_path)


@pytest.mark.parametrize("case", CASES)
def test_a_bad_file_is_reported_as_recorded(case, bag, accept):
    if accept:
        expected(case).write_text(transcript(bag))

    assert expected(case).read_text() == transcript(bag)


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("PR")])
def test_one_mistake_gives_one_message(case, bag):
    assert [case[:5]] == [one.code.id for one in bag]


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("many")])
def test_several_mistakes_give_as_many_messages(case, bag):
    """A comment `# PRnnn` at the end of a line announces the mistake on it."""
    source = bag.sources[f"tests/golden/bad/{case}.rules"]
    announced = [(at, line[-5:]) for at, line in enumerate(source.text.splitlines(), 1) if line[-7:-5] == "# "]

    assert announced == [(source.position(one.span.start)[0], one.code.id) for one in bag]
