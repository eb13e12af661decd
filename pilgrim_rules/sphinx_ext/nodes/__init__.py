"""Nodes: what every page is put together from, without a word about rules.

Enters: texts, listings and drawings.   Leaves: nodes of docutils, and files of pictures.
"""
