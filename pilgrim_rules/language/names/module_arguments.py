"""The arguments of a use: what a game gives for what a module takes.

Reads:  a use, the head of the module, the declarations around the use.   Writes: names and values, or mistakes.
After:  each thing that the module takes is given once and is of its kind; tables, definitions and effects have the index and
        the parameters that the module names. Whether numbers fit is checked where they are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.language.names.words import declared
from pilgrim_rules.language.names.zones import counting_zones
from pilgrim_rules.language.syntax import ast

_A = {
    "type": "a type", "value": "a value", "state": "a variable", "def": "a definition", "effect": "an effect", "stage": "a stage",
}  # fmt: skip
#: What declarations are called that are types.
_TYPES = frozenset({"enum", "typealias", "rows", "graph", "type"})


@dataclass(frozen=True, slots=True)
class Given:
    """What a use gives: names for what the module calls otherwise, and values, None where the module has one itself."""

    names: Mapping[str, str]
    values: tuple[tuple[ast.Taken, ast.Expr | None], ...]


@dataclass(frozen=True, slots=True)
class ModuleArguments:
    """The arguments of one use."""

    use: ast.Use
    head: ast.Module
    around: Sequence[ast.Declaration]
    bag: Bag

    def given(self) -> Given | None:
        """Return what is given; None after a mistake."""
        found = self._matched()
        if found is None:
            return None
        names: dict[str, str] = {}
        values: list[tuple[ast.Taken, ast.Expr | None]] = []
        types = {taken.name.text for taken in self.head.takes if taken.kind == "type"}
        good = True
        # Types first: what else is given is compared with what they stand for.
        for taken in sorted(self.head.takes, key=lambda each: each.kind != "type"):
            value = found.get(taken.name.text)
            if taken.kind == "value":
                values.append((taken, value))
                continue
            assert value is not None, "only values have defaults"
            if self._fits(taken, value, {text: names[text] for text in types & names.keys()}):
                assert isinstance(value, ast.Name)
                names[taken.name.text] = value.text
            else:
                good = False
        return Given(names, tuple(values)) if good else None

    def _matched(self) -> dict[str, ast.Expr] | None:
        """Return what is given by the name of what is taken."""
        known = {taken.name.text: taken for taken in self.head.takes}
        found: dict[str, ast.Expr] = {}
        count = len(self.bag.errors)
        for at, arg in enumerate(self.use.args):
            if isinstance(arg, ast.NamedArg):
                if arg.name.text not in known:
                    what = f"the module `{self.head.name.text}` takes no `{arg.name.text}`"
                    self._refuse(what, arg.name.span, did_you_mean(arg.name.text, known))
                elif arg.name.text in found:
                    self._refuse(f"`{arg.name.text}` is given twice", arg.span)
                else:
                    found[arg.name.text] = arg.value
            elif at >= len(self.head.takes):
                self._refuse(f"the module `{self.head.name.text}` takes {len(known)}, and this is one more", arg.span)
            else:
                found[self.head.takes[at].name.text] = arg
        for name, taken in known.items():
            if len(self.bag.errors) == count and name not in found and taken.default is None:
                self._refuse(
                    f"the module `{self.head.name.text}` takes {_A[taken.kind]}, `{name}`", self.use.module.span
                )
        return found if len(self.bag.errors) == count else None

    def _refuse(self, what: str, span: Span, help_: str | None = None) -> None:
        related = ((self.head.span, "what it takes stands here"),)
        self.bag.add(codes.PR215, what, span, help=help_, related=related)

    def _fits(self, taken: ast.Taken, value: ast.Expr, types: Mapping[str, str]) -> bool:
        """Tell whether what is given is what the module takes; report it if not."""
        said = f"`{taken.name.text}` is {_A[taken.kind]}"
        if not isinstance(value, ast.Name):
            self._refuse(f"{said}, which is given by its name", value.span)
            return False
        if not self._is_a(taken, value.text):
            self._refuse(f"{said}, and `{value.text}` is not", value.span)
            return False
        wanted, has = _signature(taken), self._signature(taken, value.text)
        if taken.kind == "def" and self._says_no_result(value.text) and taken.type is not None:
            wanted = wanted[:-1]
        if len(wanted) != len(has):
            of = "types of its index and value" if taken.kind == "state" else "types of its parameters and result"
            self._refuse(f"`{value.text}` has {len(has)} {of}, where the module takes {len(wanted)}", value.span)
            return False
        for mine, theirs in zip(wanted, has, strict=True):
            if not self._alike(mine, theirs, types):
                related = ((mine.span, "it takes this"), (theirs.span, "and this is given"))
                what = f"`{value.text}` is of other types than what the module takes"
                self.bag.add(codes.PR215, what, value.span, related=related)
                return False
        return True

    def _is_a(self, taken: ast.Taken, name: str) -> bool:
        kinds = {kind for each in self.around for kind, word, _ in declared(each) if word.text == name}
        match taken.kind:
            case "type":
                return name in ("Player", "Stage", "bool") or bool(kinds & _TYPES)
            case "state":
                return bool(kinds & {"variable", "state"}) or self._variable(name) is not None
            case _:  # the kinds that declarations have the same words for
                return taken.kind in kinds

    def _variable(self, name: str) -> ast.Variable | None:
        for each in self.around:
            if isinstance(each, ast.StateBlock | ast.Zones):
                found = each.variables if isinstance(each, ast.StateBlock) else tuple(counting_zones(each))
                for variable in found:
                    if variable.name.text == name:
                        return variable
        return None

    def _says_no_result(self, name: str) -> bool:
        """Tell whether the result of a definition is left to be found by the checker."""
        return any(isinstance(each, ast.Def) and each.name.text == name and each.result is None for each in self.around)

    def _signature(self, taken: ast.Taken, name: str) -> tuple[ast.TypeExpr, ...]:
        """Return the types of the index or of the parameters of what is given."""
        for each in self.around:
            match each:
                case ast.Module(takes=takes):
                    for known in takes:
                        if known.name.text == name:
                            return _signature(known)
                case ast.Def(params=params) if taken.kind == "def" and each.name.text == name:
                    return (*(param.type for param in params), *(() if each.result is None else (each.result,)))
                case ast.Effect(params=params) if taken.kind == "effect" and each.name.text == name:
                    return tuple(param.type for param in params)
                case _:  # something else
                    continue
        variable = self._variable(name) if taken.kind == "state" else None
        return () if variable is None else (*(item.type for item in variable.index), variable.type)

    def _alike(self, mine: ast.TypeExpr, theirs: ast.TypeExpr, types: Mapping[str, str]) -> bool:
        """Tell whether two types are of one kind: one name, or numbers, or made of parts that are."""
        match self._plain(mine, types), self._plain(theirs, {}):
            case ast.RangeType(), ast.RangeType():
                return True
            case ast.OptionalType(inner=one), ast.OptionalType(inner=other):
                return self._alike(one, other, types)
            case ast.PairType(left=left, right=right), ast.PairType(left=one, right=other):
                return self._alike(left, one, types) and self._alike(right, other, types)
            case ast.TypeName(name=one), ast.TypeName(name=other):
                return one == other
            case _:  # of two kinds
                return False

    def _plain(self, type_: ast.TypeExpr, types: Mapping[str, str]) -> ast.TypeExpr:
        """Return what the name of a type stands for: what is given for it, and what an alias says."""
        if isinstance(type_, ast.TypeName):
            name = types.get(type_.name, type_.name)
            for each in self.around:
                if isinstance(each, ast.TypeAliasDecl) and each.name.text == name:
                    return self._plain(each.type, {})
            return ast.TypeName(name, span=type_.span)
        return type_


def _signature(taken: ast.Taken) -> tuple[ast.TypeExpr, ...]:
    parts = tuple(item.type for item in taken.index) + tuple(param.type for param in taken.params)
    return parts if taken.type is None else (*parts, taken.type)
