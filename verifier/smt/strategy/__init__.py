"""How one obligation is settled: queries, refinement, induction."""
