"""Every instance: the numbers of players, and the readings, that a command about a whole game goes through.

Reads:  the words of a command line.   Writes: loaded games.
After:  what nobody has chosen is gone through: all numbers of players, if asked for all options of the set-up, and if all rulings are asked for, every combination
        of options that makes a difference while the rules are read. The other rulings are left open by the proofs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import prod
from time import monotonic
from typing import Any

import click

from pilgrim_rules.cli.options import InstanceOptions
from pilgrim_rules.cli.output import counted, show_plain
from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.rulings import chosen_rulings
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.diagnostics.codes import PR507
from pilgrim_rules.language.load import Loaded, load_rules
from pilgrim_rules.util import processes, text_cache

#: Combinations of options that are gone through; of more, the one that is chosen is looked at, and the others are counted.
MOST_READINGS = 64
#: Rules that take more seconds than this to read are read for several numbers of players at the same time.
SLOW = 1.0


@dataclass(frozen=True, slots=True)
class Asked:
    """One instance: the game, the words with which it is loaded, and what tells it from the others of the same command.

    left_out  readings that differ from this one while the rules are read, and are too many to go through.
    """

    loaded: Loaded
    words: dict[str, Any]
    part: str = ""
    left_out: int = 0


def every_instance(
    name: str, instance: InstanceOptions, *, all_rulings: bool, all_options: bool = False
) -> Iterator[Asked]:
    """Yield the instances of a game that a command is about, the fewest players first."""
    begun = monotonic()
    first = load_rules(name, **instance.words())
    seats = first.game.seats if instance.players is None else (first.game.players,)
    choices = _choices(first.game, instance) if all_options else [instance.options]
    if monotonic() - begun > SLOW:
        others = [players for players in seats if players != first.game.players]
        _read_ahead([(name, {**instance.words(), "players": players}) for players in others])
    for players in seats:
        for number, options in enumerate(choices, 1):
            words = {**instance.words(), "players": players, "options": options}
            usual = players == first.game.players and options == instance.options
            loaded = first if usual else _lawful(name, words)
            part = (f".{players}" if len(seats) > 1 else "") + (f".choice{number}" if len(choices) > 1 else "")
            if loaded is None:
                said = ", ".join(f"{option} = {choice}" for option, choice in (options or {}).items())
                show_plain(f"{first.game.name}: its laws do not allow {said}", err=True)
            elif all_rulings:
                yield from _readings(name, words, Asked(loaded, words, part))
            else:
                yield Asked(loaded, words, part)


def _read_ahead(asked: list[tuple[str, dict[str, Any]]]) -> None:
    """Read rules in several processes, so that the cache of checked games knows them when this process wants them."""
    jobs = min(len(asked), os.cpu_count() or 1)
    if jobs > 1 and text_cache.folder() is not None:
        with processes.pool(jobs, method=None) as pool:
            for _ in pool.map(_read, asked):
                pass


def _read(asked: tuple[str, dict[str, Any]]) -> None:
    name, words = asked
    with suppress(RulesError):  # whoever wants it is told
        load_rules(name, **words)


def _choices(game: Game, instance: InstanceOptions) -> list[dict[str, str] | None]:
    """Return every combination of the choices of the set-up that the command leaves open."""
    given = instance.options or {}
    left = {each.name: [name for name, _ in each.options] for each in game.options if each.name not in given}
    if prod(map(len, left.values())) > MOST_READINGS:
        many = prod(map(len, left.values()))
        raise click.UsageError(f"{many:,} combinations of options are too many: choose some with --option")
    return [{**given, **dict(zip(left, made, strict=True))} for made in product(*left.values())]


def _readings(name: str, words: dict[str, Any], usual: Asked) -> Iterator[Asked]:
    """Yield a game under every combination of the options that something was computed from while the rules were read."""
    found: dict[tuple[tuple[str, str], ...], Loaded | None] = {chosen_rulings(usual.loaded.game): usual.loaded}
    options = {ruling.name: [name for name, _ in ruling.options] for ruling in usual.loaded.game.rulings}
    while True:
        games = [loaded.game for loaded in found.values() if loaded is not None]
        pins = sorted({pin.name for game in games for pin in game.pinned} & options.keys())
        number = prod(len(options[pin]) for pin in pins)
        if number > MOST_READINGS:
            yield Asked(usual.loaded, usual.words, usual.part, number - 1)
            return
        before = len(found)
        for made in product(*(options[pin] for pin in pins)):
            decided = {**dict(chosen_rulings(usual.loaded.game)), **dict(zip(pins, made, strict=True))}
            if tuple(decided.items()) not in found:
                found[tuple(decided.items())] = _lawful(name, {**words, "rulings": decided})
        if len(found) == before:
            break
    for number, (decided_, loaded) in enumerate(found.items(), 1):
        if loaded is None:
            said = ", ".join(f"{ruling} = {option}" for ruling, option in decided_ if ruling in pins)
            show_plain(f"{usual.loaded.game.name}: its laws do not allow {said}", err=True)
            continue
        reading = {**words, "rulings": dict(decided_)}
        yield Asked(loaded, reading, f"{usual.part}.reading{number}" if len(found) > 1 else usual.part)


def _lawful(name: str, words: dict[str, Any]) -> Loaded | None:
    """Return a reading; None if a law of the game forbids it."""
    try:
        return load_rules(name, **words)
    except RulesError as refusal:
        if all(each.code is PR507 for each in refusal.diagnostics):
            return None
        raise


def told_left_out(asked: Asked) -> str:
    """Return what is said of readings that were not gone through."""
    rulings = {each.name for each in asked.loaded.game.rulings}
    pins = [f"`{pin.name}`" for pin in asked.loaded.game.pinned if pin.name in rulings]
    many = counted(asked.left_out, "other reading")
    return f"not settled: {many}, which differ in {', '.join(pins)}; choose among them with --ruling"
