"""The core: what a game is once every convenience of the language has been taken away.

Reads:  nothing.   Writes: nothing; this file only says what a core game can contain.
After:  every back end (evaluator, compiler, encoder, prose, fingerprint) is total over these classes.

A core game belongs to one *instance*: the number of players, the map and the edition are fixed. Every value is an
integer code (see `Type`), every domain is finite, every index evidently lies inside its table or is `Checked`
(`mark_partial` has seen to it). What can go wrong when a game is played is exactly this: an assignment leaves the range
of its variable, or a `Checked` expression does. Both are contradictions in the rules, and both are proof obligations.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias, get_args

from pilgrim_rules.core.origin import Origin
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.util.fast_dataclass import dataclass

# --------------------------------------------------------------------------------------------------------------- types

TypeKind: TypeAlias = Literal["bool", "int", "enum", "pair", "optional"]


#: Where a counter without upper end would end. No literal comes near it, interval arithmetic stops at it, and proofs do
#: not know it: for them there is no end. It lies beyond every machine word, so that no printer takes what may reach it for
#: a number that fits into one.
OPEN_END = 1 << 70
DRAWN = 64  #: values of an open type that are tried at random


@dataclass(frozen=True, slots=True)
class Type:
    """A type. Its values are the integer codes `lo` to `hi`; only numbers may be open, that is without upper end.

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

    @property
    def is_open(self) -> bool:
        """Whether there is no upper end: nothing goes through its values, and no cell that holds one is full."""
        return self.hi >= OPEN_END

    @property
    def drawn(self) -> range:
        """The values that one is drawn from at random: all, or of an open type as many as play soon comes to."""
        return range(self.lo, self.lo + DRAWN if self.is_open else self.hi + 1)


BOOL = Type("bool", "bool", 0, 1)

# --------------------------------------------------------------------------------------------------------- expressions

Operator: TypeAlias = Literal[
    "+", "-", "*", "div", "mod", "min", "max",
    "==", "!=", "<", "<=", ">", ">=",
    "and", "or", "not", "implies",
]  # fmt: skip
FoldOp: TypeAlias = Literal["all", "some", "count", "sum", "max", "min"]
#: What each of them means stands in `core/operators.py`.
OPERATORS: frozenset[Operator] = frozenset(get_args(Operator))
FOLD_OPS: frozenset[FoldOp] = frozenset(get_args(FoldOp))
When: TypeAlias = Literal["now", "old", "next"]
FormName: TypeAlias = Literal[
    "next", "previous", "ord", "seats_after", "seats_after_or_at", "players",
    "negative", "folded", "raised", "lowered",
    "is_some", "is_none", "is", "in_type", "in", "in_stages", "none_of",
    "pair", "first", "second", "stage", "carried",
    "shifted", "known", "optional", "within",
    "old", "primed", "unchanged",
    "zone", "in_zone",
]  # fmt: skip
FORMS: frozenset[str] = frozenset(FormName.__args__)  # type: ignore[attr-defined]  # typing offers no typed access


@dataclass(frozen=True, slots=True)
class Form:
    """What the author wrote where lowering spells it out: `next(p)` for `(p + 1) mod 3`.

    It takes no part in equality, meaning or fingerprint: whoever evaluates, compiles or encodes looks at the node that
    carries it, whoever shows, explains or changes a rule looks at the form. `core/forms.py` says what each form stands
    for, and `validate` checks that the node is just that.

    name   of the form.
    args   its parts, as written.
    of     the type that it is about: going round its values, being one of them, lacking one.
    label  the name that it uses, if it uses one: of a stage or of a set of stages.
    """

    name: FormName
    args: tuple[Expr, ...]
    of: Type
    label: str = ""


