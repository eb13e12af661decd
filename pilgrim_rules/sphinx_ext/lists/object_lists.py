"""Lists of a game's objects: guarantees, rulings, options, examples and what they begin with, clauses, terms; all can be linked.

Reads:  a book.   Writes: `ListedObject`s and definition lists.
After:  every object has one anchor, whatever page shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.evidence.judged import PROVED, JudgedRecord
from pilgrim_rules.evidence.merge_bounds import merged
from pilgrim_rules.evidence.status import Status
from pilgrim_rules.inputs.clauses.citations import trace
from pilgrim_rules.inputs.clauses.records import Clause, Gap
from pilgrim_rules.language import find_game
from pilgrim_rules.prose import say_claim, say_ranking, say_symmetry, words
from pilgrim_rules.prose.voice import explained_terms
from pilgrim_rules.sphinx_ext.blocks.english_and_source import listing, source_lines
from pilgrim_rules.sphinx_ext.blocks.guarantees import RESTS, together
from pilgrim_rules.sphinx_ext.model.all_examples import said_players
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.wording import example_wording
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import details
from pilgrim_rules.sphinx_ext.objects.domain import anchor, full_id

__all__ = ["ListedObject", "declared_objects", "definition_list"]


FEWEST_TERMS = 8  #: that an author has explained before they are a glossary
MOST_RECORDS = 4  #: the parts of a proof that has more are to be opened


@dataclass(frozen=True, slots=True)
class ListedObject:
    """An entry of a list: its name, what it is called, one sentence about it, what is shown, and the file it is from."""

    name: str
    title: str
    about: str
    made: tuple[nodes.Node, ...] | Callable[[], tuple[nodes.Node, ...]]
    status: Status | None = None
    file: str = ""
    players: str = ""  #: for how many players it is, if not for as many as the pages are

    @property
    def body(self) -> tuple[nodes.Node, ...]:
        """What is shown below the title; what takes long is made when it is shown, and few pages show all objects of a kind."""
        return self.made() if callable(self.made) else self.made


def declared_objects(book: Book, kind: str) -> dict[str, ListedObject]:
    """Return all entries of one kind, in the order of the game."""
    return {item.name: item for item in _LISTS[kind](book)}


def definition_list(book: Book, kind: str, items: Sequence[ListedObject]) -> list[nodes.Node]:
    """Return the entries as a list of definitions with anchors."""
    entries = nodes.definition_list("", classes=["rules-list", f"rules-list-{kind}"])
    for item in items:
        term = nodes.term("", item.title, ids=[anchor(kind, full_id(book.name, item.name))])
        if item.title != item.name and kind != "term":  # a word of the game, for players
            term += [nodes.Text(" "), node_builders.inline("rules-id", full_id(book.name, item.name))]
        if item.players:
            term += [nodes.Text(" "), node_builders.inline("rules-players", f"for {item.players}")]
        if item.status is not None:
            term += [nodes.Text(" "), node_builders.badge(item.status)]
        entries += nodes.definition_list_item("", term, nodes.definition("", *item.body))
    return [entries] if items else []


def _guarantees(book: Book) -> list[ListedObject]:
    found: list[tuple[str, str, ir.Note]] = [
        (claim.name, say_claim(book.game, claim), claim.note) for claim in book.game.claims
    ]
    found += [(ranking.name, say_ranking(book.game, ranking), ranking.note) for ranking in book.game.rankings]
    found += [(each.name, say_symmetry(book.game, each), each.note) for each in book.game.symmetries]
    return [_guarantee(book, name, sentence, note) for name, sentence, note in found]


def _guarantee(book: Book, name: str, sentence: str, note: ir.Note) -> ListedObject:
    body = partial(_guaranteed, book, name, sentence, note)
    return ListedObject(name, _title(name), note.doc or sentence, body, book.status(name), _file(note))


def _guaranteed(book: Book, name: str, sentence: str, note: ir.Note) -> tuple[nodes.Node, ...]:
    body: list[nodes.Node] = [node_builders.para(note.doc)] if note.doc else []
    body.append(node_builders.para(sentence, *_cites(book, note.clauses), css="rules-english-line"))
    body += _folded(_source(book, note))
    body += _records([record for record in book.evidence.about(name) if record.status is not Status.STALE])
    return tuple(body)


def _records(records: Sequence[JudgedRecord]) -> list[nodes.Node]:
    """Return what was found out about a claim: what is not proved at once, the parts of a proof to be opened."""
    proved = [record for record in records if record.status in PROVED]
    others = [record for record in records if record.status not in PROVED]
    shown: list[nodes.Node] = [_accounts(others)] if others else []
    if len(records) <= MOST_RECORDS:
        return [_accounts(records)] if records else []
    if proved:
        ways = words.join(sorted({record.method.partition(",")[0] for record in proved}))
        shown.append(details([f"{len(proved)} parts proved, by {ways}"], _accounts(proved)))
    return shown


def _folded(listing_: list[nodes.Node]) -> list[nodes.Node]:
    return [details(["In the language of the rules"], *listing_)] if listing_ else []


def _accounts(records: Sequence[JudgedRecord]) -> nodes.Node:
    """Return the evidence, verdict by verdict: how, within which limits, why not; and all parts of which the same is said."""
    shown = nodes.bullet_list("", classes=["rules-records", "no-search"])
    for status in dict.fromkeys(record.status for record in records):
        shared, lines = _lines([record for record in records if record.status is status])
        first = lines.pop() if len(lines) == 1 else ""
        head = node_builders.para(node_builders.badge(status), f" {' · '.join(filter(None, (first, *shared)))}")
        shown += nodes.list_item("", head, *([node_builders.bullets([line] for line in lines)] if lines else []))
    return shown


def _lines(records: Sequence[JudgedRecord]) -> tuple[list[str], list[str]]:
    """Return the limits of all records, and a line for each way with limits of its own and the parts that it settled."""
    by_part: dict[tuple[str, str, str], list[JudgedRecord]] = {}
    for record in records:
        by_part.setdefault((record.method, record.part, f"{record.reason}{record.play}"), []).append(record)
    limits = {key: merged(bound for record in found for bound in record.bounds) for key, found in by_part.items()}
    shared = [bound for bound in next(iter(limits.values())) if all(bound in each for each in limits.values())]
    parts: dict[str, list[str]] = {}
    for key, found in by_part.items():
        own = (bound for bound in limits[key] if bound not in shared)
        play = f"play: {', '.join(found[0].play)}" if found[0].play else ""
        reason, part = _rests(found[0].reason, key[1])
        told = " · ".join(filter(None, (key[0], *together(own), reason, play)))
        parts.setdefault(told, []).append(part)
    lines = [": ".join(filter(None, (told, ", ".join(filter(None, named))))) for told, named in parts.items()]
    return [_unquoted(bound) for bound in together(shared)], [_unquoted(line) for line in lines]


def _rests(reason: str, part: str) -> tuple[str, str]:
    """Return a reason as all parts share it, and a part with what only it rests on."""
    rests = RESTS.fullmatch(reason)
    if rests is None or not part:
        return reason, words.label(part)
    if rests[1].strip("`") == f"range/{part}":
        return "what they rest on, that nothing leaves its range, is not proved", words.label(part)
    return "it rests on what is not proved", f"{words.label(part)} ({rests[1]})"


def _unquoted(text: str) -> str:
    """Return a text in which what is written in a file looks like the rest: hundreds of such texts stand on a page."""
    return " ".join(text.replace("`", "").split())


def _rulings(book: Book) -> list[ListedObject]:
    return _decisions(book, book.game.rulings, " (our ruling)")


def _options(book: Book) -> list[ListedObject]:
    return _decisions(book, book.game.options, " (unless the players choose otherwise)")


def _decisions(book: Book, decisions: Sequence[ir.Ruling], usual: str) -> list[ListedObject]:
    items = []
    for ruling in decisions:
        options: list[list[node_builders.Inline]] = [
            [
                node_builders.strong(words.words(name)),
                f": {text}" if text else "",
                usual if name == ruling.default else "",
            ]
            for name, text in ruling.options
        ]
        options += [
            [node_builders.strong(words.words(name)), f": {text}" if text else "", f" (not played: {reason})"]
            for name, text, reason in ruling.refused
        ]
        body: list[nodes.Node] = [
            node_builders.para(ruling.note.doc, *_cites(book, ruling.note.clauses)),
            node_builders.bullets(options),
        ]
        for clause in ruling.note.clauses:
            gap = book.inventory.find(clause)
            if isinstance(gap, Gap):
                body.append(node_builders.para(f"{gap.problem} {gap.why}".strip(), css="rules-gap"))
        items.append(ListedObject(ruling.name, _title(ruling.name), ruling.note.doc, tuple(body)))
    return items


def _examples(book: Book) -> list[ListedObject]:
    return [
        ListedObject(
            name,
            _title(name),
            told.example.note.doc,
            partial(_example, book, told.example),
            book.status(name),
            _file(told.example.note),
            said_players(told.players),
        )
        for name, told in book.examples.items()
    ]


def _example(book: Book, example: ir.Example) -> tuple[nodes.Node, ...]:
    doc: list[nodes.Node] = [node_builders.para(example.note.doc)] if example.note.doc else []
    steps = node_builders.bullets(example_wording(book, example), "rules-example")
    return (*doc, steps, *_written_in(book, example.note))


def _file(note: ir.Note) -> str:
    return "" if note.span is None else find_game.path_in_game(note.span.file)


def _arrangements(book: Book) -> list[ListedObject]:
    items = []
    for name, each in book.arrangements.items():
        body: list[nodes.Node] = [node_builders.para(each.doc)] if each.doc else []
        body.append(listing(book, each.source, each.lines, {}, anchor("arrangement", full_id(book.name, name))))
        items.append(
            ListedObject(name, _title(name), each.doc, tuple(body), None, find_game.path_in_game(each.source.name))
        )
    return items


def _clauses(book: Book) -> list[ListedObject]:
    cited = trace(book.game, *book.other_tables)
    items = []
    for id_ in book.inventory.ids():
        text = words.sentence((book.inventory.describe(id_) or "").rsplit(" (p. ", 1)[0])
        record = book.inventory.find(id_)
        facts = [
            f"p. {page}" if (page := getattr(record, "page", "")) else "",
            record.kind if isinstance(record, Clause) else "",
        ]
        where = list(dict.fromkeys((line.part, line.item) for line in cited.get(id_, ())))
        uses: list[node_builders.Inline] = []
        for part, item in where:
            kind = {
                "requirement": "rule",
                "assignment": "rule",
                "action": "rule",
                "auto": "rule",
                "chance": "rule",
            }.get(part, "")
            kind = kind or ("invariant" if item in book.declared["invariant"] else "")
            known = kind and item in book.declared.get(kind, ())
            uses.append(node_builders.xref(kind, book.name, item) if known else f"{part} {item}")
        line: list[node_builders.Inline] = [
            text,
            " ",
            node_builders.inline("rules-facts", " · ".join(fact for fact in facts if fact)),
        ]
        body = [node_builders.para(*line)]
        if uses:
            body.append(node_builders.para("Used by ", *node_builders.spaced(uses, ", "), ".", css="rules-uses"))
        items.append(ListedObject(id_, id_, text, tuple(body)))
    return items


def _terms(book: Book) -> list[ListedObject]:
    written = explained_terms(book.game)
    # What the rules keep track of and define has pages of its own; it is explained here only if nothing else is.
    documented = (
        []
        if len(written) >= FEWEST_TERMS
        else [
            *((each.name, each.note.doc) for each in book.game.namings),
            *((each.name.partition("(")[0], each.note.doc) for each in book.game.stages),
            *((each.name, each.note.doc) for each in book.game.variables if not each.ghost),
            *((each.name, each.note.doc) for each in book.game.defs if each.name.isidentifier()),
        ]
    )
    found = dict(written)
    known = {form for name in found for form in _forms(name)}
    for name, doc in documented:
        if doc and name != "tie" and known.isdisjoint(_forms(name)):
            found[name] = " ".join(doc.split())
            known.update(_forms(name))
    return [
        ListedObject(term, words.words(term), text, (node_builders.para(words.sentence(text)),))
        for term, text in sorted(found.items(), key=lambda item: words.words(item[0]).casefold())
    ]


def _forms(term: str) -> tuple[str, str]:
    """Return in what two terms must differ to be two: what is read, and what is linked to."""
    return words.words(term), nodes.make_id(term)


def _cites(book: Book, clauses: tuple[str, ...]) -> list[node_builders.Inline]:
    known = [clause for clause in clauses if book.inventory.find(clause) is not None]
    return [" ", node_builders.inline("rules-cites", *node_builders.refs("clause", book.name, known))] if known else []


def _source(book: Book, note: ir.Note) -> list[nodes.Node]:
    """Return the source without colours: a game may have hundreds of guarantees."""
    found = None if note.span is None else book.lines(note.span)
    text = "" if found is None else "\n".join(found[0].line(number) for number in found[1])
    return [nodes.literal_block(text, text, language="none", classes=["no-search"])] if text else []


def _written_in(book: Book, note: ir.Note) -> list[nodes.Node]:
    """Return where the source is: a game may have hundreds of examples on one page."""
    found = None if note.span is None else book.lines(note.span)
    return [] if found is None else [node_builders.para(*source_lines(book, found[0].name, found[1]), css="rules-says")]


def _title(name: str) -> str:
    text = words.words(name)
    return text[:1].upper() + text[1:]


_LISTS: dict[str, Callable[[Book], list[ListedObject]]] = {
    "invariant": _guarantees,
    "ruling": _rulings,
    "option": _options,
    "example": _examples,
    "arrangement": _arrangements,
    "clause": _clauses,
    "term": _terms,
}
