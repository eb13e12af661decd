"""Terms: the small logic between the core and the solvers."""
