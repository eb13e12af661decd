"""What the rulebook says, in our words and by id, and where the rules cite it."""
