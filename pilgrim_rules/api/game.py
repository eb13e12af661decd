"""Game and State: a set of rules ready to be played, and its positions; what can be done in one, and what it leads to.

Reads:  rules, through `pilgrim_rules.language.load`.   Writes: `Game`, which makes states; new states; no state ever changes.
After:  `moves()` and `why_not()` agree: the reasons are empty exactly for the moves on the list.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilgrim_rules.api import state_json
from pilgrim_rules.api.action_numbers import ActionNumbers
from pilgrim_rules.api.pictured import Pictured
from pilgrim_rules.api.remembered import Remembered, instance_key, sorted_items
from pilgrim_rules.api.scores import Score, ranking, score
from pilgrim_rules.api.view import View
from pilgrim_rules.engine.rules import Rules, ask
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load_arguments import LoadArguments
from pilgrim_rules.semantics.cells import Table, diff_cells, read_cells
from pilgrim_rules.semantics.chance import seeded
from pilgrim_rules.semantics.errors import BadState, IllegalMove, Refusal
from pilgrim_rules.semantics.moves import Move
from pilgrim_rules.semantics.python_values import Value
from pilgrim_rules.semantics.refusal import refusals
from pilgrim_rules.semantics.step import fingerprint
from pilgrim_rules.util.collection import without_collection

if TYPE_CHECKING:
    from pilgrim_rules.api.advice import Advice
    from pilgrim_rules.api.batch import Batch
    from pilgrim_rules.api.observations import Observations
    from pilgrim_rules.api.playouts import Playouts
    from pilgrim_rules.api.policies import PolicyChoice
    from pilgrim_rules.diagnostics.bag import Bag


class Game(Rules):
    """A game, loaded for a number of players; it makes states.

    core         its rules in the core language
    code         its rules as functions
    ghosts       whether the variables that only claims read are kept
    instance     what `load` was asked for; a trace carries it
    fingerprint  of the meaning of its rules
    pages        the page of each clause of the rulebook, if there is an inventory
    players      the players' names, in seating order, automata last
    people       those who decide for themselves
    automata     those for whom a policy of the rules acts
    """

    @cached_property
    def action_numbers(self) -> ActionNumbers:
        """The moves of players as whole numbers, with masks of what is legal."""
        return ActionNumbers(self)

    @cached_property
    def observations(self) -> Observations:
        """States as rows of numbers, as each player sees them; needs NumPy."""
        from pilgrim_rules.api.observations import Observations  # noqa: PLC0415  (needs NumPy)

        return Observations(self)

    def start(self, seed: int | None = None) -> State:
        """Return the first state in which somebody has to decide.

        With a seed, a random generator decides chance, now and after each move; the same seed gives the same game on every
        machine. Without a seed, chance is left to the caller: `state.to_move` is `chance`, and `state.outcomes()` are the
        moves.
        """
        data, rng = self.runner.settle(self.code.start, None if seed is None else seeded(seed), [])
        return State(self, data, rng)

    def playouts(
        self,
        games: int,
        *,
        seed: int = 0,
        start: State | None = None,
        policy: PolicyChoice = "random",
        seats: Mapping[str, str] | None = None,
        longest: int | None = None,
        threads: int = 1,
    ) -> Playouts:
        """Play whole games, from the start or from a state, and return what came of them.

        Game number k is decided by `seed + k`, chance included. `longest` ends a game after this many decisions. A policy is `random`,
        `greedy` (most points after the move), `swarm` (at random, with weights of the actions drawn again for each game), `mcts` or
        `mcts:500` (tree search, with this many games in thought before each decision) or a weight for some actions; `seats` gives some
        players another one: `seats={"blue": "mcts"}`. With `wasmtime` installed (`pip install pilgrim-rules[native]`) about fifty times
        faster, and threads run side by side; results are the same without it. `Contradiction` if the rules contradict themselves.
        """
        from pilgrim_rules.api.playouts import playouts  # noqa: PLC0415  (most games are played one at a time)
        from pilgrim_rules.api.policies import chosen_policy  # noqa: PLC0415  (the same)

        data, chosen = None if start is None else start.data, chosen_policy(self, policy, seats)
        return playouts(self, games, seed=seed, start=data, policy=chosen, longest=longest, threads=threads)

    def batch(self, games: int, *, seed: int = 0, start: State | None = None, observe: bool = False) -> Batch:
        """Return games that are played side by side, step by step, with their states, legal moves and observations as NumPy arrays.

        Game number k is decided by `seed + k`, as in `playouts`. A batch works for one thread at a time; several batches in several
        threads run side by side. Results are the same with `wasmtime` and without it.
        """
        from pilgrim_rules.api.batch import Batch  # noqa: PLC0415  (needs NumPy)

        return Batch(self, games, seed=seed, start=None if start is None else start.data, observe=observe)

    def perft(self, depth: int, *, start: State | None = None) -> int:
        """Return how many plays of exactly this many decisions there are, of players and of chance.

        Two implementations of the same rules must agree on it, and a difference says how deep to look.
        """
        from pilgrim_rules.api.playouts import perft  # noqa: PLC0415  (as above)

        return perft(self, depth, None if start is None else start.data)

    def state_from_json(self, data: str | dict[str, Any], *, stale_ok: bool = False) -> State:
        """Return the state that JSON describes; `BadState` if it describes none of this game.

        A state of other rules is refused unless `stale_ok`, and then read as far as its variables fit.
        """
        found = state_json.loads(data) if isinstance(data, str) else data
        return State(self, *state_json.read(self, found, stale_ok=stale_ok))

    def state_from_bytes(self, data: bytes, rng: int | None = None) -> State:
        """Return the state with these bytes; `BadState` if they are none of this game."""
        try:
            self.layout.decode(data)
        except ValueError as problem:
            raise BadState(str(problem)) from None
        return State(self, bytes(data), rng)

    def __reduce__(self) -> tuple[object, ...]:
        return load_instance, (self.instance, self.ghosts, self.fingerprint)

    def _repr_html_(self) -> str:
        chosen = self.instance["rulings"] or {}
        rows = {
            "players": ", ".join(self.players),
            "actions": ", ".join(self.actions),
            "readings": ", ".join(f"{ruling} = {option}" for ruling, option in chosen.items()) or "the defaults",
            "rules": self.fingerprint[:16],
        }
        cells = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
        return f"<table><caption>{escape(self.title)}</caption>{cells}</table>"


class State(Pictured):
    """A position of a game.

    Two states are equal if they are of the same game and every variable has the same value. `rng`, the state of the
    generator that resolves chance, travels along and takes no part in this: it says what will happen, not what is.
    """

    __slots__ = ("_data", "_game", "_rng")

    def __init__(self, game: Game, data: bytes, rng: int | None = None) -> None:
        self._game = game
        self._data = data
        self._rng = rng

    @property
    def game(self) -> Game:
        """The game it belongs to."""
        return self._game

    @property
    def data(self) -> bytes:
        """The position as bytes; `game.layout` says what lies where."""
        return self._data

    @property
    def rng(self) -> int | None:
        """The generator's state, or None if chance is left to the caller."""
        return self._rng

    # -------------------------------------------------------------------------------------------------------- the turn

    @property
    def to_move(self) -> str | None:
        """Who decides: a player's name, `chance`, or None if the game is over.

        Only a state that was not reached by playing (read from a file, or inside a trace) can also say `auto`.
        """
        return self.game.runner.decider(self.data)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._game.runner.row(self._data).kind == "nobody"

    @property
    def stage(self) -> str:
        """The stage of the game, such as `sowing`."""
        return self._game.runner.row(self._data).stage.name

    def moves(self) -> list[Move]:
        """Return every legal move, in the order of the actions in the rules."""
        return self._game.runner.moves(self._data)

    def outcomes(self) -> list[tuple[Move, Fraction]]:
        """Return the possible outcomes of chance with their probabilities; empty if chance is not to move."""
        runner = self.game.runner
        if runner.row(self.data).kind != "chance":
            return []
        lottery = runner.chance_outcomes(self.data)
        total = sum(weight for _, weight in lottery)
        return [(runner.book.move(coded), Fraction(weight, total)) for coded, weight in lottery]

    def play(self, *moves: str) -> State:
        """Return the state after the moves, given as `Move` or as text; automatic actions have happened too.

        `BadMove` if a text spells no move, `IllegalMove` if it is not allowed, `Contradiction` if the rules
        contradict themselves.
        """
        runner, data, rng = self._game.runner, self._data, self._rng
        for move in moves:
            coded = runner.book.codes(move)
            if not runner.allows(data, coded):
                raise State(self.game, data, rng).illegal(move)
            data, rng = runner.make(data, coded, rng, [])
        return State(self._game, data, rng)

    def why_not(self, move: str) -> list[Refusal]:
        """Return every reason why the move is not allowed now; empty if it is allowed."""
        game = self.game
        number, args = game.runner.book.codes(move)
        return refusals(game.declared, game.layout.decode(self.data), game.core.actions[number], args, game.pages)

    def illegal(self, move: str) -> IllegalMove:
        """Return the exception that refuses a move, with every reason."""
        book = self.game.runner.book
        return IllegalMove(str(book.move(book.codes(move))), tuple(self.why_not(move)))

    def advise(self, iterations: int = 400, *, seconds: float | None = None, seed: int = 0) -> Advice:
        """Return the move that a tree search would make, and what it thinks of each; with `seconds`, of what fits into them.

        The same seed and number of iterations give the same advice on every machine. Where there are secrets, the search begins in
        states that look the same to the player, as `resample` draws them. ValueError if no player decides here.
        """
        from pilgrim_rules.api.advice import Adviser  # noqa: PLC0415  (seldom asked for)

        return Adviser(self.game, iterations, seconds).advise(self, seed)

    # ------------------------------------------------------------------------------------------------------- the score

    def scores(self) -> dict[str, Score]:
        """Return the score of each player, with its parts; it is defined in every state."""
        return {name: score(self.game.code, self.data, player) for player, name in enumerate(self.game.players)}

    @property
    def ranking(self) -> list[list[str]]:
        """The players from first to last, tie-breaks applied; those who still tie stand together."""
        return [[self.game.players[player] for player in tied] for tied in ranking(self.game.code, self.data)]

    def winners(self) -> list[str]:
        """Return who has won: several players if they share the victory, nobody before the end."""
        return self.ranking[0] if self.over and self.game.core.score is not None else []

    # ---------------------------------------------------------------------------------------------------- the position

    def __getitem__(self, key: str | tuple[object, ...]) -> Value | Table:
        """Return a variable by the name the rules give it: `state["piety", "red"]`, or a table as a dictionary."""
        name, *index = key if isinstance(key, tuple) else (key,)
        return read_cells(self.game.layout, self.data, str(name), tuple(index))

    def ask(self, definition: str, *arguments: object) -> Value:
        """Return the value of a definition of the rules: `state.ask("standing", "red", "n")`."""
        return ask(self.game.code, self.data, definition, arguments)

    def diff(self, other: State) -> dict[str, tuple[Value, Value]]:
        """Return the cells that differ, `piety[red]`, each with its value here and in the other state."""
        return diff_cells(self.game.layout, self.data, other.data)

    def view(self, player: str | None) -> View:
        """Return what a player may see of the state; None for somebody who only watches."""
        return View(self, player)

    def resample(self, player: str, seed: int) -> State:
        """Return a state that looks the same to the player, drawn among all such states that satisfy the invariants.

        It depends on nothing that the player does not see. `Trace.resample` also reckons with how the play came here.
        `CannotSample` if no state was found within the bound.
        """
        return State(self.game, self.view(player).sample(seed), None)

    @property
    def fingerprint(self) -> str:
        """A hash of the position, without ghost variables; the same on every machine."""
        return fingerprint(self.data[: self.game.layout.plain])

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the state as JSON; `schemas/state.schema.json` describes it."""
        return state_json.dumps(state_json.form(self.game, self.data, rng=self.rng), indent)

    @staticmethod
    def from_json(text: str) -> State:
        """Return the state that a JSON text describes, loading its game; `BadState` if it describes none."""
        data = state_json.loads(text)
        return load(**state_json.instance(data)).state_from_json(data)

    def _seen(self) -> tuple[State, None]:
        return self, None

    # ----------------------------------------------------------------------------------------------------- being a value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._data == other._data and self._game == other._game

    def __hash__(self) -> int:
        return hash(self._data)

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: Mapping[int, object]) -> State:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return State, (self.game, self.data, self.rng)

    def __repr__(self) -> str:
        return f"<State of {self.game.name}: {self.stage}, {self.to_move or 'over'}, {self.fingerprint}>"


def games() -> tuple[str, ...]:
    """Return the names of the games that can be loaded by name: the shipped ones, and those in the folders of PILGRIM_SPEC."""
    return find_game.names()


@without_collection()  # what is made stays
def load(
    name: str | Path,
    players: int | None = None,
    rulings: Mapping[str, str] | None = None,
    edition: str | None = None,
    map: str | None = None,  # noqa: A002  (the word the rules use)
    *,
    options: Mapping[str, str] | None = None,
    preset: str | None = None,
    ghosts: bool = False,
) -> Game:
    """Load a game by its name, its folder or its file.

    players   number of players (default: as the rules say, else the fewest they allow)
    rulings   options of rulings by name (default: those of the preset, or of the rules)
    options   what the players choose when they set up, by name (default: as the rules say)
    preset    a named set of rulings, such as that of an edition
    edition   the name of an edition that the rules declare, or a file with the data of another
    map       a map that the game brings along, by its name, or a file with another
    ghosts    keep ghost variables, which only claims read

    `RulesError` if the rules cannot be used.
    """
    from pilgrim_rules.language import checked_cache, find_game  # noqa: PLC0415  (takes time to import)
    from pilgrim_rules.language.load import load_rules  # noqa: PLC0415  (the same)

    files = tuple(str(each) for each in find_game.find(name))
    choices = (sorted_items(rulings), sorted_items(options), preset, edition, map, ghosts)
    key = (os.getcwd(), os.fspath(name), files, players, *choices)  # noqa: PTH109  (only compared)
    known = _loaded.get(key)
    if known is not None and checked_cache.unchanged(known[1]):
        return known[0]
    loaded = load_rules(
        name, players=players, rulings=rulings, options=options, preset=preset, edition=edition, map=map
    )
    core = loaded.game
    presets = {each.name: dict(each.choices) for each in core.presets}
    by_preset = {**presets.get(edition or "", {}), **presets.get(preset or "", {})}
    chosen = {**by_preset, **(rulings or {}), **(options or {})}  # spelled out: a trace does not depend on the preset
    of_players = {each.name for each in core.options}
    asked = LoadArguments(
        name=os.fspath(name),
        players=core.players,
        rulings={key: value for key, value in chosen.items() if key not in of_players} or None,
        options={key: value for key, value in chosen.items() if key in of_players} or None,
        edition=edition,
        map=map,
    )
    game = Game(loaded.game, ghosts=ghosts, instance=asked, pages=loaded.pages)
    _loaded.put(key, (game, loaded.bag))
    _by_instance.put(instance_key(asked, ghosts, game.fingerprint), game)
    return game


_loaded: Remembered[tuple[Game, Bag]] = Remembered()  #: by what was asked for, with what was read for it
_by_instance: Remembered[Game] = Remembered()  #: by what a pickled state says of its game


def load_instance(instance: LoadArguments, ghosts: bool = False, fingerprint: str = "") -> Game:  # noqa: FBT001, FBT002  (called by pickle)
    """Return the game that an instance describes: one with the same fingerprint that was loaded before, or loaded now."""
    known = _by_instance.get(instance_key(instance, ghosts, fingerprint))
    return load(**instance, ghosts=ghosts) if known is None else known
