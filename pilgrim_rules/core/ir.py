"""The core: what a game is once every convenience of the language has been taken away.

Reads:  nothing.   Writes: nothing; this file only says what a core game can contain.
After:  every back end (evaluator, compiler, encoder, prose, fingerprint) is total over these classes.

A core game belongs to one *instance*: the number of players, the map and the edition are fixed. Every value is an
integer code (see `Type`), every domain is finite, every index is known to lie inside its table (the checker has seen
to it), so reading is total. What can go wrong when a game is played is exactly this: an assignment leaves the range of
its variable, or a `Checked` expression does. Both are contradictions in the rules, and both are proof obligations.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from pilgrim_rules.quick import dataclass
from pilgrim_rules.source import Span

# --------------------------------------------------------------------------------------------------------------- types

TypeKind: TypeAlias = Literal["bool", "int", "enum", "pair", "optional"]


@dataclass(frozen=True, slots=True)
class Type:
    """A finite type. Its values are the integer codes `lo` to `hi`.

    bool      0 and 1.
    int       the numbers themselves.
    enum      0 to n-1, in the order of `labels`; also graph nodes, rows, stages, rulings and the players.
    pair      `(a - a.lo) * b.size + (b - b.lo)`, for the two `parts` a and b.
    optional  the codes of its one part, and one more, `hi`, for `none`. So widening T to T? changes no code.
    """

    name: str
    kind: TypeKind
    lo: int
    hi: int
    labels: tuple[str, ...] = ()
    parts: tuple[Type, ...] = ()

    @property
    def size(self) -> int:
        """How many values the type has."""
        return self.hi - self.lo + 1


BOOL = Type("bool", "bool", 0, 1)

# --------------------------------------------------------------------------------------------------------- expressions

Operator: TypeAlias = Literal[
    "+", "-", "*", "div", "mod", "min", "max",
    "==", "!=", "<", "<=", ">", ">=",
    "and", "or", "not", "implies",
]  # fmt: skip
OPERATORS: frozenset[str] = frozenset(Operator.__args__)  # type: ignore[attr-defined]  # typing offers no typed access
FoldOp: TypeAlias = Literal["all", "some", "count", "sum", "max", "min"]
When: TypeAlias = Literal["now", "old", "next"]


@dataclass(frozen=True, slots=True)
class Lit:
    """A constant code of the type."""

    value: int
    type: Type


@dataclass(frozen=True, slots=True)
class Bound:
    """A name bound around the place: a parameter, a `let`, or the variable of a fold or loop."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Read:
    """The present value of a state variable (one cell of its table).

    `old`: in effects, the value before the action, costs included. `next`: in `step` claims, the value after the step.
    """

    variable: str
    index: tuple[Expr, ...]
    type: Type
    when: When = "now"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A cell of a constant table: graph, column, data parameter or ruling."""

    table: str
    index: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator applied to arguments. `div` is floor division, `mod` its remainder; both want a positive divisor.

    `and`, `or`, `min`, `max` take two or more arguments, `not` one, the others two. `and`, `or`, `implies` stop at the
    first argument that decides. A number of a narrower range may stand wherever a wider one is expected.
    """

    op: Operator
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Cond:
    """`then` if the test holds, otherwise `other`; only the chosen one is evaluated."""

    test: Expr
    then: Expr
    other: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Let:
    """`body`, in which `name` stands for `value`."""

    name: str
    value: Expr
    body: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Checked:
    """`value`, claimed to lie in `type` (`the x`); outside it the rules contradict themselves. Only in effects."""

    value: Expr
    type: Type
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Binder:
    """A variable ranging over the values of a type, in a fixed order.

    start       begin at this value and go round (`turn from e`); an expression of the same type.
    descending  from `hi` down to `lo`; never together with `start`.
    among       only values v for which the constant Boolean table holds at (*index, v); a finite relation such as
                `around(h)`.
    """

    name: str
    type: Type
    start: Expr | None = None
    descending: bool = False
    among: tuple[str, tuple[Expr, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Fold:
    """A quantifier or aggregate over the product of the binders, filtered by `where`.

    all, some   Boolean `body`.           count  number of values that satisfy `where`; `body` is the literal 1.
    sum         integer `body`.           max, min  integer `body`, `default` if nothing satisfies `where`.
    Later binders may use earlier ones (in `start` and `among`).
    """

    op: FoldOp
    binders: tuple[Binder, ...]
    where: Expr | None
    body: Expr
    default: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class Unique:
    """No two different values of the binders that satisfy `where` agree on all keys. Boolean."""

    binders: tuple[Binder, ...]
    where: Expr | None
    keys: tuple[Expr, ...]
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a ranking: an integer expression, larger first if `descending`."""

    value: Expr
    descending: bool


@dataclass(frozen=True, slots=True)
class Pick:
    """The first value of the binder that satisfies `where`, in the order of the keys, then in the binder's order.

    Without keys: `first x in …`. With keys: `best x in … by …`. The type is optional (and `none` the answer if nothing
    satisfies `where`) unless the binder's domain is not empty and there is no `where`.
    """

    binder: Binder
    where: Expr | None
    keys: tuple[Key, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Call:
    """A definition applied to arguments. Definitions are pure and not recursive."""

    definition: str
    args: tuple[Expr, ...]
    type: Type


GraphQuestion: TypeAlias = Literal[
    "nodes", "links", "components", "has", "linked", "degree", "connected", "distance", "reach", "is_path", "is_forest",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class AskNetwork:
    """A question to the graph of the present state, allowed in audits only.

    `index` picks the network of a family; each node is a tuple of expressions as in the network's declaration.

    nodes()      number of nodes            has(n)           n is a node
    links()      number of links            linked(a, b)     there is a link
    components() number of components       connected(a, b)  there is a way from a to b
    degree(n)    links at n, 0 if no node   distance(a, b)   links of a shortest way; `none` if there is none
    reach(n)     nodes in n's component     is_path(n)       n is a node whose component is a simple path
    is_forest()  no cycles
    """

    question: GraphQuestion
    network: str
    index: tuple[Expr, ...]
    nodes: tuple[tuple[Expr, ...], ...]
    type: Type


Expr: TypeAlias = Lit | Bound | Read | Lookup | Apply | Cond | Let | Checked | Fold | Unique | Pick | Call | AskNetwork

# ---------------------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Assign:
    """Write a cell: `set` it to the value, or `add` the value to it (which may be negative)."""

    variable: str
    index: tuple[Expr, ...]
    mode: Literal["set", "add"]
    value: Expr
    key: str  #: identity of the line in the text, however often it is expanded (coverage, mutation, obligations)
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Define:
    """From here to the end of the block, `name` stands for the value that `value` has now."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Branch:
    """Run `then` if the test holds, otherwise `other`."""

    test: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """Run the body for each value of the binder that satisfies `where`.

    simultaneous: `where` and all right sides see the state at the start of the loop; each cell is either set at most
    once or only added to (the checker has seen to it, as far as it can be seen in the text; a cell set twice while
    playing is a contradiction). Otherwise one after the other, over at most 16 values.
    """

    binder: Binder
    where: Expr | None
    body: tuple[Stmt, ...]
    simultaneous: bool
    span: Span = field(kw_only=True, compare=False, repr=False)


Stmt: TypeAlias = Assign | Define | Branch | Loop

# --------------------------------------------------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Note:
    """What every declaration carries for its readers: documentation, the clauses it cites, its place."""

    doc: str = ""
    clauses: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


Sight: TypeAlias = Literal["open", "private", "hidden"]


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable: a table over the product of its index types, or one cell if there is no index.

    initial   its value at the start; may use the names in `over` for the cell's own index, constants, not the state.
    ghost     written by ghost lines only and read by claims only; never part of play.
    sight     `private`: seen by the player of the first index; `hidden`: by nobody; `until`: from then on open.
    """

    name: str
    index: tuple[Type, ...]
    type: Type
    over: tuple[str, ...]
    initial: Expr
    ghost: bool = False
    sight: Sight = "open"
    until: Expr | None = None
    note: Note = Note()


ConstantSource: TypeAlias = Literal["graph", "column", "param", "ruling", "instance"]


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant table, row-major in `values`. `assumed` data and rulings may be symbolic in proofs."""

    name: str
    index: tuple[Type, ...]
    type: Type
    values: tuple[int, ...]
    source: ConstantSource
    assumed: bool = False
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a definition or an action; an action's may have a default, left out in print and parse."""

    name: str
    type: Type
    default: int | None = None


@dataclass(frozen=True, slots=True)
class Def:
    """A pure function of its parameters and the state."""

    name: str
    params: tuple[Parameter, ...]
    body: Expr
    public: bool = False
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class Require:
    """One requirement of an action.

    key      identity in the text, shared by all expansions of a shared guard.
    defines  for `let x = e else …`: the name that is undefined if this fails; later lines that use it are not asked.
    """

    test: Expr
    key: str
    says: str | None = None
    clauses: tuple[str, ...] = ()
    defines: str | None = None
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Given:
    """From here on in the action (guards, costs and effects) `name` stands for the value before the action."""

    name: str
    value: Expr


GuardLine: TypeAlias = Require | Given
ActionKind: TypeAlias = Literal["action", "chance", "auto"]


@dataclass(frozen=True, slots=True)
class Action:
    """A guarded command, deterministic once its arguments are chosen.

    stages   codes of the stages it may happen in.
    guard    in text order; a line is evaluated only if all before it hold. Costs have become requirements here (at the
             end) and payments at the start of `body`.
    weight   of each argument tuple of a chance action.
    place    the node of a figure that it concerns, for pictures; takes no part in play or proof.
    """

    name: str
    kind: ActionKind
    params: tuple[Parameter, ...]
    stages: tuple[int, ...]
    guard: tuple[GuardLine, ...]
    body: tuple[Stmt, ...]
    weight: Expr | None = None
    prose: str | None = None
    note: Note = Note()
    place: Expr | None = None


StageKind: TypeAlias = Literal["player", "auto", "chance", "nobody"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A value of the variable `stage`, with who decides in it. `by` is a player (possibly optional) or None."""

    code: int
    name: str
    kind: StageKind
    by: Expr | None
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class Effect:
    """A named effect, kept for examples and documents; actions have it expanded."""

    name: str
    params: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    note: Note = Note()


ClaimKind: TypeAlias = Literal["law", "invariant", "step", "conserved", "reachable", "audit"]


@dataclass(frozen=True, slots=True)
class Claim:
    """Something the author claims.

    law        holds of the constants.                  invariant  holds in every state.
    step       holds of every step (`next` reads).      conserved  an invariant made from `conserved`.
    reachable  some play reaches a state in which the formula holds.
    audit      holds in every state; may question networks; checked on visited states only.

    follows    of an invariant: it holds wherever the claims that it uses do, so no action has to keep it. What follows
               from what has no circle.
    """

    name: str
    kind: ClaimKind
    formula: Expr
    using: tuple[str, ...] = ()
    note: Note = Note()
    follows: bool = False


@dataclass(frozen=True, slots=True)
class Ranking:
    """Every step makes the tuple lexicographically smaller, and every part has a lower bound (its type's `lo`)."""

    name: str
    parts: tuple[Expr, ...]
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision where the rulebook is silent or contradicts itself; the constant of the same name holds the choice."""

    name: str
    options: tuple[tuple[str, str], ...]  #: name and words of each option
    default: str
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class Preset:
    """A named choice of options, such as an edition of the rulebook; rulings it does not name keep their default."""

    name: str
    title: str
    choices: tuple[tuple[str, str], ...]  #: ruling and option
    note: Note = Note()


NamingKind: TypeAlias = Literal["enum", "type", "rows", "graph", "purse", "stageset", "term"]


@dataclass(frozen=True, slots=True)
class Naming:
    """A declaration that leaves only a name in the core, kept for what it documents and cites."""

    name: str
    kind: NamingKind
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One part of the score of player `p` (the bound name `ScoreSheet.player`)."""

    label: str
    value: Expr
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """How points are counted, in units of 1/`per`, and how players are ranked."""

    player: str
    lines: tuple[ScoreLine, ...]
    per: int
    keys: tuple[Key, ...]  #: of the player bound as `player`; the total score is spelled out in them
    total: bool  #: claims that no two players can tie
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class NetworkNode:
    """Nodes of a network: for all values of the binders with `when`, the tuple `node`."""

    binders: tuple[Binder, ...]
    node: tuple[Expr, ...]
    when: Expr


@dataclass(frozen=True, slots=True)
class NetworkLink:
    """Links of a network. With `nodes_only`, a link exists only if both ends are nodes (else they become nodes)."""

    binders: tuple[Binder, ...]
    left: tuple[Expr, ...]
    right: tuple[Expr, ...]
    when: Expr
    nodes_only: bool


@dataclass(frozen=True, slots=True)
class Network:
    """A graph of the present state, one for each value of the binders."""

    name: str
    binders: tuple[Binder, ...]
    nodes: tuple[NetworkNode, ...]
    links: tuple[NetworkLink, ...]
    note: Note = Note()


Outline: TypeAlias = Literal["flat", "pointy", "square", "point"]


@dataclass(frozen=True, slots=True)
class Canvas:
    """What a figure is drawn on: the values of a type, each at its place.

    outline  of a node: a hexagon with a flat or a pointed top, a square, or a point.
    places   x to the right and y downwards, in thousandths: of a hexagon's radius, of a square's side.
    links    pairs of nodes: one that is there both ways is drawn as a line, another as an arrow.
    sides    the type of the sides of a node, clockwise; None if nodes have none.
    """

    type: Type
    outline: Outline
    places: tuple[tuple[int, int], ...]
    links: tuple[tuple[int, int], ...] = ()
    sides: Type | None = None


#: What a mark can look like, and what a label can be coloured with.
SHAPES = (
    "anchor", "cross", "diamond", "disc", "flag", "house", "meeple", "ring", "ship", "square", "star", "triangle",
)  # fmt: skip
COLOURS = (
    "red", "blue", "green", "yellow", "violet", "orange", "teal", "pink", "brown", "sand", "grey", "black", "white",
)  # fmt: skip
LayerKind: TypeAlias = Literal["area", "edge", "path", "mark", "pieces", "label"]


@dataclass(frozen=True, slots=True)
class Layer:
    """What a figure shows, once for each value of the binders that satisfies `where`.

    at     the node; for an edge also its side, for a path one side (it ends in the middle) or two.
    value  how many pieces, or the value that a label shows.
    shape  of a mark, one of `SHAPES`; or it has a text instead.
    text   of a mark that has no shape, of a label that has no value.
    by     what colours it: a player or any other label.
    says   what it means, for the legend.
    """

    kind: LayerKind
    binders: tuple[Binder, ...]
    where: Expr | None
    at: tuple[Expr, ...]
    value: Expr | None = None
    shape: str = ""
    text: str = ""
    by: Expr | None = None
    says: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of the state. Figures take no part in play or proof, nor in any fingerprint."""

    name: str
    title: str
    canvas: Canvas
    layers: tuple[Layer, ...]
    tints: tuple[tuple[str, str], ...] = ()  #: a label and the name of its colour
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class Arrange:
    """Example: run statements on the position, asking no guard."""

    body: tuple[Stmt, ...]
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Make:
    """Example: a legal move is made, and if it says by whom, that player decides; autos that follow run by themselves."""

    action: str
    args: tuple[int, ...]
    by: int | None = None
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Refuse:
    """Example: the move is refused, and one of the reasons cites each clause."""

    action: str
    args: tuple[int, ...]
    clauses: tuple[str, ...]
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Expect:
    """Example: the formula holds here, if the rulings are as given in `under` (ruling, option)."""

    formula: Expr
    under: tuple[tuple[str, str], ...]
    span: Span = field(kw_only=True, compare=False, repr=False)


ExampleStep: TypeAlias = Arrange | Make | Refuse | Expect


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example. A `witness` arranges nothing: it is a legal play from the start."""

    name: str
    steps: tuple[ExampleStep, ...]
    witness: bool
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game, for one instance."""

    name: str
    title: str
    player: Type
    stage: Type
    types: tuple[Type, ...]  #: the named ones, for printing and parsing
    stages: tuple[Stage, ...]
    variables: tuple[Variable, ...]
    constants: tuple[Constant, ...]
    defs: tuple[Def, ...]  #: in an order in which each uses only earlier ones
    effects: tuple[Effect, ...]
    actions: tuple[Action, ...]
    claims: tuple[Claim, ...]
    rankings: tuple[Ranking, ...]
    rulings: tuple[Ruling, ...]
    networks: tuple[Network, ...]
    examples: tuple[Example, ...]
    score: ScoreSheet | None
    glossary: tuple[tuple[str, str], ...] = ()
    note: Note = Note()
    presets: tuple[Preset, ...] = ()
    namings: tuple[Naming, ...] = ()
    seats: tuple[int, ...] = ()  #: the numbers of players for which there are instances
    figures: tuple[Figure, ...] = ()

    @property
    def players(self) -> int:
        """How many players this instance has."""
        return self.player.size
