"""Utilities that know nothing of games: atomic writes, a cache of texts, quick dataclasses."""
