"""How often the options of a ruling make a difference in play."""
