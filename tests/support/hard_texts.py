"""Texts that are hard to read: large, deep, broken, or all of that. They are checked by tests, and timed by `make bench`."""

HEAD = """\
game small
    players 2..2 named red, blue

stages
    playing by turn
    over nobody

state
    turn         : Player
    coins        : 0..9
    pile[Player] : 0..9

action pass
    during playing
    do
        stage = over

"""


def chain(count, first="def f_0() = coins\n", link="def f_{k}() = f_{j}()\n"):
    return first + "".join(link.format(k=k, j=k - 1) for k in range(1, count))


TEXTS = {
    "empty": ("", ["PR803", "PR803"]),
    "blank": (" \n\n   \n", ["PR803", "PR803"]),
    "only comments": ("# nothing\n## at all", ["PR803", "PR803"]),
    "binary": (bytes(range(256)), ["PR101"]),
    "null bytes": (b"game x\0\n", ["PR101"]),
    "lone surrogate": (b"game x\n# \xed\xa0\x80\n", ["PR101"]),
    "latin": ("game caf\u00e9\n".encode("latin-1"), ["PR101"]),
    "byte order mark": (b"\xef\xbb\xbf" + HEAD.encode(), []),
    "line ends of another system": (HEAD.replace("\n", "\r\n"), []),
    "old line ends": (HEAD.replace("\n", "\r"), None),
    "tabs": (HEAD.replace("    ", "\t"), ["PR102"]),
    "form feeds": (HEAD.replace("\n\n", "\n\f\n"), []),
    "no-break spaces": (HEAD.replace("    by", "\u00a0\u00a0\u00a0\u00a0by").replace("playing by", "playing\u00a0by"), ["PR111"]),
    "huge": ("# nothing\n" * 200_000, ["PR114"]),
    "a long line": (HEAD + "def f() = " + "c" * 100_000 + "\n", ["PR107"]),
    "a long comment": (HEAD + "# " + "#" * 100_000 + "\n", []),
    "a long text": (HEAD + 'term word "' + "a" * 15_000 + '"\n', []),
    "blanks without end": (HEAD + "enum A:" + " " * 15_000 + "b\n", []),
    "an endless line of blanks and marks": (HEAD + "enum A: b  ##" + "  cites " * 2_000 + "\n", []),
    "many brackets": (HEAD + "def f() = " + "(" * 5_000 + "coins" + ")" * 5_000 + "\n", ["PR106"]),
    "brackets that never close": (HEAD + "def f() = " + "(" * 5_000 + "\n", ["PR106"]),
    "brackets that close none": (HEAD + "def f() = " + ")" * 5_000 + "\n", ["PR108"]),
    "a long sum": (HEAD + "def f() = coins" + " + coins" * 2_000 + "\n", ["PR106"]),
    "a long conjunction": (HEAD + "def f() = coins == 1" + " and coins == 1" * 500 + "\n", ["PR106"]),
    "a long choice": (HEAD + "def f() = " + "1 if coins == 1 else " * 500 + "2\n", ["PR106"]),
    "many signs": (HEAD + "def f() = " + "-" * 5_000 + "coins\n", ["PR106"]),
    "many denials": (HEAD + "def f() = " + "not " * 2_000 + "coins == 1\n", ["PR106"]),
    "many question marks": (HEAD + "type T = Player" + "?" * 500 + "\n", ["PR106"]),
    "many attributes": (HEAD + "def f() = coins" + ".a" * 2_000 + "\n", ["PR106"]),
    "many indices": (HEAD + "def f() = coins" + "[1]" * 2_000 + "\n", ["PR106"]),
    "many blocks": (HEAD + "effect e()\n" + "".join(" " * k + "if coins == 1:\n" for k in range(1, 1_000)) + " " * 1_000 + "coins = 1\n", ["PR106"]),
    "many branches": (HEAD + "effect e()\n    if coins == 1: coins = 1\n" + "    else if coins == 1: coins = 1\n" * 1_000, ["PR106"]),
    "many names": (HEAD + "def f()\n" + "".join(f"    let x{k} = coins\n" for k in range(1_000)) + "    coins\n", ["PR106"]),
    "many statements": (HEAD + "effect e()\n" + "    coins += 1\n" * 3_000, []),
    "many requirements": (HEAD + "action a\n    during playing\n" + "    require coins > 0\n" * 1_000 + "    do coins = 1\n", []),
    "many score lines": (HEAD + "score of p\n" + '    line "x" pile[p]\n' * 1_000, None),
    "a chain of definitions": (HEAD + chain(600), ["PR106"]),
    "a chain of effects": (HEAD + chain(400, "effect f_0()\n    coins += 1\n", "effect f_{k}()\n    f_{j}()\n"), ["PR416"]),
    "a chain of guards": (HEAD + chain(400, "guard f_0()\n    require coins > 1\n", "guard f_{k}()\n    check f_{j}()\n"), ["PR416"]),
    "a chain of types": (HEAD + chain(400, "type T_0 = Player\n", "type T_{k} = T_{j}\n"), []),
    "definitions that double": (HEAD + chain(60, "def f_0() = coins\n", "def f_{k}() = min(f_{j}(), f_{j}())\n") + "conserved c = f_59()\n", ["PR416"]),
    "effects that double": (HEAD + chain(60, "effect f_0()\n    coins += 1\n", "effect f_{k}()\n    f_{j}()\n    f_{j}()\n"), ["PR416"]),
    "guards that double": (HEAD + chain(60, "guard f_0()\n    require coins > 1\n", "guard f_{k}()\n    check f_{j}()\n    check f_{j}()\n"), ["PR416"]),
    "types that double": (HEAD + chain(60, "type T_0 = 0..1\n", "type T_{k} = T_{j} * T_{j}\n"), ["PR303"]),
    "unions that double": (HEAD + "enum U_0: a\n" + "".join(f"enum U_{k} = U_{k - 1} + a_{k} + U_{k - 1}\n" for k in range(1, 60)), ["PR202"]),
    "lo above hi": (HEAD + "type T = 9..0\n", ["PR302"]),
    "numbers without end": (HEAD + f"type T = 0..{'9' * 5_000}\n", ["PR303"]),
    "a number without end": (HEAD + f"def f() = {'9' * 5_000}\n", ["PR314"]),
    "a billion cells": (HEAD + "state\n    x[0..999, 0..999, 0..999] : bool\n", ["PR303"]),
    "many tables": (HEAD + "state\n" + "".join(f"    x{k}[0..999, 0..99] : bool\n" for k in range(50)), ["PR303"]),
    "an enormous index": (HEAD + "state\n    x[0..2000000000] : bool\n", ["PR303"]),
    "an enormous pair": (HEAD + "type T = 0..2000000000 * 0..2000000000\n", ["PR303"]),
    "an enormous stage": (HEAD.replace("over nobody", "waiting(0..2000000000) nobody\n    over nobody"), ["PR303"]),
    "an enormous loop": (HEAD + "def f() = count of a in 0..2000000000 where a == coins\n", ["PR303"]),
    "loops inside each other": (HEAD + "def f() = count of a in 0..65000, b in 0..65000, c in 0..65000\n", ["PR303"]),
    "a sum that explodes": (HEAD + "def f() = sum of a * b for a in 0..30000, b in 0..30000\n", ["PR314"]),
    "a product that explodes": (HEAD + "def f() = coins" + " * 9" * 40 + "\n", ["PR314"]),
    "a constant without end": (HEAD + "law l: all a in 0..60000, b in 0..60000: a + b >= 0\n", ["PR316"]),
    "a large parameter": (HEAD + "param x[0..999, 0..999] : 0..9 = 3\n", []),
    "a parameter without end": (HEAD + "param x[a in 0..999, b in 0..999] : 0..9 = count of c in 0..8 where a == b\n", ["PR316"]),
    "many labels": (HEAD + "enum E: " + ",\n    ".join(f"label_{k}" for k in range(1_200)) + "\n", []),
    "ten thousand labels": (HEAD + "enum E: " + ",\n    ".join(f"label_{k}" for k in range(10_000)) + "\n", ["PR107"]),
    "ten thousand rows": (HEAD + "rows R\n    x : 0..9\n" + "".join(f"    row r{k} : 1\n" for k in range(10_000)), []),
    "many arcs": (HEAD + "graph G\n    " + ", ".join(f"a{k}" for k in range(2_000)) + " -> " + ", ".join(f"b{k}" for k in range(500)) + "\n", ["PR711"]),
    "a large graph": (HEAD + "graph G\n" + "".join(f"    a{k} -> a{k + 1}\n" for k in range(3_000)) + "def f(x: G) = leads(G, x, x)\n", ["PR303"]),
    "players without end": (HEAD.replace("2..2 named red, blue", "0..99"), ["PR804"]),
    "players beyond all numbers": (HEAD.replace("2..2 named red, blue", f"2..{'9' * 500}"), ["PR804"]),
    "foreign letters": (HEAD + "def na\u00efve() = coins\n", ["PR111"]),
    "foreign digits": (HEAD + "def f() = \u0663\n", ["PR111"]),
    "names of Python": (HEAD + "".join(f"def {name}() = coins\n" for name in ("__import__", "lambda", "None", "class", "print")), []),
    "junk": ("lorem ipsum dolor\n" * 20_000, None),
    "junk in a block": (HEAD + "effect e()\n" + "    lorem ipsum dolor\n" * 5_000, None),
    "many unknown names": (HEAD + "effect e()\n" + "".join(f"    coinz_{k} = unknown_{k}\n" for k in range(3_000)), None),
    "a score in no parts": (HEAD + 'score of p in 1/0\n    line "x" 1\n', ["PR110"]),
    "itself": (HEAD + 'import "game.rules"\n', ["PR210"]),
    "a folder": (HEAD + 'import "."\n', ["PR211"]),
    "a device": (HEAD + 'import "/dev/zero"\n', ["PR211"]),
    "a path that cannot be": (HEAD + f'import "{"a" * 5_000}"\n', ["PR211"]),
    "no clauses": (HEAD.replace("game small\n", 'game small\n    clauses "none.toml"\n'), ["PR701"]),
    "no edition": (HEAD.replace("game small\n", 'game small\n    edition "none.toml"\n'), ["PR701"]),
    "no map": (HEAD + 'graph Map of Cell from "none.toml"\n', ["PR701"]),
    "a folder for clauses": (HEAD.replace("game small\n", 'game small\n    clauses "."\n'), ["PR701"]),
    "rules for clauses": (HEAD.replace("game small\n", 'game small\n    clauses "game.rules"\n'), ["PR702"]),
    "rules for a map": (HEAD + 'graph Map of Cell from "game.rules"\n', ["PR702"]),
}  # fmt: skip
