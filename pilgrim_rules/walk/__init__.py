"""Random walks: a game to play, a policy and a seed enter; plays leave, the same on every machine.

The fuzzer, the prover, the mutator, the measurements of rulings and the documents walk through games by this package.
"""
