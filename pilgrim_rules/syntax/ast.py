"""The surface syntax tree: what the author wrote, nothing else.

Reads:  nothing.   Writes: nothing; this file only says what a parsed file can contain.
After:  names are still text, types are still spelled out; every node knows its place, and places never take part in
        equality, so two texts that differ in layout only have equal trees.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from pilgrim_rules.quick import dataclass
from pilgrim_rules.source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Everything in the tree has a place."""

    span: Span = field(compare=False, repr=False)


# --------------------------------------------------------------------------------------------------------------- leaves


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A name as written, where it declares or refers to something."""

    text: str


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A quoted text."""

    text: str


Cites: TypeAlias = tuple[Word, ...]

# ---------------------------------------------------------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    name: str


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    lo: Expr
    hi: Expr


@dataclass(frozen=True, slots=True)
class OptionalType(Node):
    inner: TypeExpr


@dataclass(frozen=True, slots=True)
class PairType(Node):
    left: TypeExpr
    right: TypeExpr


TypeExpr: TypeAlias = TypeName | RangeType | OptionalType | PairType

# ---------------------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name in an expression; `primed` asks for the value after a step."""

    text: str
    primed: bool = False


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Call(Node):
    name: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class NamedArg(Node):
    name: Word
    value: Expr


@dataclass(frozen=True, slots=True)
class Index(Node):
    base: Expr
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    base: Expr
    name: Word


@dataclass(frozen=True, slots=True)
class Part(Node):
    base: Expr
    number: int


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Listing(Node):
    """A bracketed list of values, for inline parameters only."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    op: Literal["not", "-"]
    value: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Old(Node):
    value: Expr


@dataclass(frozen=True, slots=True)
class The(Node):
    value: Expr


@dataclass(frozen=True, slots=True)
class IsTest(Node):
    """`x is some`, `x is none`, `x is Point`, each perhaps negated."""

    value: Expr
    what: Word
    negated: bool


@dataclass(frozen=True, slots=True)
class InTest(Node):
    value: Expr
    domain: Domain
    negated: bool


@dataclass(frozen=True, slots=True)
class Ternary(Node):
    then: Expr
    test: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    op: Literal["all", "some", "none"]
    binders: tuple[Binder, ...]
    where: Expr | None
    body: Expr


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """`count of`, `sum of`, `max of`, `min of`; a count has no body."""

    op: Literal["count", "sum", "max", "min"]
    body: Expr | None
    binders: tuple[Binder, ...]
    where: Expr | None
    default: Expr | None


@dataclass(frozen=True, slots=True)
class Unique(Node):
    key: Expr
    binders: tuple[Binder, ...]
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Pick(Node):
    """`first x in …` (no keys) or `best x in … by …`."""

    binder: Binder
    where: Expr | None
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Key(Node):
    value: Expr
    descending: bool


@dataclass(frozen=True, slots=True)
class Binder(Node):
    name: Word
    domain: Domain


@dataclass(frozen=True, slots=True)
class TypeDomain(Node):
    type: TypeExpr
    descending: bool = False


@dataclass(frozen=True, slots=True)
class CallDomain(Node):
    name: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class SetDomain(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class TurnDomain(Node):
    start: Expr


Domain: TypeAlias = TypeDomain | CallDomain | SetDomain | TurnDomain
Expr: TypeAlias = (
    Name | Number | Call | Index | Attribute | Part | Tuple | Listing | Unary | Binary | Old | The | IsTest | InTest
    | Ternary | Quantifier | Aggregate | Unique | Pick
)  # fmt: skip
Arg: TypeAlias = Expr | NamedArg

# ----------------------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Place(Node):
    """What an assignment writes: a variable, perhaps one cell of it."""

    name: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Assign(Node):
    place: Place
    op: Literal["=", "+=", "-="]
    value: Expr
    ghost: bool


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move n from a to b`; with `up_to`, `take up to n from a to b`."""

    amount: Expr
    source: Place
    target: Place
    up_to: bool


@dataclass(frozen=True, slots=True)
class Clamp(Node):
    """`raise x by n, at most m` and `lower x by n, at least m`."""

    op: Literal["raise", "lower"]
    place: Place
    amount: Expr
    limit: Expr


