"""Command lines that make no sense: one message and exit code 2, whatever the command."""

import pytest
from hypothesis import strategies as st

from pilgrim_rules.cli.commands import ENTRIES
from tests.bad_input.answers import ask, everywhere, often

#: Commands that answer at once about any game; the others are asked only about what they must refuse.
QUICK = ["check", "fmt", "print", "explain", "coverage", "games", "play", "moves", "replay", "compile", "obligations"]
OPTIONS = [
    "--format", "--players", "--ruling", "--preset", "--edition", "--map", "--after", "--check", "--open", "--seat", "--seed",
    "--stale", "--itf", "--html", "--claim", "-q", "-n", "--number", "--longest", "--emit", "--ghosts", "--only", "--help", "-h",
    "--version", "--", "-", "--no-such-option", "-zz", "--format=json", "--players=2", "--players=-1",
]  # fmt: skip
WORDS = [
    "json", "text", "xml", "0", "2", "-1", "99999999999999999999", "1.5", "twice=often", "twice=x", "=", "x=", "red=random", "red=x",
    "lay(a1)", "roll(2)", "lay(", "PR101", "PR999", "PR", "", " ", "\u00e9", "\udcff", "a" * 3000, "lower", "types", "python",
]  # fmt: skip
PATHS = [
    "tracks.rules",
    "clauses.toml",
    "map.toml",
    ".",
    "/dev/null",
    "none.rules",
    "none",
    "nim",
    "tracks.rules/x",
    "binary.rules",
    "/",
]
BAD_GAMES = [
    "",
    "no such game",
    "none.rules",
    "clauses.toml",
    "binary.rules",
    "broken.rules",
    "/dev/null",
    "\udcff",
    "a" * 3000,
]
BAD_OPTIONS = [
    ["--no-such-option"], ["--players", "x"], ["--players", "0"], ["--players", "99"], ["--ruling", "x"], ["--ruling", "twice=x"],
    ["--preset", "x"], ["--map", "none.toml"], ["--map", "."], ["--edition", "binary.rules"], ["--format", "xml"],
    ["--seed", "x"], ["--games", "-1"], ["--jobs", "0"], ["--budget", "x"], ["--only"], ["a", "b", "c", "--x"],
]  # fmt: skip


@pytest.fixture(scope="module")
def here(shelf):
    """Stand in the folder of the game, beside a file that is no text and one that is no game."""
    (shelf / "binary.rules").write_bytes(bytes(range(256)))
    (shelf / "broken.rules").write_text("game broken\n    players 2..2\nstate\n    x : 0.. =\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(shelf)
        yield shelf


@often(80, 3_000)
def test_any_words_get_an_answer(here, examples):
    word = st.sampled_from(OPTIONS) | st.sampled_from(PATHS) | st.sampled_from(WORDS)

    @everywhere(st.tuples(st.sampled_from(QUICK), st.lists(word, max_size=5)), examples)
    def _(drawn):
        command, words = drawn
        if command == "fmt":
            words = ["--check", *words]  # the folder stays as it is
        if command in ("check", "fmt"):
            words = [*words, "tracks.rules"]  # without a name they would take every shipped game
        ask(command, *words, stdin=b"1\nwhy x\nquit\n")


@pytest.mark.parametrize("command", ENTRIES)
def test_every_command_refuses_a_game_that_cannot_be_read(here, command):
    more = ["--once"] if command == "watch" else []  # it waits for a file with mistakes to change
    for game in BAD_GAMES:
        if command not in ("explain", "games"):
            assert 2 == ask(command, game, *more).code


@pytest.mark.parametrize("command", ENTRIES)
def test_every_command_refuses_words_that_it_does_not_know(here, command):
    more = ["--once"] if command == "watch" else []
    for words in BAD_OPTIONS:
        answer = ask(command, "broken.rules", *words, *more)
        assert 2 == answer.code
        assert answer.err.strip() or "diagnostics" in answer.out or "mistake" in answer.out


@pytest.mark.parametrize("words", [[], ["no-such-command"], ["--x"], ["chekc"], [""], ["\udcff"], ["-"]], ids=str)
def test_a_command_that_does_not_exist_is_refused(words):
    assert 2 == ask(*words).code or not words


@pytest.mark.parametrize("lines", [b"", b"\xff\xfe\n", b"\0\n", b"9" * 5000 + b"\nquit\n", b"0000000019\nload /\nsave /\nload .\nquit\n",
                                   b"why\nwhy (\nwhy lay(\ninfo\ninfo x\nload /dev/null\nsave \0\nsave " + b"a" * 5000 + b"\n"],
                         ids=["nothing", "no text", "null", "a number without end", "folders", "halves"])  # fmt: skip
def test_any_input_gets_an_answer_in_play(here, lines):
    assert 0 == ask("play", "tracks.rules", "--seed", "1", stdin=lines).code


@often(25, 1_000)
def test_any_line_gets_an_answer_in_play(here, examples):
    word = st.sampled_from(
        ["why", "info", "undo", "moves", "board", "help", "1", "2", "lay(a1)", "load", "x", "why lay(b1)", "?", "0"]
    )
    line = st.lists(word, max_size=3).map(" ".join) | st.text(max_size=8)

    @everywhere(st.lists(line, max_size=6), examples)
    def _(lines):
        text = "\n".join(lines)
        ask("play", "tracks.rules", "--seed", "1", "--seat", "ann=random", stdin=text.encode("utf-8", "replace"))
