"""Help texts: every command and option explains itself in a short, plain sentence."""

import re

import click
import pytest

from pilgrim_rules.cli.commands import ENTRIES
from pilgrim_rules.cli.main import cli

#: Words that an ordinary reader does not expect in a help text.
UNUSUAL = re.compile(
    r"\b(mend|so many|dear|whence|thereof|of today|wants something|and go on|notices)\b", re.IGNORECASE
)
LONGEST = 90  #: letters of the help of an option


def command(name):
    return cli.get_command(click.Context(cli), name)


def helps():
    """Yield the help of each option of each command."""
    for name in ENTRIES:
        for option in command(name).params:
            if isinstance(option, click.Option):
                yield f"{name} {option.opts[0]}", option.help or ""


@pytest.mark.parametrize("name", ENTRIES)
def test_a_command_says_what_it_does_in_a_sentence(name):
    first = (command(name).help or "").strip().split("\n\n")[0]

    assert re.match(r"[A-Z].*\.$", first, re.DOTALL), first
    assert not UNUSUAL.search(command(name).help)
    assert re.match(r"[A-Z].*\.$", ENTRIES[name].says)
    assert not UNUSUAL.search(ENTRIES[name].says)


def test_every_option_has_a_short_plain_help():
    wrong = {
        name: text
        for name, text in helps()
        if not re.match(r"[A-Z].*[.\]]$", text) or len(text.partition("  [")[0]) > LONGEST or UNUSUAL.search(text)
    }

    assert {} == wrong
