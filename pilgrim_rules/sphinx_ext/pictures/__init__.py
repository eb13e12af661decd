"""Pictures: positions, boards to play on and recorded plays, as nodes of a page.

Enters: figures of a game, positions and traces.   Leaves: nodes with drawings that are loaded when they are looked at.
"""
