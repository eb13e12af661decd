"""The small games that are shipped, run through every pass and every back end."""
