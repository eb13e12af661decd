import pytest


def pytest_addoption(parser):
    parser.addoption("--accept", action="store_true", help="write golden files anew instead of comparing with them")


@pytest.fixture
def accept(request):
    """Whether golden files are to be written anew."""
    return request.config.getoption("accept")
