"""`pilgrim export`: a game for another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, instance_options
from pilgrim_rules.export.core_json import core_json
from pilgrim_rules.export.graph import MOST_STATES, dot
from pilgrim_rules.export.murphi import murphi
from pilgrim_rules.export.smt2 import smt2
from pilgrim_rules.export.tla import tla, tlc_configuration
from pilgrim_rules.language.load import read_game
from pilgrim_rules.util.atomic_write import write

FORMATS: Final = {"tla": tla, "murphi": murphi, "smt2": smt2, "json": core_json}


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--to", "form", type=click.Choice([*FORMATS, "dot"]), required=True, help="The language that is written.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write to a file; for TLA+ also FILE.cfg, which TLC reads.",
)
@click.option(
    "--states",
    type=click.IntRange(min=1),
    default=MOST_STATES,
    show_default=True,
    help="Maximum number of states of a graph (--to dot).",
)
@instance_options
def export(game: str, *, form: str, output: Path | None, states: int, instance: InstanceOptions) -> Exit:
    """Write GAME for another tool.

    tla: a module for TLC. murphi: a model for Rumur or CMurphi. smt2: start, actions and claims as functions, for any solver. dot: the graph of
    all states, for Graphviz. json: the rules themselves, as a tree.
    """
    core = read_game(game, **instance.words())
    text = dot(core, states) if form == "dot" else FORMATS[form](core)
    if output is None:
        click.echo(text, nl=False)
        return Exit.OK
    write(output, text)
    if form == "tla":
        write(output.with_suffix(".cfg"), tlc_configuration(core))
    return Exit.OK
