"""Plan: in which order the arguments of an action are bound and its requirements are tested.

Enters: an action of the core.   Leaves: the lines of a search for its legal moves.
"""
