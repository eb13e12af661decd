"""Real rules, damaged at random: every answer is a list of mistakes, never an exception."""

import re
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilgrim_rules import passes, specs
from pilgrim_rules.diagnostics.frame import frames
from pilgrim_rules.memory import Asked

CLASSICS = specs.shipped() / "classics"
TEXTS = [path.read_text() for path in sorted(CLASSICS.glob("*.rules"))]
WORD = re.compile(r'\s+|"[^"\n]*"|[A-Za-z_]\w*|\d+|\.\.|[-+=!<>]=|->|--|.', re.DOTALL)
DECLARATION = re.compile(r"\n(?=\S)")
WORDS = sorted({word for text in TEXTS for word in WORD.findall(text) if word.strip()})
NOISE = ["\0", "\t", " ", "\n", "    ", "\u00e9", '"', "#", "(", "]", "\r", "\ufeff", "\u2028", "99999999999"]


def words(text, random):
    found = WORD.findall(text)
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
            found[at] = random.choice(WORDS)
    return "".join(found)


def lines(text, random):
    found = text.split("\n")
    line = found.pop(random.randrange(len(found)))
    if random.random() < 0.7:
        found.insert(random.randrange(len(found) + 1), line)
    return "\n".join(found)


def characters(text, random):
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(NOISE) + text[at + random.randrange(2) :]


def splice(text, random):
    found = DECLARATION.split(text)
    other = DECLARATION.split(random.choice(TEXTS))
    found.insert(random.randrange(len(found) + 1), random.choice(other))
    return "\n".join(found)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("fuzz")
    for data in CLASSICS.glob("*.toml"):
        shutil.copy(data, made)
    return made


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False), st.integers(1, 4))
def test_damaged_rules_give_mistakes_and_no_exception(folder, text, random, times):
    for _ in range(times):
        text = random.choice([words, words, lines, characters, splice])(text, random)
    path = folder / "game.rules"
    path.write_text(text, encoding="utf-8")
    bag = passes.check(Asked((path,)))

    assert len(bag) == 0 or frames(bag, bag.sources)
