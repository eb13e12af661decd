"""A small road game on a map of hexes, built by hand: tables over hexes and sides, as the encoding meets them."""

from __future__ import annotations

from pilgrim_rules.core.ir import Action, Claim, Constant, Fold, Game, Given, Parameter, Ranking, Stage
from tests.support.core_builder import (
    BOOL,
    Binder,
    Bound,
    Lookup,
    Read,
    enum,
    eq,
    every,
    game,
    lit,
    maybe,
    num,
    number,
    op,
    put,
    require,
    some,
    var,
)

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
SIDE = enum("Side", "e", "ne", "nw", "w", "sw", "se")
PLAYER = enum("Player", "red", "blue", "green")
OWNER = maybe(PLAYER)
STAGE = enum("Stage", "laying", "over")


def roads(radius: int = 5, tiles: int = 60, *, drop: tuple[str, ...] = ()) -> Game:
    """Players lengthen their roads from the middle of the map and end them with shrines.

    `drop` leaves out the requirements with these keys.
    """
    cells = [(q, r) for q in range(-radius, radius + 1) for r in range(-radius, radius + 1) if abs(q + r) <= radius]
    hex_ = enum("Hex", *(f"h{at}" for at in range(len(cells))))
    beyond = maybe(hex_)
    number_of = {cell: at for at, cell in enumerate(cells)}
    middle = number_of[0, 0]
    beside = [number_of.get((q + dq, r + dr), beyond.hi) for q, r in cells for dq, dr in STEPS]
    around = [int(to in beside[at * 6 : at * 6 + 6]) for at in range(len(cells)) for to in range(len(cells))]
    constants = (
        Constant("beside", (hex_, SIDE), beyond, tuple(beside), "graph"),
        Constant("around", (hex_, hex_), BOOL, tuple(around), "graph"),
        Constant("opposite", (SIDE,), SIDE, tuple((at + 3) % 6 for at in range(6)), "graph"),
        Constant("city", (hex_,), BOOL, tuple(int(at == middle) for at in range(len(cells))), "column"),
    )
    heap = number(0, tiles)
    way = maybe(SIDE)

    def owner(h, s):
        return Read("owner", (h, s), OWNER)

    def mate(h, s):
        return Read("mate", (h, s), way)

    def laid(h):
        return Read("laid", (h,), BOOL)

    def shrine(h):
        return Read("shrine", (h,), BOOL)

    def city(h):
        return Lookup("city", (h,), BOOL)

    def next_to(h, s):
        return Lookup("beside", (h, s), beyond)

    def opposite(s):
        return Lookup("opposite", (s,), SIDE)

    def is_some(expr):
        return op("!=", expr, lit(expr.type, expr.type.hi))

    def is_none(expr):
        return eq(expr, lit(expr.type, expr.type.hi))

    def no(expr):
        return op("not", expr)

    active = Read("active", (), PLAYER)
    supply = Read("supply", (), heap)
    tip, ahead = Read("tip", (active,), hex_), Read("ahead", (active,), SIDE)
    h, s, p, out, back = Bound("h", hex_), Bound("s", SIDE), Bound("p", PLAYER), Bound("out", SIDE), Bound("in", SIDE)
    after = Bound("after", beyond)
    onward = put("active", (), op("mod", num("+", active, lit(PLAYER, 1)), lit(number(3, 3), 3), type_=PLAYER))

    def guard(*lines):
        return tuple(line for line in lines if getattr(line, "key", None) not in drop)

    arrive = (
        require(is_some(next_to(tip, ahead)), "on_board"),
        Given("h", next_to(tip, ahead)),
    )
    lay = Action(
        "lay", "action", (Parameter("out", SIDE),), (0,),
        guard(
            require(op(">=", supply, lit(heap, 1)), "supply"),
            *arrive,
            Given("in", opposite(ahead)),
            Given("after", next_to(h, out)),
            require(no(city(h)), "not_city"),
            require(no(laid(h)), "empty"),
            require(no(shrine(h)), "no_shrine"),
            require(op("!=", out, back), "turns"),
            require(op("or", is_none(after), no(city(after))), "not_into_city"),
            require(op("or", is_none(after), is_none(owner(after, opposite(out)))), "facing_side"),
        ),
        (
            put("owner", (h, back), active), put("owner", (h, out), active),
            put("mate", (h, back), out), put("mate", (h, out), back),
            put("laid", (h,), lit(BOOL, 1)),
            put("tip", (active,), h), put("ahead", (active,), out),
            put("supply", (), lit(number(-1, 0), -1), "add"),
            onward,
        ),
    )  # fmt: skip
    n = Bound("n", hex_)
    near = Binder("n", hex_, among=("around", (h,)))
    build = Action(
        "build", "action", (), (0,),
        guard(
            *arrive,
            require(no(city(h)), "build_not_city"),
            require(no(laid(h)), "build_empty"),
            require(no(shrine(h)), "build_once"),
            require(no(Fold("some", (near,), None, shrine(n), None, BOOL)), "no_shrine_near"),
            require(no(Fold("some", (near,), None, city(n), None, BOOL)), "no_city_near"),
        ),
        (put("shrine", (h,), lit(BOOL, 1)), onward),
    )  # fmt: skip
    stop = Action("stop", "action", (), (0,), (), (put("stage", (), lit(STAGE, "over")),))
    count_laid = Fold("count", (Binder("h", hex_),), laid(h), lit(number(1, 1), 1), None, number(0, len(cells)))
    shrines = Fold("count", (Binder("h", hex_),), shrine(h), lit(number(1, 1), 1), None, number(0, len(cells)))
    facing = every("h", hex_, every("s", SIDE, op(
        "implies",
        op("and", is_some(next_to(h, s)), is_some(owner(h, s)), is_some(owner(next_to(h, s), opposite(s)))),
        eq(owner(h, s), owner(next_to(h, s), opposite(s))),
    )))  # fmt: skip
    claims = (
        Claim("mutual", "law", every("h", hex_, every("s", SIDE, op(
            "implies", is_some(next_to(h, s)), eq(next_to(next_to(h, s), opposite(s)), h))))),
        Claim("pairs", "invariant", every("h", hex_, every("s", SIDE, op(
            "implies", is_some(mate(h, s)),
            op("and", eq(mate(h, mate(h, s)), s), eq(owner(h, mate(h, s)), owner(h, s)), is_some(owner(h, s))))))),
        Claim("owned_is_laid", "invariant", every("h", hex_, every("s", SIDE, op(
            "implies", op("or", is_some(owner(h, s)), is_some(mate(h, s))), laid(h))))),
        Claim("facing", "invariant", facing, using=("mutual", "owned_is_laid", "tips")),
        Claim("tips", "invariant", every("p", PLAYER, op(
            "or", city(Read("tip", (p,), hex_)),
            eq(owner(Read("tip", (p,), hex_), Read("ahead", (p,), SIDE)), p)))),
        Claim("city_free", "invariant", every("h", hex_, op("implies", op("or", laid(h), shrine(h)), no(city(h))))),
        Claim("shrine_or_road", "invariant", every("h", hex_, no(op("and", laid(h), shrine(h))))),
        Claim("shrines_apart", "invariant", every("h", hex_, Fold(
            "all", (near,), None, no(op("and", shrine(h), op("or", shrine(n), city(n)))), None, BOOL))),
        Claim("tiles", "conserved", eq(num("+", supply, count_laid), lit(heap, tiles))),
        Claim("never_taken_up", "step", every("h", hex_, op("implies", laid(h), Read("laid", (h,), BOOL, "next")))),
        Claim("a_shrine", "reachable", some("h", hex_, shrine(h))),
    )  # fmt: skip
    claims = tuple(claim for claim in claims if claim.name not in drop)
    return game(
        "roads", PLAYER, STAGE,
        stages=(Stage(0, "laying", "player", active), Stage(1, "over", "nobody", None)),
        constants=constants,
        variables=(
            var("stage", STAGE, lit(STAGE, 0)),
            var("active", PLAYER, lit(PLAYER, 0)),
            var("owner", OWNER, lit(OWNER, OWNER.hi), hex_, SIDE),
            var("mate", way, lit(way, way.hi), hex_, SIDE),
            var("laid", BOOL, lit(BOOL, 0), hex_),
            var("shrine", BOOL, lit(BOOL, 0), hex_),
            var("tip", hex_, lit(hex_, middle), PLAYER),
            var("ahead", SIDE, op("*", lit(number(2, 2), 2), Bound("i0", PLAYER), type_=SIDE), PLAYER),
            var("supply", heap, lit(heap, tiles)),
        ),
        actions=(lay, build, stop),
        claims=claims,
        rankings=(Ranking("ends", (
            op("-", lit(STAGE, 1), Read("stage", (), STAGE), type_=number(0, 1)), supply,
            num("-", lit(number(0, 999), len(cells)), shrines))),),
    )  # fmt: skip
