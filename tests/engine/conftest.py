"""What the tests of the engine share."""

from tests.support.compiled_games import noughts, stalls

__all__ = ["noughts", "stalls"]
