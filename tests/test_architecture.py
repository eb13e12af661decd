"""The shape of the project: who may import whom, how large a file may be, what every file and every code must have."""

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import networkx as nx
import pytest

from pilgrim_rules.diagnostics.codes import all_codes
from pilgrim_rules.diagnostics.explanations import explain
from pilgrim_rules.language import find_game

ROOT = Path(__file__).parent.parent
MOST_LINES = 400
#: Closed vocabularies that are read as a whole; splitting them would hide that they are closed.
LARGE = {"pilgrim_rules/core/ir.py", "pilgrim_rules/language/syntax/ast.py"}

#: The one import order. A module may import what stands above it, and its own package; deferred and typing-only imports count.
#: The architecture page draws this list.
ORDER = (
    "pilgrim_rules.util",
    "pilgrim_rules.diagnostics",
    "pilgrim_rules.core",
    "pilgrim_rules.inputs.data",
    "pilgrim_rules.inputs.graphs",
    "pilgrim_rules.inputs.clauses",
    "pilgrim_rules.prose",
    "pilgrim_rules.semantics",
    "pilgrim_rules.language.syntax",
    "pilgrim_rules.language.names",
    "pilgrim_rules.language.check",
    "pilgrim_rules.language",
    "pilgrim_rules.export",
    "pilgrim_rules.engine.cells",
    "pilgrim_rules.engine.plan",
    "pilgrim_rules.engine.lower",
    "pilgrim_rules.engine.python",
    "pilgrim_rules.engine.kernels",
    "pilgrim_rules.engine.wasm",
    "pilgrim_rules.engine.machines",
    "pilgrim_rules.engine",
    "pilgrim_rules.walk",
    "pilgrim_rules.figures",
    "pilgrim_rules.api",
    "pilgrim_rules.examples",
    "pilgrim_rules.play_pages",
    "pilgrim_rules.agents",
    "pilgrim_rules.evidence",
    "pilgrim_rules.sphinx_ext.nodes",
    "pilgrim_rules.sphinx_ext.model",
    "pilgrim_rules.sphinx_ext.objects",
    "pilgrim_rules.sphinx_ext.pictures",
    "pilgrim_rules.sphinx_ext.blocks",
    "pilgrim_rules.sphinx_ext.lists",
    "pilgrim_rules.sphinx_ext",
    "pilgrim_rules.editor",
    "pilgrim_rules.service",
    "pilgrim_rules.cli",
    "verifier.workers",
    "verifier.claims",
    "verifier.play",
    "verifier.smt.terms",
    "verifier.smt.encode",
    "verifier.smt.solve",
    "verifier.smt.strategy",
    "verifier.crosscheck",
    "verifier.explore",
    "verifier.fuzz",
    "verifier.prove",
    "verifier.mutate",
    "verifier.rulings",
    "verifier.report",
    "verifier.soak",
    "verifier.cli",
    "verifier.pytest_plugin",
    "docs._ext.docstrings",
    "docs._ext.import_order",
)

#: Where each library may be imported. Whoever only plays needs no solver, no fuzzer and no Sphinx.
ONLY_IN = {
    "click": ("verifier/soak/", "pilgrim_rules/cli/", "verifier/cli/", "tests/"),
    "cvc5": ("verifier/smt/",),
    "dask": (),
    "distributed": ("verifier/workers/cluster.py",),
    "docutils": ("pilgrim_rules/sphinx_ext/", "docs/_ext/", "tests/docs/", "tests/sphinx_ext/"),
    "gymnasium": ("pilgrim_rules/agents/", "tests/"),
    "hypothesis": ("verifier/fuzz/", "tests/"),
    "lark": ("pilgrim_rules/language/syntax/", "tests/"),
    "networkx": ("pilgrim_rules/inputs/graphs/", "pilgrim_rules/language/names/order.py", "tests/"),
    "numpy": ("pilgrim_rules/agents/", "pilgrim_rules/api/", "verifier/explore/", "verifier/rulings/", "tests/"),
    "lsprotocol": ("pilgrim_rules/editor/server.py", "tests/editor/"),
    "open_spiel": ("tests/",),
    "pettingzoo": ("pilgrim_rules/agents/", "tests/"),
    "pyspiel": ("pilgrim_rules/agents/", "tests/"),
    "pickle": (),
    "pygls": ("pilgrim_rules/editor/server.py", "tests/editor/"),
    "pygments": ("pilgrim_rules/sphinx_ext/", "pilgrim_rules/language/lexer.py", "tests/"),
    "rich": ("pilgrim_rules/cli/", "verifier/cli/", "verifier/report/", "tests/"),
    "sphinx": ("pilgrim_rules/sphinx_ext/", "docs/_ext/", "tests/docs/", "tests/sphinx_ext/"),
    "tree_sitter": ("tests/export/",),
    "verifier": ("verifier/", "tests/"),
    "wasmtime": ("pilgrim_rules/engine/machines/", "tests/"),
    "z3": ("verifier/smt/", "tests/smt/", "tests/export/"),
}


