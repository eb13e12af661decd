"""The engine: a core game enters, functions on states leave.

The rooms, each above those that use it: `cells` and `plan` (what every target shares), `lower` (a game as cell code), `python` and `wasm` (the
targets), `kernels` (loops over whole games) and `machines` (what runs them). The files here play: games, bulk play, tree search.
"""
