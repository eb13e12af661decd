"""Evidence: what was found out about a game. The verifier writes it, the documents read it, both through this package.

Records enter from proofs, searches and play; files and status words leave. Nothing here knows a solver or Sphinx.
"""
