"""Python: cell code printed as a Python module, compiled once for each game and kept.

Enters: a game.   Leaves: `Compiled`, the functions that list moves, refuse and play.
"""
