"""Code generation: a core game as the text of a Python module.

The parts, in the order in which they build on each other:

ranges, known, effort             what can be told of an expression
operators, simplify               the same expression, as far as it is known before play
writer, snippets, tables, sites   text, names, constants and places
expressions, folds, statements    core nodes as Python
relations, plan, search           the legal arguments of an action
module                            the whole game
"""
