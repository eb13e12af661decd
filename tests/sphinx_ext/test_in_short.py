"""The upper layer of a rule page: the summary, costs, reasons to refuse; and the pages for players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes

from pilgrim_rules.core.ir import COLOURS
from pilgrim_rules.inputs.clauses.inventory import Inventory
from pilgrim_rules.inputs.clauses.records import Clause
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.language.static_rulings import static_rulings
from pilgrim_rules.prose import SaidCost, say_action, say_costs, say_order, say_score_line
from pilgrim_rules.prose.lint import lint_costs
from pilgrim_rules.sphinx_ext.blocks.glossary_links import link_terms
from pilgrim_rules.sphinx_ext.blocks.in_short import cost_block, may_not_block, summary_block, untold_clauses
from pilgrim_rules.sphinx_ext.blocks.rule_page import MANY_RULES, rule_section
from pilgrim_rules.sphinx_ext.lists import piece_cards
from pilgrim_rules.sphinx_ext.lists.piece_cards import piece_names, piece_tables
from pilgrim_rules.sphinx_ext.lists.player_pages import round_card
from pilgrim_rules.sphinx_ext.model import books
from pilgrim_rules.sphinx_ext.nodes.node_builders import Details

CLAUSES = "".join(
    f'[[clause]]\nid = "{id_}"\nsection = "Market"\nkind = "effect"\ntext = "{text}"\npage = "1"\n\n'
    for id_, text in (
        ("MKT-1", "A card is bought."),
        ("MKT-2", "It costs a coin."),
        ("MKT-3", "Nobody buys a card twice."),
        ("MKT-4", "The card is then taken."),
    )
)
EDITION = """\
[cards]
source = "stated"
rows = [
    { name = "bread", price = 1, rare = false, trade = "baker" },
    { name = "silver", price = 3, rare = true, trade = "smith" },
]
"""
GAME = """\
game market "Market"
    players 2..2 named ann, ben
    clauses "clauses.toml"
    edition "edition.toml"

term silver "a metal for rich people"

enum Trade: baker, smith

rows Card from edition.cards
    price : 1..3
    rare  : bool
    trade : Trade

stages
    buying by turn

state
    turn         : Player = ann
    coin[Player] : 0..5 = 5
    taken[Card]  : bool = false

purse coin of p = coin[p]

action buy(c: Card)                                             cites MKT-1
    ## A card is bought.
    summary "Buy a card that is left,"
    summary "and keep it."                                      cites MKT-1{told}
    require not taken[c]                                        cites MKT-3
        else "somebody has that card"
    cost 1 coin                                                 cites MKT-2
    do
        taken[c] = true                                         cites MKT-4
        text of c.trade

text baker of Trade
    ## The price of the bread comes back.
    at once: coin[turn] = min(5, coin[turn] + 1)

text smith of Trade: nothing
"""


def market(folder: Path, told: str = "") -> books.Book:
    (folder / "clauses.toml").write_text(CLAUSES, "utf-8")
    (folder / "edition.toml").write_text(EDITION, "utf-8")
    path = folder / "market.rules"
    path.write_text(GAME.format(told=told), "utf-8")
    return books._read(str(path), books.BookFiles(*[folder / "none.json"] * 3), None)


def words(found: list[nodes.Node]) -> str:
    return "\n".join(node.astext() for node in found)


def test_the_summary_stands_in_place_of_the_comment(tmp_path: Path) -> None:
    book = market(tmp_path)
    action = book.game.actions[0]

    assert "Buy a card that is left, and keep it. MKT-1" == words(
        summary_block(book, action, say_action(book.game, action))
    )


@pytest.mark.parametrize(("told", "untold"), [("", ["MKT-4"]), (", MKT-4", [])])
def test_a_clause_that_nothing_above_the_fold_tells_is_named(tmp_path: Path, told: str, untold: list[str]) -> None:
    """The cost tells of MKT-2, the refusal of MKT-3."""
    book = market(tmp_path, told)

    assert untold == untold_clauses(book, book.game.actions[0])


def test_costs_and_refusals_are_told_with_their_clauses(tmp_path: Path) -> None:
    book = market(tmp_path)
    action = book.game.actions[0]

    assert "1 coin" in words(cost_block(book, action))
    assert "MKT-2" in words(cost_block(book, action))
    assert "somebody has that card MKT-3" in words(may_not_block(book, action))


def test_every_row_of_the_data_can_be_linked_and_says_all_about_it(tmp_path: Path) -> None:
    book = market(tmp_path)
    shown = piece_tables(book)
    ids = {id_ for each in shown for node in each.findall(nodes.inline) for id_ in node["ids"]}

    assert ["Card.bread", "Card.silver"] == [name for name, _, _ in piece_names(book)]
    assert ([], []) == (piece_tables(book, ()), list(piece_names(book, ())))
    assert {"piece-market-card-bread", "piece-market-card-silver"} <= ids
    assert "Silver\n\n3 price\n\nrare trade smith\n\nA metal for rich people." in words(shown)
    assert "1 price\n\ntrade baker\n\nThe price of the bread comes back." in words(shown)


def test_the_round_card_tells_each_action_in_a_sentence(tmp_path: Path) -> None:
    assert "Buy: Buy a card that is left, and keep it." in words(round_card(market(tmp_path)))


RULED = """\
game fork
    players 2..2 named ann, ben

