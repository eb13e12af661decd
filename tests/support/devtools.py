"""A Chromium that is driven by the keyboard and asked what it tells screen readers, over a pipe, without any driver library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from tests.support.browser import FLAGS, chromium, need_chromium

#: What each key types besides its name, and its number.
KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), " ": (32, " "), "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, "")}  # fmt: skip
#: What a person can work with, by the roles that screen readers know.
CONTROLS = frozenset(
    {"button", "tab", "link", "combobox", "textbox", "DisclosureTriangle", "checkbox", "listbox", "slider"}
)
#: Becomes the browser, with its end of each pipe where it looks for them.
_WITH_PIPES = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for end, place in zip(ends, (3, 4)):
    os.dup2(end, place)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Heard(NamedTuple):
    """A part of a page as a screen reader has it."""

    role: str
    name: str
    focused: bool
    live: str


class Page:
    """A page of the browser."""

    def __init__(self, ask: int, answer: int) -> None:
        self._ask, self._answers = ask, answer
        self._last, self._rest, self._session = 0, b"", ""

    def attach(self) -> None:
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(each["targetId"] for each in targets if each["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Accessibility.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return what comes back."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        left = json.dumps(message).encode() + b"\0"
        while left:
            left = left[os.write(self._ask, left) :]
        while (told := json.loads(self._message())).get("id") != self._last:
            pass
        assert "error" not in told, told["error"]
        result: dict[str, Any] = told["result"]
        return result

    def _message(self) -> bytes:
        while b"\0" not in self._rest:
            more = os.read(self._answers, 1 << 20)
            assert more, "the browser has ended"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        return message

    def value(self, expression: str) -> Any:
        """Return what an expression of the page is, waiting for a promise."""
        told = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def wait_for(self, expression: str, seconds: float = 60) -> None:
        """Wait until an expression of the page is true."""
        until = time.monotonic() + seconds
        while not self.value(f"Boolean({expression})"):
            assert time.monotonic() < until, f"never came: {expression}"
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        code, text = KEYS[key]
        what: dict[str, Any] = {"key": key, "code": key if key != " " else "Space", "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **what)
        self.call("Input.dispatchKeyEvent", type="keyUp", **what)

    def heard(self) -> list[Heard]:
        """Return all of the page that a screen reader can come to, in order."""
        found = self.call("Accessibility.getFullAXTree")["nodes"]
        return [_heard(each) for each in found if not each.get("ignored")]

    def focus(self) -> Heard:
        """Return what has the focus: the last one, since the page around it has it too."""
        return [each for each in self.heard() if each.focused][-1]

    def spoken(self) -> str:
        """Return what live regions say now."""
        return str(
            self.value(
                "[...document.querySelectorAll('[aria-live], [role=status]')].map((each) => each.innerText).join(' | ')"
            )
        )


def _heard(node: dict[str, Any]) -> Heard:
    said = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
    name = str(node.get("name", {}).get("value", "")).strip()
    return Heard(str(node["role"]["value"]), name, bool(said.get("focused")), str(said.get("live", "")))


@contextmanager
def opened(url: str) -> Iterator[Page]:
    """Open a page in a browser of its own."""
    need_chromium()
    asked, ask = os.pipe()
    answer, answered = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [str(chromium()), *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-pipe", url]
        started = subprocess.Popen(
            [sys.executable, "-c", _WITH_PIPES, str(asked), str(answered), *command],
            env={**os.environ, "HOME": profile},
            pass_fds=(asked, answered),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(asked)
        os.close(answered)
        try:
            page = Page(ask, answer)
            page.attach()
            yield page
        finally:
            started.terminate()
            with suppress(subprocess.TimeoutExpired):
                started.wait(10)
            os.close(ask)
            os.close(answer)
