"""Tools: what a program that is not written in Python can ask of a game.

Reads:  names and plain JSON values.   Writes: plain JSON values; `ToolError` with a message for what cannot be done.
After:  a table of games under way, each a list of states, so that moves can be taken back.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

from pilgrim_rules.api.game import State, load
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.language import find_game
from pilgrim_rules.prose.english import say_action
from pilgrim_rules.semantics.errors import IllegalMove, Refusal, RulesGameError

MOST_SESSIONS = 1_000  #: games that one process keeps
Json: TypeAlias = dict[str, Any]


class ToolError(Exception):
    """Something asked for cannot be done; `data` has the parts of the reason."""

    def __init__(self, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.data = data or {}


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing that can be asked: its name, what it does, its arguments as JSON Schema, and who answers."""

    name: str
    says: str
    properties: Mapping[str, Json]
    required: tuple[str, ...]
    answer: Callable[[Service, Json], Json]

    @property
    def schema(self) -> Json:
        """The arguments as JSON Schema."""
        return {
            "type": "object",
            "properties": dict(self.properties),
            "required": list(self.required),
            "additionalProperties": False,
        }


@dataclass(slots=True)
class Service:
    """The games under way, by the name of their session."""

    sessions: dict[str, list[State]] = field(default_factory=dict)
    _numbers: Any = field(default_factory=lambda: count(1))

    def call(self, name: str, arguments: Json) -> Json:
        """Return the answer of a tool; `ToolError` if there is none."""
        tool = TOOLS.get(name)
        if tool is None:
            raise ToolError(f"there is no tool `{name}`", {"hint": did_you_mean(name, TOOLS)})
        for given in arguments:
            if given not in tool.properties:
                raise ToolError(f"`{name}` takes no `{given}`", {"hint": did_you_mean(given, tool.properties)})
        for each in tool.required:
            if each not in arguments:
                raise ToolError(f"`{name}` needs `{each}`")
        for given, value in arguments.items():
            if not _fits(value, tool.properties[given]["type"]):
                raise ToolError(f"`{given}` is to be of type {tool.properties[given]['type']}")
        try:
            return tool.answer(self, arguments)
        except IllegalMove as refused:
            raise ToolError(str(refused), {"refusals": [_refusal(each) for each in refused.refusals]}) from None
        except RulesGameError as problem:
            raise ToolError(str(problem)) from None
        except RulesError as problem:
            found = [{"code": each.code.id, "message": each.message, "help": each.help} for each in problem.diagnostics]
            raise ToolError(str(problem), {"diagnostics": found}) from None

    def state(self, arguments: Json) -> State:
        """Return the present state of the session that is asked about."""
        return self._states(arguments)[-1]

    def _states(self, arguments: Json) -> list[State]:
        states = self.sessions.get(arguments["session"])
        if states is None:
            raise ToolError(f"there is no session `{arguments['session']}`; `load` begins one")
        return states

    # ------------------------------------------------------------------------------------------------------- the tools

    def games(self, _arguments: Json) -> Json:
        """List the games."""
        return {"games": list(find_game.names())}

    def load(self, arguments: Json) -> Json:
        """Begin a session."""
        if len(self.sessions) >= MOST_SESSIONS:
            raise ToolError(f"{MOST_SESSIONS} games are under way; end some with `close`")
        words: Json = {key: arguments.get(key) for key in ("players", "rulings", "preset")}
        state = load(arguments["game"], **words).start(arguments.get("seed"))
        name = str(next(self._numbers))
        self.sessions[name] = [state]
        return {"session": name, "title": state.game.title, "players": list(state.game.players), **_summary(state)}

    def close(self, arguments: Json) -> Json:
        """End a session."""
        self._states(arguments)
        del self.sessions[arguments["session"]]
        return {"closed": True}

    def look(self, arguments: Json) -> Json:
        """Say what a player may see."""
        state = self.state(arguments)
        player = arguments.get("player")
        if player is not None and player not in state.game.players:
            raise ToolError(f"there is no player `{player}`", {"hint": did_you_mean(player, state.game.players)})
        view = state.view(player)
        return {**_summary(state), "state": json.loads(view.to_json())["state"], "picture": view.ascii()}

    def moves(self, arguments: Json) -> Json:
        """List the legal moves."""
        state = self.state(arguments)
        odds = {str(move): str(chance) for move, chance in state.outcomes()}
        return {
            "to_move": state.to_move,
            "moves": [str(move) for move in state.moves()],
            **({"odds": odds} if odds else {}),
        }

    def play(self, arguments: Json) -> Json:
        """Make moves; all of them, or none."""
        states = self._states(arguments)
        made = [states[-1]]
        for move in arguments["moves"]:
            made.append(made[-1].play(str(move)))
        states += made[1:]
        changed = {cell: [_plain(old), _plain(new)] for cell, (old, new) in made[0].diff(made[-1]).items()}
        return {**_summary(states[-1]), "changed": changed}

    def undo(self, arguments: Json) -> Json:
        """Take the last move back."""
        states = self._states(arguments)
        if len(states) == 1:
            raise ToolError("no move has been made")
        states.pop()
        return _summary(states[-1])

    def why_not(self, arguments: Json) -> Json:
        """Give every reason why a move is refused."""
        reasons = self.state(arguments).why_not(arguments["move"])
        return {"allowed": not reasons, "refusals": [_refusal(each) for each in reasons]}

    def rule(self, arguments: Json) -> Json:
        """Say an action in English."""
        rules = self.state(arguments).game
        action = next((each for each in rules.core.actions if each.name == arguments["action"]), None)
        if action is None:
            raise ToolError(
                f"there is no action `{arguments['action']}`",
                {"hint": did_you_mean(arguments["action"], rules.actions)},
            )
        said = say_action(rules.core, action)
        sections = [{"title": each.title, "steps": [step.text for step in each.steps]} for each in said.sections]
        return {"action": action.name, "clauses": list(action.note.clauses), "sections": sections}

    def prove(self, arguments: Json) -> Json:
        """Prove a claim, or all, with the command line."""
        words = ["prove", arguments["game"], "--format", "json"]
        words += ["--only", arguments["claim"]] if "claim" in arguments else []
        done = subprocess.run(  # noqa: S603  (our own program; the words are arguments, not a command line)
            [sys.executable, "-m", "pilgrim_rules", *words], capture_output=True, text=True, check=False
        )
        try:
            reports = json.loads(done.stdout)["reports"]
        except (ValueError, KeyError):
            raise ToolError((done.stderr or done.stdout).strip() or "the prover gave no answer") from None
        verdicts = {each["name"]: each["verdict"] for report in reports for each in report["records"]}
        plays = {each["name"]: each["play"] for report in reports for each in report["records"] if each.get("play")}
        failed = {name for name, verdict in verdicts.items() if not verdict.startswith("proved")}
        return {
            "exit": done.returncode,
            "verdicts": verdicts,
            "plays": {name: play for name, play in plays.items() if name in failed},
        }


