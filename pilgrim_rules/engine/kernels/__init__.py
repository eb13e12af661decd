"""Kernels: loops over whole games, written once in a small part of Python.

`engine/wasm/translate.py` makes WebAssembly of them, and says what may be used; where there is no WebAssembly, `machine` runs them as
they are, on the compiled Python of the game. So both give the same results.
"""
