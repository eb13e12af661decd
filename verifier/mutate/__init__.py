"""Mutation: rules with a small mistake in them. Whatever notices protects the rule; what nobody notices is unprotected."""
