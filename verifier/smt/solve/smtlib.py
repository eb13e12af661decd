"""SMT-LIB 2: a query as text that any solver reads.

Reads:  assertions under labels.   Writes: one self-contained text, the same bytes for the same query.
After:  the text is unsatisfiable exactly if the query is. It is printed from our own terms, not by a solver, so a second
        solver checks the translation into the first one as well. Labels become named assertions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pilgrim_rules.core.ir import OPEN_END
from verifier.smt.terms.terms import Symbol, Term, symbol_of_label


def script(
    assertions: Iterable[tuple[str | None, Term]], labels: Collection[str] | None = None, title: str = ""
) -> str:
    """Return the query as text; with `labels`, only the assertions under these and those under none."""
    kept = [(label, term) for label, term in assertions if label is None or labels is None or label in labels]
    order, shared = _sharing(term for _, term in kept)
    logic = "QF_UFNIA" if any(term.op in ("times", "div") for term in order) else "QF_UFLIA"
    lines = [f"; {title}"] if title else []
    lines.append(f"(set-logic {logic})")
    symbols = dict.fromkeys(term.symbol for term in order if term.symbol is not None)
    lines += [_declaration(symbol) for symbol in symbols]
    names: dict[Term, str] = {}
    for term in order:
        if term in shared:
            lines.append(f"(define-fun |t:{term.number}| () {term.sort} {_text(term, names)})")
            names[term] = f"|t:{term.number}|"
        else:
            names[term] = _text(term, names)
        if term.op in ("const", "app") and term.sort == "Int":
            ends = [_number(term.lo)] if term.lo > -OPEN_END else []
            ends += [names[term], *([_number(term.hi)] if term.hi < OPEN_END else [])]
            lines += [f"(assert (<= {' '.join(ends)}))"] if len(ends) > 1 else []
    grouped: dict[str | None, list[str]] = {}
    for label, term in kept:
        grouped.setdefault(label, []).append(names[term])
    for label, formulas in grouped.items():
        if label is None:
            lines += [f"(assert {formula})" for formula in formulas]
        else:
            whole = formulas[0] if len(formulas) == 1 else f"(and {' '.join(formulas)})"
            lines.append(f"(assert (! {whole} :named {_quoted(symbol_of_label(label))}))")
    lines.append("(check-sat)")
    return "\n".join(lines) + "\n"


def _sharing(roots: Iterable[Term]) -> tuple[list[Term], set[Term]]:
    """Return all terms, parts before wholes, and those inner ones that are used more than once."""
    order: list[Term] = []
    seen: dict[Term, int] = {}
    for root in roots:
        stack = [(root, False)]
        while stack:
            term, ready = stack.pop()
            if ready:
                order.append(term)
                continue
            seen[term] = seen.get(term, 0) + 1
            if seen[term] == 1:
                stack.append((term, True))
                stack.extend((arg, False) for arg in reversed(term.args))
    return order, {term for term, count in seen.items() if count > 1 and term.args}


def _declaration(symbol: Symbol) -> str:
    return f"(declare-fun {_quoted(symbol.name)} ({' '.join(['Int'] * symbol.arity)}) {symbol.sort})"


def _text(term: Term, names: dict[Term, str]) -> str:
    args = [names[arg] for arg in term.args]
    match term.op:
        case "num":
            return _number(term.value)
        case "truth":
            return "true" if term.value else "false"
        case "const":
            return _quoted(term.name)
        case "app":
            return f"({_quoted(term.name)} {' '.join(args)})"
        case "linear":
            scaled = zip(term.factors, args, strict=True)
            parts = [arg if factor == 1 else f"(* {_number(factor)} {arg})" for factor, arg in scaled]
            parts += [_number(term.value)] if term.value else []
            return parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"
        case "times":
            return f"(* {' '.join(args)})"
        case "div" | "ite" | "=" | "<=" | "and" | "or" | "not":
            return f"({term.op} {' '.join(args)})"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _quoted(name: str) -> str:
    return f"|{name.replace('|', '/').replace(chr(92), '/')}|"
