"""The meaning of the core: the reference evaluator, slow and obvious. Every other back end is tested against it."""
