"""What the tests of the library share."""

from tests.support.compiled_games import noughts, own_cache, stalls

__all__ = ["noughts", "own_cache", "stalls"]