@dataclass(frozen=True, slots=True)
class Payment(Node):
    """`n stone [to p]` or `n of r [to p]`, in a `cost` line or a `pay` statement."""

    amount: Expr
    purse: Word | Expr
    to: Expr | None


@dataclass(frozen=True, slots=True)
class Pay(Node):
    payment: Payment


@dataclass(frozen=True, slots=True)
class LetStmt(Node):
    name: Word
    value: Expr


@dataclass(frozen=True, slots=True)
class Run(Node):
    """A named effect is run."""

    name: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Line(Node):
    """One or more simple statements on a line, with the clauses they come from."""

    parts: tuple[Simple, ...]
    cites: Cites


@dataclass(frozen=True, slots=True)
class IfStmt(Node):
    test: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class ForStmt(Node):
    binder: Binder
    where: Expr | None
    body: tuple[Stmt, ...]


Simple: TypeAlias = Assign | Move | Clamp | Pay | LetStmt | Run
Stmt: TypeAlias = Line | IfStmt | ForStmt

# --------------------------------------------------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True, kw_only=True)
class Decl(Node):
    """A declaration, with its documentation and the clauses it cites."""

    name: Word
    cites: Cites = ()
    doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Decl):
    title: str | None
    players: tuple[int, int] | None
    seats: tuple[Word, ...]
    clauses: tuple[Text, ...]
    edition: Text | None


@dataclass(frozen=True, slots=True)
class Import(Node):
    path: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Term(Decl):
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum(Decl):
    """Labels, or the sum of other enums and single new labels."""

    labels: tuple[Word, ...]
    union: tuple[Word, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeAliasDecl(Decl):
    type: TypeExpr


@dataclass(frozen=True, slots=True)
class Arcs(Node):
    """`a, b -> c -> d`: every node of a group leads to every node of the next (`--`: and back)."""

    groups: tuple[tuple[Word, ...], ...]
    directed: bool


@dataclass(frozen=True, slots=True)
class IndexItem(Node):
    name: Word | None
    type: TypeExpr


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Decl):
    index: tuple[IndexItem, ...]
    type: TypeExpr


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Decl):
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph(Decl):
    over: Word | None
    of: Word | None
    file: Text | None
    sides: Word | None
    arcs: tuple[Arcs, ...]
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows(Decl):
    data: tuple[Word, Word] | None
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Param(Decl):
    index: tuple[IndexItem, ...]
    type: TypeExpr
    data: tuple[Word, Word] | None
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Option(Node):
    name: Word
    text: str
    default: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Decl):
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Chosen(Node):
    """A line of a preset: the option of a ruling."""

    ruling: Word
    option: Word
    cites: Cites


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset(Decl):
    title: str | None
    choices: tuple[Chosen, ...]


@dataclass(frozen=True, slots=True)
class PursePlace(Node):
    place: Place
    as_: Word | None
    once: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse(Decl):
    player: Word
    places: tuple[PursePlace, ...]
    supply: Place | None


@dataclass(frozen=True, slots=True)
class StageName(Node):
    name: Word
    carries: TypeExpr | None


@dataclass(frozen=True, slots=True)
class StageLine(Node):
    names: tuple[StageName, ...]
    kind: Literal["player", "auto", "chance", "nobody"]
    by: Expr | None
    cites: Cites
    doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages(Decl):
    lines: tuple[StageLine, ...]


