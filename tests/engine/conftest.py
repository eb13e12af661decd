"""What the tests of the engine share."""

from tests.support.compiled_games import noughts, own_cache, stalls

__all__ = ["noughts", "own_cache", "stalls"]
