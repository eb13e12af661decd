"""The blocks of a rule page, one module each, in the order of `rule_page`.

A game's rulebook data and one of its rules enter; docutils nodes leave.
"""
