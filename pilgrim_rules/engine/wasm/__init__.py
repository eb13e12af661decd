"""WebAssembly: cell code as a module that plays whole games.

The parts, in the order in which they build on each other:

types, memory       how numbers are stored, and where
values, functions   cell code in the text format
"""
