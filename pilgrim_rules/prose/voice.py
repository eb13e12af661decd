"""The voice: from where a rule is told, and what the names around a place are called.

Reads:  a game.   Writes: `Voice`, immutable; every change gives a new one.
After:  expressions can be said without knowing where they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from pilgrim_rules.core import derived, sub_turns, walk
from pilgrim_rules.core.ir import Binder, Bound, Call, Cond, Expr, Game, Lit, Lookup, Parameter, Pick, Read, Type
from pilgrim_rules.prose import words
from pilgrim_rules.util.identity_cache import cache_by_identity

UNNAMED = frozenset({"yes or no", "number", "pair"})  #: what values of types without a name are called
SHORT = 2  #: names up to this length are letters (`p`, `h2`), not words


@dataclass(frozen=True, slots=True)
class Voice:
    """How expressions are said at one place of a game.

    you        expressions that stand for the player who is spoken to (`active` becomes "you", its index "your"), each
               with the variables it reads: once one of them is written, the expression means somebody else.
    names      what bound names are called here.
    places     labels of all nodes of graphs: things are *at* them, not *of* them.
    templates  phrases written by hand, by identifier: `"{1}'s acolytes on {2}"` (see `templates_of`).
    """

    player: Type
    stage: Type
    you: Mapping[Expr, frozenset[str]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    places: frozenset[str] = frozenset()
    templates: Mapping[str, str] = field(default_factory=dict)
    rulings: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()  #: of the set-up
    things: frozenset[str] = frozenset()  #: what variables without index are called: "the lot"
    graphs: frozenset[str] = frozenset()
    ghosts: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()  #: arguments of a move that are yes or no
    offered: frozenset[str] = frozenset()  #: arguments of a move that may be left out
    values: Mapping[Expr, str] = field(default_factory=dict)  #: values that have a name here, so that none gets two

    @classmethod
    def from_game(cls, game: Game) -> Voice:
        """Return the neutral voice of a game, in which nobody is "you"."""
        return _neutral(game)

    def to(self, you: Expr, reads: frozenset[str]) -> Voice:
        """Return the voice that speaks to the player this expression stands for; `reads` is what it depends on."""
        meant: dict[Expr, frozenset[str]] = {you: reads}
        if isinstance(you, Read | Call | Pick | Bound | Cond):  # the same player, known not to be missing
            meant[replace(you, type=self.player)] = reads
        if isinstance(you, Read):
            meant |= {replace(you, when="old", type=type_): frozenset() for type_ in (you.type, self.player)}
        return replace(self, you=MappingProxyType(meant))

    def after(self, written: frozenset[str]) -> Voice:
        """Return the voice after these variables were written."""
        you = {expr: reads for expr, reads in self.you.items() if not reads & written}
        values = {expr: name for expr, name in self.values.items() if not _may_read(expr, written)}
        return replace(self, you=MappingProxyType(you), values=MappingProxyType(values))

    def calling(self, **names: str) -> Voice:
        """Return the voice in which these bound names are called so; a name used before is hidden."""
        you = {expr: reads for expr, reads in self.you.items() if not (isinstance(expr, Bound) and expr.name in names)}
        return replace(self, names=MappingProxyType({**self.names, **names}), you=MappingProxyType(you))

    def letting(self, name: str, value: Expr) -> Voice:
        """Return the voice in which a name stands for a value; if the value is "you", so is the name."""
        called = words.words(name)
        if value.type.kind != "bool":
            called = self._unnamed(value) if words.is_nameless(called) else f"the {called}"
        inside = self.calling(**{name: called})
        if value in self.you:
            named: dict[Expr, frozenset[str]] = {Bound(name, each): frozenset() for each in (value.type, self.player)}
            return replace(inside, you=MappingProxyType({**inside.you, **named}))
        return replace(inside, values=MappingProxyType({**inside.values, value: called}))

    def _unnamed(self, value: Expr) -> str:
        """Return what a value is called whose name is a letter: "this cell", "the next cell" beside another one."""
        beside = f"the next {noun(value.type)}"
        if any(isinstance(part, Lookup) and part.table.endswith(".beside") for part in walk.subexpressions(value)):
            return beside if beside not in self.names.values() else self.fresh(noun(value.type))
        return self.fresh(noun(value.type))

    def speaks_for(self, value: Expr) -> bool:
        """Tell whether a named value is said at each use instead of being named to the reader.

        So it is for "you", for constants and other names, and for values that have a name.
        """
        return value in self.you or value in self.values or isinstance(value, Bound | Lit)

    def binding(self, *binders: Binder) -> Voice:
        """Return the voice inside the binders: their names are letters or words of their own."""
        inside = self
        for binder in binders:
            inside = inside.calling(**{binder.name: inside._bound(binder)})
        return inside

    def _bound(self, binder: Binder) -> str:
        called = words.words(binder.name)
        if called == noun(binder.type):
            return f"the {called}"
        return self.fresh(noun(binder.type)) if words.is_nameless(called) else called

    def fresh(self, kind: str) -> str:
        """Return what a value without a name of its own is called: "this player", or if that is taken "the other player"."""
        taken = set(self.names.values())
        return next((each for text in words.ONE_AFTER_THE_OTHER if (each := text.format(kind)) not in taken), kind)

    def taking(self, params: tuple[Parameter, ...]) -> Voice:
        """Return the voice inside parameters: "the hex" where only one parameter is a hex, else "side “out”"."""
        nouns = [noun(param.type) for param in params]
        called: dict[str, str] = {}
        for param, kind in zip(params, nouns, strict=True):
            text = _parameter(param, alone=nouns.count(kind) == 1 and param.type != self.player)
            if words.is_letter(words.words(param.name)) and (nouns.count(kind) > 1 or param.type == self.player):
                earlier = sum(each.endswith(f"chosen {kind}") for each in called.values())
                text = words.CHOSEN[min(earlier, len(words.CHOSEN) - 1)].format(kind)
            called[param.name] = text
        clear = {name: f"the chosen {text[4:]}" if text in self.things else text for name, text in called.items()}
        questions = frozenset(param.name for param in params if param.type.kind == "bool")
        offered = frozenset(param.name for param in params if param.type.kind == "optional")
        return replace(self.calling(**clear), chosen=questions, offered=offered)

    def defining(self, params: tuple[Parameter, ...]) -> Voice:
        """Return the voice inside a definition: its parameters are called by their names, or by what they are."""
        inside = self
        for param in params:
            called = words.words(param.name)
            short = words.is_nameless(called)
            inside = inside.calling(**{param.name: inside.fresh(noun(param.type)) if short else called})
        return inside

    def is_place(self, type_: Type) -> bool:
        """Tell whether values of the type are places of a graph, or pairs that begin with one."""
        if type_.kind in ("pair", "optional"):
            return self.is_place(type_.parts[0])
        return type_.kind == "enum" and self.places.issuperset(type_.labels)

    def owns(self, type_: Type) -> bool:
        """Tell whether values of the type can own things: the players, or a wider type that contains them."""
        if type_.kind == "optional":
            return self.owns(type_.parts[0])
        return type_.kind == "enum" and type_.labels[: self.player.size] == self.player.labels


@cache_by_identity(16)
def _neutral(game: Game) -> Voice:
    graphs = [constant for constant in game.constants if constant.source == "graph"]
    return Voice(
        player=game.player,
        stage=game.stage,
        places=frozenset(
            node for table in graphs if not table.name.endswith(".opposite") for node in table.index[0].labels
        ),
        templates=MappingProxyType({**_phrases_of_score(game), **_phrases_of_stack(game), **templates_of(game)}),
        rulings=frozenset(ruling.name for ruling in game.rulings),
        options=frozenset(option.name for option in game.options),
        things=frozenset(f"the {words.words(each.name)}" for each in game.variables if not each.index),
        graphs=frozenset(table.name for table in graphs),
        ghosts=frozenset(variable.name for variable in game.variables if variable.ghost),
    )


def templates_of(game: Game) -> dict[str, str]:
    """Return the phrases written by hand: terms with braces, for the variable, constant or definition of that name.

    `{1}`, `{2}` … stand for its indices or arguments; where it has none, the whole phrase stands in braces. A term
    without braces explains a word of the game.
    """
    return {term: phrase for term, phrase in game.glossary if "{" in phrase}


def explained_terms(game: Game) -> dict[str, str]:
    """Return the words of a game that its author explains."""
    return {term: text for term, text in game.glossary if "{" not in text}


def _phrases_of_score(game: Game) -> dict[str, str]:
    """Return the phrases for what can be asked of the score."""
    lines = () if game.score is None else game.score.lines
    of_lines = {derived.line_name(at): f"{{1}}'s score for “{line.label}”" for at, line in enumerate(lines)}
    return {derived.POINTS: "{1}'s score", derived.RANK: "{1}'s rank", derived.WINNER: "{1} has won", **of_lines}


def _later(others: int) -> str:
    """Return how many sub-turns end before."""
    return "" if not others else " after that" if others == 1 else f" after {others} others"


def _phrases_of_stack(game: Game) -> dict[str, str]:
    """Return the phrases for the stages that sub-turns go back to."""
    cells = [each.name for each in game.variables if sub_turns.is_stack(each.name) and each.name != sub_turns.DEPTH]
    phrases = {name: f"{{the stage to go back to{_later(at)}}}" for at, name in enumerate(cells)}
    return phrases | {sub_turns.DEPTH: "{the number of sub-turns under way}"}


def noun(type_: Type) -> str:
    """Return what one value of a type is called: "player", "road tile", "number"."""
    match type_.kind:
        case "bool":
            return "yes or no"
        case "int":
            return words.words(type_.name) if type_.name.isidentifier() else "number"
        case "enum":
            return words.words(type_.name)
        case "pair":
            return words.words(type_.name) if type_.name.isidentifier() else "pair"
        case "optional":
            return noun(type_.parts[0])


def _parameter(param: Parameter, *, alone: bool) -> str:
    called = words.words(param.name)
    kind = noun(param.type)
    if param.type.kind == "bool":
        return called
    if kind in UNNAMED or called == kind:
        return f"the chosen {kind}" if len(called) <= SHORT else f"the {called}"
    if alone:
        return f"the {kind}"
    return f"{kind} “{called}”"


def _may_read(expr: Expr, written: frozenset[str]) -> bool:
    """Tell whether a value may change when these variables are written; a definition may read anything."""
    return any(
        isinstance(part, Call) or (isinstance(part, Read) and part.variable in written)
        for part in walk.subexpressions(expr)
    )
