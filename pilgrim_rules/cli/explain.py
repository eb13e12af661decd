"""`pilgrim explain`: what a diagnostic code means."""

from __future__ import annotations

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.cli.output import show_json
from pilgrim_rules.diagnostics import explanations
from pilgrim_rules.diagnostics.codes import all_codes
from pilgrim_rules.diagnostics.suggestions import did_you_mean


@click.command(cls=Reporting)
@click.argument("code", required=False)
@format_option
def explain(code: str | None, *, as_json: bool) -> Exit:
    """Say what the diagnostic CODE means, with an example and how to fix it; without CODE, list all codes."""
    if code is None:
        _list(as_json=as_json)
        return Exit.OK
    found = explanations.explain(code)
    if found is None:
        hint = did_you_mean(code.upper(), (known.id for known in all_codes())) or "`pilgrim explain` lists all codes"
        raise click.BadArgumentUsage(f"there is no code {code!r}; {hint}")
    if as_json:
        named = {"code": found.code.id, "title": found.code.title, "severity": found.code.severity}
        show_json({**named, "means": found.means, "example": found.bad, "fix": found.fix})
    else:
        click.echo(found.text())
    return Exit.OK


def _list(*, as_json: bool) -> None:
    if as_json:
        rows = [{"code": code.id, "title": code.title, "severity": code.severity} for code in all_codes()]
        show_json({"codes": rows})
        return
    for code in all_codes():
        click.echo(f"{code.id}  {code.title}" + (" (warning)" if code.severity == "warning" else ""))
