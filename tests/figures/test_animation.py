"""A play as pictures to step through: every picture can be made from the first by the changes of the steps."""

import re

from pilgrim_rules.api.trace import Trace
from pilgrim_rules.figures.sprite_sheet import SpriteSheet
from pilgrim_rules.play_pages.animation import animate


def played(tracks):
    trace = Trace.start(tracks)
    trace.play("lay(a1)", "lay(b1)", "lay(c1)", "stop")
    return trace


def test_every_step_is_a_frame_with_what_it_changes(tracks):
    trace = played(tracks)
    found = animate(trace, SpriteSheet())

    assert [frame["move"] for frame in found.frames] == [str(step.move) for step in trace.steps]
    assert found.frames[0]["draw"]
    assert found.frames[0]["said"]


def test_every_part_that_is_referred_to_is_in_the_store(tracks):
    sprites = SpriteSheet()
    found = animate(played(tracks), sprites)
    named = {part for frame in found.frames for _, _, part in frame["draw"] if part}
    named |= set(re.findall(r'href="#([\w-]+)"', found.first)) | set(found.marks.values())

    assert named <= set(re.findall(r'id="([\w-]+)"', sprites.store()))


def test_a_node_that_looks_the_same_twice_is_kept_once(tracks):
    sprites = SpriteSheet()
    first = animate(played(tracks), sprites)
    store = sprites.store()
    again = animate(played(tracks), sprites)

    assert (first, store) == (again, sprites.store())


def test_every_node_that_changes_has_a_mark(tracks):
    found = animate(played(tracks), SpriteSheet())

    assert {f"{figure}-{node}" for frame in found.frames for figure, node, _ in frame["draw"]} == found.marks.keys()
