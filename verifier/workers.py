"""Workers: obligations that are settled here, in another process, or on another machine.

Reads:  orders and an obligation.   Writes: its result.
After:  a process makes one session for the game it is asked about and keeps it until it is asked about another one; however
        many threads ask, one obligation is settled at a time.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass
from threading import Lock

from pilgrim_rules.core.ir import Game
from verifier.obligations import Obligation
from verifier.session import Result, Session
from verifier.settings import Settings


@dataclass(frozen=True, slots=True)
class Orders:
    """What a worker has to know besides the obligation."""

    game: Game
    settings: Settings


_lock = Lock()  # the solver's library is not for several threads
_session: Session | None = None  #: of this process


def prepare(orders: Orders) -> None:
    """Make the session of this process; one that fits is kept."""
    global _session  # noqa: PLW0603  (a session is what is dear about a process)
    fits = _session is not None and _session.game is orders.game and _session.settings == orders.settings
    if not fits:
        _session = Session(orders.game, orders.settings)


def begin(orders: Orders) -> None:
    """Make a process of our own ready. An interrupt ends it at once and silently: who leads the run keeps the results."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    prepare(orders)


def settle(orders: Orders | None, obligation: Obligation, hints: tuple[str, ...]) -> Result:
    """Settle an obligation; a process that has been prepared needs no orders."""
    with _lock:
        if orders is not None:
            prepare(orders)
        assert _session is not None, "a process is prepared, or it is told its orders"
        return _session.settle(obligation, hints)


def lost(orders: Orders, obligation: Obligation, why: str) -> Result:
    """Return that nothing is known of an obligation."""
    return Session(orders.game, orders.settings).abandoned(obligation, why)