def _summary(state: State) -> Json:
    """Return what everybody at the table knows."""
    scores = {name: str(score.total) for name, score in state.scores().items()} if state.game.core.score else {}
    return {
        "to_move": state.to_move,
        "stage": state.stage,
        "over": state.over,
        "winners": state.winners(),
        "scores": scores,
        "fingerprint": state.fingerprint,
    }


def _refusal(reason: Refusal) -> Json:
    return {"says": reason.says, "clauses": list(reason.clauses), "page": reason.page}


def _plain(value: object) -> object:
    return value if isinstance(value, bool | int | str | None) else str(value)


def _fits(value: object, kind: str) -> bool:
    match kind:
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case _:  # every other kind is spelled as a text
            return isinstance(value, str)


_TEXT: Json = {"type": "string"}
_SESSION: Json = {"type": "string", "description": "The session that `load` began."}


def _table(tools: Sequence[Tool]) -> Mapping[str, Tool]:
    return {tool.name: tool for tool in tools}


TOOLS: Mapping[str, Tool] = _table([
    Tool("games", "List the games that can be loaded.", {}, (), Service.games),
    Tool("load", "Begin a game. Without a seed, outcomes of chance are moves too.",
         {"game": {"type": "string", "description": "A name (see `games`), a rules file or a folder."},
          "players": {"type": "integer"}, "rulings": {"type": "object"}, "preset": _TEXT, "seed": {"type": "integer"}},
         ("game",), Service.load),
    Tool("look", "Show the position, or what one player may see of it.", {"session": _SESSION, "player": _TEXT},
         ("session",), Service.look),
    Tool("moves", "List the legal moves.", {"session": _SESSION}, ("session",), Service.moves),
    Tool("play", "Make moves; all of them, or none.",
         {"session": _SESSION, "moves": {"type": "array", "items": {"type": "string"}}}, ("session", "moves"), Service.play),
    Tool("undo", "Take the last move back.", {"session": _SESSION}, ("session",), Service.undo),
    Tool("why_not", "Say why a move is not allowed, with the clauses of the rulebook.",
         {"session": _SESSION, "move": _TEXT}, ("session", "move"), Service.why_not),
    Tool("rule", "Say what an action does, in English.", {"session": _SESSION, "action": _TEXT},
         ("session", "action"), Service.rule),
    Tool("prove", "Prove a claim of a game, or all of them.", {"game": _TEXT, "claim": _TEXT}, ("game",), Service.prove),
    Tool("close", "End a session.", {"session": _SESSION}, ("session",), Service.close),
])  # fmt: skip
