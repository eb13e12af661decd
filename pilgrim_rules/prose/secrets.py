"""Secrets in English: which arguments of a rule not everybody sees, and what the rule tells.

Reads:  an action and the voice behind its guard.   Writes: steps.
After:  a reader of the page knows what stays hidden and what is given away, each with its clauses.
"""

from __future__ import annotations

from pilgrim_rules.core.ir import BOOL, Action, Apply, Audience, Bound, Lit
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.prose import words
from pilgrim_rules.prose.expressions import say_expr
from pilgrim_rules.prose.statements import EnglishStep
from pilgrim_rules.prose.voice import Voice, noun


def say_secrets(action: Action, voice: Voice) -> list[EnglishStep]:
    """Return who sees the arguments of an action, where not everybody does, and what it reveals."""
    steps: list[EnglishStep] = []
    for param in action.params:
        if param.seen is not None:
            who = _audience(param.seen, voice)
            text = f"{who} {'see' if who.endswith('you') else 'sees'} which {noun(param.type)} it is"
            steps.append(EnglishStep(words.sentence(text), span=action.note.span))
    for reveal in action.reveals:
        lead = "whether " if reveal.value.type == BOOL else ""
        who = "everybody" if reveal.to is None else _audience(reveal.to, voice)
        text = f"{who} is told {lead}{say_expr(reveal.value, voice)}, as it was before"
        steps.append(EnglishStep(words.sentence(text), reveal.clauses, reveal.key, reveal.span))
    return steps


def _audience(audience: Audience, voice: Voice) -> str:
    """Return who belongs to an audience: a player, nobody, or each player of whom something holds."""
    match audience.test:
        case Lit(value=0):
            return "nobody"
        case Lit():
            return "everybody"
        case Apply(op="==", args=(Bound(name=name), who)) if name == audience.viewer and name not in free_names(who):
            return f"only {say_expr(who, voice)}"
        case test:
            called = {audience.viewer: "that player"} if audience.viewer.isidentifier() else {}
            return f"each player for whom {say_expr(test, voice.calling(**called))}"