@dataclass(frozen=True, slots=True)
class StageRef(Node):
    name: Word
    value: Word | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSet(Decl):
    refs: tuple[StageRef, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable(Decl):
    index: tuple[IndexItem, ...]
    type: TypeExpr
    sight: Literal["open", "private", "hidden"]
    until: Expr | None
    initial: Expr | None
    ghost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class State(Decl):
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    name: Word
    type: TypeExpr
    default: Expr | None


@dataclass(frozen=True, slots=True)
class LetLine(Node):
    name: Word
    value: Expr
    says: str | None
    cites: Cites
    has_else: bool


@dataclass(frozen=True, slots=True)
class RequireLine(Node):
    test: Expr
    says: str | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class CheckLine(Node):
    name: Word
    args: tuple[Arg, ...]
    cites: Cites


GuardLine: TypeAlias = LetLine | RequireLine | CheckLine


@dataclass(frozen=True, slots=True)
class CostLine(Node):
    payment: Payment
    when: Expr | None
    cites: Cites


@dataclass(frozen=True, slots=True, kw_only=True)
class Def(Decl):
    params: tuple[Parameter, ...]
    result: TypeExpr | None
    lets: tuple[LetLine, ...]
    body: Expr
    public: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(Decl):
    params: tuple[Parameter, ...]
    lines: tuple[GuardLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(Decl):
    params: tuple[Parameter, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Decl):
    kind: Literal["action", "chance", "auto"]
    params: tuple[Parameter, ...]
    by: Expr | None
    during: tuple[StageRef, ...]
    only: Expr | None
    lines: tuple[GuardLine, ...]
    costs: tuple[CostLine, ...]
    weight: Expr | None
    body: tuple[Stmt, ...]
    prose: str | None
    place: Expr | None  #: the node of a figure that it concerns


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Decl):
    kind: Literal["law", "invariant", "step", "reachable", "audit"]
    using: tuple[Word, ...]
    follows: bool  #: from what it uses, in every state
    formula: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Conserved(Decl):
    binders: tuple[Binder, ...]
    using: tuple[Word, ...]
    formula: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminates(Decl):
    measure: Expr


@dataclass(frozen=True, slots=True)
class NodeLine(Node):
    node: Expr
    binders: tuple[Binder, ...]
    where: Expr | None
    when: Expr | None


@dataclass(frozen=True, slots=True)
class LinkLine(Node):
    left: Expr
    right: Expr
    binders: tuple[Binder, ...]
    where: Expr | None
    when: Expr | None
    both_nodes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Network(Decl):
    binders: tuple[Binder, ...]
    nodes: tuple[NodeLine, ...]
    links: tuple[LinkLine, ...]


@dataclass(frozen=True, slots=True)
class ScoreLine(Node):
    label: Text
    value: Expr
    cites: Cites


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Decl):
    """Its name is the player whose points are counted."""

    lines: tuple[ScoreLine, ...]
    per: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank(Decl):
    """Its name is the player who is ranked."""

    keys: tuple[Key, ...]
    total: bool


@dataclass(frozen=True, slots=True)
class GivenLine(Node):
    place: Place
    value: Expr
    equals: bool  #: written with `==`, which only `players` may be


@dataclass(frozen=True, slots=True)
class GivenDo(Node):
    run: Run


@dataclass(frozen=True, slots=True)
class MoveRef(Node):
    action: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class WhenMove(Node):
    move: MoveRef
    by: Word | None


@dataclass(frozen=True, slots=True)
class RefuseLine(Node):
    move: MoveRef
    because: Cites


@dataclass(frozen=True, slots=True)
class ExpectLine(Node):
    formula: Expr
    under: tuple[tuple[Word, Word], ...]


ExampleLine: TypeAlias = GivenLine | GivenDo | WhenMove | RefuseLine | ExpectLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Example(Decl):
    lines: tuple[ExampleLine, ...]
    witness: bool


@dataclass(frozen=True, slots=True)
class Canvas(Node):
    """What a figure is drawn on; `at` says where each node lies, which is called `name` there."""

    nodes: TypeExpr
    name: Word | None = None
    at: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Layer(Node):
    """A line of a figure; `sign` is the name of a shape or a quoted text."""

    kind: Literal["area", "edge", "path", "mark", "pieces", "label"]
    at: tuple[Expr, ...]
    value: Expr | None
    sign: Word | Text | None
    binders: tuple[Binder, ...]
    where: Expr | None
    by: Expr | None
    doc: str


@dataclass(frozen=True, slots=True)
class Tint(Node):
    label: Word
    colour: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure(Decl):
    title: str | None
    canvas: Canvas
    layers: tuple[Layer, ...]
    tints: tuple[Tint, ...]


Declaration: TypeAlias = (
    Game | Import | Term | Enum | TypeAliasDecl | Graph | Rows | Param | Ruling | Preset | Purse | Stages | StageSet | State
    | Def | Guard | Effect | Action | Claim | Conserved | Terminates | Network | Score | Rank | Example | Figure
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class File:
    """All declarations of one source file, in text order."""

    name: str
    declarations: tuple[Declaration, ...]
