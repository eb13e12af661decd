"""The page that plays a game, in a real browser: the moves, refusals and searches of the library, with nothing but the page."""

import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from pilgrim_rules import load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.engine.python.compile import Compiled, source
from pilgrim_rules.figures.layer_items import changing_items
from pilgrim_rules.language import find_game
from pilgrim_rules.play_pages.page_game import changing_layers, page_game, refusal_name
from pilgrim_rules.play_pages.playable import page
from pilgrim_rules.play_pages.positions import position_text
from pilgrim_rules.prose.moves import say_move
from tests.support.browser import told

HERE = Path(__file__).parent

in_browser = pytest.mark.browser


def drive(html, script):
    """Return what a script sees that plays with a page in the browser."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "page.html").write_text(html)
        Path(folder, "script.js").write_text(script)
        shutil.copy(HERE / "look.html", folder)
        return told(Path(folder), "look.html", patience=600)


#: Plays random games in the page; tells the moves, what they lead to and what the layers show, for the library to compare.
PLAYS = """
for (const seat of table.seats) seat.value = "person";
const rules = table.rules, plays = [];
for (const seed of [1, 2]) {
  table.begin(seed);
  const steps = [];
  for (let n = 0; n < 25 && !rules.over; n += 1) {
    const legal = rules.moves().map((move) => rules.say(move));
    const move = rules.random();
    const items = rules.about.layers.map((layer) => rules.layer(layer).length);
    steps.push({ legal, at: rules.moves().indexOf(move), items, player: rules.player });
    rules.play(move);
  }
  const end = rules.take();
  const same = rules.fromText(rules.toText(end));
  plays.push({ seed, steps, end: [...end.bytes], text: rules.toText(end), again: [...same.bytes], points: rules.scores(), winners: rules.winners() });
}
return { plays };
"""


@in_browser
@pytest.mark.parametrize("name", ["kuhn_poker", pytest.param("pilgrim", marks=pytest.mark.slow), "pig"])
def test_the_page_plays_as_the_library_does(name):
    game = load(name)

    seen = drive(page(game), PLAYS)

    for play in seen["plays"]:
        state = game.start(play["seed"])
        for step in play["steps"]:
            moves = state.moves()
            assert [in_words(game, move) for move in moves] == step["legal"]
            assert game.players[step["player"]] == state.to_move
            assert drawn(state) == step["items"]
            state = state.play(moves[step["at"]])
        assert list(state.data) == play["end"] == play["again"]
        assert position_text(game, state.data)[22:] == play["text"][22:]  # the generators stand first
        assert state.winners() == play["winners"]
        if game.core.score is not None:
            assert [float(score.total) for score in state.scores().values()] == [sum(each) for each in play["points"]]


def in_words(game, move):
    number, args = game.runner.book.codes(move)
    return say_move(game.core.actions[number], args)


@cache
def with_layers(core):
    """Return the game of a page, compiled to Python."""
    asked = page_game(core)
    return Compiled(asked, source(asked))


def drawn(state):
    """Return how many items each layer has that shows something of the state, those left out that show nothing."""
    game = state.game
    code = with_layers(game.core)
    actions = code.game.actions[len(game.core.actions) :]
    return [len(code.legal_of[code.game.actions.index(action)](state.data)) for action in actions]


TOUCHES = """
const square = (name) => [...page.querySelectorAll(".pr-place")].find((each) => each.getAttribute("aria-label").startsWith(name));
const press = (node, key) => node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const click = (node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
const button = (name) => [...page.querySelectorAll("button")].find((each) => each.textContent === name);
for (const seat of table.seats) seat.value = "person";
table.begin(1);
click(square("(2, 2)"));
press(square("(1, 1)"), "Enter");
const marks = page.querySelectorAll(".pr-items > g").length;
const before = page.querySelector(".pr-turn").textContent;
click(square("(2, 2)"));
const why = page.querySelector(".pr-why").textContent;
const buttons = page.querySelectorAll(".pr-moves button").length;
const label = square("(2, 2)").getAttribute("aria-label");
const focusable = page.querySelectorAll(".pr-place.pr-legal[tabindex='0']").length;
square("(3, 3)").focus();
press(square("(3, 3)"), "ArrowUp");
const focus = page.activeElement.getAttribute("aria-label");
button("Share").click();
const link = page.querySelector(".pr-why input").value;
button("Undo").click();
const undone = page.querySelectorAll(".pr-items > g").length;
button("→").click();
const redone = page.querySelectorAll(".pr-items > g").length;
button("Undo").click();
page.querySelector(".pr-moves button").click();
const listed = page.querySelectorAll(".pr-items > g").length;
table.whyNot.open = true;
await until(() => page.querySelector(".pr-actions li"));
const actions = [...page.querySelectorAll(".pr-actions li")].map((each) => each.textContent);
table.load(link.split(".").at(-1));
const shared = [...page.querySelectorAll(".pr-place")].map((each) => each.getAttribute("aria-label"));
const refused = table.load("AAAA");
const answer = page.querySelector(".pr-why").textContent;
return { marks, before, why, buttons, label, focusable, focus, undone, redone, listed, actions, shared: shared.filter((each) => each.includes(": ")), refused, answer };
"""


@in_browser
def test_a_person_points_plays_hears_why_not_goes_back_and_shares():
    seen = drive(page(load("noughts_and_crosses")), TOUCHES)

    assert {
        "marks": 2,
        "before": "cross to move: playing",
        "why": "Place refused: the square is taken",
        "buttons": 7,
        "label": "(2, 2): cross",
        "focusable": 7,
        "focus": "(2, 3), legal",
        "undone": 1,
        "redone": 2,
        "listed": 2,
        "actions": ["Place legal: 7 moves"],
        "shared": ["(1, 1): nought", "(2, 2): cross"],
        "refused": False,
        "answer": "This is no position of the game as these pages have it: the rules may have changed since.",
    } == seen


AGAINST = """
table.seats[0].value = "person"; table.seats[1].value = "quick";
table.begin(1);
const rules = table.rules;
const first = rules.think({ iterations: 300 });
table.begin(1);
const inWorker = table.thinker !== null;
table.play(rules.moves()[0]);
await until(() => table.line.length === 3);
const after = table.line.length;
[...page.querySelectorAll("button")].find((each) => each.textContent === "Undo").click();
return { advised: rules.say(first), after, undone: table.now, player: rules.player, inWorker, still: table.thinker !== null };
"""


@in_browser
def test_a_worker_answers_with_a_search_and_undo_goes_back_to_the_person():
    seen = drive(page(load("noughts_and_crosses")), AGAINST)

    assert seen.pop("advised").startswith("Place: ")
    assert {"after": 3, "undone": 0, "player": 0, "inWorker": True, "still": True} == seen


SECRETS = """
table.seats[0].value = "person"; table.seats[1].value = "quick";
table.begin(3);
const rows = () => [...page.querySelectorAll(".pr-panel tr")].map((row) => [...row.children].map((cell) => cell.textContent));
table.other.open = true;
await until(() => table.other.querySelector("tr"));
const hand = rows().find((row) => row[0] === "hand");
const spare = [...table.other.querySelectorAll("tr")].map((row) => row.textContent).find((row) => row.startsWith("spare"));
const worlds = table.rules.worlds(0, 40).map((bytes) => [...bytes].join(" "));
const own = table.rules.take().bytes;
table.seats[1].value = "person";
table.begin(3);
const covered = { hand: rows().find((row) => row[0] === "hand"), moves: page.querySelector(".pr-moves").textContent };
page.querySelector(".pr-moves button").click();
const uncovered = rows().find((row) => row[0] === "hand");
return { hand, spare, worlds: new Set(worlds).size, holds: worlds.every((world) => world.length), covered, uncovered };
"""


@in_browser
def test_what_a_person_may_not_see_is_not_on_the_page():
    """A player at the same screen is shown the own card only after saying who looks; a search exchanges the two cards that are not seen."""
    game = load("kuhn_poker")

    seen = drive(page(game), SECRETS)

    own = str(game.start(3)["hand", "ann"])
    assert ["hand", own, "?"] == seen["hand"] == seen["uncovered"]
    assert "spare?" == seen["spare"]
    assert 2 == seen["worlds"]
    assert {"hand": ["hand", "?", "?"], "moves": "I am ann: show what I may see"} == seen["covered"]


#: Plays a whole game by clicks alone: on a place that is outlined, or else on a move of the list.
CLICKS = """
for (const seat of table.seats) seat.value = "person";
table.begin(5);
const rules = table.rules;
let clicks = 0, refusals = 0, places = 0, unseen = 0, looked = -1;
let state = 12345;
const random = (below) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % below; };
const click = (node) => { clicks += 1; node.dispatchEvent(new MouseEvent("click", { bubbles: true })); };
while (!rules.over && clicks < LIMIT) {
  const now = table.now;
  const veil = page.querySelector(".pr-moves > button")?.textContent.startsWith("I am ");
  if (veil) { click(page.querySelector(".pr-moves > button")); continue; }
  if (looked !== now) {  // whoever has to decide has a picture in front in which they can, if there is one
    looked = now;
    if (page.querySelector(".pr-place.pr-legal") && !page.querySelector(".pr-panel.pr-open .pr-place.pr-legal")) unseen += 1;
  }
  if (clicks % 50 === 0) {
    const dead = page.querySelector(".pr-place:not(.pr-legal)");
    if (dead) { click(dead); if (table.now === now && page.querySelector(".pr-why").textContent) refusals += 1; }
  }
  const legal = [...page.querySelectorAll(".pr-place.pr-legal:not(.pr-chosen)")];
  if (legal.length && random(2)) { click(legal[random(legal.length)]); if (table.now > now) places += 1; }
  if (table.now > now) continue;
  const details = [...page.querySelectorAll(".pr-moves > details")];
  if (details.length && random(2)) {
    const opened = details[random(details.length)];
    opened.open = true;
    await until(() => opened.querySelector("button"));
    const inside = [...opened.querySelectorAll("button")];
    click(inside[random(inside.length)]);
    continue;
  }
  const buttons = [...page.querySelectorAll(".pr-moves button:not(.pr-quiet)")];
  if (buttons.length) click(buttons[random(buttons.length)]);
  else if (details.length) { details[0].open = true; await until(() => details[0].querySelector("button")); }
}
return { over: rules.over, moves: table.now, places, refusals, unseen, turn: page.querySelector(".pr-turn").textContent, log: page.querySelectorAll(".pr-log li").length };
"""

BY_CLICKS = [
    pytest.param("noughts_and_crosses", None, id="noughts_and_crosses"),
    *(
        pytest.param(name, players, marks=pytest.mark.slow, id=f"{name}-{players or 'usual'}")
        for name, players in (
            ("pilgrim", None),
            ("pilgrim", 1),  # against the automaton
            ("my_village", None),
            ("world_without_end", None),
            ("column_of_fire", None),
        )
    ),
]


@in_browser
@pytest.mark.parametrize(("name", "players"), BY_CLICKS)
def test_a_whole_game_is_played_by_clicks(name, players):
    seen = drive(page(load(name, players=players)), CLICKS.replace("LIMIT", "6000"))

    assert seen["over"], seen
    assert seen["turn"].startswith("The game is over.")
    assert seen["moves"] + 1 == seen["log"] > 5
    assert seen["places"] > 0
    assert 0 == seen["unseen"]


# ------------------------------------------------------------------------------------------------ without a browser


@pytest.mark.parametrize("name", find_game.names())
def test_the_game_of_a_page_plays_the_same_and_draws_the_same(name):
    game = load(name)
    code = with_layers(game.core)
    asked = code.game
    state = game.start(2)

    for _ in range(4):
        if state.over:
            break
        for (figure, at), action in zip(
            changing_layers(game.core), asked.actions[len(game.core.actions) :], strict=True
        ):
            layer = figure.layers[at]
            found = code.legal_of[asked.actions.index(action)](state.data)
            nodes = {args[len(layer.binders)] - layer.at[0].type.lo for args in found}
            shown = {item.node for item in changing_items(state, figure.name) if item.kind == layer.kind}
            assert nodes <= shown or layer.kind in ("pieces", "label")
        for action in game.core.actions:
            if (
                action.kind == "action"
                and not action.params
                and state.game.runner.row(state.data).stage.code in action.stages
            ):
                refused = code.value(refusal_name(action), state.data)
                assert (refused == 0) == (not state.why_not(action.name))
        state = state.play(state.moves()[0])


def test_the_command_writes_a_page(tmp_path, capsys):
    assert Exit.OK == run(["play", "nim", "--html", str(tmp_path / "nim.html")])

    text = (tmp_path / "nim.html").read_text()
    assert text == page(load("nim"))
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_a_game_that_cannot_be_a_page_is_refused(tmp_path, capsys):
    assert Exit.BAD_INPUT == run(["play", "byways", "--html", str(tmp_path / "no.html")])

    assert "cannot be written as WebAssembly" in capsys.readouterr().err
    assert not (tmp_path / "no.html").exists()
