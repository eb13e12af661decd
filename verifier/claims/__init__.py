"""What is claimed of a game, and what may be said of each claim."""
