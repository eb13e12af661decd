"""Lowering: a core game as cell code.

The parts, in the order in which they build on each other:

facts, builder, tables          what is known where code is written, statements and names, constants
lowering, folds, expressions, statements  core nodes as cell code
search, networks                the legal arguments of an action, the graphs of a state
program                         the whole game
"""
