"""Something dear that is made once in a run of the tests, also where several processes share the work."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[], Any]) -> Any:
    """Return what `make` returns, which JSON can hold; whoever comes first makes it, the others wait.

    What cannot be made is not tried again: everybody is told why.
    """
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each process has a folder of its own, in one that they share
        folder = folder.parent
    kept = folder / f"{name}.json"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            try:
                result = {"made": make()}
            except (AssertionError, OSError, subprocess.SubprocessError) as error:
                result = {"failed": f"{type(error).__name__}: {error}"}
            kept.write_text(json.dumps(result), "utf-8")
    result = json.loads(kept.read_text("utf-8"))
    assert "made" in result, result.get("failed")
    return result["made"]


def built_docs(factory: pytest.TempPathFactory) -> Path:
    """Return the documents, built where `make docs` builds them: what is up to date there is not built again."""
    docs = Path(__file__).parents[2] / "docs"
    return Path(once(factory, "docs", lambda: str(_build(docs))))


def _build(docs: Path) -> Path:
    out = docs / "_build" / "html"
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-j", "2", "-b", "html"]
    built = subprocess.run([*command, str(docs), str(out)], capture_output=True, text=True, check=False)
    if built.returncode != 0:
        shutil.rmtree(out, ignore_errors=True)  # the next build must not pass over what was wrong
        raise AssertionError(built.stderr)
    return out
