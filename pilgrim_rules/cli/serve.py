"""`pilgrim serve`: games for programs in any language."""

from __future__ import annotations

import sys
from importlib.metadata import version

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting


@click.command(cls=Reporting)
def serve() -> Exit:
    """Answer requests on standard input, one JSON object a line (JSON-RPC 2.0).

    A program loads a game, lists moves, plays, asks why not, and proves. Also a server of the Model Context Protocol, for assistants.
    """
    from pilgrim_rules.service.json_rpc import serve as answer  # noqa: PLC0415  (other commands need none of it)

    answer(sys.stdin, sys.stdout, version("pilgrim-rules"))
    return Exit.OK
