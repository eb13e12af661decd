"""Ways to damage a text or a JSON value, a little or a lot."""

import copy
import re

WORD = re.compile(r'\s+|"[^"\n]*"|[A-Za-z_]\w*|\d+|\.\.|[-+=!<>]=|->|--|.', re.DOTALL)
DECLARATION = re.compile(r"\n(?=\S)")
NOISE = ["\0", "\t", " ", "\n", "    ", "\u00e9", '"', "#", "(", "]", "\r", "\ufeff", "\u2028", "99999999999", "{", "="]
BYTES = [b"\xff", b"\xed\xa0\x80", b"\0", b"\xef\xbb\xbf", b"\r\n"]
VALUES = [
    None, True, False, 0, -1, 1, 2**63, -(2**70), 10**400, 1.5, float("nan"), float("inf"), "", "x", "red", "\0", "\ud800",
    "../..", "a" * 5000, "1", "none", [], [1], [[]], ["red", 1], {}, {"": 0}, {"x": {}}, {"red": None},
]  # fmt: skip


def words(text, random):
    """Delete, double, swap, copy or exchange a word."""
    found = WORD.findall(text) or [""]
    at, other = random.randrange(len(found)), random.randrange(len(found))
    match random.randrange(5):
        case 0:
            found[at] = ""
        case 1:
            found[at] += f" {found[at]}"
        case 2:
            found[at], found[other] = found[other], found[at]
        case 3:
            found[at] = found[other]
        case _:
            found[at] = random.choice(["0", "-1", "none", "true", "x", '""', "99999", "..", "game", "cites", "[", "}"])
    return "".join(found)


def lines(text, random):
    """Delete, move, double or cut a line."""
    found = text.split("\n")
    at = random.randrange(len(found))
    line = found.pop(at)
    for _ in range(random.randrange(3)):
        found.insert(random.randrange(len(found) + 1), line[: random.choice([None, len(line) // 2])])
    return "\n".join(found)


def characters(text, random):
    """Put noise somewhere, perhaps in the place of a character."""
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(NOISE) + text[at + random.randrange(2) :]


def cut(text, random):
    """Lose the end, or the beginning."""
    at = random.randrange(len(text) + 1)
    return text[:at] if random.random() < 0.7 else text[at:]


def damaged(text, random, times):
    """Return the text after some damage, as bytes; now and then they are no text any more."""
    for _ in range(times):
        text = random.choice([words, words, words, lines, lines, characters, cut])(text, random)
    data = text.encode("utf-8", "surrogatepass")
    if random.random() < 0.1:
        at = random.randrange(len(data) + 1)
        data = data[:at] + random.choice(BYTES) + data[at:]
    return data


def spliced(text, other, random):
    """Put a declaration of another text somewhere between those of this one."""
    found, more = DECLARATION.split(text), DECLARATION.split(other)
    found.insert(random.randrange(len(found) + 1), random.choice(more))
    return "\n".join(found)


def distorted(value, random, times):
    """Return a JSON value in which some parts are exchanged, lost or doubled."""
    value = copy.deepcopy(value)
    for _ in range(times):
        places = list(_places(value))
        if not places:
            return random.choice(VALUES)
        holder, key = random.choice(places)
        match random.randrange(4):
            case 0:
                del holder[key]
            case 1:
                other, place = random.choice(places)
                if place in other if isinstance(other, dict) else place < len(other):
                    holder[key] = copy.deepcopy(other[place])
            case 2 if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            case _:
                holder[key] = copy.deepcopy(random.choice(VALUES))
    return value


def _places(value):
    """Yield every place of a value: what holds it, and where."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])