PRODUCT = ("pilgrim_rules/", "verifier/", "docs/_ext/")

#: Folders of tests that belong to no single package.
ACROSS = {
    "bad_input",  # whatever a user may give: an answer, never a traceback
    "bench",
    "docs",  # our own pages, read and looked at in a browser
    "faults",  # killed, no room, two at once
    "games",  # one folder a game
    "golden",  # texts, and what users see of them
    "packaging",
    "soundness",
    "support",  # what tests share
    "zoo",  # every game through every back end
}


@cache
def sources():
    """Return the Python files of the project, by their path from its root."""
    found = [
        path for folder in ("pilgrim_rules", "verifier", "docs", "tests") for path in (ROOT / folder).rglob("*.py")
    ]
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted(found) if "_build" not in path.parts}


@cache
def tree(name):
    """Return the syntax tree of a file."""
    return ast.parse(sources()[name])


@cache
def modules():
    """Return the module of each file."""
    return {file: file.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for file in sources()}


@cache
def imports(name, *, lazy=True):
    """Return the modules that a file imports; without `lazy` only those it needs when it is imported itself."""
    found = set()
    stack = [tree(name)]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        hidden = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        )
        if lazy or not hidden:
            stack.extend(ast.iter_child_nodes(node))
    return frozenset(found)


def package(module):
    """Return the entry of ORDER that a module belongs to, None for other modules."""
    return next((each for each in ORDER if module == each or module.startswith(f"{each}.")), None)


def test_every_module_has_its_place_in_the_order():
    parents = {each.rsplit(".", depth)[0] for each in ORDER for depth in (1, 2)}  # a docstring, and no module
    ours = {
        module for file, module in modules().items() if file.startswith(PRODUCT) and file != "pilgrim_rules/__main__.py"
    }

    assert [] == sorted(each for each in ours - parents if package(each) is None)


@pytest.mark.parametrize("name", ORDER)
def test_a_module_imports_only_what_stands_above_it(name):
    above = set(ORDER[: ORDER.index(name) + 1])
    files = [file for file, module in modules().items() if package(module) == name]
    wrong = {
        (name, package(module))
        for file in files
        for module in imports(file) & set(modules().values())
        if package(module) is not None and package(module) not in above
    }

    assert set() == wrong


def test_no_module_needs_itself_to_be_imported():
    ours = set(modules().values())
    needs = {module: imports(file, lazy=False) & ours for file, module in modules().items()}
    # `from package import part` names the package too; a package that re-exports its parts is no cycle.
    needs = {
        module: {part for part in parts if not f"{module}.".startswith(f"{part}.")} for module, parts in needs.items()
    }
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(" needs ".join(error.args[1]))


