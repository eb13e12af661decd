from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.language.syntax.layout import lay_out
from pilgrim_rules.language.syntax.parse import parse


def tree(text):
    bag = Bag()
    made = parse(SourceFile("x.rules", text), bag)
    assert not bag.errors
    return made.declarations


def depths(text):
    layout = lay_out(SourceFile("x.rules", text), Bag())
    return {comment.text.strip("# "): comment.depth for comment in layout.comments}


def test_clauses_may_follow_the_documentation_beside_a_line():
    (state,) = tree("state\n    piety : 0..12   ## how pious they are   cites SET-12, SET-13\n")
    (variable,) = state.variables

    assert ["SET-12", "SET-13"] == [word.text for word in variable.cites]
    assert "how pious they are" == variable.doc


def test_a_sentence_that_speaks_of_clauses_is_no_citation():
    (state,) = tree("state\n    piety : 0..12   ## the table cites SET-12 too\n")

    assert () == state.variables[0].cites
    assert "the table cites SET-12 too" == state.variables[0].doc


def test_a_citation_may_follow_a_comment_after_two_blanks():
    (state,) = tree("state\n    piety : 0..12   ## how pious  cites SET-12, SET-13\n")

    assert ("how pious", 2) == (state.variables[0].doc, len(state.variables[0].cites))


def test_documentation_belongs_to_the_line_below_it_and_not_to_the_one_above():
    (state,) = tree("state\n    a : bool\n    ## of b\n    b : bool\n")

    assert ["", "of b"] == [variable.doc for variable in state.variables]


def test_documentation_may_stand_below_a_head_of_several_lines():
    (enum,) = tree("enum Fruit: apple,\n    pear\n    ## What grows on trees.\n")

    assert "What grows on trees." == enum.doc


def test_a_comment_belongs_to_the_block_it_is_indented_like():
    text = "action a\n    # head\n    do\n        x = 1\n        # block\n    # action\n# next\naction b\n    # last\n"

    assert {"head": 1, "block": 2, "action": 1, "next": 0, "last": 1} == depths(text)


def test_a_comment_inside_a_continued_line_is_one_deeper():
    assert {"why": 1} == depths("enum Fruit: apple,\n# why\n    pear\n")
