"""Figures: pictures of states, as SVG and as plain text, and plays as pages; what they show is said in the rules."""

from pilgrim_rules.figures.draw import draw
from pilgrim_rules.figures.items import undrawn
from pilgrim_rules.figures.looks import Looks, Picture
from pilgrim_rules.figures.text import board_text, picture_text

__all__ = ["Looks", "Picture", "board_text", "draw", "picture_text", "undrawn"]
