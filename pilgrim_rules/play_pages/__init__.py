"""Whole plays as pages. A trace enters; a page that needs nothing else, or the pictures of an animation, leave."""
