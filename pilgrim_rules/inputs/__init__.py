"""Everything that is read beside the rules: clauses of the rulebook, data of an edition, maps."""
