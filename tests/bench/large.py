"""A spec of any length, the same page of rules again and again, each time under other names; a core game of any size.

The page uses every kind of declaration that grows with a game, and each page refers to the one before it, so that
name resolution and ordering have something to do.
"""

from dataclasses import replace

from pilgrim_rules.core.ir import BOOL, Apply, Binder, Bound, Claim, Fold, Game, Lit, Read
from tests.support.sample_game import PLAYER, SAMPLE, SMALL, number, op

HEAD = """\
game large
    players 2..2 named p1, p2

stages
    turn    by active
    over    nobody

state
    active : Player = p1
    left : 0..200 = 200

action stop
    ## Somebody has had enough.
    by active
    during turn
    require left == 0 else "there are turns left"
    do
        stage = over

terminates by left
"""

PAGE = """
enum Kind_{k}: stone_{k}, grain_{k}, coin_{k}, none_{k}

graph Ring_{k} over Kind_{k}
    stone_{k} -> grain_{k} -> coin_{k} -> none_{k} -> stone_{k}

param price_{k}[Kind_{k}] : 0..9 = [1, 2, 3, 0]

state
    ## What each player holds.
    held_{k}[Player, Kind_{k}] : 0..20 = 1
    chosen_{k} : Kind_{k} = none_{k}
    done_{k}[Player] : bool = false

def worth_{k}(p: Player) -> 0..721
    let base = sum of held_{k}[p, x] * price_{k}[x] for x in Kind_{k}
    base + {previous} if done_{k}[p] else base

def other_{k}(p: Player) -> Player = p1 if p == p2 else p2

guard may_take_{k}(x: Kind_{k})
    require left > 0 else "no turn is left"
    require x != none_{k} else "there is nothing to take"
    require held_{k}[active, x] < 20 else "the hand is full"

effect pass_turn_{k}()
    left -= 1
    active = other_{k}(active)

action take_{k}(x: Kind_{k})
    ## Take one of a kind.
    by active
    during turn
    check may_take_{k}(x)
    require leads(Ring_{k}, chosen_{k}, x) or chosen_{k} == none_{k} else "kinds go round"
    require all p in Player: held_{k}[p, x] <= 20
    do
        held_{k}[active, x] += 1
        chosen_{k} = x
        if held_{k}[active, x] >= 5:
            done_{k}[active] = true
        pass_turn_{k}()

action drop_{k}(x: Kind_{k})
    ## Put one back.
    by active
    during turn
    require left > 0 else "no turn is left"
    require held_{k}[active, x] >= 1 else "there is none to drop"
    require worth_{k}(active) <= worth_{k}(other_{k}(active)) else "only the poorer may drop"
    do
        held_{k}[active, x] -= 1
        pass_turn_{k}()

invariant modest_{k}
    all p in Player: (count of x in Kind_{k} where held_{k}[p, x] > 0) <= 4

invariant known_{k}
    all p in Player, x in Kind_{k}: held_{k}[p, x] >= 0 and held_{k}[p, x] <= 20
"""


def large(lines: int) -> str:
    """Return a game of at least that many lines."""
    text = HEAD
    k = 0
    while text.count("\n") < lines:
        text += PAGE.format(k=k, previous=f"worth_{k - 1}(p) mod 2" if k else "1")
        k += 1
    return text


def large_game(claims: int) -> Game:
    """Return a game with about 15 nodes a claim, no two of them equal."""
    made = []
    for at in range(claims):
        type_ = number(0, at)
        x, y = Bound(f"x{at}", type_), Bound(f"y{at}", type_)
        small = op("<", Apply("+", (x, y), number(0, 2 * at)), Lit(at, type_))
        paid = op("<=", Lit(0, type_), Read("coins", (Lit(at % 2, PLAYER),), SMALL))
        body = op("or", small, op("not", op("==", x, y)), paid)
        binders = (Binder(f"x{at}", type_), Binder(f"y{at}", type_))
        made.append(Claim(f"c{at}", "invariant", Fold("all", binders, None, body, None, BOOL)))
    return replace(SAMPLE, claims=tuple(made))
