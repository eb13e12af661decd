"""Random small games as rules text: `random_games` draws below the front end, this draws what the front end reads.

`random_rules` has everything that a verdict can depend on: rulings that change computed params, types and actions; data that
an edition only assumes; private cells; several numbers of players. `random_secrets` has who sees what. A drawn text may
have mistakes: whoever asks for a game gets the first text of a seed that loads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pilgrim_rules.core.ir import Game
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language.load import read_game

#: How many texts are drawn for one seed before we give up.
TRIES = 200
NAMES = ("ann", "ben", "cid")


@dataclass(frozen=True, slots=True)
class RandomRules:
    """One game as text: its rules, and the ranges of the data that its edition assumes."""

    text: str
    assumed: dict[str, range]
    options: dict[str, tuple[str, ...]]
    players: range

    def write(self, folder: Path) -> Path:
        """Write the rules and the edition with the first value of everything; return the file of the rules."""
        path = folder / "drawn.rules"
        path.write_text(self.text, "utf-8")
        self.edition(folder, {name: values[0] for name, values in self.assumed.items()}, "usual")
        return path

    def edition(self, folder: Path, values: dict[str, int], name: str) -> Path:
        """Write an edition with these values of the assumed data; return its file."""
        path = folder / f"{name}.toml"
        path.write_text("".join(f'[{key}]\nsource = "assumed"\nvalues = {value}\n' for key, value in values.items()))
        return path


class Drawer:
    """Draws the text of a game."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.assumed: dict[str, range] = {}
        self.options: dict[str, tuple[str, ...]] = {}
        self.numbers: list[str] = ["players"]  # constants that an expression may read
        self.scalars: dict[str, str] = {}  # variable: the text of its upper end
        self.rows: dict[str, str] = {}  # tables over Cell
        self.own: dict[str, str] = {}  # tables over Player
        self.primes = False

    def coin(self, chance: float = 0.5) -> bool:
        return self.random.random() < chance

    def game(self) -> RandomRules:
        least = self.random.choice((1, 2, 2))
        players = range(least, self.random.choice((least, least + 1, 3 if least > 1 else 2)) + 1)
        constants = self.constants()
        state = self.state()
        actions = [self.action(f"act{number}") for number in range(self.random.randint(2, 5))]
        claims = [self.claim(number) for number in range(self.random.randint(2, 4))]
        head = [
            'game drawn "Drawn"',
            f"    players {players[0]}..{players[-1]} named {', '.join(NAMES[: players[-1]])}",
        ]
        if self.assumed:
            head.append('    edition "usual.toml"')
        stages = ["stages", "    playing by turn"]
        if any("stage = resting" in line for lines in actions for line in lines):
            stages.append("    resting auto")
            actions.append(["auto wake", "    during resting", "    do", "        stage = playing", *self.effects(1)])
        stages.append("    over nobody")
        parts = [head, constants, stages, state, *actions, *claims]
        text = "\n\n".join("\n".join(part) for part in parts if part) + "\n"
        return RandomRules(text, self.assumed, self.options, players)

    # ------------------------------------------------------------------------------------------------------- constants

    def constants(self) -> list[str]:
        lines: list[str] = []
        for number in range(self.random.choice((0, 1, 1, 2))):
            names = ("low", "high", "odd")[: self.random.choice((2, 2, 3))]
            self.options[f"rule{number}"] = names
            lines += [f"ruling rule{number}"]
            lines += [f'    option {name} "{name}"' + (" default" if not at else "") for at, name in enumerate(names)]
        for number in range(self.random.choice((0, 1, 1))):
            name = f"data{number}"
            self.assumed[name] = range(1, self.random.choice((2, 3)) + 1)
            lines.append(f"param {name} : 1..{self.assumed[name][-1]} from edition.{name}")
            self.numbers.append(name)
        for number in range(self.random.choice((0, 1, 2))):
            lines.append(f"param made{number} : 0..9 = {self.constant()}")
            self.numbers.append(f"made{number}")
        self.width = self.random.choice(["2", "2", *(name for name in self.numbers if name.startswith("data"))])
        lines.append(f"type Cell = 1..{self.width}")
        if self.numbers[1:] and self.coin(0.3):
            lines.append(f"law lawful: {self.random.choice(self.numbers[1:])} <= {self.random.randint(1, 9)}")
        return lines

    def constant(self) -> str:
        parts = [str(self.random.randint(0, 2)), *self.numbers, *(f"({self.option()})" for _ in self.options)]
        one, other = self.random.choice(parts), self.random.choice(parts)
        return one if self.coin(0.4) else f"{one} + {other}"

    def option(self) -> str:
        ruling = self.random.choice(list(self.options))
        option = self.random.choice(self.options[ruling])
        return f"{self.random.randint(0, 3)} if {ruling} == {option} else {self.random.randint(0, 3)}"

    # ----------------------------------------------------------------------------------------------------------- state

    def state(self) -> list[str]:
        lines = ["state", f"    turn : Player = {NAMES[0]}"]
        high = self.random.choice(["2", "3", *self.numbers])
        self.scalars["a"] = high
        lines.append(f"    a : 0..{high} = {self.random.choice(('0', '0', '1'))}")
        if self.coin():
            self.scalars["b"] = "2"
            lines.append("    b : 0..2 = 0")
        if self.coin():
            self.rows["strip"] = self.random.choice(("1", "2"))
            lines.append(f"    strip[Cell] : 0..{self.rows['strip']} = 0")
        if self.coin():
            self.own["own"] = "2"
            lines.append(f"    own[Player] : 0..2{self.random.choice(('', ' private'))} = {self.random.randint(0, 1)}")
        if self.coin(0.3):
            self.marked = True
            lines.append("    mark : Cell? = none")
        else:
            self.marked = False
        return lines

    # ----------------------------------------------------------------------------------------------------- expressions

    def cell(self, names: tuple[str, ...]) -> str:
        cells = [name for name in names if name.startswith("x")]
        return self.random.choice([*cells, *cells, "1"])

    def read(self, name: str, index: str = "") -> str:
        return f"{name}{self.random.choice(('', chr(39))) if self.primes else ''}{index}"

    def integer(self, depth: int, names: tuple[str, ...] = ()) -> str:
        leaves = [str(self.random.randint(0, 3)), self.random.choice(self.numbers)]
        leaves += [self.read(name) for name in self.scalars]
        leaves += [self.read(name, f"[{self.cell(names)}]") for name in self.rows]
        leaves += [self.read(name, "[turn]") for name in self.own]
        leaves += [name for name in names if name.startswith(("x", "n"))]
        if self.options and self.coin(0.3):
            return f"({self.option()})"
        if depth == 0 or self.coin(0.3):
            return self.random.choice(leaves)
        one = self.integer(depth - 1, names)
        match self.random.randint(0, 6):
            case 0 | 1:
                return f"({one} + {self.integer(depth - 1, names)})"
            case 2:
                return f"({one} - {self.integer(depth - 1, names)})"
            case 3:
                return f"{self.random.choice(('min', 'max'))}({one}, {self.integer(depth - 1, names)})"
            case 4 if self.rows:
                fresh = f"x{len(names)}"
                return f"(sum of {self.integer(depth - 1, (*names, fresh))} for {fresh} in Cell)"
            case 5:
                fresh = f"x{len(names)}"
                return f"(count of {fresh} in Cell where {self.truth(depth - 1, (*names, fresh))})"
            case _:
                return f"({one} {self.random.choice(('div', 'mod'))} {self.random.randint(1, 3)})"

    def truth(self, depth: int, names: tuple[str, ...] = ()) -> str:
        match self.random.randint(0, 7) if depth else 0:
            case 1:
                return f"({self.truth(depth - 1, names)} {self.random.choice(('and', 'or', 'implies'))} {self.truth(depth - 1, names)})"
            case 2:
                return f"not ({self.truth(depth - 1, names)})"
            case 3:
                fresh = f"x{len(names)}"
                return (
                    f"({self.random.choice(('all', 'some'))} {fresh} in Cell: {self.truth(depth - 1, (*names, fresh))})"
                )
            case 4 if self.options:
                ruling = self.random.choice(list(self.options))
                return f"{ruling} == {self.random.choice(self.options[ruling])}"
            case 5 if self.marked:
                return self.random.choice(("mark is some", "mark is none", f"mark == {self.cell(names)}"))
            case _:
                compared = self.random.choice(("==", "!=", "<", "<=", "<=", ">", ">="))
                return f"{self.integer(min(depth, 1), names)} {compared} {self.integer(min(depth, 1), names)}"

    # --------------------------------------------------------------------------------------------------------- actions

    def action(self, name: str) -> list[str]:
        names: tuple[str, ...] = self.random.choice(((), (), ("x",), ("n",)))
        params = {(): "", ("x",): "(x: Cell)", ("n",): "(n: 0..2)"}[names]
        lines = [f"action {name}{params}"]
        if self.options and self.coin(0.25):
            ruling = self.random.choice(list(self.options))
            lines.append(f"    only when {ruling} == {self.random.choice(self.options[ruling])}")
        lines.append("    during playing")
        for _ in range(self.random.choice((0, 1, 1, 2))):
            lines += [f"    require {self.truth(1, names)}", '        else "refused"']
        return [*lines, "    do", *self.effects(self.random.randint(1, 2), names), *self.ending(names)]

    def ending(self, names: tuple[str, ...]) -> list[str]:
        lines = ["        turn = next(turn)"] if self.coin(0.7) else []
        if self.coin(0.3):
            lines.append(f"        if {self.truth(1, names)}: stage = over")
        elif self.coin(0.2):
            lines.append("        stage = resting")
        return lines

    def effects(self, number: int, names: tuple[str, ...] = ()) -> list[str]:
        return [line for _ in range(number) for line in self.effect(names)]

    def effect(self, names: tuple[str, ...]) -> list[str]:
        pad = "        "
        if self.marked and self.coin(0.2):
            return [f"{pad}mark = {self.random.choice(('none', self.cell(names)))}"]
        if self.rows and self.coin(0.2):
            return [f"{pad}for y in Cell: raise strip[y] by 1, at most {self.rows['strip']}"]
        ends = {**self.scalars, **{f"strip[{self.cell(names)}]": end for end in self.rows.values()}}
        if self.own:
            ends["own[turn]"] = self.own["own"]
        place, end = self.random.choice(list(ends.items()))
        match self.random.randint(0, 6):
            case 0 | 1:
                return [f"{pad}raise {place} by {self.random.randint(1, 2)}, at most {end}"]
            case 2:
                return [f"{pad}lower {place} by 1, at least 0"]
            case 3:
                return [f"{pad}{place} = the min(max({self.integer(1, names)}, 0), {end})"]
            case 4:
                return [f"{pad}if {self.truth(1, names)}: raise {place} by 1, at most {end}"]
            case 5:
                return [f"{pad}if {place} < {end}: {place} += 1"]
            case _:
                return [f"{pad}{place} += 1"]  # may leave its range: a contradiction that must be found

    # ---------------------------------------------------------------------------------------------------------- claims

    def claim(self, number: int) -> list[str]:
        match self.random.randint(0, 5):
            case 0:
                self.primes = True
                formula = self.truth(2)
                self.primes = False
                return [f"step change{number}: {formula}"]
            case 1:
                return [f"reachable seen{number}: {self.truth(2)}"]
            case 2 if self.scalars:
                name, end = self.random.choice(list(self.scalars.items()))
                return [
                    f"invariant below{number}: {name} <= {self.random.choice((end, '1', '2', self.random.choice(self.numbers)))}"
                ]
            case _:
                return [f"invariant kept{number}: {self.truth(2)}"]


def random_rules(seed: int, folder: Path) -> RandomRules:
    """Return the first game of a seed that loads for its fewest players; its files are in the folder afterwards."""
    for name in seeds(seed):
        drawn = Drawer(name).game()
        if loaded(drawn.write(folder), players=drawn.players[0]):
            return drawn
    raise AssertionError(f"no game of seed {seed} loads")


def seeds(seed: int) -> Iterator[str]:
    """Yield the seeds of the texts that are drawn for one seed."""
    return (f"{seed}.{attempt}" for attempt in range(TRIES))


def loaded(path: Path, players: int | None = None) -> Game | None:
    """Return a game if its text has no mistakes."""
    try:
        return read_game(path, players=players)
    except RulesError:
        return None
