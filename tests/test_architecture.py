"""The shape of the project: who may import whom, how large a file may be, what every file and every code must have."""

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from pilgrim_rules.diagnostics.codes import all_codes
from pilgrim_rules.diagnostics.explain import explain

ROOT = Path(__file__).parent.parent
MOST_LINES = 400
#: Closed vocabularies that are read as a whole; splitting them would hide that they are closed.
LARGE = {"pilgrim_rules/core/ir.py", "pilgrim_rules/syntax/ast.py"}

#: What each package of the library may import besides itself; the order is the pipeline.
MAY_IMPORT = {
    "files": set(),
    "cache": {"files"},
    "quick": set(),
    "source": {"quick"},
    "diagnostics": {"source"},
    "core": {"quick", "source"},
    "data": {"core", "diagnostics", "source"},
    "graphs": {"core", "data", "diagnostics", "source"},
    "clauses": {"core", "data", "diagnostics", "source"},
    "specs": {"diagnostics"},
    "syntax": {"cache", "diagnostics", "quick", "source"},
    "reading": {"diagnostics", "source", "syntax"},
    "names": {"diagnostics", "source", "syntax"},
    "types": {"clauses", "core", "data", "diagnostics", "engine", "graphs", "names", "source", "syntax"},
    "lowering": {"clauses", "core", "data", "diagnostics", "graphs", "names", "source", "syntax", "types"},
    "memory": {"cache", "core", "diagnostics", "source"},
    "passes": {
        "clauses", "core", "data", "diagnostics", "graphs", "lowering", "memory", "names", "reading", "source", "syntax", "types",
    },
    "loading": {"clauses", "core", "diagnostics", "memory", "passes", "specs"},
    "engine": {
        "cache", "clauses", "core", "data", "diagnostics", "figures", "files", "graphs", "loading", "prose", "quick", "source", "specs",
    },
    "prose": {"clauses", "core", "diagnostics", "source"},
    "figures": {"clauses", "core", "data", "engine", "graphs", "source"},
    "agents": {"core", "engine"},
}  # fmt: skip

#: Where each library may be imported. Whoever only plays needs no solver, no fuzzer and no Sphinx.
ONLY_IN = {
    "click": ("verifier/soak/", "pilgrim_rules/cli/", "verifier/cli/", "tests/"),
    "cvc5": ("verifier/smt/",),
    "dask": (),
    "distributed": ("verifier/cluster.py",),
    "docutils": ("docs/", "tests/docs/"),
    "hypothesis": ("verifier/fuzz/", "tests/"),
    "lark": ("pilgrim_rules/syntax/", "tests/"),
    "networkx": ("pilgrim_rules/graphs/", "pilgrim_rules/names/order.py", "tests/"),
    "numpy": ("pilgrim_rules/agents/", "verifier/explore/", "tests/"),
    "open_spiel": ("tests/",),
    "pettingzoo": ("pilgrim_rules/agents/", "tests/"),
    "pyspiel": ("pilgrim_rules/agents/", "tests/"),
    "pickle": (),
    "pygments": ("docs/", "pilgrim_rules/lexer.py", "tests/"),
    "rich": ("pilgrim_rules/cli/", "verifier/cli/", "verifier/report/", "tests/"),
    "sphinx": ("docs/", "tests/docs/"),
    "verifier": ("verifier/", "tests/"),
    "z3": ("verifier/smt/", "tests/verifier/", "tests/smt/"),
}


@cache
def sources():
    """Return the Python files of the project, by their path from its root."""
    found = [
        path for folder in ("pilgrim_rules", "verifier", "docs", "tests") for path in (ROOT / folder).rglob("*.py")
    ]
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted(found) if "_build" not in path.parts}


@cache
def imports(name, *, lazy=True):
    """Return the modules that a file imports; without `lazy` only those it needs when it is imported itself."""
    found = set()
    stack = [ast.parse(sources()[name])]
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
    """Return the part of a module's name after `pilgrim_rules`, None for other modules."""
    parts = module.split(".")
    return parts[1] if parts[0] == "pilgrim_rules" and len(parts) > 1 else None


@pytest.mark.parametrize("name", MAY_IMPORT)
def test_a_package_imports_only_what_comes_before_it(name):
    files = [file for file in sources() if file.startswith((f"pilgrim_rules/{name}/", f"pilgrim_rules/{name}.py"))]
    used = {package(module) for file in files for module in imports(file)} - {None, name}

    assert used & {*MAY_IMPORT, "cli"} <= MAY_IMPORT[name]


def test_no_module_needs_itself_to_be_imported():
    modules = {file.removesuffix(".py").removesuffix("/__init__").replace("/", "."): file for file in sources()}
    needs = {module: imports(file, lazy=False) & modules.keys() for module, file in modules.items()}
    # `from package import part` names the package too; a package that re-exports its parts is no cycle.
    needs = {module: {part for part in parts if not module.startswith(f"{part}.")} for module, parts in needs.items()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(" needs ".join(error.args[1]))


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_imported_only_where_it_belongs(library):
    users = [file for file in sources() if any(module.split(".")[0] == library for module in imports(file))]

    assert [] == [file for file in users if not file.startswith(ONLY_IN[library])]


def test_no_file_is_too_long():
    lengths = {file: text.count("\n") for file, text in sources().items() if file not in LARGE}

    assert {} == {file: length for file, length in lengths.items() if length > MOST_LINES}


def test_every_module_of_the_product_says_what_it_is_for():
    product = {
        file: text for file, text in sources().items() if file.startswith(("pilgrim_rules/", "verifier/", "docs/_ext/"))
    }

    assert [] == [file for file, text in product.items() if not ast.get_docstring(ast.parse(text))]


def test_every_pass_states_its_contract():
    """A command says in a sentence what it does; every other module says what it reads and what holds afterwards."""
    passes = [
        file
        for file in sources()
        if file.startswith(("pilgrim_rules/", "verifier/")) and not file.endswith(("__init__.py", "__main__.py"))
    ]
    contracts = {file: ast.get_docstring(ast.parse(sources()[file])) or "" for file in passes if "/cli/" not in file}

    assert [] == [file for file, text in contracts.items() if not ("Reads:" in text and "After:" in text)]


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

    assert [] == [code.id for code in all_codes() if not re.search(rf"\b{code.id}\b", product)]


def test_every_code_is_explained():
    missing = [code.id for code in all_codes() if explain(code.id) is None]

    assert not missing, f"explain.toml lacks {', '.join(missing)}"


def test_every_code_has_a_golden_file():
    bad = [path for path in (ROOT / "tests/golden/bad").glob("PR*") if path.with_suffix(".expect").exists()]
    shown = {path.name[:5] for path in bad}
    missing = [code.id for code in all_codes() if code.id not in shown]

    assert not missing, f"tests/golden/bad lacks {', '.join(missing)}"
