"""What the engine writes, read by others: a validator of JSON schemas, and a small reader of ITF."""

import json
from functools import cache
from importlib import resources

import pytest

from pilgrim_rules.api.game import load
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.cli.main import run
from pilgrim_rules.language import find_game
from pilgrim_rules.semantics import chance

jsonschema = pytest.importorskip("jsonschema", reason="needs pip install jsonschema")
referencing = pytest.importorskip("referencing")

SCHEMAS = resources.files("pilgrim_rules.api") / "schemas"


@cache
def validator(name):
    found = {file.name: json.loads(file.read_text("utf-8")) for file in SCHEMAS.iterdir()}
    known = referencing.Registry().with_resources(
        (each, referencing.Resource.from_contents(text)) for each, text in found.items()
    )
    jsonschema.Draft202012Validator.check_schema(found[name])
    return jsonschema.Draft202012Validator(found[name], registry=known)


def wrong(name, data):
    return [problem.message for problem in validator(name).iter_errors(data)]


@cache
def played(name):
    """Return the first steps of a random play."""
    trace = Trace.start(load(name), 5)
    generator = chance.seeded(0)
    for _ in range(12):
        if trace.state.over:
            break
        moves = trace.state.moves()
        at, generator = chance.below(generator, len(moves))
        trace.play(moves[at])
    return trace


@pytest.mark.parametrize("name", find_game.names())
def test_states_views_and_traces_of_every_game_fit_their_schemas(name):
    trace = played(name)

    assert [] == wrong("state.schema.json", json.loads(trace.state.to_json()))
    assert [] == wrong("state.schema.json", json.loads(trace.state.view(None).to_json()))
    assert [] == wrong("trace.schema.json", json.loads(trace.to_json()))


@pytest.mark.parametrize("name", ["kuhn_poker", "nim", "watermill"])
def test_vectors_fit_their_schema(name, capsys):
    run(["vectors", name, "-n", "2"])
    lines = list(map(json.loads, capsys.readouterr().out.splitlines()))

    assert len(lines) > 3
    assert [] == [problem for line in lines for problem in wrong("vectors.schema.json", line)]


@pytest.mark.parametrize("spoilt", [{"rules": "x"}, {"seed": "one"}, {"steps": [{"move": "take(1, 1)"}]}, {"more": 1}])
def test_a_spoilt_trace_does_not_fit(spoilt):
    assert wrong("trace.schema.json", {**json.loads(played("nim").to_json()), **spoilt})


# ----------------------------------------------------------------------------------------------------------------- ITF


def read_itf(text):
    """Read the Informal Trace Format as its description has it, knowing nothing of the engine."""

    def value(given):
        match given:
            case {"#map": pairs}:
                return {value(key): value(each) for key, each in pairs}
            case {"#tup": parts}:
                return tuple(map(value, parts))
            case {"tag": "Some", "value": some}:
                return value(some)
            case {"tag": "None", "value": nothing}:
                assert () == value(nothing)
                return None
            case bool() | int() | str():
                return given
            case _:
                raise AssertionError(f"{given} is not ITF")

    data = json.loads(text)
    assert data["#meta"]["format"] == "ITF"
    states = []
    for index, row in enumerate(data["states"]):
        assert row.pop("#meta")["index"] == index
        assert row.keys() == set(data["vars"])
        states.append({name: value(each) for name, each in row.items()})
    return states


def flat(value, index=()):
    """Return a table by whole indices: one value, or a tuple of several."""
    if not isinstance(value, dict):
        return {index: value}
    return {key: each for at, rest in value.items() for key, each in flat(rest, (*index, at)).items()}


@pytest.mark.parametrize("name", find_game.names())
def test_itf_read_by_another_reader_tells_the_same(name):
    trace = played(name)

    read = read_itf(trace.to_itf())

    assert len(read) == len(trace.states)
    for state, row in zip(trace.states, read, strict=True):
        for variable, value in row.items():
            ours = flat(state[variable])
            theirs = value if isinstance(value, dict) else {(): value}
            assert ours == {key if len(next(iter(ours))) != 1 else (key,): each for key, each in theirs.items()}
