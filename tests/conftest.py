"""What all tests share."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import settings

from pilgrim_rules.util import text_cache
from tests.support.once import once
from tests.support.warm_cache import warm

# CI must say the same of the same text on every run; on a developer's machine and in `make soak` every run looks elsewhere.
# How long an example takes says nothing about it, so there is no deadline.
settings.register_profile("ci", derandomize=True, print_blob=True, deadline=None)
settings.register_profile("home", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "home")


def pytest_addoption(parser):
    parser.addoption("--accept", action="store_true", help="write golden files again instead of comparing with them")


@pytest.fixture
def accept(request):
    """Whether golden files are to be written again."""
    return request.config.getoption("accept")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """A cache of the test run, which all its processes share; verdicts of the user's are not in it, and it changes nothing there."""
    user = text_cache.folder()
    with pytest.MonkeyPatch.context() as patch:
        made = once(tmp_path_factory, "cache", lambda: str(warm(tmp_path_factory.mktemp("cache"), user)))
        patch.setenv("PILGRIM_CACHE", made)
        yield


@pytest.fixture(scope="session")
def wheel_site(tmp_path_factory):
    """Build the wheel and unpack it into a fresh folder; return that folder, to be put on PYTHONPATH."""
    folder = tmp_path_factory.mktemp("wheel")
    build = f"from hatchling.build import build_wheel; print(build_wheel({str(folder)!r}))"
    root = Path(__file__).parent.parent
    made = subprocess.run([sys.executable, "-c", build], cwd=root, capture_output=True, text=True, check=True)
    with zipfile.ZipFile(folder / made.stdout.strip()) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"
