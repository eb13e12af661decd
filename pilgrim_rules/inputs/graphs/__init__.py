"""Graphs of a game: written out in the rules or loaded from a map; constant tables come out."""
