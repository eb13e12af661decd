"""Cells: the small imperative form over the cells of a state, to which a game is lowered and from which each target is printed.

Enters: nothing but numbers and names of cells.   Leaves: statements and values as frozen nodes, their simplification and walks.
"""
