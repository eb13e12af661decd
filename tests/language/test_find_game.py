"""Finding games: by name, by folder, by file, and the answers when there is none."""

import os

import pytest

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language import find_game


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    (tmp_path / "pebbles.rules").write_text("")
    (tmp_path / "abbey").mkdir()
    for name in ("20-turn.rules", "10-setup.rules", "clauses.toml"):
        (tmp_path / "abbey" / name).write_text("")
    (tmp_path / "bare").mkdir()
    monkeypatch.setenv("PILGRIM_SPEC", os.pathsep.join(["", str(tmp_path / "missing"), str(tmp_path)]))
    return tmp_path


def refusal(name):
    with pytest.raises(RulesError) as caught:
        find_game.find(name)
    (found,) = caught.value.diagnostics
    return found


def test_a_single_file_game_is_found_by_name(shelf):
    assert (shelf / "pebbles.rules",) == find_game.find("pebbles")


def test_the_files_of_a_folder_come_in_the_order_of_their_names(shelf):
    expected = (shelf / "abbey" / "10-setup.rules", shelf / "abbey" / "20-turn.rules")

    assert expected == find_game.find("abbey") == find_game.find(shelf / "abbey")


@pytest.fixture
def priory(shelf):
    """A game in the layout of the shipped ones."""
    files = ("game.rules", "rules/10-setup.rules", "rules/20-turn.rules", "rulings/turn.rules", "claims/goods.rules")
    files += ("examples/rulebook.rules", "boundaries/turn.rules", "presentation/words.rules")
    for name in (*files, "data/clauses.toml", "plays/a.json", "drafts/new.rules"):
        path = shelf / "priory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return [shelf / "priory" / name for name in files]


def test_a_folder_is_read_section_by_section(priory):
    assert priory == list(find_game.find("priory")) == list(find_game.find(priory[0].parent))


def test_the_first_file_of_a_folder_with_sections_stands_for_the_folder(priory):
    assert priory == list(find_game.find(priory[0]))


def test_the_first_file_alone_is_a_game_if_there_are_no_sections(shelf):
    (shelf / "abbey" / "game.rules").write_text("")

    assert (shelf / "abbey" / "game.rules",) == find_game.find(shelf / "abbey" / "game.rules")
    assert ["game.rules", "10-setup.rules", "20-turn.rules"] == [path.name for path in find_game.find("abbey")]


def test_another_file_of_a_folder_stands_for_itself(priory):
    assert (priory[1],) == find_game.find(priory[1])


def test_sections_alone_are_no_game(priory):
    priory[0].unlink()

    assert "priory" not in find_game.names()
    assert "PR802" == refusal(priory[0].parent).code.id


def test_a_file_is_called_as_seen_from_its_game(priory):
    assert "rules/10-setup.rules" == find_game.path_in_game(str(priory[1]))
    assert "game.rules" == find_game.path_in_game(str(priory[0]))


def test_a_game_is_found_by_the_path_of_its_file(shelf):
    path = shelf / "pebbles.rules"

    assert (path,) == find_game.find(path) == find_game.find(str(path))


def test_a_folder_of_the_working_directory_is_found_without_a_slash(shelf, monkeypatch):
    monkeypatch.setenv("PILGRIM_SPEC", "")
    monkeypatch.chdir(shelf)

    assert ["10-setup.rules", "20-turn.rules"] == [path.name for path in find_game.find("abbey")]


def test_the_folders_of_the_environment_come_before_the_shipped_games(shelf):
    assert (shelf / "missing", shelf, find_game.shipped()) == find_game.roots()


def test_the_first_folder_that_has_a_game_decides(shelf):
    (shelf / "missing").mkdir()
    (shelf / "missing" / "abbey.rules").write_text("")

    assert (shelf / "missing" / "abbey.rules",) == find_game.find("abbey")


def test_all_games_are_listed_without_empty_folders(shelf):
    assert {"abbey", "pebbles"} <= set(find_game.names())
    assert "bare" not in find_game.names()


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
