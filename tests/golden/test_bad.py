import re

import pytest

from tests.golden.transcript import BAD, ROOT, transcript


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_file_is_reported_as_recorded(path, monkeypatch):
    monkeypatch.chdir(ROOT)

    assert path.with_suffix(".expect").read_text() == transcript(path)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_file_shows_the_mistake_it_is_named_after(path):
    found = re.findall(r"^(?:error|warning)\[(PR\d+)\]", (ROOT / path).with_suffix(".expect").read_text(), re.MULTILINE)

    assert path.name[:5] in found
