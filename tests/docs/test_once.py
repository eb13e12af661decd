"""What is made once in a run is made once, however many processes there are."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest

from tests.support.once import once


class Folders:
    """Stands for the factory of temporary folders of one process."""

    def __init__(self, folder):
        self.folder = folder

    def getbasetemp(self):
        return self.folder


def test_whoever_comes_first_makes_it_and_the_others_wait(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    made = []

    def make():
        sleep(0.1)
        made.append(1)
        return {"made": len(made)}

    def ask(worker):
        (tmp_path / worker).mkdir()
        return once(Folders(tmp_path / worker), "thing", make)

    with ThreadPoolExecutor(4) as pool:
        assert [{"made": 1}] * 4 == list(pool.map(ask, ["gw0", "gw1", "gw2", "gw3"]))


def test_what_fails_is_not_tried_again_and_everybody_is_told_why(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    tried = []

    def make():
        tried.append(1)
        raise AssertionError("the browser did not answer")

    for _ in range(2):
        with pytest.raises(AssertionError, match="the browser did not answer"):
            once(Folders(tmp_path), "thing", make)

    assert [1] == tried
