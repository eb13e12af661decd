"""One play in the terminal: shows the board, asks, plays, until the game is over or somebody leaves.

Reads:  lines of input.   Writes: the screen; files that the player asks for.
After:  a mistake in the input changes nothing and is explained; leaving is possible at every question. Whoever is asked
        is shown only what a view of that player shows: of the others' moves nothing that may not be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pilgrim_rules.api.game import State
from pilgrim_rules.api.policies import veiled_variables
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.api.view import View
from pilgrim_rules.cli.seats import Robots, Seat
from pilgrim_rules.cli.terminal_views import changed_cells, numbered_moves, rule_steps, state_tables
from pilgrim_rules.core.footprint import writes
from pilgrim_rules.core.ir import Variable
from pilgrim_rules.core.live_variables import live_variables
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.figures import board_text, undrawn_variables
from pilgrim_rules.semantics.errors import BadMove, Contradiction, IllegalMove, RulesGameError
from pilgrim_rules.semantics.moves import Move
from pilgrim_rules.semantics.step import AUTO

MOST_MOVES = 60  #: longer lists are shown when asked for

HELP = """\
  NUMBER or MOVE   play a move, by its number or as text
  why MOVE         every reason why a move is not allowed
  info ACTION      the rule of an action, step by step
  moves            all legal moves
  board            the whole position
  undo             back to your decision before
  save FILE        write the game so far
  load FILE        go on with a saved game
  quit             leave"""


@dataclass
class Session:
    """A play, who sits where, and the terminal. `ask` gives one line of input, or raises EOFError."""

    trace: Trace
    seats: Mapping[str, Seat]
    robots: Robots
    console: Console
    ask: Callable[[str], str]
    moves: list[Move] = field(default_factory=list)  #: as they are numbered on the screen
    told: dict[str | None, int] = field(default_factory=dict)  #: how many steps each person was told; None: all of them
    seen: dict[str | None, State] = field(default_factory=dict)  #: what each player was shown last
    before: State | None = None  #: what the player to move was shown before this question
    asked: str | None = None  #: who was asked last: who goes on is shown only what has changed
    matters: dict[int, frozenset[str]] = field(default_factory=dict)  #: for each stage, what can still matter
    left: bool = False
    contradicted: bool = False  #: whether a move has shown that the rules contradict themselves

    def run(self) -> None:
        """Play until the game is over or the player leaves."""
        while not self.left:
            state = self.trace.state
            seat = self.seats.get(state.to_move or "")
            if seat is not None and seat != "human":
                self.trace.play(self.robots.choose(seat, state))
                continue
            if self._changes_hands(state.to_move) and not self._hand_over(state.to_move):
                return
            self._show()
            if state.over and "human" not in self.seats.values():
                return
            # Until the position changes, the question is asked again.
            while self.trace.state is state and not self.left:
                self._obey(state.to_move)

    # ---------------------------------------------------------------------------------------------------------- showing

    def _show(self) -> None:
        self._show_steps_since()
        state = self.trace.state
        self.before = self.seen.get(state.to_move)
        self.seen[state.to_move] = state
        if self.before is not None and state.to_move is not None and self.asked == state.to_move:
            self._show_changes(self.before)
        else:
            self._board()
        self.asked = state.to_move
        self.moves = [] if state.over else state.moves()
        if state.over:
            self._result()
        else:
            self._say(f"{state.to_move} to move ({state.stage})", "bold")
            self._list(self.moves[:MOST_MOVES])
            if len(self.moves) > MOST_MOVES:
                self._say(f"… and {len(self.moves) - MOST_MOVES} more: `moves` lists them all", "dim")

    def _show_steps_since(self) -> None:
        """Say what has happened since the last question."""
        listener = self._viewer if self.veiled else None  # without secrets, all look at the same screen
        steps = self.trace.steps[self.told.get(listener, 0) : self.trace.at]
        for (by, name), group in groupby(steps, key=lambda step: (step.by, action_name(step.move))):
            seat = self.seats.get(by)
            who = "" if by == AUTO else f"{by}: " if seat in (None, "human") else f"{by} ({seat}): "
            moves = [str(step.move) for step in group]
            hidden = name in self.veiled_actions and by != self._viewer
            what = f"{_times(name, len(moves))}, hidden" if hidden else _join_moves(name, moves)
            self._say(f"  {who}{what}", "dim")
        self.told[listener] = self.trace.at

    @cached_property
    def veiled(self) -> frozenset[str]:
        """The variables of which not everybody may see every cell."""
        return veiled_variables(self.trace.game.core)

    @cached_property
    def veiled_actions(self) -> frozenset[str]:
        """The actions that write what not everybody may see: their arguments are told only to whoever chose them."""
        return frozenset(each.name for each in self.trace.game.core.actions if self.veiled & writes(each.body))

    @cached_property
    def humans(self) -> tuple[str, ...]:
        """The players who are people."""
        return tuple(player for player, seat in self.seats.items() if seat == "human")

    @property
    def _viewer(self) -> str | None:
        """Who looks at the screen: the only person, or else the person to move; None if several may look."""
        if len(self.humans) == 1:
            return self.humans[0]
        mover = self.trace.state.to_move
        return mover if mover in self.humans else None

    def _changes_hands(self, player: str | None) -> bool:
        """Tell whether another person is to look at the screen, in a game in which not everybody may see everything."""
        return player in self.humans and self.asked not in (None, player) and bool(self.veiled)

    def _hand_over(self, player: str | None) -> bool:
        """Clear the screen and wait for the next person; return whether there is one."""
        self.console.clear()
        try:
            self.ask(f"{player}: press Enter when only you can see the screen ")
        except EOFError:
            self.console.print()
            return False
        return True

    def _board(self) -> None:
        view = self._view()
        drawn = board_text(self.trace.state, view.observer)
        if drawn:
            self._say(f"{drawn}\n")
        start = self.trace.states[0].view(view.player)
        before = None if self.before is None else self.before.view(view.player)
        self.console.print(state_tables(self._variables(), view, start, before=before, width=self.console.width))

    def _show_changes(self, before: State) -> None:
        """Show what a player's own decision has changed; `board` shows the whole."""
        view = self._view()
        drawn = board_text(self.trace.state, view.observer, before)
        if drawn:
            self._say(drawn)
        told = changed_cells(self._variables(), view, before.view(view.player))
        if told:
            self.console.print(told)

    def _view(self) -> View:
        return self.trace.state.view(self._viewer)

    def _variables(self) -> list[Variable]:
        """Return the variables that no figure shows and that can still matter."""
        state = self.trace.state
        matter = self._matter(state)
        return [each for each in undrawn_variables(state.game) if each.name != "stage" and each.name in matter]

    def _matter(self, state: State) -> frozenset[str]:
        """Return the variables that can still matter; at the end all do."""
        core = state.game.core
        if state.over:
            return frozenset(each.name for each in core.variables)
        stage = state.game.runner.row(state.data).stage.code
        if stage not in self.matters:
            self.matters[stage] = live_variables(core, stage)
        return self.matters[stage]

    def _list(self, moves: list[Move]) -> None:
        self.console.print(numbered_moves(self.trace.game.core, moves))

    def _result(self) -> None:
        state = self.trace.state
        winners = state.winners()
        self._say(f"The game is over. {self._verdict(winners)}", "bold")
        if state.game.core.score is None:
            return
        scores = state.scores()
        table = Table("", box=None)
        for player in scores:
            table.add_column(Text(player), justify="right")
        parts = next(iter(scores.values())).parts
        for label in parts:
            table.add_row(Text(label), *(str(score.parts[label]) for score in scores.values()))
        table.add_row("Total", *(str(score.total) for score in scores.values()), style="bold")
        self.console.print(table)

    def _verdict(self, winners: list[str]) -> str:
        if not winners:
            return "Nobody is named the winner."
        return f"{winners[0]} wins." if len(winners) == 1 else f"{' and '.join(winners)} share the victory."

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style))

    # --------------------------------------------------------------------------------------------------------- obeying

    def _obey(self, player: str | None) -> None:
        """Ask for one line and do what it says."""
        try:
            line = self.ask(f"{player or 'over'}> ").strip()
        except EOFError:
            self.console.print()
            self.left = True
            return
        word, _, rest = line.partition(" ")
        match word.lower(), rest.strip():
            case "", _:
                pass
            case "help" | "?", "":
                self._say(HELP)
            case "quit" | "exit" | "q", "":
                self.left = True
            case "board", "":
                self._board()
            case "moves", "":
                self._list(self.moves)
            case "undo", "":
                self._undo()
            case ("why" | "info" | "save" | "load") as command, "":
                self._say(f"`{command}` needs an argument; see `help`", "yellow")
            case "why", move:
                self._try(lambda: self._why(move))
            case "info", action:
                self._try(lambda: self.console.print(rule_steps(self.trace.game.core, action_name(action))))
            case "save", path:
                self._try(lambda: self._save(path))
            case "load", path:
                self._try(lambda: self._load(path))
            case _:  # no command: a move
                self._try(lambda: self._make(line))

    def _try(self, act: Callable[[], object]) -> None:
        """Do something that can be refused; nothing has changed if it is."""
        try:
            act()
        except IllegalMove as refused:
            self._say(f"`{refused.move}` is not allowed:", "yellow")
            for reason in refused.refusals:
                self._say(f"  {reason}")
        except Contradiction as problem:
            self._say(f"the rules contradict themselves: {problem.breach.says}", "red")
            self.contradicted = True
        except (RulesGameError, ValueError) as problem:
            self._say(str(problem), "yellow")

    def _make(self, text: str) -> None:
        """Make a move; of one that is only begun (`take`, `take(red`) list how it may go on."""
        try:
            self.trace.play(self._move(text))
        except BadMove as problem:
            self._say(str(problem), "yellow")
            begun = text.rstrip(" ?_,")
            for number, move in enumerate(self.moves, 1):
                if str(move).startswith(begun) and begun:
                    self._say(f"  {number} {move}")

    def _move(self, text: str) -> str:
        """Return the move that a number or a text stands for."""
        if not text.isdecimal():
            return text
        short = text.lstrip("0")[:9] or "0"
        if not 1 <= int(short) <= len(self.moves):
            raise ValueError(f"there is no move {short}: choose 1 to {len(self.moves)}, or `help`")
        return self.moves[int(short) - 1]

    def _why(self, move: str) -> None:
        reasons = self.trace.state.why_not(move)
        self._say("\n".join(f"  {reason}" for reason in reasons) or "  it is allowed")

    def _undo(self) -> None:
        """Go back to the last decision of a person; robots decide again from there."""
        trace = self.trace
        decisions = [at for at in range(trace.at) if self.seats.get(trace.steps[at].by) == "human"]
        if not decisions:
            self._say("there is no decision of yours to undo", "yellow")
            return
        trace.at = decisions[-1]
        self._all_told()
        self.seen.clear()
        self.asked = None
        del trace.steps[trace.at :], trace.states[trace.at + 1 :]

    def _save(self, path: str) -> None:
        try:
            self.trace.save(path)
        except OSError as problem:
            raise ValueError(f"cannot write `{path}`: {problem.strerror}") from None
        self._say(f"saved in {path}", "dim")

    def _load(self, path: str) -> None:
        self.trace = Trace.load(path).replay(self.trace.game)
        self._all_told()
        self.seen.clear()
        self.asked = None

    def _all_told(self) -> None:
        """Take what happened until here as known."""
        self.told = dict.fromkeys((None, *self.humans), self.trace.at)


def _join_moves(name: str, moves: list[str]) -> str:
    """Return moves of one action that follow each other, such as the deals of a set-up, as one text."""
    arguments = [move.removeprefix(name)[1:-1] for move in moves]
    if len(moves) == 1 or not any(arguments):
        return _times(moves[0], len(moves))
    return f"{name}: {', '.join(each or name for each in arguments)}"


def _times(text: str, times: int) -> str:
    return text if times == 1 else f"{text} × {times}"
