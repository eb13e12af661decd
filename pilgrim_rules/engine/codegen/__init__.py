"""Code generation: a core game as the text of a Python module.

The parts, in the order in which they build on each other:

ranges, operators, simplify       what is known of an expression before play
writer, snippets, tables, sites   text, names, constants and places
expressions, folds, statements    core nodes as Python
plan, search                      the legal arguments of an action
module                            the whole game
"""
