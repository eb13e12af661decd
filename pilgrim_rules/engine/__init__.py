"""The engine: a core game enters, functions on states leave.

What every target shares stands here (`search_plan`, `relations`, `error_sites`); a folder for each target prints it.
"""
