"""Editors: what somebody who writes rules sees while typing.

Texts of open files enter, saved or not; mistakes, places of names, descriptions, changes of text leave. `server` speaks the
Language Server Protocol; everything else is plain functions.
"""
