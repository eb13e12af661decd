"""A headless Chromium that looks at built pages and tells what it sees, without any driver library."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
FLAGS = (
    *(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
    ),
    *("--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage"),
)
MISSING = "no Chromium here; on Debian: apt-get install chromium"


def chromium() -> str | None:
    """Return the browser, if there is one."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def need_chromium() -> None:
    """Skip the test where there is no browser, and say how to get one; in CI fail it."""
    if chromium() is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)


class _Handler(SimpleHTTPRequestHandler):
    """Serves the site, the page that looks at it, and the list of pages; takes what was seen."""

    asked: dict[str, Any]
    seen: dict[str, Any]
    done: threading.Event

    def do_GET(self) -> None:
        if self.path == "/look/":
            self._send((HERE / "look.html").read_bytes(), "text/html; charset=utf-8")
        elif self.path == "/look/axe.js":
            self._send(resources.files("axe_core_python").joinpath("axe.min.js").read_bytes(), "text/javascript")
        elif self.path == "/look/pages.json":
            self._send(json.dumps(self.asked).encode(), "application/json")
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self.seen.update(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self._send(b"", "text/plain")
        self.done.set()

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


def told(site: Path, place: str, *flags: str, asked: dict[str, Any] | None = None, patience: float) -> dict[str, Any]:
    """Open a page of a site in the browser, and return what it tells us by a POST, within some seconds."""
    need_chromium()
    seen: dict[str, Any] = {}
    done = threading.Event()
    kind = type("Handler", (_Handler,), {"asked": asked or {}, "seen": seen, "done": done})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(kind, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            url = f"http://127.0.0.1:{server.server_address[1]}/{place}"
            command = [str(chromium()), *FLAGS, *flags, f"--user-data-dir={profile}", "--remote-debugging-port=0", url]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            started = subprocess.Popen(command, env={**os.environ, "HOME": profile}, **quiet)
            try:
                assert done.wait(patience), "the browser did not answer"
            finally:
                started.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    started.wait(10)
        server.shutdown()
    assert "problem" not in seen, seen["problem"]
    return seen


def look(
    site: Path, pages: list[str], words: list[str], play: str, *, widths: Sequence[int], patience: float
) -> dict[str, Any]:
    """Open the pages at some widths and in both themes, search for words, and step through the play of a page.

    Return what was seen, with what axe found at the first and the last width, the titles that the search found for each word, and what
    the player showed.
    """
    asked = {"pages": [f"/{page}" for page in pages], "words": words, "play": f"/{play}", "widths": list(widths)}
    return told(site, "look/", "--window-size=1400,1000", asked=asked, patience=patience)


def printed_sheets(site: Path, page: str, folder: Path) -> int:
    """Return how many sheets a page takes on paper."""
    program = chromium()
    assert program is not None, MISSING
    printed = folder / "printed.pdf"
    kind = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(kind, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/{page}"
        command = [
            program,
            *FLAGS,
            f"--user-data-dir={folder}",
            "--no-pdf-header-footer",
            f"--print-to-pdf={printed}",
            url,
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=600, env={**os.environ, "HOME": str(folder)})
        server.shutdown()
    return len(re.findall(rb"/Type\s*/Page[^s]", printed.read_bytes()))