@cache
def imported_modules(name):
    """Return our own modules that a file imports; `from package import part` means the part if that is a module."""
    ours, found = set(modules().values()), set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                part = f"{node.module}.{alias.name}"
                found.add(part if part in ours else node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & ours


def test_no_modules_import_each_other_in_a_circle():
    """Deferred and typing-only imports count: a circle that is broken when it runs is still one to whoever reads."""
    graph = nx.DiGraph(
        (name, module)
        for file, name in modules().items()
        if file.startswith(PRODUCT)
        for module in imported_modules(file)
    )

    assert [] == [sorted(each) for each in nx.strongly_connected_components(graph) if len(each) > 1]


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_imported_only_where_it_belongs(library):
    users = [file for file in sources() if any(module.split(".")[0] == library for module in imports(file))]

    assert [] == [file for file in users if not file.startswith(ONLY_IN[library])]


def test_no_file_is_too_long():
    lengths = {file: text.count("\n") for file, text in sources().items() if file not in LARGE}

    assert {} == {file: length for file, length in lengths.items() if length > MOST_LINES}


def test_every_module_of_the_product_says_what_it_is_for():
    product = [file for file in sources() if file.startswith(PRODUCT)]

    assert [] == [file for file in product if not ast.get_docstring(tree(file))]


def test_every_pass_states_its_contract():
    """A command says in a sentence what it does; every other module says what it reads and what holds afterwards."""
    passes = [
        file for file in sources() if file.startswith(PRODUCT) and not file.endswith(("__init__.py", "__main__.py"))
    ]
    contracts = {file: ast.get_docstring(tree(file)) or "" for file in passes if "/cli/" not in file}

    assert [] == [file for file, text in contracts.items() if not ("Reads:" in text and "After:" in text)]


def open_cases(file):
    """Yield the lines of a file in which a `match` goes on with whatever is left, and gives no reason for it."""
    lines = sources()[file].splitlines()
    for match in (node for node in ast.walk(tree(file)) if isinstance(node, ast.Match)):
        for case in match.cases:
            wild = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.pattern.name is None
            first = case.body[0]
            ends = isinstance(first, ast.Raise) or "assert_never(" in ast.unparse(first)
            said = any("  # " in lines[at - 1] for at in (case.pattern.lineno, first.lineno))
            if wild and not ends and not said:
                yield case.pattern.lineno


def test_a_match_is_closed_or_says_why_not():
    files = [file for file in sources() if file.startswith(PRODUCT)]

    assert [] == [f"{file}:{line}" for file in files for line in open_cases(file)]


def test_no_committed_text_knows_the_machine_it_was_written_on():
    place = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/\w")

    assert [] == [file for file, text in sources().items() if place.search(text)]


def test_codes_are_named_by_their_ids():
    text = sources()["pilgrim_rules/diagnostics/codes.py"]

    assert [] == [code.id for code in all_codes() if f'{code.id} = Code("{code.id}"' not in text]


def test_every_code_is_used():
    product = "\n".join(
        text
        for file, text in sources().items()
        if file.startswith("pilgrim_rules/") and "diagnostics/codes" not in file
    )

    used = set(re.findall(r"\bPR\d+\b", product))

    assert [] == [code.id for code in all_codes() if code.id not in used]


def test_every_code_is_explained():
    missing = [code.id for code in all_codes() if explain(code.id) is None]

    assert not missing, f"explain.toml lacks {', '.join(missing)}"


def test_every_code_has_a_golden_file():
    bad = [path for path in (ROOT / "tests/golden/bad").glob("PR*") if path.with_suffix(".expect").exists()]
    shown = {path.name[:5] for path in bad}
    missing = [code.id for code in all_codes() if code.id not in shown]

    assert not missing, f"tests/golden/bad lacks {', '.join(missing)}"


def test_the_folders_of_the_tests_are_those_of_the_packages():
    packages = {name.split(".")[1] for name in ORDER if not name.startswith("docs.")}
    folders = {path.split("/")[1] for path in sources() if path.startswith("tests/") and path.count("/") > 1}

    assert set() == folders - packages - ACROSS


def test_what_tests_of_several_folders_share_stands_in_support():
    wrong = {}
    for name in sources():
        if name.startswith("tests/"):
            own = name.split("/")[1]
            found = {each.split(".")[1] for each in imports(name) if each.startswith("tests.")}
            if found - {own, "support"}:
                wrong[name] = found - {own, "support"}

    assert {} == wrong


#: Columns of a review tool.
WIDEST_RULE = 110


def test_every_game_is_laid_out_alike():
    sections = {section: {".rules"} for section in find_game.SECTIONS}
    sections |= {find_game.DATA: {".toml", ".json"}, find_game.PLAYS: {".json"}, find_game.PROOFS: {".json"}}
    wrong = []
    for path in (each for each in (ROOT / "spec").rglob("*") if each.is_file()):
        game, *folders, name = path.relative_to(ROOT / "spec").parts
        if game == find_game.LIB and not folders and path.suffix == find_game.SUFFIX:
            continue
        fits = (not folders and name == find_game.HEAD) or (
            len(folders) == 1 and path.suffix in sections.get(folders[0], ())
        )
        wrong += [] if fits else [path.relative_to(ROOT).as_posix()]

    assert [] == sorted(wrong)
    games = [each for each in (ROOT / "spec").iterdir() if each.name != find_game.LIB]
    assert [] == [each.name for each in games if not (each / find_game.HEAD).exists()]


def test_lines_of_rules_fit_a_review_tool():
    wide = [
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in sorted((ROOT / "spec").rglob("*.rules"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > WIDEST_RULE
    ]

    assert [] == wide


def test_evidence_stays_small():
    files = [path for path in (ROOT / "docs/evidence").rglob("*") if path.is_file()]

    assert sum(path.stat().st_size for path in files) < 2_000_000


#: Turns of our own, and archaic ones, for which there is a plain word.
DIALECT = re.compile(
    r"\b(mend|mends|mended|whence|thereof|temper|likings|so many|anew|of today|has no say|told of|goes without saying)\b",
    re.IGNORECASE,
)


def test_texts_are_plain_english():
    texts = {file: text for file, text in sources().items() if file.startswith(PRODUCT)}
    pages = [path for kind in ("*.rst", "*.md") for path in (ROOT / "docs").rglob(kind) if "_build" not in path.parts]
    texts |= {path.relative_to(ROOT).as_posix(): path.read_text() for path in (*pages, ROOT / "README.md")}
    found = [
        f"{file}:{number}: {match[0]}"
        for file, text in texts.items()
        if not file.startswith(("docs/games/", "docs/reports/"))  # a game has words of its own
        for number, line in enumerate(text.splitlines(), 1)
        for match in DIALECT.finditer(line)
    ]

    assert [] == found
