"""What `import pilgrim_rules` offers, and what it costs."""

from __future__ import annotations

import doctest
import inspect
import json
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import pilgrim_rules
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.semantics import moves


def test_every_public_name_is_there_and_documented():
    assert sorted(pilgrim_rules.__all__, key=str.lower) == sorted(pilgrim_rules._HOMES, key=str.lower)
    for name in pilgrim_rules.__all__:
        assert getattr(pilgrim_rules, name) is not None
    assert set(pilgrim_rules.__all__) <= set(dir(pilgrim_rules))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pilgrim_rules.nothing


def test_every_public_name_has_its_place_in_the_reference():
    root = Path(__file__).parents[2]
    reference = (root / "docs/reference/api.rst").read_text()
    described = set(re.findall(r"^\.\. (?:auto(?:class|function|exception)|py:data):: (\w+)$", reference, re.MULTILINE))
    checked = set(re.findall(r"import (\w+) as \1$", (root / "pilgrim_rules/__init__.py").read_text(), re.MULTILINE))

    assert set(pilgrim_rules.__all__) == described
    assert set(pilgrim_rules.__all__) == checked, "what a type checker sees"


@pytest.mark.parametrize("name", sorted(pilgrim_rules.__all__))
def test_every_public_member_says_what_it_does(name):
    thing = getattr(pilgrim_rules, name)
    members = [thing] if callable(thing) else []
    if isinstance(thing, type):
        members += [
            each
            for key, each in vars(thing).items()
            if not key.startswith("_") and (callable(each) or isinstance(each, property))
        ]

    assert [] == [each for each in members if not inspect.getdoc(each)]


@pytest.mark.parametrize("module", [pilgrim_rules, moves], ids=lambda module: module.__name__)
def test_the_examples_in_the_documentation_are_true(module):
    assert 0 == doctest.testmod(module).failed
    assert doctest.testmod(module).attempted


def test_importing_the_package_imports_no_heavy_library():
    """How long it takes is measured by `make bench`."""
    heavy = "lark networkx rich click numpy z3 hypothesis sphinx"
    heavy += " pilgrim_rules.language.load pilgrim_rules.prose pilgrim_rules.figures"
    script = f"""
import sys
import pilgrim_rules
assert not [name for name in sys.modules if name.startswith("pilgrim_rules.")], sys.modules.keys()
pilgrim_rules.load, pilgrim_rules.State, pilgrim_rules.Trace
assert not [name for name in {heavy.split()!r} if name in sys.modules], sys.modules.keys()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)


# ------------------------------------------------------------------------------------------------------------- schemas


def schema(name):
    return json.loads((resources.files("pilgrim_rules.api") / "schemas" / name).read_text("utf-8"))


def fits(value, rule, root) -> bool:
    """Return whether a value fits a schema; only the words that our schemas use are known."""
    known = {"$schema", "$defs", "title", "description", "type", "required", "additionalProperties", "properties", "const",
             "$ref", "pattern", "anyOf", "items", "minItems", "maxItems", "minimum"}  # fmt: skip
    assert not rule.keys() - known
    if "$ref" in rule:
        file, _, path = rule["$ref"].partition("#")
        root = schema(file) if file else root
        target = root
        for part in path.strip("/").split("/") if path else ():
            target = target[part]
        return fits(value, target, root)
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
    if "type" in rule and not (
        isinstance(value, kinds[rule["type"]]) and (rule["type"] == "boolean") == isinstance(value, bool)
    ):
        return False
    if "const" in rule and value != rule["const"]:
        return False
    if "anyOf" in rule and not any(fits(value, each, root) for each in rule["anyOf"]):
        return False
    if isinstance(value, str):
        return re.search(rule.get("pattern", ""), value) is not None
    if isinstance(value, list):
        size = rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", 10**9)
        return size and all(fits(each, rule.get("items", {}), root) for each in value)
    if isinstance(value, dict):
        rest = rule.get("additionalProperties", {})
        known = rule.get("properties", {})
        return set(rule.get("required", ())) <= set(value) and all(
            fits(each, known[key], root) if key in known else rest is not False and fits(each, rest, root)
            for key, each in value.items()
        )
    return True


def test_states_and_views_fit_their_schema(stalls, noughts):
    rule = schema("state.schema.json")
    for state in (stalls.start(), stalls.start(seed=0), noughts.start().play("place(b2)")):
        assert fits(json.loads(state.to_json()), rule, rule)
        assert fits(json.loads(state.view(None).to_json()), rule, rule)
    assert not fits({**json.loads(noughts.start().to_json()), "rng": 7}, rule, rule)


def test_traces_fit_their_schema(stalls):
    rule = schema("trace.schema.json")
    trace = Trace.start(stalls, seed=0)
    trace.play(trace.state.moves()[0])
    assert fits(json.loads(trace.to_json()), rule, rule)
    assert fits(json.loads(Trace(trace.state).to_json()), rule, rule)
    data = json.loads(trace.to_json())
    data["steps"][0]["by"] = None
    assert not fits(data, rule, rule)
