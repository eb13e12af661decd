"""The solvers: z3 and cvc5, and queries as SMT-LIB text."""
