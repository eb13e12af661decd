"""Fixtures: compiled games."""

from __future__ import annotations

import pytest

from pilgrim_rules.api.game import Game
from tests.support.market_game import market
from tests.support.noughts_game import noughts_and_crosses


@pytest.fixture(scope="session")
def noughts(own_cache) -> Game:
    return Game(noughts_and_crosses())


@pytest.fixture(scope="session")
def stalls(own_cache) -> Game:
    return Game(market())
