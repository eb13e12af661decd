"""Random play that looks for contradictions in the rules, and for disagreements between the accounts of them."""
