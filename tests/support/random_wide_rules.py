"""Random small games with what `random_rules` never draws: zones, sub-turns, polls, open counters, scores, definitions at
other times, contracts, measures, questions whether a move is possible. All of it crossed with rulings, data and players.
"""

from __future__ import annotations

from pathlib import Path

from tests.support.random_rules import Drawer, RandomRules, loaded, seeds

PAD = "        "


class WideDrawer(Drawer):
    """Draws the text of a game with some of these."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.zones: list[str] = []
        self.pieces = ("px", "py", "pz")[: self.random.choice((2, 2, 3))]
        self.has_score = self.coin(0.4)
        self.turns: list[str] = [name for name in ("aside", "asking") if self.coin(0.35)]
        self.made: list[str] = []  #: actions
        self.defs: list[str] = []
        self.in_claim = False

    # --------------------------------------------------------------------------------------------------- declarations

    def game(self) -> RandomRules:
        drawn = super().game()
        parts = drawn.text.split("\n\n")
        at = next(number for number, part in enumerate(parts) if part.startswith("stages"))
        lines = parts[at].split("\n")
        if "aside" in self.turns:
            lines.insert(-1, "    sub aside by turn")
        if "asking" in self.turns:
            lines.insert(-1, f"    poll asking each p in turn from turn where {self.asked}")
        parts[at] = "\n".join(lines)
        more = []
        if self.zones:
            ordered = self.pick_order()
            more.append(f"enum Piece: {', '.join(self.pieces)}")
            where = self.random.choice(("", f" = pile if c == px and {self.constant()} > 1 else deck"))
            more.append(f"zones of c in Piece{where}\n" + "\n".join(f"    {name}{ordered}" for name in self.zones))
        more += [f"def f{number}{body}" for number, body in enumerate(self.bodies)]
        if "aside" in self.turns:
            more.append(f"action back\n    during aside\n    do\n{PAD}turn = next(turn)\n{PAD}return")
        if "asking" in self.turns:
            more.append(
                "action answer_it(n: 0..1)\n    during asking\n"
                '    let p = asked(asking) else "nobody is asked"\n    do\n'
                f"{PAD}if n == 1: raise a by 1, at most {self.scalars['a']}\n{PAD}answer asking"
            )
        if self.has_score:
            more.append(f'score of p\n    line "A" {self.line}\nrank p by score desc')
        parts[at + 2 : at + 2] = more  # behind the state
        return RandomRules("\n\n".join(parts).rstrip("\n") + "\n", drawn.assumed, drawn.options, drawn.players)

    def pick_order(self) -> str:
        return self.random.choice(("", "", " ordered"))

    def state(self) -> list[str]:
        lines = super().state()
        if self.coin(0.25):
            self.scalars["gold"] = "9"
            lines.append("    gold : 0.. = 0")
        if self.coin(0.5):
            self.zones = ["deck", "pile"]
        self.bodies = [f"(p: Player) -> 0..9 = min(max({self.integer(1)}, 0), 9)" for _ in range(self.coin(0.5))]
        self.defs = [f"f{number}" for number in range(len(self.bodies))]
        self.line = "min(max(" + self.integer(1).replace("[turn]", "[p]") + ", 0), 9)"
        self.asked = self.truth(1)
        return lines

    # ---------------------------------------------------------------------------------------------------- expressions

    def more(self) -> list[str]:
        """Return numbers that only a wide game has."""
        found = []
        if self.zones:
            zone, piece = self.random.choice(self.zones), self.random.choice(self.pieces)
            found += [f"(1 if {piece} in {zone} else 0)", f"(count of q in {zone} where q != {piece})"]
            found += [f"count({zone})"] * (not self.primes)
        found += [f"{name}{chr(39) * (self.primes and self.coin())}(turn)" for name in self.defs]
        if self.in_claim:
            if self.made:
                found.append(f"(1 if possible({self.random.choice(self.made)}) else 0)")
            if self.has_score:
                found += ["score(turn)", "rank(ann)", "(1 if winner(ann) else 0)"]
                found += ["score'(turn)", "rank'(ann)"] * self.primes
            if self.turns:
                found.append("(1 if interrupted(playing) else 0)")
            if "asking" in self.turns:
                found.append("(1 if asked(asking) is some else 0)")
        return found

    def integer(self, depth: int, names: tuple[str, ...] = ()) -> str:
        more = self.more()
        return self.random.choice(more) if more and self.coin(0.2) else super().integer(depth, names)

    # -------------------------------------------------------------------------------------------------------- actions

    def action(self, name: str) -> list[str]:
        lines = super().action(name)
        if self.zones and self.coin(0.4):
            source, target = self.random.sample(self.zones, 2)
            head = f"action {name}" + (
                "(c: Piece)" if "(" not in lines[0] else lines[0].partition(name)[2][:-1] + ", c: Piece)"
            )
            at = lines.index("    do")
            lines = [
                head,
                *lines[1:at],
                f"    require c in {source}",
                "    do",
                f"{PAD}move c from {source} to {target}",
                *lines[at + 1 :],
            ]
            if self.coin(0.3):
                lines.append(f"{PAD}a = the min(1 if old (c in {source}) else 0, {self.scalars['a']})")
        elif not any("stage =" in line for line in lines) and self.turns and self.coin(0.5):
            turn = self.random.choice(self.turns)
            lines.append(f"{PAD}{'ask' if turn == 'asking' else 'call'} {turn}")
        if "only when" not in lines[1]:
            self.made.append(name)
        return lines

    # --------------------------------------------------------------------------------------------------------- claims

    def claim(self, number: int) -> list[str]:
        self.in_claim = True
        try:
            match self.random.randint(0, 7):
                case 0 | 1 if self.made:
                    return self.contract(number)
                case 2:
                    return [f"conserved same{number} = {self.integer(1)}"]
                case 3 if number == 2:
                    parts = ", ".join(self.integer(1) for _ in range(self.random.choice((1, 2))))
                    return [f"terminates by ({parts})"]
                case _:  # as in games that are not wide
                    return super().claim(number)
        finally:
            self.in_claim = False

    def contract(self, number: int) -> list[str]:
        lines = [f"contract told{number} of {self.random.choice(self.made)}"]
        cells = [*self.scalars, *(f"{name}[1]" for name in self.rows), *(f"{name}[turn]" for name in self.own)]
        if self.coin(0.6):
            frame = self.random.sample(
                [*cells, *(f"{name}[_]" for name in self.rows)], self.random.randint(0, len(cells))
            )
            lines.append(f"    changes only {', '.join(['turn', 'stage', *frame])}")
        if self.coin(0.5):
            lines.append(f"    {self.random.choice(cells)} gains {self.integer(1)}")
        if self.coin(0.3):
            lines.append(f"    {self.random.choice(cells)} pays {self.integer(0)} to {self.random.choice(cells)}")
        if self.coin(0.5) or len(lines) == 1:
            self.primes = True
            lines.append(f"    ensures {self.truth(1)}")
            self.primes = False
        return lines


def random_wide_rules(seed: int, folder: Path) -> RandomRules:
    """Return the first game of a seed that loads for its fewest players; its files are in the folder afterwards."""
    for name in seeds(seed):
        drawn = WideDrawer(name).game()
        if loaded(drawn.write(folder), players=drawn.players[0]):
            return drawn
    raise AssertionError(f"no game of seed {seed} loads")
