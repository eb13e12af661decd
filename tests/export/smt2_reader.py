"""Visit the states that an SMT-LIB text defines: z3 reads it, and its simplifier computes what each action leads to."""

from itertools import pairwise, product
from math import prod

import z3


def visit(source, game):
    """Return how many states and steps there are."""
    names = [line.split()[1] for line in source.splitlines() if line.startswith("(define-fun ")]
    pairs = [(name, after) for name, after in pairwise(names) if name.endswith("_allowed")]
    (start,) = z3.parse_smt2_string(f"{source}(declare-const s State)(assert (= s init))")
    own, first = start.children()
    successors = []
    for action, (allows, makes) in zip(game.actions, pairs, strict=True):
        args = [z3.Int(f"arg{at}") for at, _ in enumerate(action.params)]
        given = " ".join(["s", *map(str, args)])
        declared = "".join(f"(declare-const {arg} Int)" for arg in args)
        script = f"{source}(declare-const s State)(declare-const t State){declared}"
        *tests, made = z3.parse_smt2_string(f"{script}(assert ({allows} {given}))(assert (= t ({makes} {given})))")
        ranges = [range(param.type.lo, param.type.hi + 1) for param in action.params]
        for values in product(*ranges):
            put = list(zip(args, map(z3.IntVal, values), strict=True))
            successors.append([z3.substitute(each, *put) for each in (z3.And(*tests), made.arg(1))])
    sizes = [prod(type_.size for type_ in each.index) if each.index else 0 for each in game.variables]
    sort = own.sort()
    accessors = [sort.accessor(0, at) for at in range(sort.constructor(0).arity())]

    def known(state):
        """Return the cells of a state, and the state made of them again."""
        cells, parts = [], []
        for accessor, size in zip(accessors, sizes, strict=True):
            part = z3.simplify(accessor(state))
            if size:
                own = [z3.simplify(part[at]) for at in range(size)]
                part = z3.K(z3.IntSort(), z3.IntVal(0))
                for at, value in enumerate(own):
                    part = z3.Store(part, at, value)
                cells += own
            else:
                cells.append(part)
            parts.append(part)
        return tuple(cell.as_long() for cell in cells), sort.constructor(0)(*parts)

    key, first = known(first)
    seen, queue, steps = {key}, [first], 0
    while queue:
        now = queue.pop()
        for allowed, after in successors:
            if z3.is_true(z3.simplify(z3.substitute(allowed, (own, now)))):
                steps += 1
                key, reached = known(z3.simplify(z3.substitute(after, (own, now))))
                if key not in seen:
                    seen.add(key)
                    queue.append(reached)
    return len(seen), steps
