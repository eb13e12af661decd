"""The command `pilgrim`: picks the subcommand, and turns whatever happens into a message and an exit code.

Reads:  the command line.   Writes: the exit code (`Exit`).
After:  no traceback was shown, unless PILGRIM_DEBUG is set; only the module of the chosen subcommand was imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

import click

from pilgrim_rules.cli.commands import ENTRIES, SECTIONS
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.progress import PATIENCE
from pilgrim_rules.util.interrupts import terminable

_HELP = """Board game rules, written once: check them, play them, prove them.

GAME is the name of a game (see `pilgrim games`), a rules file, or a folder of rules files.
"""
_EXITS = "Exit codes: 0 success · 1 refuted, illegal move or wrong layout · 2 bad input · 3 not settled · 4 two checks disagree · 70 internal error"


class Commands(click.Group):
    """The subcommands of the table, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands that can run here."""
        del ctx
        return [name for name, entry in ENTRIES.items() if entry.installed]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; one whose libraries are missing is refused with the way to install them."""
        entry = ENTRIES.get(cmd_name)
        if entry is None:
            return None
        if not entry.installed:
            ctx.fail(f"`{cmd_name}` needs the verifier; install it with: pip install 'pilgrim-rules[verify]'")
        module, attribute = entry.target.split(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first argument names; suggest one if it is misspelt."""
        name = args[0]
        if name not in ENTRIES and not name.startswith("-"):
            from pilgrim_rules.diagnostics.suggestions import did_you_mean  # noqa: PLC0415  (only for a mistake)

            hint = did_you_mean(name, ENTRIES) or "`pilgrim --help` lists the commands"
            ctx.fail(f"there is no command `{name}`; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview from the table alone."""
        installed = set(self.list_commands(ctx))
        for title, section in SECTIONS.items():
            if lines := [(name, entry.says) for name, entry in section.items() if name in installed]:
                with formatter.section(title):
                    formatter.write_dl(lines)


@click.group(cls=Commands, help=_HELP, epilog=_EXITS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pilgrim-rules", message="pilgrim-rules %(version)s")
def cli() -> None:
    """Hold the subcommands; the help text is above."""


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    PATIENCE.seconds = 1.0  # with what has passed before, less than two
    sys.exit(run(sys.argv[1:]))


def run(args: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    _open_streams()
    try:
        # Not `cli.main`: it has exit codes of its own for a broken pipe and an interrupt.
        with terminable(), cli.make_context("pilgrim", list(args)) as context:
            result: Any = cli.invoke(context)
        sys.stdout.flush()  # so that a reader who has gone is noticed here, not at shutdown
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as mistake:
        mistake.show()
        return Exit.BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        return Exit.INTERRUPTED
    except (BrokenPipeError, SystemExit):  # rich leaves without a word if its reader has gone, and says 1
        _drop_output()
        return Exit.BROKEN_PIPE
    except OSError as problem:  # a full disk, a folder that has gone: nothing that a program could fix
        _drop_output()
        return _report_surroundings(problem)
    except Exception as bug:  # noqa: BLE001  (the outermost guard: a user never sees a traceback)
        return _report_bug(bug)
    return result if isinstance(result, int) else Exit.OK


def _open_streams() -> None:
    """See to it that there are streams, and that no letter is too much for them: what cannot be said is a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # it was closed before we began
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  (as long as we run)
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop_output() -> None:
    """Let go of what could not be written: Python flushes once more at shutdown, so it needs a place that takes it."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report_surroundings(problem: OSError) -> Exit:
    if os.environ.get("PILGRIM_DEBUG"):
        raise problem
    about = "" if problem.filename is None else f" (`{problem.filename}`)"
    with suppress(OSError):
        click.echo(f"Error: {problem.strerror or problem}{about}", err=True)
    return Exit.BAD_INPUT


def _report_bug(bug: Exception) -> Exit:
    if os.environ.get("PILGRIM_DEBUG"):
        import traceback  # noqa: PLC0415  (only for a bug)

        traceback.print_exception(bug)
    click.echo(
        f"internal error: {type(bug).__name__}: {bug}\n"
        "This is a bug in pilgrim-rules, not in your rules. Please report it with the command line, the rules files\n"
        "and what the same command prints with PILGRIM_DEBUG=1.",
        err=True,
    )
    return Exit.INTERNAL
