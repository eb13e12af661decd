"""Cluster: somebody else's machines as an executor. The only file that knows Dask.

Reads:  the address of a running scheduler.   Writes: an `Executor` for as long as it is wanted.
After:  whoever does not answer within a few seconds is refused with a reason. A worker that dies loses nothing: its work
        goes to another; work that has killed several workers is a `BrokenExecutor`. Whatever holds a game is sent once.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from socket import create_connection, socket
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
T = TypeVar("T")

#: Seconds within which a scheduler answers, and within which it has a worker.
ANSWER, WORKERS = 5.0, 4.0
#: Seconds between two looks at the workers, and without any, until we give up.
LOOK, DESERTED = 2.0, 30.0

#: A scheduler's first message is shorter than this.
GREETING = 1 << 16


class NoCluster(Exception):
    """There is no cluster to work with; the message says why."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """What is shown and believed on an encrypted line: files with whom to trust, our own certificate and its key."""

    authority: str
    own: str
    key: str


@contextmanager
def connected(address: str, certificates: Certificates | None = None) -> Iterator[Cluster]:
    """Return the cluster at an address, such as `tcp://10.0.0.1:8786`, or `tls://10.0.0.1:8786` with certificates.

    Without certificates, those in the configuration of Dask are used for an encrypted line.
    """
    if certificates is not None and not address.startswith("tls://"):
        raise NoCluster(f"certificates are for encrypted lines: tls://…, not {address}")
    _must_answer(address)
    try:
        import distributed  # noqa: PLC0415  (an extra, and slow to load)
    except ModuleNotFoundError:
        raise NoCluster("Dask is not installed; install it with: pip install 'pilgrim-rules[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is said by us
    security = None
    if certificates is not None:
        files = {"tls_client_cert": certificates.own, "tls_client_key": certificates.key}
        security = distributed.Security(tls_ca_file=certificates.authority, **files, require_encryption=True)
    try:
        client = distributed.Client(address, timeout=ANSWER, set_as_default=False, security=security)
    except (OSError, TypeError, ValueError) as problem:  # TypeError: no certificates for an encrypted line
        raise NoCluster(f"no scheduler answers at {address}: {problem}") from None
    try:
        client.wait_for_workers(1, timeout=WORKERS)
    except TimeoutError:
        client.close(timeout=1)
        raise NoCluster(f"the scheduler at {address} has no workers") from None
    cluster = Cluster(client, distributed.KilledWorker)
    try:
        yield cluster
    finally:
        cluster.shutdown()


def _must_answer(address: str) -> None:
    """Refuse an address at which nobody speaks: Dask itself waits for whoever accepts a connection and says nothing."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port or not address.startswith(("tcp://", "tls://")):
        raise NoCluster(f"`{address}` is no address of a cluster; one looks like tcp://10.0.0.1:8786")
    try:
        with create_connection((host, port), timeout=ANSWER) as line:
            greeted = address.startswith("tls") or _is_scheduler(line)  # under TLS the client speaks first
    except TimeoutError:
        greeted = False
    except OSError as problem:
        raise NoCluster(f"no scheduler answers at {address}: {problem.strerror or problem}") from None
    if not greeted:
        raise NoCluster(f"whoever listens at {address} does not answer as a scheduler does")


def _is_scheduler(line: socket) -> bool:
    """Return whether the other side begins as a scheduler does: with a short message, its length in front."""
    deadline = monotonic() + ANSWER
    head = _received(line, 8, deadline)
    length = int.from_bytes(head, sys.byteorder)
    return len(head) == 8 and 0 < length <= GREETING and len(_received(line, length, deadline)) == length  # noqa: PLR2004


def _received(line: socket, count: int, deadline: float) -> bytes:
    """Return this many bytes, or fewer if the other side has no more; TimeoutError if it does not go on."""
    found = b""
    while len(found) < count:
        line.settimeout(max(0.01, deadline - monotonic()))
        more = line.recv(count - len(found))
        if not more:
            break
        found += more
    return found


class Cluster(Executor):
    """A Dask client as an executor of the standard library."""

    def __init__(self, client: Client, killed: type[Exception]) -> None:
        self._client = client
        self._killed = killed
        self._sent: dict[int, tuple[object, Any]] = {}
        self._waiting: dict[Future[Any], None] = {}
        self._closed = Event()
        Thread(target=self._watch, daemon=True).start()

    @property
    def size(self) -> int:
        """How many things can be done at the same time."""
        return max(1, int(sum(self._client.nthreads().values())))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand out a call."""
        there = [self._shared(each) if hasattr(each, "game") else each for each in args]
        mine: Future[T] = Future()
        self._waiting[mine] = None
        theirs = self._client.submit(fn, *there, **kwargs, pure=False)
        theirs.add_done_callback(lambda done: self._take(done, mine))
        return mine

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
        """Leave the cluster, which goes on without us; whatever is still under way is forgotten."""
        self._closed.set()
        self._client.close(timeout=2)

    def _shared(self, thing: Any) -> Any:
        """Return something large as a result of the cluster: it is sent once, and made again wherever it is lost."""
        if id(thing) not in self._sent:
            self._sent[id(thing)] = (thing, self._client.submit(_identity, thing, pure=False))
        return self._sent[id(thing)][1]

    def _take(self, done: Any, mine: Future[T]) -> None:
        """Pass on how a call has ended."""
        if done.status == "finished":
            self._settle(mine, done.result(), None)
        elif done.status == "error" and not isinstance(done.exception(), self._killed):
            self._settle(mine, None, done.exception())
        else:
            self._settle(mine, None, BrokenExecutor("the workers that tried it have died"))

    def _settle(self, mine: Future[Any], result: object, problem: BaseException | None) -> None:
        if self._waiting.pop(mine, mine) is None and mine.set_running_or_notify_cancel():
            if problem is None:
                mine.set_result(result)
            else:
                mine.set_exception(problem)

    def _watch(self) -> None:
        """Give up what is waiting once there has been nobody to work for a while: nobody is to wait for ever."""
        deserted: float | None = None
        while not self._closed.wait(LOOK):
            if self._has_workers():
                deserted = None
                continue
            deserted = monotonic() if deserted is None else deserted
            if monotonic() - deserted > DESERTED:
                for each in list(self._waiting):
                    self._settle(each, None, BrokenExecutor("the cluster has no workers any more"))

    def _has_workers(self) -> bool:
        try:
            return self._client.status == "running" and bool(self._client.nthreads())
        except Exception:  # noqa: BLE001  (whatever a lost connection raises)
            return False


def _identity(thing: T) -> T:
    return thing
