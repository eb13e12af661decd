"""The surface syntax tree: what the author wrote, nothing else.

Reads:  nothing.   Writes: nothing; this file only says what a parsed file can contain.
After:  names are still text, types are still spelled out; every node knows its place, and places never take part in
        equality, so two texts that differ in layout only have equal trees.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from pilgrim_rules.core.ir import Operator
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.util.fast_dataclass import dataclass


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
    """Numbers between two bounds; without the second, without an upper end."""

    lo: Expr
    hi: Expr | None


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
    """A definition or function applied; `primed` asks for the value after a step."""

    name: Word
    args: tuple[Arg, ...]
    primed: bool = False


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
class PairPart(Node):
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
    op: Operator
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
class ZoneDomain(Node):
    """What lies in one zone of a family: `c in hand[p]`."""

    name: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class SetDomain(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class TurnDomain(Node):
    start: Expr


Domain: TypeAlias = TypeDomain | CallDomain | ZoneDomain | SetDomain | TurnDomain
Expr: TypeAlias = (
    Name | Number | Text | Call | Index | Attribute | PairPart | Tuple | Listing | Unary | Binary | Old | The | IsTest | InTest
    | Ternary | Quantifier | Aggregate | Unique | Pick
)  # fmt: skip
Arg: TypeAlias = Expr | NamedArg

# ----------------------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class AssignTarget(Node):
    """What an assignment writes: a variable, perhaps one cell of it."""

    name: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Assign(Node):
    place: AssignTarget
    op: Literal["=", "+=", "-="]
    value: Expr
    ghost: bool


@dataclass(frozen=True, slots=True)
class TransferStmt(Node):
    """`move n from a to b`; with `up_to`, `take up to n from a to b`; between zones, `n` is what is moved."""

    amount: Expr
    source: AssignTarget
    target: AssignTarget
    up_to: bool
    at: Expr | None = None  #: the position it gets in an ordered zone


@dataclass(frozen=True, slots=True)
class RollStmt(Node):
    """Chance throws a number of dice, and each is added to the pool at its face."""

    amount: Expr
    target: AssignTarget
    then: Expr | None


@dataclass(frozen=True, slots=True)
class TextStmt(Node):
    """The text of a row happens."""

    row: Expr


@dataclass(frozen=True, slots=True)
class DrawStmt(Node):
    """Chance draws this many from a zone, one after the other; afterwards play goes on where it was, or with `then`."""

    amount: Expr
    source: AssignTarget
    target: AssignTarget
    then: Expr | None


@dataclass(frozen=True, slots=True)
class ClampStmt(Node):
    """`raise x by n, at most m` and `lower x by n, at least m`."""

    op: Literal["raise", "lower"]
    place: AssignTarget
    amount: Expr
    limit: Expr


@dataclass(frozen=True, slots=True)
class Payment(Node):
    """`n stone [to p]` or `n of r [to p]`, in a `cost` line or a `pay` statement."""

    amount: Expr
    purse: Word | Expr
    to: Expr | None


@dataclass(frozen=True, slots=True)
class PayStmt(Node):
    payment: Payment


@dataclass(frozen=True, slots=True)
class LetStmt(Node):
    name: Word
    value: Expr


@dataclass(frozen=True, slots=True)
class ResetStmt(Node):
    """A variable, or every variable of a named block, begins again."""

    name: Word


@dataclass(frozen=True, slots=True)
class CallStage(Node):
    """A sub-turn begins; afterwards play goes on where it was, or with `then`."""

    stage: Expr
    then: Expr | None


@dataclass(frozen=True, slots=True)
class ReturnStage(Node):
    """A sub-turn ends, and play goes on where it was; with `to`, there instead, and what was interrupted is given up."""

    to: Expr | None


@dataclass(frozen=True, slots=True)
class AskPoll(Node):
    """Whoever qualifies is asked, one after the other; afterwards play goes on where it was, or with `then`."""

    poll: Word
    then: Expr | None


@dataclass(frozen=True, slots=True)
class AnswerPoll(Node):
    """Whoever was asked has answered; the next is asked, or the poll is over."""

    poll: Word


@dataclass(frozen=True, slots=True)
class RunStmt(Node):
    """A named effect is run."""

    name: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class StmtLine(Node):
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
    binders: tuple[Binder, ...]
    where: Expr | None
    body: tuple[Stmt, ...]


Simple: TypeAlias = (
    Assign
    | TransferStmt
    | DrawStmt
    | RollStmt
    | TextStmt
    | ClampStmt
    | PayStmt
    | LetStmt
    | ResetStmt
    | CallStage
    | ReturnStage
    | AskPoll
    | AnswerPoll
    | RunStmt
)
Stmt: TypeAlias = StmtLine | IfStmt | ForStmt

# --------------------------------------------------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True, kw_only=True)
class Decl(Node):
    """A declaration, with its documentation and the clauses it cites."""

    name: Word
    cites: Cites = ()
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Automaton(Node):
    """Seats that decide by a policy, and when they join."""

    names: tuple[Word, ...]
    when: Expr | None
    cites: Cites = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Decl):
    """The game; `usual` is the number of players for which it is loaded if nobody says one, None for the fewest."""

    title: str | None
    players: tuple[int, int] | None
    usual: int | None
    seats: tuple[Word, ...]
    automata: tuple[Automaton, ...]
    clauses: tuple[Text, ...]
    edition: Text | None


@dataclass(frozen=True, slots=True)
class Import(Node):
    path: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class TermDecl(Decl):
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Decl):
    """What a module is given where it is used, under the name that it has there.

    type     of a value or of a variable; the result of a definition, None if it says none.
    index    of a variable.     params  of a definition or effect.     default  of a value.
    """

    kind: Literal["type", "value", "state", "def", "effect", "stage"]
    type: TypeExpr | None = None
    index: tuple[IndexItem, ...] = ()
    params: tuple[Parameter, ...] = ()
    default: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Module(Decl):
    """The head of a file of declarations that games share."""

    title: str | None
    takes: tuple[Taken, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Use(Decl):
    """The declarations of a module stand here. `name` is that of the use, or of the module if it has none of its own."""

    module: Word
    args: tuple[Arg, ...]
    alias: Word | None


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
    edges: Word | None = None


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
    refused: str | None = None  #: why it cannot be chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Decl):
    """A ruling, or an option of the set-up, which is decided in the same way but by the players.

    refused  answers that somebody could give, but that are not played; no rule can name them.
    """

    options: tuple[Option, ...]
    refused: tuple[Option, ...] = ()
    by_players: bool = False


@dataclass(frozen=True, slots=True)
class Chosen(Node):
    """A line of a preset: the option of a ruling."""

    ruling: Word
    option: Word
    cites: Cites


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset(Decl):
    """A named choice of rulings; an edition may have clauses and data of its own besides."""

    title: str | None
    choices: tuple[Chosen, ...]
    edition: bool = False
    clauses: tuple[Text, ...] = ()
    data: Text | None = None


@dataclass(frozen=True, slots=True)
class PursePlace(Node):
    place: AssignTarget
    as_: Word | None
    once: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse(Decl):
    player: Word
    places: tuple[PursePlace, ...]
    supply: AssignTarget | None


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
    always: tuple[MoveRef, ...] = ()  #: one of these is possible whenever the stage comes
    sub: bool = False  #: part of a sub-turn, which is called and returns
    poll: bool = False  #: each of several players answers in turn; `by` says who is next
    secretly: bool = False  #: of a poll: what is chosen is the secret of whoever answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages(Decl):
    """The table of stages; `deep` is how many sub-turns there can be inside each other, where the text does not show it."""

    lines: tuple[StageLine, ...]
    deep: int | None = None


@dataclass(frozen=True, slots=True)
class StageRef(Node):
    name: Word
    value: Word | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSet(Decl):
    refs: tuple[StageRef, ...]


@dataclass(frozen=True, slots=True)
class Sight(Node):
    """Who sees something: `private`, `hidden`, `secret`, `seen by player` or `seen by viewer where test`.

    viewer  the name that the test uses for whoever looks; None: `who` is the player who sees it.
    """

    word: Literal["private", "hidden", "secret", "seen"]
    viewer: Word | None = None
    who: Expr | None = None
    until: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable(Decl):
    index: tuple[IndexItem, ...]
    type: TypeExpr
    sight: Sight | None
    initial: Expr | None
    ghost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StateBlock(Decl):
    """A block of variables; one that is `named` can be reset as a whole."""

    variables: tuple[Variable, ...]
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneLine(Decl):
    """A place where pieces can be, or one for each value of its index."""

    index: tuple[IndexItem, ...]
    sight: Sight | None
    ordered: bool  #: what lies in it has an order
    refill: Word | None  #: the zone that is shuffled into it when it is empty and something is drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Zones(Decl):
    """The places of pieces. Each piece is in one of them; or, where `holds` is given, each holds this many of each kind.

    Its name is the first zone, where pieces are unless `start` says something else.
    """

    item: IndexItem
    holds: TypeExpr | None
    start: Expr | None
    lines: tuple[ZoneLine, ...]


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    name: Word
    type: TypeExpr
    default: Expr | None
    sight: Sight | None = None
    chosen: tuple[int, AssignTarget] | None = None  #: a number of pieces of a zone or pool; the type is then made of it


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
class RevealLine(Node):
    """What an action gives away on purpose, to everybody or to some."""

    value: Expr
    to: Sight | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class SummaryLine(Node):
    """A sentence about an action in the words of its author, for people; it means nothing to play or proof."""

    text: Text
    cites: Cites


@dataclass(frozen=True, slots=True)
class CostLine(Node):
    """What an action costs; of several options the player chooses one."""

    options: tuple[Payment, ...]
    when: Expr | None
    cites: Cites


@dataclass(frozen=True, slots=True, kw_only=True)
class Def(Decl):
    params: tuple[Parameter, ...]
    result: TypeExpr | None
    lets: tuple[LetLine, ...]
    body: Expr
    public: bool
    default: bool = False  #: the body is what it is unless a text says something else


@dataclass(frozen=True, slots=True)
class ChangedDef(Node):
    """What a definition is while a card lasts: for these arguments, or for all that its own parameters stand for."""

    name: Word
    args: tuple[Arg, ...]
    value: Expr
    cites: Cites


@dataclass(frozen=True, slots=True)
class WhileLine(Node):
    test: Expr
    changes: tuple[ChangedDef, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowText(Decl):
    """The text of one row of a table: what happens at once, and what is different while something holds."""

    of: Word
    at_once: tuple[Stmt, ...]
    lasting: tuple[WhileLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(Decl):
    params: tuple[Parameter, ...]
    lines: tuple[GuardLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(Decl):
    params: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    summary: tuple[SummaryLine, ...] = ()  #: of every action that runs it


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
    reveals: tuple[RevealLine, ...]
    body: tuple[Stmt, ...]
    place: Expr | None  #: the node of a figure that it concerns
    summary: tuple[SummaryLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Decl):
    kind: Literal["law", "invariant", "step", "reachable", "audit"]
    using: tuple[Word, ...]
    follows: bool  #: from what it uses, in every state
    when: Expr | None  #: it is claimed only where this holds of rulings and data
    formula: Expr


@dataclass(frozen=True, slots=True)
class ChangesOnly(Node):
    """The cells that an action may change; `_` in an index stands for all values."""

    cells: tuple[AssignTarget, ...]
    cites: Cites


@dataclass(frozen=True, slots=True)
class Amount(Node):
    """What cells gain or pay, once for each value of the binders; `to` are those that get it."""

    cell: AssignTarget
    gains: bool
    amount: Expr
    to: AssignTarget | None
    binders: tuple[Binder, ...]
    where: Expr | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class Ensures(Node):
    """What holds of the state before and, primed, the state after."""

    formula: Expr
    cites: Cites


ContractLine: TypeAlias = ChangesOnly | Amount | Ensures


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract(Decl):
    """What an action does, said apart from how it does it."""

    of: Word
    using: tuple[Word, ...]
    when: Expr | None  #: it is claimed only where this holds of rulings and data
    lines: tuple[ContractLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conserved(Decl):
    binders: tuple[Binder, ...]
    using: tuple[Word, ...]
    when: Expr | None
    formula: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminates(Decl):
    measure: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Symmetry(Decl):
    """The game is the same after each value has changed places as these parameters say."""

    maps: tuple[Word, ...]


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
    place: AssignTarget
    value: Expr
    equals: bool  #: written with `==`, which only `players` may be


@dataclass(frozen=True, slots=True)
class GivenDo(Node):
    run: RunStmt


Under: TypeAlias = tuple[tuple[Word, Word], ...]  #: rulings and options


@dataclass(frozen=True, slots=True)
class MoveRef(Node):
    action: Word
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class WhenMove(Node):
    move: MoveRef
    by: Word | None
    under: Under


@dataclass(frozen=True, slots=True)
class RefuseLine(Node):
    move: MoveRef
    because: Cites
    under: Under


@dataclass(frozen=True, slots=True)
class ExpectLine(Node):
    formula: Expr
    under: Under


ExampleLine: TypeAlias = GivenLine | GivenDo | WhenMove | RefuseLine | ExpectLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Example(Decl):
    lines: tuple[ExampleLine, ...]
    witness: bool
    under: Under  #: the reading that all its lines are about


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


@dataclass(frozen=True, slots=True)
class CampaignGames(Node):
    """What is chosen in each game of a campaign, or one choice for all."""

    option: Word
    choices: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class CampaignResult(Node):
    fold: Literal["sum", "max", "min"]
    value: Expr


@dataclass(frozen=True, slots=True)
class CampaignRank(Node):
    title: Text
    lo: int | None
    hi: int | None
    when: Expr | None
    cites: Cites


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign(Decl):
    title: str | None
    players: int | None
    games: tuple[CampaignGames, ...]
    result: CampaignResult | None
    ranks: tuple[CampaignRank, ...]


Declaration: TypeAlias = (
    Game | Import | TermDecl | Enum | TypeAliasDecl | Graph | Rows | Param | Ruling | Preset | Purse | Stages | StageSet | StateBlock
    | Zones | RowText | Def | Guard | Effect | Action | Claim | Contract | Conserved | Terminates | Network | Score | Rank | Example | Figure | Campaign
    | Module | Use | Symmetry
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class File:
    """All declarations of one source file, in text order."""

    name: str
    declarations: tuple[Declaration, ...]
