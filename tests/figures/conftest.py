"""Games whose pictures are drawn."""

import pytest

from pilgrim_rules.api.game import load
from tests.support.tracks_game import write_tracks


@pytest.fixture(scope="session")
def tracks_file(tmp_path_factory):
    return write_tracks(tmp_path_factory.mktemp("tracks"))


@pytest.fixture(scope="session")
def tracks(tracks_file):
    return load(tracks_file)


@pytest.fixture(scope="session")
def noughts():
    return load("noughts_and_crosses")
