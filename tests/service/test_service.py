"""Games for programs in any language: requests and answers, one JSON object a line."""

import io
import json
import subprocess
import sys

import jsonschema
import pytest

from pilgrim_rules.service.json_rpc import answer_line, serve
from pilgrim_rules.service.tools import TOOLS, Service, ToolError


@pytest.fixture
def service():
    return Service()


@pytest.fixture
def nim(service):
    return service.call("load", {"game": "nim"})["session"]


def request(service, method, **params):
    return json.loads(
        answer_line(service, json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}), "1")
    )


def test_a_game_is_loaded_played_and_taken_back(service, nim):
    first = service.call("moves", {"session": nim})
    after = service.call("play", {"session": nim, "moves": ["take(3, left)", "take(1, middle)"]})
    back = service.call("undo", {"session": nim})

    assert "ann" == first["to_move"]
    assert ["ann", False, [3, 0]] == [after["to_move"], after["over"], after["changed"]["heap[left]"]]
    assert "ben" == back["to_move"]


def test_moves_are_made_all_or_none(service, nim):
    before = service.call("look", {"session": nim})
    with pytest.raises(ToolError) as refused:
        service.call("play", {"session": nim, "moves": ["take(3, left)", "take(1, left)"]})

    assert "the heap has fewer sticks" == refused.value.data["refusals"][0]["says"]
    assert before == service.call("look", {"session": nim})


def test_a_refusal_names_its_clause(service, nim):
    answer = service.call("why_not", {"session": nim, "move": "take(9, left)"})

    assert (False, ["NIM-3"]) == (answer["allowed"], answer["refusals"][0]["clauses"])


def test_a_player_sees_only_what_a_player_may_see(service):
    session = service.call("load", {"game": "kuhn_poker", "seed": 1})["session"]
    seen = service.call("look", {"session": session, "player": "ann"})["state"]

    assert "?" in json.dumps(seen)


def test_a_rule_is_said_in_english(service, nim):
    said = service.call("rule", {"session": nim, "action": "take"})

    assert any("heap" in step for section in said["sections"] for step in section["steps"])


def test_a_claim_is_proved(service):
    answer = service.call("prove", {"game": "counters"})

    assert 0 == answer["exit"]
    assert answer["verdicts"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", -32700), ("[]", -32600), ('{"id": 1}', -32600), ('{"id": 1, "method": "moves", "params": []}', -32602),
        ('{"id": 1, "method": "no_such_tool"}', -32601), ('{"id": 1, "method": "moves"}', -32000),
        ('{"id": 1, "method": "load", "params": {"game": 3}}', -32000),
        ('{"id": 1, "method": "load", "params": {"game": "nym"}}', -32000),
        ('{"id": 1, "method": "load", "params": {"game": "nim", "plyers": 2}}', -32000),
        ('{"id": 1, "method": "undo", "params": {"session": "5"}}', -32000),
        ('{"id": 1, "method": "tools/call", "params": {"name": 4}}', -32602),
    ],
)  # fmt: skip
def test_a_bad_request_is_answered_with_a_reason(service, line, code):
    answer = json.loads(answer_line(service, line, "1"))

    assert code == answer["error"]["code"]
    assert answer["error"]["message"]


def test_a_misspelt_game_is_answered_with_the_right_one(service):
    answer = request(service, "load", game="nym")

    assert "did you mean `nim`?" == answer["error"]["data"]["diagnostics"][0]["help"]


def test_a_notification_has_no_answer():
    out = io.StringIO()
    serve(['{"jsonrpc": "2.0", "method": "notifications/initialized"}\n', "\n"], out, "1")

    assert "" == out.getvalue()


def test_an_assistant_finds_and_calls_the_same_tools(service):
    listed = request(service, "tools/list")["result"]["tools"]
    loaded = request(service, "tools/call", name="load", arguments={"game": "nim"})["result"]
    refused = request(service, "tools/call", name="undo", arguments={"session": loaded["structuredContent"]["session"]})

    assert set(TOOLS) == {each["name"] for each in listed}
    for each in listed:
        jsonschema.Draft202012Validator.check_schema(each["inputSchema"])
    assert json.loads(loaded["content"][0]["text"]) == loaded["structuredContent"]
    assert (True, "no move has been made") == (
        refused["result"]["isError"],
        refused["result"]["structuredContent"]["error"],
    )


@pytest.mark.parametrize(("asked", "answered"), [("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-06-18")])
def test_an_assistant_is_answered_in_the_version_it_asks_for_if_it_is_known(service, asked, answered):
    assert answered == request(service, "initialize", protocolVersion=asked)["result"]["protocolVersion"]


def test_another_program_plays_over_standard_input_and_output():
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}},
        {"jsonrpc": "2.0", "id": 2, "method": "load", "params": {"game": "noughts_and_crosses"}},
        {"jsonrpc": "2.0", "id": 3, "method": "play", "params": {"session": "1", "moves": ["place((2, 2))"]}},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pilgrim_rules", "serve"],
        input="".join(f"{json.dumps(each)}\n" for each in requests),
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]

    assert [1, 2, 3] == [each["id"] for each in answers]
    assert "nought" == answers[2]["result"]["to_move"]
