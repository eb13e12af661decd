"""A game of our own, so that these tests do not depend on the text of a shipped one."""

from tests.support.pebbles_game import pebbles

__all__ = ["pebbles"]