ruling plain
    option one "one" default
    option two "two"

ruling deep
    option one "one" default
    option two "two"

def twice() -> bool = deep == two

param gain : 0..9 = 2 if twice() else 1

stages
    playing by turn

state
    turn : Player
    a    : 0..9

action go
    do a = gain if plain == one else 0
"""


def test_a_ruling_that_tables_depend_on_is_told_from_one_that_only_lines_look_at(tmp_path: Path) -> None:
    path = tmp_path / "fork.rules"
    path.write_text(RULED, "utf-8")
    origin = load_rules(path).game.origin

    assert origin is not None
    assert {"deep"} == static_rulings(origin)


LANES = """\
game lanes "Lanes"
    players 2..2 named ann, ben

rows Ware
    rare  : bool
    tells : Told
    size  : 0..4
    worth : 1..4
    row cloth : false, storm, 1, 3
    row wine : false, storm, 0, 3
    row grain : false, storm, 0, 3
    row stone : false, storm, 0, 3
    row silk : true, storm, 0, 2
    row glass : true, fair, 2, 4

enum Told: storm, fair

def price(w: Ware) -> 0..2 = 1 if w.rare else 2

stages
    buying by turn

state
    turn         : Player = ann
    coin[Player] : 0..9 = 9
    lucky        : bool = false
    deals        : 0..5 = 0

purse coin of p = coin[p]

action buy(w: Ware)
    summary "Buy a ware"
    summary "of any size."
    summary "Prices are the same for all."
    cost price(w) coin

action haggle
    summary "Haggle."
    summary "Prices are the same for all."
    cost max(0, deals + 1 - (1 if lucky else 0)) coin

action wait
    summary "Wait."
    summary "Prices are the same for all."

action rest
    summary "Rest."
    summary "Prices are the same for all."

score of p
    line "Wares" sum of w.worth for w in Ware

