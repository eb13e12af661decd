"""What the subcommands share: arguments and options, and the command class that reports mistakes.

Reads:  the words of a command line.   Writes: checked values; click's own errors for words that make no sense.
After:  a mistake met anywhere in a command was printed in the format asked for: in rules or data (2), or in play (1 if
        a move is illegal or the rules contradict themselves, else 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.output import show_mistakes, show_problem
from pilgrim_rules.cli.progress import announced
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.semantics.errors import Contradiction, IllegalMove, RulesGameError


class Reporting(click.Command):
    """A command that shows a mistake in the rules, or in what is played by them, and ends with its exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and return its exit code."""
        try:
            with announced(" ".join(["pilgrim", str(ctx.info_name), *_named(ctx.params.get("game"))])):
                return super().invoke(ctx)
        except RulesError as error:
            show_mistakes(error.diagnostics, error.sources, as_json=ctx.params.get("as_json", False), err=True)
            return Exit.BAD_INPUT
        except RulesGameError as error:
            show_problem(error, as_json=ctx.params.get("as_json", False))
            return Exit.REFUTED if isinstance(error, IllegalMove | Contradiction) else Exit.BAD_INPUT


def _named(game: object) -> Iterator[str]:
    if isinstance(game, str):
        yield game


@dataclass(frozen=True, slots=True)
class InstanceOptions:
    """Which instance of a game is meant."""

    players: int | None
    rulings: dict[str, str] | None
    options: dict[str, str] | None
    edition: str | None
    map: str | None
    preset: str | None

    def words(self) -> dict[str, Any]:
        """Return the keyword arguments that `load` and `read_game` take besides the name."""
        return {
            "players": self.players,
            "rulings": self.rulings,
            "options": self.options,
            "preset": self.preset,
            "edition": self.edition,
            "map": self.map,
        }


def format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--format text|json`, given to the command as `as_json`."""
    return click.option(
        "--format",
        "as_json",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        callback=lambda _context, _option, value: value == "json",
        help="Output format.",
    )(command)


def instance_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose an instance, given to the command as `instance`."""

    @wraps(command)
    def gathered(
        *args: Any,
        players: int | None,
        ruling: dict[str, str],
        option: dict[str, str],
        preset: str | None,
        edition: str | None,
        map_: str | None,
        **words: Any,
    ) -> Any:
        return command(
            *args, instance=InstanceOptions(players, ruling or None, option or None, edition, map_, preset), **words
        )

    options = (
        click.option(
            "--map",
            "map_",
            metavar="NAME|FILE",
            callback=_name_or_file,
            help="Use a map that the game brings along, or another.",
        ),
        click.option(
            "--edition",
            metavar="NAME|FILE",
            callback=_name_or_file,
            help="Use an edition that the rules name, or the data of another.",
        ),
        click.option("--preset", metavar="NAME", help="Use a named set of rulings, such as that of an edition."),
        click.option(
            "--ruling",
            multiple=True,
            metavar="NAME=OPTION",
            callback=_choices,
            help="Choose an option of a ruling. May be given several times.",
        ),
        click.option(
            "--option",
            multiple=True,
            metavar="NAME=CHOICE",
            callback=_choices,
            help="Choose an option of the set-up. May be given several times.",
        ),
        click.option(
            "--players",
            type=click.IntRange(min=1),
            metavar="N",
            help="Number of players (default: as the rules say, else the fewest they allow).",
        ),
    )
    result: Callable[..., Any] = gathered
    for option in options:
        result = option(result)
    return result


def _name_or_file(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """Refuse what can only be a file, and is none; whether there is such a name is for the game to say."""
    if given is None or given.isidentifier():
        return given
    file = click.Path(exists=True, dir_okay=False, readable=True)
    return str(file.convert(given, option, context))


def _choices(context: click.Context, option: click.Parameter, pairs: tuple[str, ...]) -> dict[str, str]:
    """Read `name=option` pairs; the names are checked against the game when it is loaded."""
    chosen: dict[str, str] = {}
    for pair in pairs:
        name, equals, choice = (part.strip() for part in pair.partition("="))
        if not (name and equals and choice):
            raise click.BadParameter(f"`{pair}` is not of the form {option.metavar}", context, option)
        if chosen.setdefault(name, choice) != choice:
            raise click.BadParameter(f"`{name}` is given two options", context, option)
    return chosen
