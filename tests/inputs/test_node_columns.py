from pilgrim_rules.core.ir import BOOL, Type
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.inputs.graphs.graph import GraphData
from pilgrim_rules.inputs.graphs.node_columns import column_of

TERRAIN = Type("Terrain", "enum", 0, 1, ("land", "sea"))
MAYBE = Type("Terrain?", "optional", 0, 2, parts=(TERRAIN,))
GRAPH = GraphData(("a", "b", "c"), (), columns={"terrain": ("land", None, "sea"), "port": (None, True, False)})


def column(name, type_, index=()):
    bag = Bag()
    return column_of(GRAPH, name, index, type_, None, bag), [found.message for found in bag]


def test_a_column_becomes_codes():
    assert ((0, 2, 1), []) == column("terrain", MAYBE)


def test_where_the_map_is_silent_a_boolean_is_false():
    assert ((0, 1, 0), []) == column("port", BOOL)


def test_where_the_map_is_silent_a_label_is_missing():
    assert (None, ["`b` of the map has no `terrain`"]) == column("terrain", TERRAIN)


def test_a_value_of_another_type_names_its_node():
    codes, messages = column("terrain", BOOL)

    assert codes is None
    assert '`terrain` of `a` in the map: `"land"` is neither `true` nor `false`' == messages[0]


def test_a_column_that_the_map_does_not_have_gets_a_suggestion():
    bag = Bag()
    column_of(GRAPH, "terrian", (), TERRAIN, None, bag)

    assert ["did you mean `terrain`?"] == [found.help for found in bag]
