"""What a rule page shows of real positions: examples that are run, recorded plays, refusals, pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes

import pilgrim_rules
from pilgrim_rules.core import ir
from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.evidence.judged import JudgedEvidence
from pilgrim_rules.evidence.mutant_results import FORMAT, BadMutants, MutantResult, read_lessons
from pilgrim_rules.evidence.status import Status
from pilgrim_rules.inputs.clauses.inventory import Inventory
from pilgrim_rules.prose import say_action
from pilgrim_rules.sphinx_ext.blocks.examples import examples_block, picture_block
from pilgrim_rules.sphinx_ext.blocks.refusals import refusal_block
from pilgrim_rules.sphinx_ext.blocks.why_required import why_block
from pilgrim_rules.sphinx_ext.lists.lemma_graph import lemma_graph
from pilgrim_rules.sphinx_ext.lists.object_lists import declared_objects
from pilgrim_rules.sphinx_ext.model import books
from pilgrim_rules.sphinx_ext.model.run_examples import reading, run
from pilgrim_rules.sphinx_ext.model.samples import (
    BadSamples,
    SamplePosition,
    Samples,
    first_use,
    position,
    read_samples,
    refused,
)
from pilgrim_rules.sphinx_ext.model.wording import example_wording, say_move
from pilgrim_rules.sphinx_ext.nodes.picture_files import PictureFile
from pilgrim_rules.sphinx_ext.pictures import picture_nodes as pictures
from pilgrim_rules.sphinx_ext.sampling import main, sample, text

MILL = pilgrim_rules.load("watermill", ghosts=True)
TOLD = {example.name: run(MILL, example) for example in MILL.core.examples}


MUTANTS = [
    {"name": "a mistake", "words": "it is missing", "clauses": [], **each}
    for each in [
        {
            "key": "build.require.1",
            "kind": "drop",
            "fate": "killed",
            "by": "play",
            "says": "two mills stand on one place",
            "play": ["build(undershot)", "build(undershot)"],
            "players": MILL.core.players,
            "rests_on": {"rules": Fingerprints(MILL.core).named()["rules"]},
        },
        {
            "key": "build.require.1",
            "kind": "drop",
            "fate": "killed",
            "by": "play",
            "says": "not told without fingerprints",
        },
        {
            "key": "build.require.1",
            "kind": "drop",
            "fate": "killed",
            "by": "play",
            "says": "not told of other rules",
            "players": MILL.core.players,
            "rests_on": {"rules": "of another day"},
        },
        {"key": "build.require.1", "kind": "change", "fate": "killed", "by": "play", "says": "not told"},
        {"key": "build.require.1", "kind": "drop", "fate": "survived", "by": "", "says": "not told either"},
    ]
]


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> books.Book:
    """The watermill, with samples of its own."""
    folder = tmp_path_factory.mktemp("samples")
    (folder / "watermill.json").write_text(text(sample(MILL, games=6)))
    (folder / "mutants.json").write_text(json.dumps({"format": FORMAT, "mutants": MUTANTS}))
    return books._read(
        "watermill", books.BookFiles(folder / "none.json", folder / "mutants.json", folder / "watermill.json"), None
    )


def words(found: list[nodes.Node]) -> str:
    return "\n".join(node.astext() for node in found)


def test_an_example_is_run_and_each_step_says_whether_it_came_out() -> None:
    told = run(MILL, MILL.core.examples[0])

    assert True in {moment.holds for moment in told}
    assert False not in {moment.holds for moment in told}
    assert told[-1].after != told[0].before


def test_an_example_that_the_rules_do_not_bear_out_stops_there() -> None:
    example = MILL.core.examples[0]
    made = [step for step in example.steps if isinstance(step, ir.Make)]
    told = run(MILL, replace(example, steps=(*made[-1:], *made[:1])))

    assert [moment.holds for moment in told] == [False]


FORK = """\
game fork
    players 2..2 named ann, ben

ruling mode
    option one "one" default
    option two "two"

param gain : 0..9 = 1 if mode == one else 2

stages
    playing by turn

state
    turn : Player
    a    : 0..9

action go
    do a = gain

action jump
    only when mode == two
    do a = 9

example both
    when go
    expect a == 1
    expect a == {other} under mode = two
    when jump under mode = two

example second under mode = two
    when jump
    expect a == 9
