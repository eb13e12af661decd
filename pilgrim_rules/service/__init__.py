"""Service: games for programs in any language, over JSON.

Requests enter, one JSON object a line; answers leave the same way. `tools` does the work, `json_rpc` speaks the protocol.
"""
