"""Soak: a long run of random games and compared states over every game, in pieces, with a report for the documents."""
