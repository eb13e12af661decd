"""Pictures of positions. A state and who looks at it enter; SVG or plain text leaves, as the figures of the rules say."""

from pilgrim_rules.figures.board_text import board_text, picture_text
from pilgrim_rules.figures.draw import Picture, PictureOptions, draw
from pilgrim_rules.figures.layer_items import undrawn_variables

__all__ = ["Picture", "PictureOptions", "board_text", "draw", "picture_text", "undrawn_variables"]
