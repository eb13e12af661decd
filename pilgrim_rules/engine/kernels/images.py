"""Images: of all states that are the same up to a symmetry, a search keeps one.

Reads:  a state in memory.   Writes: the least of its images.
After:  two states have the same least image exactly if one is an image of the other.

The images are a record in memory, and are given by its address:

   0  how many there are, the state itself left out    4  bytes of a state that change       8  address of an image
  12  address of a packed image                       16  for each image, and each of the bytes: where it goes, where it comes
                                                          from, and the address of what it becomes (0: it stays)
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.primitives import (
    STATE_SIZE,
    WORDS,
    copy,
    i32,
    i64,
    less64,
    load8,
    load32,
    load_word,
    pack,
    store8,
)

IMAGE_HEAD = 16  #: bytes before the bytes of the first image
IMAGE_BYTE = 12  #: bytes for each byte of an image


def make_image(images: i32, number: i32, state: i32) -> i32:
    """Return the address of an image of a state, packed."""
    image = load32(images + 8)
    count = load32(images + 4)
    at = images + IMAGE_HEAD + number * count * IMAGE_BYTE
    end = at + count * IMAGE_BYTE
    while at < end:
        value = load8(state + load32(at + 4))
        becomes = load32(at + 8)
        if becomes != 0:
            value = load8(becomes + value)
        store8(image + load32(at), value)
        at = at + IMAGE_BYTE
    packed = load32(images + 12)
    pack(image, packed)
    return packed


def compared(one: i32, other: i32) -> i32:
    """Return 1 if a packed state is less than another one, 0 if they are the same, and 2 otherwise."""
    for word in range(WORDS):
        mine = load_word(one + word * 8)
        theirs = load_word(other + word * 8)
        if mine != theirs:
            return 1 if less64(mine, theirs) else 2
    return 0


def least_image(images: i32, state: i32, packed: i32) -> None:
    """Put the least image of a state, packed, in the place of the packed state."""
    copy(load32(images + 8), state, STATE_SIZE)
    for number in range(load32(images)):
        image = make_image(images, number, state)
        if compared(image, packed) == 1:
            copy(packed, image, WORDS * 8)


def orbit(images: i32, state: i32, packed: i32) -> i64:
    """Return how many different states the images of a state are, itself included; `packed` is the state, packed."""
    copy(load32(images + 8), state, STATE_SIZE)
    same = 1
    for number in range(load32(images)):
        if compared(make_image(images, number, state), packed) == 0:
            same = same + 1
    size: i64 = (load32(images) + 1) // same
    return size
