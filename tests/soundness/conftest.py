"""Random games are met once: nothing of them is kept."""

import pytest

from pilgrim_rules.language.load import read_game


@pytest.fixture(autouse=True, scope="module")
def nothing_is_kept(own_cache):
    """Keep neither games nor code, once the parser has been made from what is kept of it."""
    read_game("nim")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PILGRIM_CACHE", "")
        yield
