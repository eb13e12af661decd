"""Zones as tables: the type of places, the variables that hold them, and the lemmas about them.

Reads:  declarations of zones, and what the text asks of them.   Writes: types and variables of the program, claims.
After:  a piece has one cell, which holds its place. Where pieces are counted, drawn, ordered or out of sight, their number is
        kept as well, open to all; that the numbers are right is claimed, and holds by the way pieces are moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pilgrim_rules.core import ir
from pilgrim_rules.core.forms import expand_form, zone_label
from pilgrim_rules.core.smart_constructors import conjunction, equals, lit, number, total
from pilgrim_rules.core.values import show
from pilgrim_rules.core.walk import substitute
from pilgrim_rules.core.zones import COUNT, LEFT, PLACE, POSITION, SOURCE, TARGET, ZoneTables, number_of, place_type
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.program_info import MAX_TYPE, POISON, ProgramInfo, ZoneInfo
from pilgrim_rules.language.names.draws import DrawnZones, draws_of
from pilgrim_rules.language.names.order import nodes_in
from pilgrim_rules.language.names.rolls import rolls_of
from pilgrim_rules.language.syntax import ast

_PIECE = "c"
MAX_DICE = 255  #: thrown at once


# ---------------------------------------------------------------------------------------------------------------- types


def declare_zones(program: ProgramInfo, type_of: Callable[[ast.TypeExpr], ir.Type]) -> None:
    """Make the types of places; the labels of zones are known from here on."""
    for node in zone_sets(program):
        pieces = type_of(node.item.type)
        labels: list[str] = []
        found: list[tuple[ast.ZoneLine, ir.Type | None, int]] = []
        for line in node.lines:
            index = _index(program, line, type_of)
            found.append((line, index, len(labels)))
            names = [""] if index is None else [show(index, code) for code in range(index.lo, index.hi + 1)]
            labels += [line.name.text if index is None else zone_label(line.name.text, each) for each in names]
        name = place_type(pieces.name)
        if pieces != POISON and (name in program.types or pieces.size > MAX_TYPE or pieces.is_open):
            what = f"`{pieces.name}` has zones already" if name in program.types else f"`{pieces.name}` has no pieces"
            program.bag.add(codes.PR331, what, node.item.span, help="all places of one kind of piece stand in one list")
            pieces = POISON
        place = ir.Type(name, "enum", 0, len(labels) - 1, tuple(labels))
        if node.holds is None and pieces != POISON:
            program.types[name] = place
        for line, index, first in found:
            info = ZoneInfo(line.name.text, pieces, index, place, first, line, kinds=node.holds is not None)
            program.zones.setdefault(line.name.text, info)
            _check(program, line, info, node)


def zone_sets(program: ProgramInfo) -> Iterable[ast.Zones]:
    """Return the declarations of zones, in text order."""
    return {id(each): each for each in program.symbols.zone_sets.values()}.values()


def _index(program: ProgramInfo, line: ast.ZoneLine, type_of: Callable[[ast.TypeExpr], ir.Type]) -> ir.Type | None:
    """Return the type by which zones of one name are told apart; None if there is one."""
    if not line.index:
        return None
    if len(line.index) > 1:
        what = f"`{line.name.text}` has {len(line.index)} indices; a zone has at most one"
        program.bag.add(codes.PR331, what, line.index[1].span, help="a pair can be one: `[Player * 1..2]`")
    return type_of(line.index[0].type)


def _check(program: ProgramInfo, line: ast.ZoneLine, info: ZoneInfo, node: ast.Zones) -> None:
    """Report a zone that cannot be as it is said to be."""
    if line.sight is not None and line.sight.word == "private" and info.index != program.player:
        help_ = f"say whose it is: `{line.name.text}[Player] private`"
        program.bag.add(codes.PR331, f"`{line.name.text}` is private, but nobody's", line.name.span, help=help_)
    if line.ordered and info.kinds:
        help_ = "only zones of single pieces know an order"
        program.bag.add(codes.PR331, f"`{line.name.text}` holds numbers of kinds", line.name.span, help=help_)
    pile = (
        None if line.refill is None else next((each for each in node.lines if each.name.text == line.refill.text), None)
    )
    if line.refill is not None and (pile is None or pile.index or pile is line or line.index):
        help_ = "name another zone of the same list, of which there is only one"
        program.bag.add(codes.PR331, f"`{line.name.text}` cannot be refilled from there", line.refill.span, help=help_)


# ------------------------------------------------------------------------------------------------------------ variables


def zone_variables(program: ProgramInfo) -> Iterator[ir.Variable]:
    """Yield the variables that hold where pieces are; all are in the first zone until it is known where they begin."""
    for node in zone_sets(program):
        info = program.zones[node.lines[0].name.text]
        if node.holds is not None or info.pieces == POISON:
            continue
        pieces, place = info.pieces, info.place
        note = program.note(node)
        over = (node.item.name.text if node.item.name else _PIECE,)
        yield ir.Variable(f"{PLACE}{pieces.name}", (pieces,), place, over, ir.Lit(0, place), note=note)
        ordered = any(line.ordered for line in node.lines)
        if _counted(program, node):
            many = number(0, pieces.size)
            yield ir.Variable(
                f"{COUNT}{pieces.name}", (place,), many, ("z",), lit(0), note=_note("How many are there.", node)
            )
        if ordered:
            many = number(0, pieces.size)
            note = _note("The position in an ordered zone, from 1.", node)
            yield ir.Variable(f"{POSITION}{pieces.name}", (pieces,), many, over, lit(0), note=note)
    for drawn in draws_of(program.symbols).values():
        yield from _drawing(program, drawn)
    for rolled in rolls_of(program.symbols).values():
        pool = program.variables.get(rolled.pool.name.text)
        if pool is not None:
            most = number(0, min(MAX_DICE, pool.type.hi * pool.index[-1].size))
            yield ir.Variable(
                rolled.many, (), most, (), lit(0), note=_note("How many dice are still to be thrown.", rolled.pool)
            )
            for whose in pool.index[:-1]:
                note = _note("Whose dice are thrown.", rolled.pool)
                yield ir.Variable(rolled.whose, (), whose, (), ir.Lit(whose.lo, whose), note=note)


def _drawing(program: ProgramInfo, drawn: DrawnZones) -> Iterator[ir.Variable]:
    """Yield what is remembered while chance draws."""
    source, target = (program.zones[zone.name.text] for zone in (drawn.source, drawn.target))
    if source.pieces == POISON:
        return
    most = source.pieces.size
    if source.kinds:
        held = program.variables.get(source.name)
        most *= 1 if held is None else held.type.hi
    note = _note("How many are still to be drawn.", drawn.zones)
    yield ir.Variable(f"{LEFT}{drawn.name}", (), number(0, most), (), lit(0), note=note)
    for prefix, info in ((SOURCE, source), (TARGET, target)):
        if info.index is not None:
            note = _note(
                "Which of them it is drawn from." if prefix == SOURCE else "Which of them it goes to.", drawn.zones
            )
            yield ir.Variable(f"{prefix}{drawn.name}", (), info.index, (), ir.Lit(info.index.lo, info.index), note=note)


def _note(doc: str, node: ast.Decl) -> ir.Note:
    return ir.Note(doc, (), node.span)


def _counted(program: ProgramInfo, node: ast.Zones) -> bool:
    """Tell whether the number of pieces of zones is kept: the text asks for it, or something is not open."""
    if any(line.ordered or line.refill is not None or line.sight is not None for line in node.lines):
        return True
    names = {line.name.text for line in node.lines}
    declared: list[ast.Node] = [
        *program.symbols.rules.values(), *program.symbols.values.values(), *program.symbols.claims.values(),
        *program.symbols.examples.values(), *program.symbols.terminates.values(), *program.symbols.figures.values(),
        *(each for each in (program.symbols.score, program.symbols.rank, program.symbols.stages) if each is not None),
    ]  # fmt: skip
    return any(not names.isdisjoint(_counted_in(each)) for each in declared)


#: By the identity of a declaration, which is kept alive: all instances of a game share its trees, and ask for each list of zones.
_COUNTED: dict[int, tuple[ast.Node, frozenset[str]]] = {}
_MOST_REMEMBERED = 20_000


def _counted_in(declared: ast.Node) -> frozenset[str]:
    """Return the zones that a declaration counts or draws from; it is walked once."""
    known = _COUNTED.get(id(declared))
    if known is None:
        if len(_COUNTED) >= _MOST_REMEMBERED:
            _COUNTED.clear()
        names = frozenset(name for node in nodes_in(declared) if (name := _asked(node)) is not None)
        known = _COUNTED[id(declared)] = (declared, names)
    return known[1]


def _asked(node: object) -> str | None:
    """Return the zone whose number of pieces a node asks for."""
    match node:
        case ast.Call(name=ast.Word(text="count"), args=(ast.Name(text=name),)):
            return name
        case ast.Call(name=ast.Word(text="count"), args=(ast.Index(base=ast.Name(text=name)),)):
            return name
        case ast.DrawStmt(source=ast.AssignTarget(name=ast.Word(text=name))):
            return name
        case ast.Amount(cell=ast.AssignTarget(name=ast.Word(text=name))):
            return name
        case _:  # anything else does not count
            return None


# --------------------------------------------------------------------------------------------------------------- claims


def tables_of(program: ProgramInfo, info: ZoneInfo) -> ZoneTables:
    """Return the tables of the set that a zone belongs to."""
    name = info.pieces.name
    same = [each for each in program.zones.values() if each.place == info.place]
    return ZoneTables(
        program.variables[f"{PLACE}{name}"],
        program.variables.get(f"{COUNT}{name}"),
        program.variables.get(f"{POSITION}{name}"),
        frozenset(code for each in same if each.node.ordered for code in each.codes),
    )


def open_numbers(program: ProgramInfo, variables: Iterable[ir.Variable]) -> Iterator[ir.Def]:
    """Yield, of each zone of kinds that is drawn from or to and not open, that everybody knows how many pieces lie there."""
    hidden = {variable.name: variable for variable in variables if variable.seen is not None}
    ends = (zone.name.text for drawn in draws_of(program.symbols).values() for zone in (drawn.source, drawn.target))
    for name in dict.fromkeys(ends):
        info, variable = program.zones[name], hidden.get(name)
        if variable is None or not info.kinds:
            continue
        params = () if info.index is None else (ir.Parameter("which", info.index),)
        cell = ir.Read(
            name, (*(ir.Bound(each.name, each.type) for each in params), ir.Bound("kind", info.pieces)), variable.type
        )
        most = number(0, variable.type.hi * info.pieces.size)
        body = ir.Fold("sum", (ir.Binder("kind", info.pieces),), None, cell, None, most)
        yield ir.Def(f"{COUNT}{name}", params, body, public=True, note=_note("How many are there.", info.node))


def zone_claims(program: ProgramInfo) -> tuple[ir.Claim, ...]:
    """Return the lemmas about the tables of zones."""
    made: list[ir.Claim] = []
    for node in zone_sets(program):
        infos = [program.zones[line.name.text] for line in node.lines]
        if infos[0].pieces == POISON:
            continue
        if node.holds is not None:
            made += _kinds(program, node, infos)
        elif program.variables.get(f"{COUNT}{infos[0].pieces.name}") is not None:
            made += _numbers(infos, tables_of(program, infos[0]), node)
    for drawn in draws_of(program.symbols).values():
        made += _drawn(program, drawn)
    for rolled in rolls_of(program.symbols).values():
        left, info = program.variables.get(rolled.many), program.stages.get(rolled.stage)
        if left is not None and info is not None:
            under_way = equals(ir.Read("stage", (), program.stage), ir.Lit(info.first, program.stage))
            thrown = ir.Apply(">", (ir.Read(left.name, (), left.type), lit(0)), ir.BOOL)
            doc = f"Dice are thrown into `{rolled.pool.name.text}` as long as some are to be thrown."
            made.append(_claim(f"roll.{rolled.pool.name.text}", doc, equals(under_way, thrown), rolled.pool))
    names = tuple(claim.name for claim in made)
    return tuple(
        ir.Claim(each.name, each.kind, each.formula, tuple(name for name in names if name != each.name), each.note)
        for each in made
    )


def _numbers(infos: list[ZoneInfo], tables: ZoneTables, node: ast.Zones) -> Iterator[ir.Claim]:
    for info in infos:
        formula = conjunction(*(number_of(tables, code) for code in info.codes))
        yield _claim(f"zone.{info.name}", f"The number of pieces in `{info.name}` is right.", formula, info.node)
    numbers = (tables.number(ir.Lit(code, tables.place.type)) for code in range(tables.place.type.size))
    formula = equals(total(numbers), lit(tables.pieces.size))
    yield _claim(f"zones.{tables.pieces.name}", "Every piece is somewhere.", formula, node)
    if tables.position is not None:
        yield from _ordered(infos, tables)


def _ordered(infos: list[ZoneInfo], tables: ZoneTables) -> Iterator[ir.Claim]:
    piece, other = ir.Bound("c", tables.pieces), ir.Bound("d", tables.pieces)
    one, two = ir.Binder("c", tables.pieces), ir.Binder("d", tables.pieces)
    for info in infos:
        tests: list[ir.Expr] = []
        for code in info.codes:
            zone = ir.Lit(code, tables.place.type)
            inside = tables.inside(piece, zone)
            at = tables.at(piece)
            if not info.node.ordered:
                tests.append(ir.Fold("all", (one,), inside, equals(at, lit(0)), None, ir.BOOL))
                continue
            ends = conjunction(
                ir.Apply(">=", (at, lit(1)), ir.BOOL), ir.Apply("<=", (at, tables.number(zone)), ir.BOOL)
            )
            tests.append(ir.Fold("all", (one,), inside, ends, None, ir.BOOL))
            both = conjunction(inside, tables.inside(other, zone), equals(at, tables.at(other)))
            tests.append(ir.Fold("all", (one, two), both, equals(piece, other), None, ir.BOOL))
        doc = f"The pieces in `{info.name}` have different positions, from 1 to their number."
        doc = doc if info.node.ordered else f"What lies in `{info.name}` has no position."
        yield _claim(f"order.{info.name}", doc, conjunction(*tests), info.node)


def _kinds(program: ProgramInfo, node: ast.Zones, infos: list[ZoneInfo]) -> Iterator[ir.Claim]:
    """Yield that every kind is in the zones as often as at the start."""
    first = program.variables.get(infos[0].name)
    if first is None or any(info.name not in program.variables for info in infos):
        return
    kind = ir.Bound("kind", infos[0].pieces)
    parts: list[ir.Expr] = []
    for info in infos:
        type_ = program.variables[info.name].type
        if info.index is None:
            parts.append(ir.Read(info.name, (kind,), type_))
        else:
            indices = range(info.index.lo, info.index.hi + 1)
            parts += [ir.Read(info.name, (ir.Lit(each, info.index), kind), type_) for each in indices]
    start = substitute(first.initial, {first.over[-1]: kind})
    formula = ir.Fold("all", (ir.Binder("kind", kind.type),), None, equals(total(parts), start), None, ir.BOOL)
    yield _claim(f"zones.{kind.type.name}", "No piece is lost or made.", formula, node)


def _drawn(program: ProgramInfo, drawn: DrawnZones) -> Iterator[ir.Claim]:
    """Yield that chance draws as long as something is to be drawn, and that there is something."""
    left = program.variables.get(f"{LEFT}{drawn.name}")
    source = program.zones[drawn.source.name.text]
    info = program.stages.get(f"drawing_{drawn.name}")
    if left is None or info is None:
        return
    many = ir.Read(left.name, (), left.type)
    stage = ir.Read("stage", (), program.stage)
    under_way = equals(stage, ir.Lit(info.first, program.stage))
    there = _number(program, drawn, source)
    enough = there
    tests: list[ir.Expr] = []
    if drawn.source.refill is not None:
        pile = program.zones[drawn.source.refill.text]
        enough = total((there, _number(program, drawn, pile)))
        tests.append(ir.Apply("implies", (under_way, ir.Apply(">", (there, lit(0)), ir.BOOL)), ir.BOOL))
    tests.append(equals(under_way, ir.Apply(">", (many, lit(0)), ir.BOOL)))
    tests.append(ir.Apply("implies", (under_way, ir.Apply("<=", (many, enough), ir.BOOL)), ir.BOOL))
    doc = f"Chance draws from `{source.name}` as long as something is to be drawn, and there is enough."
    yield _claim(f"draw.{drawn.name}", doc, conjunction(*tests), drawn.source)


def _number(program: ProgramInfo, drawn: DrawnZones, info: ZoneInfo) -> ir.Expr:
    """Return how many pieces are in a zone that is drawn from, or refills it."""
    index = () if info.index is None else (ir.Read(f"{SOURCE}{drawn.name}", (), info.index),)
    if info.kinds:
        type_ = program.variables[info.name].type
        kind = ir.Bound("kind", info.pieces)
        most = number(0, type_.hi * info.pieces.size)
        cell = ir.Read(info.name, (*index, kind), type_)
        return ir.Fold("sum", (ir.Binder("kind", info.pieces),), None, cell, None, most)
    tables = tables_of(program, info)
    if info.index is None:
        return tables.number(ir.Lit(info.first, info.place))
    return tables.number(expand_form("zone", index, info.index, info.place, info.name))


def _claim(name: str, doc: str, formula: ir.Expr, node: ast.Decl) -> ir.Claim:
    return ir.Claim(name, "invariant", formula, (), ir.Note(doc, (), node.span))
