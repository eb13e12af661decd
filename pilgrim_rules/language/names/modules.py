"""Modules: where a game uses one, its declarations stand as if the author had written them there.

Reads:  the files of a game and the modules they use.   Writes: files without uses.
After:  what a module declares has the name of the use before its own, so that two uses never clash, and a place in it knows
        where it is used; what it takes stands for what the game gives. All later passes see declarations like any other.

A module is closed: it speaks of what it declares, of what it takes and of the words of the language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.language.names.module_arguments import Given, ModuleArguments
from pilgrim_rules.language.names.rename import Rename
from pilgrim_rules.language.names.symbols import BUILT_IN
from pilgrim_rules.language.names.words import bound, declared, nodes, words
from pilgrim_rules.language.syntax import ast

#: What a module may hold.
_MECHANISMS = (
    ast.Enum, ast.TypeAliasDecl, ast.Param, ast.Purse, ast.Stages, ast.StageSet, ast.StateBlock, ast.Zones, ast.Def, ast.Guard,
    ast.Effect, ast.Action, ast.Claim, ast.Conserved, ast.Network, ast.TermDecl, ast.Use,
)  # fmt: skip
#: What the language makes of the name of a zone, a pool or two zones.
_MADE = ("draw_", "drawing_", "roll_", "rolling_")


def use_modules(
    files: Sequence[ast.File], modules: Mapping[str, ast.File], known: Iterable[str], bag: Bag
) -> tuple[ast.File, ...]:
    """Return the files with the declarations of modules where they are used; `known` are the names of all modules."""
    if not any(isinstance(each, ast.Use) for file in files for each in file.declarations):
        return tuple(files)
    expander = _Expander(modules, tuple(known), bag)
    around = [each for file in files for each in file.declarations]
    found = [(file.name, expander.expanded(file.declarations, around, ())) for file in files]
    stages = [each for _, made in found for each in made if isinstance(each, ast.Stages)]
    own = [each for each in stages if each.span.via is None]
    return tuple(ast.File(name, _one_table(made, stages, own)) for name, made in found)


def _one_table(
    made: Sequence[ast.Declaration], stages: Sequence[ast.Stages], own: Sequence[ast.Stages]
) -> tuple[ast.Declaration, ...]:
    """Return declarations in which the stages of modules stand at the end of the game's own table."""
    first = (own or stages)[0] if stages else None
    added = [each for each in stages if each is not first and each.span.via is not None]
    kept = (each for each in made if not any(each is other for other in added))
    return tuple(_with_stages(each, added) if each is first and isinstance(each, ast.Stages) else each for each in kept)


def _with_stages(first: ast.Stages, added: Sequence[ast.Stages]) -> ast.Stages:
    deep = max((each.deep for each in (first, *added) if each.deep is not None), default=None)
    return replace(first, lines=(*first.lines, *(line for each in added for line in each.lines)), deep=deep)