term buying "{at the market}"
"""


def lanes(folder: Path) -> books.Book:
    path = folder / "lanes.rules"
    path.write_text(LANES, "utf-8")
    return books._read(str(path), books.BookFiles(*[folder / "none.json"] * 3), None)


def test_an_amount_with_cases_is_told_case_by_case_with_its_numbers(tmp_path: Path) -> None:
    book = lanes(tmp_path)

    assert [("1 coin", "if the ware is rare"), ("2 coin", "otherwise")] == [
        (cost.what, cost.when) for cost in say_costs(book.game, book.game.actions[0])
    ]


def test_what_a_condition_takes_off_an_amount_has_a_row_of_its_own(tmp_path: Path) -> None:
    """Nobody pays less than nothing: that goes without saying."""
    book = lanes(tmp_path)

    assert [("1 coin more than the number of deals", ""), ("1 coin less", "if “lucky” holds")] == [
        (cost.what, cost.when) for cost in say_costs(book.game, book.game.actions[1])
    ]


def test_what_is_paid_has_the_plural_that_the_author_uses(tmp_path: Path) -> None:
    path = tmp_path / "lanes.rules"
    path.write_text(LANES.replace("Buy a ware", "Buy a ware for coins"), "utf-8")
    game = books._read(str(path), books.BookFiles(*[tmp_path / "none.json"] * 3), None).game

    assert ["1 coin", "2 coins"] == [cost.what for cost in say_costs(game, game.actions[0])]


def test_a_line_of_the_score_is_told_as_its_term_says(tmp_path: Path) -> None:
    path = tmp_path / "lanes.rules"
    said = 'term score_wares "{what your wares are worth}"\nterm score_ties "{the richest player wins}"\n'
    path.write_text(LANES + "\nrank p by score desc\n\n" + said, "utf-8")
    game = books._read(str(path), books.BookFiles(*[tmp_path / "none.json"] * 3), None).game

    assert game.score is not None
    assert "What your wares are worth." == say_score_line(game, game.score.lines[0])
    assert "The richest player wins." == say_order(game)


def test_a_word_that_the_author_explains_is_linked_once_in_a_rule(tmp_path: Path) -> None:
    path = tmp_path / "lanes.rules"
    path.write_text(LANES + '\nterm ware "what is bought"\nterm size "how much room a ware takes"\n', "utf-8")
    book = books._read(str(path), books.BookFiles(*[tmp_path / "none.json"] * 3), None)
    told: set[str] = set()
    found = [*link_terms(book, "Wares of any size, ", told), *link_terms(book, "and again a ware.", told)]

    assert ["Wares", "size"] == [each.astext() for each in found if not isinstance(each, str)]
    assert "Wares of any size, and again a ware." == "".join(
        each if isinstance(each, str) else each.astext() for each in found
    )
    assert {"ware", "size"} == told


def test_what_many_rules_say_comes_after_what_only_one_of_them_says(tmp_path: Path) -> None:
    book = lanes(tmp_path)
    action = book.game.actions[0]
    own, shared = summary_block(book, action, say_action(book.game, action))

    assert "Buy a ware of any size." == own.astext()
    assert "As in other rules: Prices are the same for all." == shared.astext()


def test_a_card_without_a_text_has_the_clauses_that_begin_with_its_name(tmp_path: Path) -> None:
    book = lanes(tmp_path)
    label = next(piece_names(book))[1]
    told = Clause("WAR-1", "Wares", "effect", f"{label}: it keeps for a year.", "7")
    others = Clause("WAR-2", "Wares", "effect", f"{label} is dear.", "7")
    sheet = words(piece_tables(replace(book, inventory=Inventory(clauses=(told, others)))))

    assert 1 == sheet.count("It keeps for a year. WAR-1")
    assert "is dear" not in sheet


def test_a_column_that_says_nothing_of_a_kind_is_not_on_its_cards(tmp_path: Path) -> None:
    """Wares that are not rare all tell of a storm, because every row has to say something; all are worth 3, and that counts."""
    cards = [item.astext() for each in piece_tables(lanes(tmp_path)) for item in each.findall(nodes.list_item)]

    assert [
        "Cloth\n\n1 size 3 worth",
        "Wine\n\n3 worth",
        "Grain\n\n3 worth",
        "Stone\n\n3 worth",
        "Silk\n\n2 worth\n\nrare tells storm",
        "Glass\n\n2 size 4 worth\n\nrare tells fair",
    ] == cards


def test_a_stage_is_called_as_its_term_says(tmp_path: Path) -> None:
    assert "At the market: the player to move" in words(round_card(lanes(tmp_path)))


def test_every_colour_of_a_card_is_in_the_style_sheet_in_both_modes() -> None:
    style = (Path(piece_cards.__file__).parents[1] / "static/rules.css").read_text("utf-8")

    assert [3] * len(COLOURS) == [style.count(f"--rules-soft-{colour}:") for colour in COLOURS]
    assert [1] * len(COLOURS) == [style.count(f".rules-tint-{colour} ") for colour in COLOURS]


def test_a_cost_that_nobody_can_read_fails_the_build() -> None:
    long = SaidCost("coin: " + "the number of wares of " * 6, "", ())

    assert ["a cost that is too long to be read"] == [problem.kind for problem in lint_costs([long], frozenset())]


def test_a_question_of_many_rules_is_told_with_the_first_of_them(tmp_path: Path) -> None:
    more = "".join(f"\naction go{at}\n    do a = 1 if plain == one else 2\n" for at in range(MANY_RULES))
    path = tmp_path / "fork.rules"
    path.write_text(RULED + more, "utf-8")
    book = books._read(str(path), books.BookFiles(*[tmp_path / "none.json"] * 3), None)
    first, *others = book.game.actions
    told = [
        [node.astext() for node in rule_section(book, action).findall(Details) if "rules-ruling" in node["classes"]]
        for action in (first, others[-1])
    ]

    assert 1 == sum(text.startswith("Plain.") for text in told[0])
    assert [] == told[1]
    assert "Questions of many rules, told with the first of them: plain." in rule_section(book, others[-1]).astext()
