"""Objects: the domain of rules, clauses, rulings and examples, their anchors, and what all directives share.

Enters: a book.   Leaves: objects that a page shows, and references to them.
"""
