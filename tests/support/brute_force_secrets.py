"""Secrecy by brute force: all states, all pairs of them that look alike, by the evaluator alone."""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import combinations, product

from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.observation import Moved, arguments_seen, belongs, observation, told
from pilgrim_rules.semantics.refusal import refusals


def reachable(reference):
    """Return every state that a play can come to."""
    start = reference.start()
    found, waiting = {key(start): start}, deque([start])
    while waiting:
        here = waiting.popleft()
        for action in reference.game.actions:
            for args in reference.legal(here, action):
                try:
                    after = reference.apply(here, action, args)
                except Contradiction:
                    continue
                if key(after) not in found:
                    found[key(after)] = after
                    waiting.append(after)
    return list(found.values())


def key(position):
    return tuple((name, tuple(codes)) for name, codes in sorted(position.items()))


def leaks(reference, states):
    """Return the actions by which somebody can tell apart two plays that look the same."""
    declared, found = reference.declared, set()
    public = {each.name for each in reference.game.defs if each.public}
    for action, player in product(reference.game.actions, range(reference.game.players)):
        looks = defaultdict(set)
        for here in states:
            for args in reference.legal(here, action):
                moved = Moved(here, action, args)
                look = (
                    observation(declared, here, player),
                    arguments_seen(declared, moved, player),
                    told(declared, moved, player),
                )
                try:
                    looks[look].add(observation(declared, reference.apply(here, action, args), player))
                except Contradiction:
                    continue
        for (before, _, _), afters in looks.items():
            if any(differs(before, *pair, public) for pair in combinations(sorted(afters, key=repr), 2)):
                found.add(action.name)
    return found


def differs(before, one, other, public):
    """Return whether two observations differ in what the rules neither open nor announce."""
    tells = False
    for (name, old), (_, here), (_, there) in zip(before, one, other, strict=True):
        if name in public:
            if here != there:
                return False
            continue
        for was, mine, theirs in zip(old, here, there, strict=True):
            if mine == theirs:
                continue
            if mine is not None and theirs is not None and was is None and name != "by":
                return False  # opened on purpose
            tells = True
    return tells


def seen_through(reference, states):
    """Return the actions whose requirements tell a player, or what happens by itself anybody, something unseen."""
    declared, found = reference.declared, set()
    for action, player in product(reference.game.actions, range(reference.game.players)):
        if action.kind == "chance":
            continue
        looks = defaultdict(set)
        for here in states:
            if here["stage"][0] not in action.stages or (action.kind == "action" and reference.by(here) != player):
                continue
            env = Environment(declared, here, {})
            heard = ()
            if action.kind == "auto":
                heard = tuple(
                    evaluate(each.value, env) if belongs(each.to, player, env) else None for each in action.reveals
                )
            for args in product(*(range(param.type.lo, param.type.hi + 1) for param in action.params)):
                reasons = tuple((each.kind, each.key) for each in refusals(declared, here, action, args, {}))
                looks[observation(declared, here, player), args, heard].add(reasons)
        if any(len(reasons) > 1 for reasons in looks.values()):
            found.add(action.name)
    return found
