"""Files that several processes read and write again: nothing that one of them adds is lost."""

from threading import Thread
from time import sleep

from pilgrim_rules.util.atomic_write import alone_in, write


def test_whoever_is_alone_in_a_folder_loses_nothing_of_the_others(tmp_path):
    """Eight add a line each to what they have read; without the lock most lines would be lost."""
    path = tmp_path / "lines.txt"
    write(path, "")

    def add(number):
        with alone_in(tmp_path):
            before = path.read_text()
            sleep(0.01)  # long enough for the others to read the same
            write(path, f"{before}{number}\n")

    threads = [Thread(target=add, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sorted(path.read_text().split()) == [str(number) for number in range(8)]


def test_a_folder_is_free_again_after_a_mistake(tmp_path):
    try:
        with alone_in(tmp_path):
            raise ValueError("something went wrong")
    except ValueError:
        pass

    with alone_in(tmp_path):
        write(tmp_path / "after.txt", "written")

    assert "written" == (tmp_path / "after.txt").read_text()
