"""The domain: links, search, indices, and the check that everything is shown exactly once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from sphinx.util.inventory import InventoryFile

from pilgrim_rules.evidence.files import Evidence, Instance, write
from pilgrim_rules.evidence.record import Record, Verdict
from pilgrim_rules.sphinx_ext.objects.domain import SplicingError


def warnings(app) -> list[str]:
    """Return line and message of each warning."""
    plain = re.sub(r"\x1b\[[\d;]*m", "", app.warning.getvalue())
    return [
        f"{line}: {text}"
        for line, text in re.findall(r"\.rst:(\d+): WARNING: (.*?)(?: \[[\w.]+\])?$", plain, re.MULTILINE)
    ]


def test_a_whole_game_builds_without_a_warning(build) -> None:
    app = build("whole")

    assert app.warning.getvalue() == ""
    text = (app.outdir / "index.html").read_text()
    assert "1 stone." in (app.outdir / "index-build-shrine.html").read_text()
    assert 'href="#rule-small-drop"' in text


def test_the_lower_layer_of_a_rule_is_a_page_of_its_own_and_links_lead_to_and_fro(build) -> None:
    app = build("chapters")
    chapter, part = ((app.outdir / name).read_text() for name in ("sowing.html", "sowing-drop.html"))

    assert 'data-part="sowing-drop.html"' in chapter
    assert 'href="sowing-drop.html"' in chapter
    assert 'href="sowing-drop.html#rule-small-drop-guaranteed"' in chapter
    assert "rules-listing" in part
    assert "rules-listing" not in chapter
    assert part.count("<h1") == 1
    assert 'id="rule-small-drop-guaranteed"' in part
    assert 'href="sowing.html#rule-small-drop-below"' in part


def test_other_builders_keep_the_lower_layer_where_it_is(build) -> None:
    text = (build("whole", builder="text").outdir / "index.txt").read_text()

    assert "1 stone." in text


def test_every_reason_to_refuse_a_move_is_listed_with_its_rules(build) -> None:
    text = (build("whole").outdir / "index.html").read_text()

    listed = text[text.index("rules-why-not") :]
    reason = listed.index("Acolytes move clockwise.")
    assert reason < listed.index('href="#rule-small-drop"', reason) < listed.index("</tr>", reason)


def test_a_rule_that_is_never_shown_fails_the_build(build) -> None:
    with pytest.raises(SplicingError) as failure:
        build("missing")

    assert str(failure.value).splitlines() == [
        "not everything is shown exactly once:",
        "  rule small.ship_moves is never shown (show it, or hide it with a reason)",
        "  invariant small.someone is never shown (show it, or hide it with a reason)",
    ]


def test_a_rule_that_is_shown_twice_fails_the_build(build) -> None:
    with pytest.raises(SplicingError, match=r"rule small\.drop is shown 2 times: again:6, index:10"):
        build("doubled")


def test_hiding_with_a_reason_is_the_way_out(build) -> None:
    app = build("hidden")

    assert app.warning.getvalue() == ""
    assert "Ship moves" not in (app.outdir / "index.html").read_text()


def test_mistakes_of_authors_are_warnings_at_their_line(build) -> None:
    app = build("mistakes")

    assert warnings(app) == [
        "4: rules:page needs a game: begin the page with rules:game or rules:current",
        "6: the game 'nowhere' cannot be read: PR801: there is no game `nowhere`",
        "10: small has no rule 'dorp': did you mean `drop`?",
        "12: small has no guarantee 'cup'",
        "14: hiding the rule 'ship_moves' needs a reason as content",
        "16: small has no rule 'shop_moves' to hide",
        "20: rules:rule reference target not found: nothing",
    ]


def test_chapters_can_be_printed_as_one_page_without_what_only_the_screen_needs(build) -> None:
    app = build("printed")
    paper = (app.outdir / "paper.html").read_text()

    assert app.warning.getvalue() == ""
    assert paper.index(">sowing<") < paper.index(">building<")
    assert "1 stone." in paper
    assert "rules-listing" not in paper
    assert "What is guaranteed" not in paper
    assert 'href="sowing.html#rule-small-drop"' not in paper[paper.index("rules-printed") :]
    assert paper.index('href="#sowing-') < paper.index('id="sowing-')


def test_a_printed_page_is_written_again_when_a_chapter_changes(build, tmp_path: Path) -> None:
    build("printed")
    chapter = tmp_path / "printed" / "sowing.rst"
    chapter.write_text(chapter.read_text().replace("See ", "Now see "))

    assert "Now see " in (build("printed").outdir / "paper.html").read_text()


def test_a_printed_page_is_left_alone_when_its_chapters_have_not_changed(build) -> None:
    paper = build("printed").outdir / "paper.html"
    paper.write_text("as it was")

    build("printed")

    assert paper.read_text() == "as it was"


def test_a_link_on_a_page_that_has_not_changed_follows_a_rule_that_has_moved(build, tmp_path: Path) -> None:
    before = (build("chapters").outdir / "building.html").read_text()
    old, new = (tmp_path / "chapters" / name for name in ("sowing.rst", "guarantees.rst"))
    old.write_text(old.read_text().replace(".. rules:page:: drop\n", ""))
    new.write_text(new.read_text() + "\n.. rules:page:: drop\n")
    after = (build("chapters").outdir / "building.html").read_text()

    assert 'href="sowing.html#rule-small-drop"' in before
    assert 'href="sowing.html#rule-small-drop"' not in after
    assert 'href="guarantees.html#rule-small-drop"' in after


def test_a_page_whose_links_lead_where_they_did_is_left_alone(build, tmp_path: Path) -> None:
    page = build("chapters").outdir / "building.html"
    page.write_text("as it was")
    other = tmp_path / "chapters" / "sowing.rst"
    other.write_text(other.read_text().replace("See ", "Now see "))

    build("chapters")

    assert page.read_text() == "as it was"


def test_what_cannot_be_printed_is_a_warning(build, tmp_path: Path) -> None:
    build("printed")
    paper = tmp_path / "printed" / "paper.rst"
    paper.write_text("Paper\n=====\n\n.. rules:print:: nowhere\n\n.. rules:print:: index\n\n   No such table\n")
    said = build("printed").warning.getvalue()

    assert "there is no page 'nowhere' whose chapters could be printed" in said
    assert "index has no table of contents 'No such table'" in said


def test_objects_can_be_linked_from_other_projects(build) -> None:
    app = build("whole")

    with (app.outdir / "objects.inv").open("rb") as file:
        inventory = InventoryFile.load(file, "", lambda _, part: part)
    assert sorted(inventory["rules:rule"]) == ["small.build_shrine", "small.drop", "small.ship_moves"]
    assert inventory["rules:clause"]["small.TRN-4"].uri == "index.html#clause-small-trn-4"


def test_objects_are_found_by_the_search(build) -> None:
    app = build("whole")

    index = (app.outdir / "searchindex.js").read_text().removeprefix("Search.setIndex(").removesuffix(")")
    assert '"Build shrine"' in json.dumps(json.loads(index)["objects"])


def test_the_index_lists_the_rules(build) -> None:
    assert "ship_moves" in (build("whole").outdir / "rules-index.html").read_text()


def test_the_same_input_gives_the_same_bytes(build) -> None:
    first = {path.name: path.read_bytes() for path in build("whole").outdir.glob("*.*")}

    again = {path.name: path.read_bytes() for path in build("whole", freshenv=True).outdir.glob("*.*")}

    assert again == first


def test_reading_in_parallel_gives_the_same_pages(build, tmp_path) -> None:
    alone = build("chapters")
    pages = {path.name: path.read_text() for path in alone.outdir.glob("*.html")}
    alone.cleanup()

    both = build("chapters", parallel=2, freshenv=True)

    assert both.warning.getvalue() == ""
    assert {path.name: path.read_text() for path in both.outdir.glob("*.html")} == pages


def evidence(folder: Path, **fingerprints: str) -> None:
    """Write two records, made for texts with these fingerprints: a proof, and what it takes for granted."""
    prints = {name.replace("_", " ", 1): text for name, text in fingerprints.items()}
    records = [
        Record(
            name, kind, sentence, Verdict.PROVED, "induction", bounds=("2 players",), about=prints, tools={"z3": "5.4"}
        )
        for name, kind, sentence in (
            ("small.range/build_shrine", "range", "Nothing that `build_shrine` writes leaves its range."),
            ("small.step.rises/build_shrine", "step", "Every `build_shrine` satisfies `rises`."),
        )
    ]
    write(folder / "small.json.gz", Evidence("small", {Instance(2): tuple(records)}))


def test_new_evidence_rebuilds_the_pages_that_looked_for_it(build, tmp_path) -> None:
    first = build("chapters")
    assert "○ open 0/2" in (first.outdir / "building-build-shrine.html").read_text()
    evidence(tmp_path / "chapters" / "evidence", claim_rises="f2", action_build_shrine="f3")

    again = build("chapters")

    page = (again.outdir / "building-build-shrine.html").read_text()
    assert "○ open 2/3" in page  # the other claim is still open, and the weakest decides
    assert "induction" in page
    assert "2 players" in page
    assert "✓ proved" in (again.outdir / "guarantees.html").read_text()


def test_evidence_for_another_text_of_the_rule_or_the_claim_is_stale(build, tmp_path) -> None:
    build("chapters")
    evidence(tmp_path / "chapters" / "evidence", claim_rises="f2", action_build_shrine="older")

    again = build("chapters")

    assert "⟲ stale" in (again.outdir / "guarantees.html").read_text()
    for name in ("building", "building-build-shrine"):
        assert "✓ proved" not in (again.outdir / f"{name}.html").read_text()


def test_evidence_without_fingerprints_counts_for_nothing(build, tmp_path) -> None:
    build("chapters")
    evidence(tmp_path / "chapters" / "evidence")

    assert "⟲ stale" in (build("chapters").outdir / "guarantees.html").read_text()


def test_evidence_that_cannot_be_read_is_a_warning_and_no_traceback(build, tmp_path) -> None:
    build("chapters")
    evidence(tmp_path / "chapters" / "evidence")
    path = tmp_path / "chapters" / "evidence" / "small.json.gz"
    path.write_bytes(path.read_bytes()[:40])

    assert "small.json.gz` is damaged" in build("chapters").warning.getvalue()
