"""Finding games: by name, by folder, by file, and the answers when there is none."""

import os

import pytest

from pilgrim_rules import specs
from pilgrim_rules.diagnostics.bag import RulesError


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    (tmp_path / "classics").mkdir()
    (tmp_path / "classics" / "pebbles.rules").write_text("")
    (tmp_path / "abbey").mkdir()
    for name in ("20-turn.rules", "10-setup.rules", "clauses.toml"):
        (tmp_path / "abbey" / name).write_text("")
    (tmp_path / "bare").mkdir()
    monkeypatch.setenv("PILGRIM_SPEC", os.pathsep.join(["", str(tmp_path / "missing"), str(tmp_path)]))
    return tmp_path


def refusal(name):
    with pytest.raises(RulesError) as caught:
        specs.find(name)
    (found,) = caught.value.diagnostics
    return found


def test_a_single_file_game_is_found_by_name(shelf):
    assert (shelf / "classics" / "pebbles.rules",) == specs.find("pebbles")


def test_the_files_of_a_folder_come_in_the_order_of_their_names(shelf):
    expected = (shelf / "abbey" / "10-setup.rules", shelf / "abbey" / "20-turn.rules")

    assert expected == specs.find("abbey") == specs.find(shelf / "abbey")


def test_a_game_is_found_by_the_path_of_its_file(shelf):
    path = shelf / "classics" / "pebbles.rules"

    assert (path,) == specs.find(path) == specs.find(str(path))


def test_a_folder_of_the_working_directory_is_found_without_a_slash(shelf, monkeypatch):
    monkeypatch.setenv("PILGRIM_SPEC", "")
    monkeypatch.chdir(shelf)

    assert ["10-setup.rules", "20-turn.rules"] == [path.name for path in specs.find("abbey")]


def test_the_folders_of_the_environment_come_before_the_shipped_games(shelf):
    assert (shelf / "missing", shelf, specs.shipped()) == specs.roots()


def test_the_first_folder_that_has_a_game_decides(shelf):
    (shelf / "missing").mkdir()
    (shelf / "missing" / "abbey.rules").write_text("")

    assert (shelf / "missing" / "abbey.rules",) == specs.find("abbey")


def test_all_games_are_listed_without_the_shelf_and_without_empty_folders(shelf):
    assert {"abbey", "pebbles"} <= set(specs.names())
    assert not {"bare", "classics"} & set(specs.names())


def test_a_misspelt_game_gets_a_suggestion(shelf):
    found = refusal("Pebles")

    assert ("PR801", "there is no game `Pebles`", "did you mean `pebbles`?") == (
        found.code.id,
        found.message,
        found.help,
    )


def test_a_name_like_no_other_gets_the_list(shelf):
    assert "abbey" in refusal("qqqqqqqq").help


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("./nowhere/x.rules", "PR701"),
        ("bare", "PR801"),
        ("", "PR802"),
        ("a\0b", "PR801"),
        ("x" * 5000 + ".rules", "PR701"),
        ("abbey/clauses.toml", "PR701"),
        (os.devnull, "PR701"),
    ],
)
def test_what_is_no_game_is_refused_with_a_code(name, code, shelf, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(shelf if "/" in name else tmp_path_factory.mktemp("empty"))

    assert code == refusal(name).code.id


def test_a_message_holds_no_control_characters(shelf):
    assert refusal("a\x1b[2Jb.rules").message.isprintable()
