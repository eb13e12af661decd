"""Names: which declaration each global name stands for, and the order in which declarations can be read."""
