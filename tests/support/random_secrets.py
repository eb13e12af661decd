"""Random small games with secrets: who sees cells and arguments, what is revealed, what depends on what somebody does not see."""

from __future__ import annotations

from pathlib import Path
from random import Random

from pilgrim_rules.core.ir import Game
from tests.support.random_rules import loaded, seeds

SIGHTS = (
    "private", "private", "private until stage == over", "hidden", "hidden until over",
    "seen by v where v != p", "seen by next(p)", "seen by v where v == p or hand[p] == 0", "seen by v where shown or v == p",
)  # fmt: skip
ARGUMENTS = ("", "", " secret", " seen by v where v == turn", " seen by ann", " seen by v where shown")
STATE = """\
    shown        : bool = false
    told         : 0..2 = 0
    done[Player] : bool = false
    moves        : 0..3 = 0
    turn         : Player = ann
    dealt        : 0..2 = 0"""


class SecretDrawer:
    """Draws the text of a game in which something is hidden."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.public = self.random.random() < 0.4

    def pick(self, *items: str) -> str:
        return self.random.choice(items)

    def text(self) -> str:
        parts = [
            "game drawn\n    players 2..2 named ann, ben",
            "stages\n    dealing chance\n    playing by "
            + self.pick("turn", "turn", "turn", "first p in Player where not done[p]", "ann if hand[ann] > 1 else ben")
            + "\n    settling auto\n    over nobody",
            f"state\n    hand[p in Player] : 0..2 {self.pick(*SIGHTS)} = 0\n{STATE}",
        ]
        if self.public:
            parts.append(f"public def big(p: Player) -> bool = {self.pick('hand[p] == 2', 'hand[p] > told')}")
        target = "(ann if dealt == 0 else ben)"
        argument = self.pick(" secret", f" seen by {target}", "")
        parts.append(
            f"chance deal(n: 0..2{argument})\n    do\n        hand[ann if dealt == 0 else ben] = n\n"
            "        dealt += 1\n        if dealt == 2: stage = playing"
        )
        parts += [self.action(f"act{number}") for number in range(self.random.randint(1, 3))]
        parts += self.autos()
        return "\n\n".join(parts) + "\n"

    def value(self, *names: str) -> str:
        found = ["hand[turn]", "hand[next(turn)]", "hand[ann]", "told", "0", "1", "moves", *names]
        found += ["(1 if big(next(turn)) else 0)"] * self.public
        one = self.random.choice(found)
        return one if self.random.random() < 0.6 else f"{self.pick('min', 'max')}({one}, {self.random.choice(found)})"

    def test(self, *names: str) -> str:
        return f"{self.value(*names)} {self.pick('<', '<=', '==', '!=', '>')} {self.value(*names)}"

    def action(self, name: str) -> str:
        takes = self.random.random() < 0.5
        names = ("n",) if takes else ()
        lines = [f"action {name}" + (f"(n: 0..2{self.random.choice(ARGUMENTS)})" if takes else "")]
        if self.random.random() < 0.4:
            lines += [f"    require {self.test(*names)}", '        else "refused"']
        if self.random.random() < 0.3:
            to = self.pick("", " to turn", " to v where v != turn")
            lines.append(f"    reveal {self.value(*names)}{to}")
        lines += ["    require moves < 3", '        else "enough"', "    do"]
        for _ in range(self.random.randint(1, 2)):
            lines.append(f"        {self.effect(names)}")
        lines += [
            "        moves += 1",
            "        turn = next(turn)",
            f"        if moves == 3 or {self.test(*names)}: stage = {self.pick('over', 'settling')}",
        ]
        return "\n".join(lines)

    def effect(self, names: tuple[str, ...]) -> str:
        place = self.pick("told", "told", "hand[turn]", "hand[next(turn)]", "shown", "done[turn]")
        if place in ("shown", "done[turn]"):
            return f"{place} = {self.pick('true', 'false', self.test(*names))}"
        if self.random.random() < 0.3:
            return f"if {self.test(*names)}: {place} = {self.value(*names).replace('moves', '1')}"
        return f"{place} = {self.value(*names).replace('moves', '1')}"

    def autos(self) -> list[str]:
        test = self.pick("shown", "hand[ann] > hand[ben]", "told == 1", "hand[ben] == 2")
        reveal = f"    reveal {test}\n" if self.random.random() < 0.3 else ""
        ends = self.effect(())
        return [
            f"auto high\n    require {test}\n{reveal}    do\n        {ends}\n        stage = over",
            f"auto low\n    require not ({test})\n{reveal}    do stage = over",
        ]


ZONES = ("private", "private", "hidden", "", "seen by v where v == p", "seen by ann")


class ZoneDrawer(SecretDrawer):
    """Draws the text of a game in which it is hidden where cards are; no zone is opened while cards lie in it."""

    def text(self) -> str:
        self.places = ["deck", "hand[turn]", "hand[next(turn)]", "pile", "lane", *(["lane2"] * self.chance(0.3))]
        sights = {name: self.pick(*ZONES).replace("v == p", "v == ann") for name in ("deck", "pile", "lane", "lane2")}
        own = self.pick("private", "private", "private", "hidden", "seen by v where v != p", "")
        ordered = {name: self.pick("", " ordered") for name in ("pile", "lane", "lane2")}
        zones = [f"    deck {self.pick('hidden', 'hidden', '')}", f"    hand[p in Player] {own}"]
        zones += [f"    {name} {sights[name].replace('private', '')}{ordered[name]}" for name in ("pile", "lane")]
        zones += [f"    lane2{ordered['lane2']}"] * ("lane2" in self.places)
        self.ordered = [name for name in ("pile", "lane") if ordered[name]]
        parts = [
            "game drawn\n    players 2..2 named ann, ben",
            "enum Card: x, y" + self.pick("", ", z"),
            "stages\n    dealing chance\n    playing by turn\n    over nobody",
            "zones of c in Card\n" + "\n".join(line.rstrip() for line in zones),
            "state\n    turn : Player = ann\n    told : 0..3 = 0\n    moves : 0..3 = 0",
            f"chance begin\n    during dealing\n    do draw 1 from deck to hand[{self.pick('ann', 'ben')}] then playing",
            *(self.action(f"act{number}") for number in range(self.random.randint(1, 3))),
        ]
        return "\n\n".join(parts) + "\n"

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def number(self) -> str:
        """Return something that a card or a place may tell."""
        found = [f"count({self.pick(*self.places)})", f"(1 if x in {self.pick(*self.places)} else 0)"]
        if self.ordered:
            found += [f"position({self.pick('x', 'y')})", f"(1 if top({self.pick(*self.ordered)}) == y else 0)"]
        return self.pick("told", *found)

    def action(self, name: str) -> str:
        source, target = self.random.sample(self.places, 2)
        kind = self.pick("move", "move", "move", "all", "draw", "look")
        takes = kind == "move"
        lines = [
            f"action {name}" + (f"(c: Card{self.random.choice(ARGUMENTS[:5])})".replace("shown", "v == ben")) * takes
        ]
        lines += ["    during playing", "    require moves < 3"] + [f"    require c in {source}"] * takes
        if self.chance(0.2):
            lines.append(f"    require {self.number()} <= 1")
        if self.chance(0.3):
            lines.append(f"    reveal {self.number()}{self.pick('', ' to turn', ' to next(turn)')}")
        done = {
            "move": f"move c from {source} to {target}",
            "all": f"move all from {source} to {target}",
            "draw": f"draw 1 from {source} to {target}",
            "look": f"told = {self.number()}",
        }[kind]
        lines += ["    do", "        moves += 1"]
        if self.chance(0.2):
            lines.append(f"        told = {self.number()}")
        return "\n".join([*lines, f"        {done}", *["        turn = next(turn)"] * (kind != "draw")])


def random_secrets(seed: int, folder: Path, drawer: type[SecretDrawer] = SecretDrawer) -> tuple[str, Game]:
    """Return the first game of a seed that loads, with its text."""
    for name in seeds(seed):
        text = drawer(name).text()
        path = folder / f"secrets{seed}.rules"
        path.write_text(text)
        if game := loaded(path):
            return text, game
    raise AssertionError(f"no game of seed {seed} loads")
