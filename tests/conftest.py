"""What all tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# CI must say the same of the same text on every run; on a developer's machine and in `make soak` every run looks elsewhere.
settings.register_profile("ci", derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_addoption(parser):
    parser.addoption("--accept", action="store_true", help="write golden files anew instead of comparing with them")


@pytest.fixture
def accept(request):
    """Whether golden files are to be written anew."""
    return request.config.getoption("accept")
