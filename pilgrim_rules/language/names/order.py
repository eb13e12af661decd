"""Order: definitions, types and actions in an order in which each uses only earlier ones.

Reads:  the symbol table.   Writes: lists of names.
After:  whatever goes round in a circle is in the bag and left out of the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from pilgrim_rules.core import derived
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.names.symbols import Symbols
from pilgrim_rules.language.syntax import ast

_SAID = {derived.POINTS: "score", derived.RANK: "rank"}


def value_order(symbols: Symbols, bag: Bag) -> list[str]:
    """Return the names of parameters and definitions, used ones first; the score sheet and the ranking are among them."""
    values: dict[str, ast.Decl] = {
        name: node for name, node in symbols.values.items() if isinstance(node, ast.Param | ast.Def)
    }
    sheet = {derived.POINTS: symbols.score, derived.RANK: symbols.rank}
    values |= {name: node for name, node in sheet.items() if node is not None}
    last = derived.POINTS if symbols.rank is None else derived.RANK
    asked = {"score": derived.POINTS, "rank": last, "winner": last}
    asked = {word: name for word, name in asked.items() if word not in symbols.values}
    uses = {name: {asked.get(word, word) for word in _used_in(node)} & values.keys() for name, node in values.items()}
    if symbols.score is not None and symbols.rank is not None:
        uses[derived.RANK].add(derived.POINTS)
    return _sorted(uses, {name: node.name.span for name, node in values.items()}, "definition", codes.PR205, bag)


def rule_order(symbols: Symbols, bag: Bag) -> list[str]:
    """Return the names of actions, guards and effects, used ones first (`check`, named effects, `possible`)."""
    texts = {name for name in symbols.rules if "." in name}
    uses = {
        name: (_rule_uses(node) | _texts(name, node, texts)) & symbols.rules.keys()
        for name, node in symbols.rules.items()
    }
    spans = {name: node.name.span for name, node in symbols.rules.items()}
    return _sorted(uses, spans, "rule", codes.PR412, bag)


def _used_in(item: object) -> set[str]:
    """Return the names that stand for values somewhere inside, not those of columns or parameters."""
    found: set[str] = set()
    for node in nodes_in(item):
        match node:
            case ast.Name(text=text):
                found.add(text)
            case ast.Call(name=name) | ast.CallDomain(name=name):
                found.add(name.text)
            case _:  # it names no value; what is inside follows
                pass
    return found


def _rule_uses(node: ast.Decl) -> set[str]:
    called = {line.name.text for line in getattr(node, "lines", ()) if isinstance(line, ast.CheckLine)}
    parts = rule_parts(node)
    return called | {item.name.text for item in parts.runs} | parts.possible


def nodes_in(item: object) -> Iterable[object]:
    """Yield all nodes of a tree, or of several."""
    stack = [item]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Node):
            yield node
            stack.extend(getattr(node, each) for each in node.__dataclass_fields__ if each != "span")
        elif isinstance(node, tuple):
            stack.extend(node)


@dataclass(frozen=True, slots=True)
class RuleParts:
    """What the lines of a rule do that concerns other declarations.

    possible  the names that stand in questions whether an action is possible.    asks_texts  whether texts of rows happen.
    """

    draws: tuple[ast.DrawStmt, ...]
    rolls: tuple[ast.RollStmt, ...]
    runs: tuple[ast.RunStmt, ...]
    possible: frozenset[str]
    asks_texts: bool


#: By the identity of the rule, which is kept alive: all instances of a game share its trees.
_PARTS: dict[int, tuple[ast.Decl, RuleParts]] = {}
_MOST_REMEMBERED = 20_000


def rule_parts(rule: ast.Decl) -> RuleParts:
    """Return the parts of a rule; a rule is walked once."""
    known = _PARTS.get(id(rule))
    if known is None:
        if len(_PARTS) >= _MOST_REMEMBERED:
            _PARTS.clear()
        known = _PARTS[id(rule)] = (rule, _parts_of(rule))
    return known[1]


def _parts_of(rule: ast.Decl) -> RuleParts:
    draws: list[ast.DrawStmt] = []
    rolls: list[ast.RollStmt] = []
    runs: list[ast.RunStmt] = []
    possible: set[str] = set()
    asks_texts = False
    for node in nodes_in(rule):
        match node:
            case ast.DrawStmt():
                draws.append(node)
            case ast.RollStmt():
                rolls.append(node)
            case ast.RunStmt():
                runs.append(node)
            case ast.TextStmt():
                asks_texts = True
            case ast.Call(name=ast.Word(text="possible"), args=args):
                possible |= _used_in(args)
            case _:  # it concerns the rule alone
                pass
    return RuleParts(tuple(draws), tuple(rolls), tuple(runs), frozenset(possible), asks_texts)


def _texts(name: str, node: ast.Decl, texts: set[str]) -> set[str]:
    """Return the texts that a rule may let happen: any, but a text of a table none of the same table."""
    if not rule_parts(node).asks_texts:
        return set()
    own = f"{name.partition('.')[0]}." if name in texts else None
    return {text for text in texts if own is None or not text.startswith(own)}


def _sorted(
    uses: Mapping[str, set[str]], spans: Mapping[str, Span], what: str, code: codes.Code, bag: Bag
) -> list[str]:
    found = _used_first(uses)
    if len(found) < len(uses):
        broken = _rings(uses, spans, what, code, bag)
        kept = {name: used - broken for name, used in uses.items() if name not in broken}
        found = _used_first(kept)
    return found


def _used_first(uses: Mapping[str, set[str]]) -> list[str]:
    """Return the names, each after those it uses and otherwise in their order; without those that go round, and who uses them."""
    names = list(uses)
    position = {name: at for at, name in enumerate(names)}
    users: dict[str, list[str]] = {name: [] for name in names}
    for user, used in uses.items():
        for name in used:
            users[name].append(user)
    missing = {name: len(used) for name, used in uses.items()}
    ready = [position[name] for name, count in missing.items() if count == 0]  # in order, so a heap
    found: list[str] = []
    while ready:
        name = names[heappop(ready)]
        found.append(name)
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                heappush(ready, position[user])
    return found


def _rings(uses: Mapping[str, set[str]], spans: Mapping[str, Span], what: str, code: codes.Code, bag: Bag) -> set[str]:
    """Report whatever goes round in a circle; return it."""
    import networkx as nx  # noqa: PLC0415  (slow to import, and most games have no circles)

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(uses)
    graph.add_edges_from((used, user) for user, all_used in uses.items() for used in all_used)
    broken: set[str] = set()
    for component in nx.strongly_connected_components(graph):
        first = min(component, key=list(uses).index)
        if len(component) > 1 or graph.has_edge(first, first):
            ring = [edge[1] for edge in reversed(nx.find_cycle(graph.subgraph(component), first))]
            at = ring.index(first) if first in ring else 0
            said = " uses ".join(f"`{_SAID.get(name, name)}`" for name in [*ring[at:], *ring[:at], ring[at]])
            bag.add(
                code,
                f"this {what} uses itself: {said}",
                spans[first],
                help="break the circle with a state variable or a parameter",
            )
            broken |= component
    return broken