@dataclass(frozen=True, slots=True)
class _Expander:
    modules: Mapping[str, ast.File]
    known: tuple[str, ...]
    bag: Bag

    def expanded(
        self, declarations: Iterable[ast.Declaration], around: Sequence[ast.Declaration], under_way: tuple[str, ...]
    ) -> list[ast.Declaration]:
        """Return declarations with those of modules in place of uses; `around` is all that stands beside them."""
        made: list[ast.Declaration] = []
        for each in declarations:
            made += self._instance(each, around, under_way) if isinstance(each, ast.Use) else [each]
        return made

    def _instance(
        self, use: ast.Use, around: Sequence[ast.Declaration], under_way: tuple[str, ...]
    ) -> Iterator[ast.Declaration]:
        """Yield what a module declares, as this use has it."""
        name = use.module.text
        if name in under_way:
            ring = " uses ".join(f"`{each}`" for each in (*under_way[under_way.index(name) :], name))
            self.bag.add(codes.PR210, f"modules go round: {ring}", use.module.span)
            return
        file = self.modules.get(name)
        if file is None:
            help_ = did_you_mean(name, self.known) or f"a module is a file, `lib/{name}.rules`"
            self.bag.add(codes.PR214, f"there is no module `{name}`", use.module.span, help=help_)
            return
        heads = [each for each in file.declarations if isinstance(each, ast.Module)]
        if len(heads) != 1 or heads[0].name.text != name:
            help_ = f"its file begins with `module {name}`, and holds no other"
            self.bag.add(codes.PR214, f"`{file.name}` is not the module `{name}`", use.module.span, help=help_)
            return
        head = heads[0]
        given = ModuleArguments(use, head, around, self.bag).given()
        if given is None:
            return
        body = self.expanded(self._mechanisms(file), file.declarations, (*under_way, name))
        rename = Rename(self._names(use, head, body, given, around), use.span)
        self._closed(head, body, around)
        yield from (_parameter(rename, taken, value) for taken, value in given.values)
        for each in body:
            yield _cited(rename.declaration(each), use.cites)

    def _mechanisms(self, file: ast.File) -> Iterator[ast.Declaration]:
        for each in file.declarations:
            if isinstance(each, _MECHANISMS):
                yield each
            elif not isinstance(each, ast.Module):
                self.bag.add(codes.PR216, "a module cannot hold this", each.span, help="leave it to the game")

    def _names(
        self,
        use: ast.Use,
        head: ast.Module,
        body: Sequence[ast.Declaration],
        given: Given,
        around: Sequence[ast.Declaration],
    ) -> dict[str, str]:
        """Return what each name of the module is called in the game."""
        own = [word.text for each in body for _, word, _ in declared(each)]
        own += [taken.name.text for taken, _ in given.values]
        names = {text: _called(text, head.name.text, use.alias) for text in own}
        zones = [line.name.text for each in body if isinstance(each, ast.Zones) for line in each.lines]
        for made in _MADE:
            names |= {f"{made}{text}": f"{made}{names[text]}" for text in own}
            names |= {f"{made}{a}_{b}": f"{made}{names[a]}_{names[b]}" for a in zones for b in zones}
        names |= given.names
        # A name that the module binds for itself must not hide one of the game.
        outside = {word.text for each in around for _, word, _ in declared(each)} | set(names.values())
        for word in bound(tuple(body)):
            if word.text not in names and word.text in outside:
                names[word.text] = f"{word.text}_"
        return names

    def _closed(self, head: ast.Module, body: Sequence[ast.Declaration], around: Sequence[ast.Declaration]) -> None:
        """Report what a module speaks of that is neither its own nor given to it."""
        own = {word.text for each in (head, *body) for _, word, _ in declared(each)}
        own |= {word.text for word in bound(tuple(body))} | BUILT_IN
        outside = {word.text for each in around for _, word, _ in declared(each)} - own
        columns = {each.name.span for each in nodes(tuple(body)) if isinstance(each, ast.Attribute | ast.NamedArg)}
        for each in body:
            for text, span in words(each):
                if text in outside and span.via is None and span not in columns:
                    what = f"the module `{head.name.text}` speaks of `{text}`, which it does not take"
                    self.bag.add(codes.PR216, what, span, help="add a line `takes …` to its head")


def _called(text: str, module: str, alias: ast.Word | None) -> str:
    """Return the name of a declaration in the game; what is called like the module is called like its use."""
    if alias is None:
        return text
    return alias.text if text == module else f"{alias.text}_{text}"


def _parameter(rename: Rename, taken: ast.Taken, value: ast.Expr | None) -> ast.Param:
    """Return the constant that a value of the module is in the game; without a value, what the module says itself."""
    assert taken.type is not None, "a value has a type"
    made: ast.Param = rename.node(
        ast.Param(
            name=taken.name, index=(), type=taken.type, data=None, value=taken.default, doc=taken.doc, span=taken.span
        )
    )
    return made if value is None else replace(made, value=value)


def _cited(node: ast.Declaration, cites: ast.Cites) -> ast.Declaration:
    """Return a rule of a module with the clauses that its use cites; claims are claims of the module, not of the rulebook."""
    match node:
        case ast.Def() | ast.Guard() | ast.Effect() | ast.Action() | ast.Purse():
            return node if node.cites else replace(node, cites=cites)
        case ast.StateBlock(variables=variables):
            return replace(
                node, variables=tuple(each if each.cites else replace(each, cites=cites) for each in variables)
            )
        case ast.Zones(lines=lines):
            return replace(node, lines=tuple(each if each.cites else replace(each, cites=cites) for each in lines))
        case _:  # types, stages and claims
            return node
