"""What docs/howto/ci.rst tells people to run is there: every command, every option, every hook."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from tests.support.progress import without_progress

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "howto" / "ci.rst").read_text()
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())


def blocks(language: str) -> list[str]:
    """Return the code blocks of the page in one language."""
    found = re.findall(rf"^\.\. code-block:: {language}\n\n((?:   .*\n|\n)+)", PAGE, re.MULTILINE)
    return [re.sub(r"^   ", "", each, flags=re.MULTILINE) for each in found]


COMMANDS = sorted(set(re.findall(r"(?:^|run: |\$ )(pilgrim [^#\n]+)", PAGE, re.MULTILINE)))


@pytest.mark.parametrize("command", [*COMMANDS, *(each["entry"] for each in HOOKS)])
def test_every_command_and_option_exists(command: str, capsys):
    _, name, *words = shlex.split(command)

    assert Exit.OK == run([name, "--help"])
    known = capsys.readouterr().out
    for option in (word for word in words if word.startswith("--")):
        assert option in known, f"{name} has no {option}"


def test_the_hooks_that_the_page_names_are_those_there_are():
    (config,) = (yaml.safe_load(each) for each in blocks("yaml") if "repos:" in each)
    named = {hook["id"] for repo in config["repos"] for hook in repo["hooks"]}

    assert named == {each["id"] for each in HOOKS}


def test_the_job_of_the_ci_service_is_well_formed_and_names_its_files_once():
    (job,) = (yaml.safe_load(each)["jobs"]["prove"] for each in blocks("yaml") if "jobs:" in each)
    commands = " ".join(step["run"] for step in job["steps"] if "run" in step)

    for name in ("rules.xml", "rules.sarif", "plays", "evidence"):
        assert name in commands


def test_the_script_of_the_git_hook_runs(tmp_path, monkeypatch):
    """In a project with one game, from its root, as git runs it."""
    (script,) = blocks("bash")
    game = tmp_path / "spec" / "mygame"
    game.mkdir(parents=True)
    text = (ROOT / "spec" / "counters" / "game.rules").read_text()
    (game / "game.rules").write_text(text.replace("game counters", "game mygame"))
    hook = tmp_path / "pre-push"
    hook.write_text(script.replace("pilgrim ", f"{Path(sys.executable).parent}/pilgrim "))
    ran = subprocess.run(["sh", str(hook)], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    assert (0, "") == (ran.returncode, without_progress(ran.stderr)), ran.stdout