"""


def fork(tmp_path: Path, other: int = 2) -> pilgrim_rules.Game:
    path = tmp_path / "fork.rules"
    path.write_text(FORK.format(other=other), "utf-8")
    return pilgrim_rules.load(path, ghosts=True)


def test_a_line_of_another_reading_is_not_run_here_and_keeps_its_place(tmp_path: Path) -> None:
    game = fork(tmp_path)

    assert [True, True, None] == [moment.holds for moment in run(game, game.core.examples[0])]


def test_an_example_is_run_in_the_default_reading_unless_all_of_it_is_about_another(tmp_path: Path) -> None:
    game = fork(tmp_path)
    both, second = game.core.examples

    assert () == reading(game.core, both)
    assert (("mode", "two"),) == reading(game.core, second)
    assert ["go", None, None] == [moment.move for moment in run(game, both)]
    assert [1, 1] == [moment.after["a"] for moment in run(game, both)[:2]]
    assert {None} == {moment.holds for moment in run(game, second)}


@pytest.mark.parametrize(
    ("status", "sign"), [(Status.EXAMPLE, "✓"), (Status.REFUTED, "✗"), (Status.STALE, "·"), (Status.OPEN, "·")]
)
def test_evidence_says_what_came_of_lines_about_other_readings(
    status: Status, sign: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork(tmp_path)
    book = books._read(str(tmp_path / "fork.rules"), books.BookFiles(*[tmp_path / "none.json"] * 3), None)
    monkeypatch.setattr(books.Book, "status", lambda _self, _name: status)
    told = [
        "".join(part if isinstance(part, str) else part.astext() for part in step)
        for step in example_wording(book, book.game.examples[0])
    ]

    assert told[2].startswith(f"{sign} Then: ")
    assert told[-1].startswith(sign)
    assert "jump" in told[-1]


def test_what_an_example_is_given_by_name_is_told_once(tmp_path: Path) -> None:
    book = books._read("auction", books.BookFiles(*[tmp_path / "none.json"] * 3), 3)
    example = next(each for each in book.game.examples if each.name == "nobody_wants_it")
    told = [
        "".join(part if isinstance(part, str) else part.astext() for part in step)
        for step in example_wording(book, example)
    ]

    assert told[0] == "Given: hand over (clock, green)."
    assert tuple(book.arrangements) == ("hand_over",)
    assert "owner[" in words(list(declared_objects(book, "arrangement")["hand_over"].body))


def test_the_move_that_an_example_says_is_refused_is_tried_also_by_chance() -> None:
    auction = pilgrim_rules.load("auction", 3, ghosts=True)
    found = sample(auction, games=0).refusals

    assert all(isinstance(place.play, str) for place in found["draw"].values())
    assert found["bid"]


def test_the_same_seed_gives_the_same_samples() -> None:
    assert text(sample(MILL, games=4)) == text(sample(MILL, games=4))


def test_samples_are_read_as_they_were_written(tmp_path: Path) -> None:
    made = sample(MILL, games=4)
    (tmp_path / "mill.json").write_text(text(made))

    assert read_samples(tmp_path / "mill.json") == made
    assert read_samples(tmp_path / "none.json") == Samples()


@pytest.mark.parametrize("content", ["[]", "{}", '{"format": "other"}', "no json"])
def test_a_file_that_holds_no_samples_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "mill.json").write_text(content)

    with pytest.raises(BadSamples):
        read_samples(tmp_path / "mill.json")


def test_every_refusal_that_is_kept_is_given_by_the_engine() -> None:
    made = sample(MILL, games=6)

    for rule, keys in made.refusals.items():
        found = refused(MILL, TOLD, made, rule)
        assert found.keys() == keys.keys()
        assert all(tried.state.why_not(tried.move) for tried in found.values())


def test_what_the_rules_of_today_do_not_lead_to_is_not_shown() -> None:
    made = sample(MILL, games=2)

    assert position(MILL, TOLD, made, SamplePosition(99, 0, "reap")) is None
    assert position(MILL, TOLD, made, SamplePosition("no_such_example", 0, "reap")) is None
    assert first_use(MILL, TOLD, Samples(), "reap") is None
    assert (
        refused(MILL, TOLD, Samples(refusals={"reap": {"reap.require.1": SamplePosition(0, 0, "reap")}}), "reap") == {}
    )


@pytest.mark.parametrize("asked", [(), ("nosuch",), ("nim=x",), ("nim=9",)])
def test_samples_of_a_game_that_does_not_exist_are_a_mistake_with_a_message(
    asked: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (str(tmp_path / "made"), *asked) if asked else ()
    assert main(*arguments) == 2
    assert capsys.readouterr().err.strip()
    assert not (tmp_path / "made").exists()


def test_the_whole_first_play_is_kept() -> None:
    made = sample(MILL, games=3)

    assert MILL.start(made.plays[0].seed).play(*made.plays[0].moves).over


def test_a_rule_is_shown_at_work_with_what_it_changes(mill: books.Book) -> None:
    action = mill.action("grind")
    assert action is not None

    assert "→" in words(picture_block(mill, action))


def test_each_requirement_is_shown_with_a_position_in_which_it_fails(mill: books.Book) -> None:
    action = mill.action("build")
    assert action is not None
    shown = words(refusal_block(mill, action, say_action(mill.game, action)))

    assert "tries to build" in shown


def test_requirements_that_nothing_was_seen_to_fail_are_named(mill: books.Book) -> None:
    action = mill.action("build")
    assert action is not None
    english = say_action(mill.game, action)
    some = {"build": dict(list(mill.samples.refusals["build"].items())[:1])}
    few = replace(mill, samples=replace(mill.samples, refusals=some))

    assert "nothing was refused because of" in words(refusal_block(few, action, english))


def test_a_requirement_says_what_goes_wrong_without_it(mill: books.Book) -> None:
    action = mill.action("build")
    assert action is not None
    shown = words(why_block(mill, action, say_action(mill.game, action)))

    assert "Without it: Two mills stand on one place." in shown
    assert "build(undershot)" in shown
    assert "Red's store of coin: 2 → 0." in shown.replace("’", "'")
    assert "not told" not in shown


def test_a_lesson_of_another_table_is_told_but_not_tried_again(mill: books.Book) -> None:
    action = mill.action("build")
    assert action is not None
    others = tuple(replace(lesson, players=3) for lesson in mill.lessons)

    assert "not tried again" in words(why_block(replace(mill, lessons=others), action, say_action(mill.game, action)))


def test_a_requirement_that_an_example_notices_shows_what_would_happen_without_it() -> None:
    auction = books._read("auction", books.BookFiles(*[Path("none.json")] * 3), 2)
    lesson = MutantResult(
        "a mistake", "drop", "bid.require.1", "it is missing", (), "killed", "examples", "example `the_clock`: not told",
        example="the_clock", players=2,
    )  # fmt: skip
    action = auction.action("bid")
    assert action is not None
    shown = words(why_block(replace(auction, lessons=(lesson,)), action, say_action(auction.game, action)))

    assert "could bid (amount 2)." in shown
    assert "Noticed by examples, with 2 players: the clock." in shown
    assert "→" in shown
    assert "not told" not in shown


def test_a_file_of_mutants_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")

    with pytest.raises(BadMutants, match=r"x\.json"):
        read_lessons(tmp_path / "x.json")
    assert read_lessons(tmp_path / "none.json") == ()


def test_examples_say_that_they_agree(mill: books.Book) -> None:
    action = mill.action("grind")
    assert action is not None

    assert ": agrees" in words(examples_block(mill, action))


def test_without_samples_nothing_is_made_up(tmp_path: Path) -> None:
    book = books._read("pig", books.BookFiles(*[tmp_path / "none.json"] * 3), None)

    for action in book.game.actions:
        assert refusal_block(book, action, say_action(book.game, action)) == []
        assert first_use(book.playable, book.example_steps, book.samples, action.name) is None


def test_a_pair_has_brackets_of_its_own() -> None:
    game = pilgrim_rules.load("noughts_and_crosses")

    assert say_move(game.core.actions[0], game.runner.book.codes("place((2, 1))")[1]) == "place (2, 1)"


def test_places_where_a_rule_may_be_used_are_outlined_and_others_crossed_out(tmp_path: Path) -> None:
    game = pilgrim_rules.load("noughts_and_crosses", ghosts=True)
    before = game.start().play("place((2, 2))")
    drawn = pictures.before_and_after(tmp_path, before, before.play("place((1, 1))"), "place")
    shown = [node for each in drawn for node in each.findall(PictureFile)]

    assert ["The grid, before", "The grid, after"] == [node["label"] for node in shown]
    first = (tmp_path / shown[0]["name"]).read_text()
    assert first.count('class="legal"') >= 8
    assert 'class="refused"' in first


def test_a_page_that_has_samples_says_so(build, tmp_path: Path) -> None:
    app = build("whole")
    (app.srcdir / "samples").mkdir()
    path = app.srcdir / "samples" / "small.json"
    path.write_text(json.dumps({"format": "other"}))
    again = build("whole", freshenv=True)

    assert "small.json is not of the form" in again.warning.getvalue()


def test_lemmas_are_drawn_with_an_arrow_for_each_use() -> None:
    claims = [
        ir.Claim(name, "invariant", ir.Lit(1, ir.BOOL), using=using, note=ir.Note())
        for name, using in (("first", ()), ("second", ("first",)), ("third", ("first", "second")), ("alone", ()))
    ]
    book = books.Book(replace(MILL.core, claims=tuple(claims)), Inventory(), {}, JudgedEvidence())
    drawn = words(lemma_graph(book))

    assert drawn.count("rules-arrow") == 3
    assert "alone" not in drawn
    assert "third rests on first, second." in drawn


def test_guarantees_that_are_proved_together_are_drawn_too() -> None:
    claims = [
        ir.Claim(name, "invariant", ir.Lit(1, ir.BOOL), using=using, note=ir.Note())
        for name, using in (("first", ("second",)), ("second", ("first",)), ("third", ("third", "first")))
    ]
    book = books.Book(replace(MILL.core, claims=tuple(claims)), Inventory(), {}, JudgedEvidence())

    assert words(lemma_graph(book)).count("rules-arrow") == 4
