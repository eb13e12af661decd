"""JSON-RPC 2.0 over lines, and the Model Context Protocol on top of it.

Reads:  one request a line.   Writes: one answer a line; nothing for a notification.
After:  every line has been answered as the protocol says, whatever was in it. A tool can be called by its own name, or by
        `tools/call` as an assistant does; both give the same answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import IO, Any, Final

from pilgrim_rules.service.tools import TOOLS, Json, Service, ToolError

#: Versions of the Model Context Protocol whose tools are called as here, the newest first. The one between them has batches, which we do not answer.
PROTOCOLS: Final = ("2025-06-18", "2024-11-05")
_PARSE, _REQUEST, _METHOD, _PARAMS, _TOOL = -32700, -32600, -32601, -32602, -32000


class _RpcError(Exception):
    def __init__(self, code: int, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


def serve(lines: Iterable[str], out: IO[str], version: str) -> None:
    """Answer every line until there is none."""
    service = Service()
    for line in lines:
        if line.strip() and (answer := answer_line(service, line, version)) is not None:
            out.write(answer + "\n")
            out.flush()


def answer_line(service: Service, line: str, version: str) -> str | None:
    """Return the answer to one line; None for a notification."""
    id_: Any = None
    try:
        request = _request(line)
        id_ = request.get("id")
        if "id" not in request:
            return None
        result = _answer(service, request["method"], request.get("params", {}), version)
    except _RpcError as problem:
        error: Json = {"code": problem.code, "message": str(problem)}
        if problem.data:
            error["data"] = problem.data
        return json.dumps({"jsonrpc": "2.0", "id": id_, "error": error}, ensure_ascii=False)
    return json.dumps({"jsonrpc": "2.0", "id": id_, "result": result}, ensure_ascii=False)


def _request(line: str) -> Json:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise _RpcError(_PARSE, f"this is not JSON: {problem}") from None
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        raise _RpcError(_REQUEST, "a request is an object with a `method`")
    if not isinstance(request.get("params", {}), dict):
        raise _RpcError(_PARAMS, "`params` is an object: arguments have names")
    return request


def _answer(service: Service, method: str, params: Json, version: str) -> Json:
    match method:
        case "initialize":
            info = {"name": "pilgrim-rules", "version": version}
            asked = params.get("protocolVersion")
            spoken = asked if asked in PROTOCOLS else PROTOCOLS[0]
            return {"protocolVersion": spoken, "capabilities": {"tools": {}}, "serverInfo": info}
        case "ping":
            return {}
        case "tools/list":
            tools = [
                {"name": each.name, "description": each.says, "inputSchema": each.schema} for each in TOOLS.values()
            ]
            return {"tools": tools}
        case "tools/call":
            return _call(service, params)
        case _ if method in TOOLS:  # a tool may be called by its own name
            try:
                return service.call(method, params)
            except ToolError as problem:
                raise _RpcError(_TOOL, str(problem), problem.data) from None
        case _:
            raise _RpcError(_METHOD, f"there is no method `{method}`", {"methods": list(TOOLS)})


def _call(service: Service, params: Json) -> Json:
    """Return what a tool answers in the form of the Model Context Protocol: a failure is an answer too."""
    arguments = params.get("arguments", {})
    if not isinstance(params.get("name"), str) or not isinstance(arguments, dict):
        raise _RpcError(_PARAMS, "`tools/call` takes a `name` and an object of `arguments`")
    try:
        result, failed = service.call(params["name"], arguments), False
    except ToolError as problem:
        result, failed = {"error": str(problem), **problem.data}, True
    text = json.dumps(result, ensure_ascii=False)
    return {"content": [{"type": "text", "text": text}], "structuredContent": result, "isError": failed}