@dataclass(frozen=True, slots=True)
class Lit:
    """A constant code of the type."""

    value: int
    type: Type
    form: Form | None = field(default=None, kw_only=True, compare=False, repr=False)


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
    form: Form | None = field(default=None, kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Cond:
    """`then` if the test holds, otherwise `other`; only the chosen one is evaluated."""

    test: Expr
    then: Expr
    other: Expr
    type: Type
    form: Form | None = field(default=None, kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Let:
    """`body`, in which `name` stands for `value`."""

    name: str
    value: Expr
    body: Expr
    type: Type
    form: Form | None = field(default=None, kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Checked:
    """`value`, claimed to lie in `type`; outside it the rules contradict themselves.

    Authors write it in effects (`the x`). Everywhere else `mark_partial` puts it: where an index, an argument or a
    divisor is not evidently one.
    """

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
    "longest",
]  # fmt: skip
GRAPH_QUESTIONS: frozenset[GraphQuestion] = frozenset(get_args(GraphQuestion))


@dataclass(frozen=True, slots=True)
class AskNetwork:
    """A question to the graph of the present state, allowed where play and proofs do not look: audits, scores, examples.

    `index` picks the network of a family; each node is a tuple of expressions as in the network's declaration.

    nodes()      number of nodes            has(n)           n is a node
    links()      number of links            linked(a, b)     there is a link
    components() number of components       connected(a, b)  there is a way from a to b
    degree(n)    links at n, 0 if no node   distance(a, b)   links of a shortest way; `none` if there is none
    reach(n)     nodes in n's component     is_path(n)       n is a node whose component is a simple path
    is_forest()  no cycles                  longest()        links of a longest way that uses no link twice
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


SightWord: TypeAlias = Literal["private", "hidden", "secret", "seen"]


@dataclass(frozen=True, slots=True)
class Audience:
    """Who sees what not everybody sees: each player, called `viewer`, for whom the test holds.

    word  with which the author said so; it means nothing beyond the test.
    """

    viewer: str
    test: Expr
    word: SightWord = "seen"


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable: a table over the product of its index types, or one cell if there is no index.

    initial   its value at the start; may use the names in `over` for the cell's own index, constants, not the state.
    ghost     written by ghost lines only and read by claims only; never part of play.
    seen      who sees a cell; None: everybody. The test may use the names in `over`, and the state.
    """

    name: str
    index: tuple[Type, ...]
    type: Type
    over: tuple[str, ...]
    initial: Expr
    ghost: bool = False
    seen: Audience | None = None
    note: Note = Note()


ConstantSource: TypeAlias = Literal["graph", "column", "param", "ruling", "option", "instance"]


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
    """A parameter of a definition or an action; an action's may have a default, left out in print and parse.

    seen  who sees the argument of a move; None: everybody. The test may use all parameters, and the state before it.
    """

    name: str
    type: Type
    default: int | None = None
    seen: Audience | None = None


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
class Reveal:
    """What an action gives away on purpose: a value before the action, told to everybody or to the audience.

    key  identity in the text.
    """

    value: Expr
    to: Audience | None
    key: str
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Given:
    """From here on in the action (guards, costs and effects) `name` stands for the value before the action."""

    name: str
    value: Expr


GuardLine: TypeAlias = Require | Given

# ----------------------------------------------------------------------------------------------------- lines as written
#
# What an author writes in one line, and play does in several. `core/expand.py` says what each line stands for; semantic
# back ends look at that (`Action.guard` and `Action.body`), whoever shows, explains or changes a rule looks at the lines.
# Local names are those of the text: two blocks may use the same one.


@dataclass(frozen=True, slots=True)
class RunEffect:
    """`name(args)`: a named effect happens."""

    effect: str
    args: tuple[Expr, ...]
    key: str
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Transfer:
    """`move amount from source to target`, or as much of it as is there (`take up to`)."""

    amount: Expr
    source: Read
    target: Read
    up_to: bool
    key: str
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Payment:
    """`pay amount purse to player`, or one way to pay a cost.

    purse  its name; empty if `which` names the one of its value (`pay 2 of kind`).
    to     who gets it; nobody, if it goes to the supply of the purse.
    """

    amount: Expr
    purse: str
    which: Expr | None
    to: Expr | None
    payer: Expr
    key: str
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ResetBlock:
    """`reset name`: the variables of a block, or the one of this name, get the values with which they begin."""

    name: str
    variables: tuple[str, ...]
    keys: tuple[str, ...]  #: one for each variable
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CallStage:
    """`call stage`: a sub-turn begins, and afterwards play goes on where it was, or with `then`."""

    stage: Expr
    then: Expr | None
    key: str
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ReturnStage:
    """`return`: a sub-turn ends and play goes on where it was; `return to stage`: there, and nothing is gone back to."""

    to: Expr | None
    key: str
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AskPoll:
    """`ask poll`: old answers are forgotten, and whoever qualifies is asked; nobody is, if nobody does.

    stage  of the poll.            next_asked  who is asked next; optional.
    then   where play goes on afterwards, and at once if nobody is asked; without it, where it was.
    """

    poll: str
    stage: Expr
    next_asked: Expr
    then: Expr | None
    key: str
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AnswerPoll:
    """`answer poll`: whoever was `asked` before the action has answered; the poll ends if nobody is asked next."""

    poll: str
    asked: Expr
    next_asked: Expr
    key: str
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


ShortName: TypeAlias = Literal["move", "move_at", "move_all", "draw", "roll", "text"]


@dataclass(frozen=True, slots=True)
class Shorthand:
    """A line that stands for others: `move c from deck to hand[p]`, `draw 2 from deck to hand[p]`.

    parts  what is said in it, in the order of the words.
    lines  what it stands for; their keys begin with its own.
    """

    name: ShortName
    parts: tuple[Expr, ...]
    lines: tuple[WrittenStmt, ...]
    key: str
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class IfLine:
    """`if test: … else: …`."""

    test: Expr
    then: tuple[WrittenStmt, ...]
    other: tuple[WrittenStmt, ...]
    key: str
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ForLine:
    """`for x in …: …`; a line with several names is one loop in the other, with one span."""

    binder: Binder
    where: Expr | None
    body: tuple[WrittenStmt, ...]
    simultaneous: bool
    span: Span = field(kw_only=True, compare=False, repr=False)


WrittenStmt: TypeAlias = (
    Assign
    | Define
    | RunEffect
    | Transfer
    | Payment
    | ResetBlock
    | CallStage
    | ReturnStage
    | AskPoll
    | AnswerPoll
    | Shorthand
    | IfLine
    | ForLine
)


@dataclass(frozen=True, slots=True)
class CheckGuard:
    """`check name(args)`: the requirements of a named guard."""

    guard: str
    args: tuple[Expr, ...]
    key: str
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


WrittenGuardLine: TypeAlias = Require | Given | CheckGuard


@dataclass(frozen=True, slots=True)
class Cost:
    """`cost amount purse when test`, with alternatives if there are several options.

    choice  the argument of the action that says which of them is paid; None if there is only one.
    """

    options: tuple[Payment, ...]
    when: Expr | None
    choice: Bound | None
    clauses: tuple[str, ...] = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Written:
    """The lines of an action, in text order."""

    guard: tuple[WrittenGuardLine, ...] = ()
    costs: tuple[Cost, ...] = ()
    body: tuple[WrittenStmt, ...] = ()
    seat: Require | None = None  #: who has to decide, where some players are automata; nobody has written it


# ------------------------------------------------------------------------------------------------------ rules of a game

ActionKind: TypeAlias = Literal["action", "chance", "auto"]


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A sentence of an action's summary, in the words of its author, and the clauses it tells of."""

    text: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """A guarded command, deterministic once its arguments are chosen.

    stages   codes of the stages it may happen in.
    guard    in text order; a line is evaluated only if all before it hold. Costs have become requirements here (at the
             end) and payments at the start of `body`. Both are made from `written`.
    weight   of each argument tuple of a chance action.
    reveals  what it gives away besides what its arguments and effects show; may use the names of the guard.
    place    the node of a figure that it concerns, for pictures; takes no part in play or proof.
    summary  the rule in the words of its author, for people; it takes no part in play or proof either.
    title    what a hint calls it, for people; empty if its name says it.
    """

    name: str
    kind: ActionKind
    params: tuple[Parameter, ...]
    stages: tuple[int, ...]
    guard: tuple[GuardLine, ...]
    body: tuple[Stmt, ...]
    weight: Expr | None = None
    note: Note = Note()
    place: Expr | None = None
    reveals: tuple[Reveal, ...] = ()
    summary: tuple[SummaryLine, ...] = field(default=(), kw_only=True, compare=False, repr=False)
    title: str = field(default="", kw_only=True, compare=False, repr=False)
    written: Written = field(default=Written(), kw_only=True, compare=False, repr=False)


StageKind: TypeAlias = Literal["player", "auto", "chance", "nobody"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A value of the variable `stage`, with who decides in it. `by` is a player (possibly optional) or None.

    always  tests of which the author claims that one holds whenever the stage comes: that a certain action, or a certain
            move, is possible. So a proof that play is not stuck has to look at nothing else.
    """

    code: int
    name: str
    kind: StageKind
    by: Expr | None
    note: Note = Note()
    always: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """A named effect. Its body is made from the lines, as are those parts of actions that run it."""

    name: str
    params: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    note: Note = Note()
    lines: tuple[WrittenStmt, ...] = field(default=(), kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Guard:
    """Named requirements, for actions to check."""

    name: str
    params: tuple[Parameter, ...]
    lines: tuple[WrittenGuardLine, ...]
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class PursePlace:
    """A place that a purse is paid from.

    cell     of the purse's player.
    arrives  the purse that says where what is paid from here goes.
    once     what is left here goes back to its owner when something of it has been used.
    """

    cell: Read
    arrives: str
    once: bool


@dataclass(frozen=True, slots=True)
class Purse:
    """What costs are paid from, place by place, by the player bound as `player`; what is paid goes to the supply."""

    name: str
    player: str
    places: tuple[PursePlace, ...]
    supply: Read | None
    note: Note = Note()


ClaimKind: TypeAlias = Literal["law", "invariant", "step", "conserved", "reachable", "audit", "contract"]


@dataclass(frozen=True, slots=True)
class Claim:
    """Something the author claims.

    law        holds of the constants.                  invariant  holds in every state.
    step       holds of every step (`next` reads).      conserved  an invariant made from `conserved`.
    reachable  some play reaches a state in which the formula holds.
    audit      holds in every state; may question networks; checked on visited states only.
    contract   holds of every step that `action` makes; may use its parameters, and what its stage carries.

    follows    of an invariant: it holds wherever the claims that it uses do, so no action has to keep it. What follows
               from what has no circle.
    when       a test of rulings and data: where it is false, nothing is claimed and the claim is not in the core.
    action     of a contract.
    words      of a contract: its line as written, because the formula spells out what else may be the same cell.
    """

    name: str
    kind: ClaimKind
    formula: Expr
    using: tuple[str, ...] = ()
    note: Note = Note()
    follows: bool = False
    when: Expr | None = None
    action: str = ""
    words: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Every step makes the tuple lexicographically smaller, and every part has a lower bound (its type's `lo`)."""

    name: str
    parts: tuple[Expr, ...]
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class Symmetry:
    """The rules, the score and every claim are the same after values have changed places.

    maps  constant tables, each from one type to itself and onto all of it; values of other types stay as they are.
    """

    name: str
    maps: tuple[str, ...]
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision where the rulebook is silent or contradicts itself; the constant of the same name holds the choice.

    by_players  the rulebook itself leaves it to the players when they set up: an option of the set-up, and no doubt.
    refused     answers that are not played: name, words, and why not.
    """

    name: str
    options: tuple[tuple[str, str], ...]  #: name and words of each option
    default: str
    note: Note = Note()
    by_players: bool = False
    refused: tuple[tuple[str, str, str], ...] = ()

    @property
    def kind(self) -> Literal["ruling", "option"]:
        """What it is called."""
        return "option" if self.by_players else "ruling"


@dataclass(frozen=True, slots=True)
class Preset:
    """A named choice of options; rulings it does not name keep their default.

    edition  it is an edition of the rulebook, which may have files of its own:
    clauses  what it says that others do not, beside what all say.       data  what its pieces show; "" if as usual.
    """

    name: str
    title: str
    choices: tuple[tuple[str, str], ...]  #: ruling and option
    note: Note = Note()
    edition: bool = False
    clauses: tuple[str, ...] = ()
    data: str = ""


NamingKind: TypeAlias = Literal["enum", "type", "rows", "graph", "purse", "stageset", "term", "zones"]


@dataclass(frozen=True, slots=True)
class Naming:
    """A declaration that leaves only a name in the core, kept for what it documents and cites."""

    name: str
    kind: NamingKind
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class Pin:
    """A ruling, or assumed data, that tables, types, actions or claims were computed from: no proof varies it.

    users  the declarations that depend on it, by name; `*` if any may.
    """

    name: str
    users: tuple[str, ...]


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


@dataclass(frozen=True, slots=True)
class TextChange:
    """What a definition is while a test holds; the value may use the names of its parameters.

    args  those for which it is so, in the order of the parameters; a parameter itself stands for all.
    """

    definition: str
    test: Expr
    args: tuple[Expr, ...]
    value: Expr
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RowText:
    """What the text of a row of a table says. Play knows it as an effect and as cases of definitions.

    effect  what happens at once; empty if nothing does.
    """

    of: str
    row: str
    effect: str
    changes: tuple[TextChange, ...]
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


Options: TypeAlias = tuple[tuple[str, str], ...]  #: options by the name of their ruling


@dataclass(frozen=True, slots=True)
class CampaignRank:
    """What a total is called, from `lo` to `hi`; None if that end is open."""

    title: str
    lo: int | None
    hi: int | None
    note: Note = Note()

    def has(self, total: int) -> bool:
        """Tell whether a total has this rank."""
        return (self.lo is None or self.lo <= total) and (self.hi is None or total <= self.hi)


CampaignFold: TypeAlias = Literal["sum", "max", "min"]


@dataclass(frozen=True, slots=True)
class Campaign:
    """A finite fold over games: nothing goes from one game to the next but the result of each.

    games   what is decided in each.       fold    how the results make the total.
    result  of a game that is over.        ranks   what the total is called.
    """

    name: str
    title: str
    players: int
    games: tuple[Options, ...]
    fold: CampaignFold
    result: Expr
    ranks: tuple[CampaignRank, ...]
    note: Note = Note()

    @property
    def totals(self) -> tuple[int, int]:
        """The least and the greatest total that the type of the result allows."""
        times = len(self.games) if self.fold == "sum" else 1
        lo, hi = self.result.type.lo, self.result.type.hi
        return (lo if lo <= -OPEN_END else lo * times), (hi if hi >= OPEN_END else hi * times)


@dataclass(frozen=True, slots=True)
class Arrange:
    """Example: run statements on the position, asking no guard. The body is made from the lines."""

    body: tuple[Stmt, ...]
    lines: tuple[WrittenStmt, ...] = field(default=(), kw_only=True, compare=False, repr=False)
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Make:
    """Example: a legal move is made, and if it says by whom, that player decides; autos that follow run by themselves."""

    action: str
    args: tuple[int, ...]
    by: int | None = None
    under: Options = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Refuse:
    """Example: the move is refused, and one of the reasons cites each clause."""

    action: str
    args: tuple[int, ...]
    clauses: tuple[str, ...]
    under: Options = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Expect:
    """Example: the formula holds here."""

    formula: Expr
    under: Options = ()
    span: Span = field(kw_only=True, compare=False, repr=False)


ExampleStep: TypeAlias = Arrange | Make | Refuse | Expect


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example. A `witness` arranges nothing: it is a legal play from the start.

    Its lines are about the default reading with the options in `under`; a line with an `under` of its own is about the
    reading that has those options, too. Whatever is arranged, and a move without an `under`, is done in all of them.

    elsewhere  lines about other readings that name what does not exist in this one: their words, and the reading.
    """

    name: str
    steps: tuple[ExampleStep, ...]
    witness: bool
    note: Note = Note()
    under: Options = ()
    elsewhere: tuple[tuple[str, Options], ...] = ()


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
    pinned: tuple[Pin, ...] = ()
    guards: tuple[Guard, ...] = field(default=(), compare=False)  #: each uses only earlier ones; so it is with effects
    purses: tuple[Purse, ...] = field(default=(), compare=False)
    texts: tuple[RowText, ...] = field(default=(), compare=False)  #: in the order of the rows
    options: tuple[Ruling, ...] = ()  #: what the players choose when they set up
    campaigns: tuple[Campaign, ...] = ()  #: those of as many players as this instance has
    symmetries: tuple[Symmetry, ...] = ()
    automata: tuple[int, ...] = ()  #: players who decide nothing: a policy acts for them
    #: rulings and options whose values were looked at while the rules were read; with another value of any other, the rules
    #: read the same but for that value
    looked_at: tuple[str, ...] = field(default=(), compare=False)
    #: what it was read from, for whoever wants another reading; None if it was made, or changed, in another way
    origin: Origin | None = field(default=None, compare=False, repr=False, metadata={"encoded": False})

    @property
    def decisions(self) -> tuple[Ruling, ...]:
        """Everything that is decided when the game is loaded: rulings, and options of the set-up."""
        return (*self.rulings, *self.options)

    @property
    def players(self) -> int:
        """How many people play in this instance; automata have seats as well."""
        return self.player.size - len(self.automata)
