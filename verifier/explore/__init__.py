"""Exhaustive search of small instances: every reachable state, by NumPy code generated from the core."""
