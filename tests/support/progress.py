"""What a command says of itself while it takes long: how much of that there is depends on the machine."""

import re

_PROGRESS = re.compile(r"pilgrim .* …|[\w/. ]+, [a-z ]+( …|: .*)")


def without_progress(text: str) -> str:
    """Return what was written to the error stream, but for lines about progress."""
    return "".join(line for line in text.splitlines(keepends=True) if not _PROGRESS.fullmatch(line.rstrip("\n")))
