"""Fixtures: compiled games; their compiled code is kept in a folder of the test run, not in the user's."""

from __future__ import annotations

import pytest

from pilgrim_rules.api.game import Game
from tests.support.market_game import market
from tests.support.noughts_game import noughts_and_crosses


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PILGRIM_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def noughts(own_cache) -> Game:
    return Game(noughts_and_crosses())


@pytest.fixture(scope="session")
def stalls(own_cache) -> Game:
    return Game(market())
