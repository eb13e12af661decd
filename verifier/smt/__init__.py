"""Proof obligations as solver queries: the only folder that knows z3 and cvc5."""
