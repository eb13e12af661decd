"""Pictured: what can be drawn, a state as a whole or as somebody sees it.

Reads:  a state and who looks at it.   Writes: pictures, and plain text.
After:  whoever plays without pictures has imported nothing that draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Unpack

    from pilgrim_rules.engine.rules import StateLike
    from pilgrim_rules.figures.draw import Picture, PictureOptions
    from pilgrim_rules.semantics.visibility import Observer


class Pictured:
    """Something that has pictures."""

    __slots__ = ()

    def _seen(self) -> tuple[StateLike, Observer | None]:
        """Return the state, and who looks at it; None for somebody who sees everything."""
        raise NotImplementedError

    def svg(self, **options: Unpack[PictureOptions]) -> Picture:
        """Return a picture as SVG; `pilgrim_rules.figures.draw` says what can be asked for. A view shows only what may be seen."""
        from pilgrim_rules.figures import draw  # noqa: PLC0415  (whoever plays without pictures does not need it)

        state, observer = self._seen()
        return draw(state, observer=observer, **options)

    def ascii(self, figure: str | None = None) -> str:
        """Return the figures of the rules as plain text; a view shows only what may be seen."""
        from pilgrim_rules.figures import picture_text  # noqa: PLC0415  (the same)

        state, observer = self._seen()
        return picture_text(state, figure=figure, observer=observer)

    def _repr_svg_(self) -> str:
        return self.svg()
