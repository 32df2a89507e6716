"""The command line as a whole: help, exit codes, imports, runnable documentation."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

import app
from host.server.admin import COMMANDS
from host.ssh.ssh_commands import HANDLERS
from tests.app import program_client
from tests.app.cli import (
    ROOT,
    banneret,
    banneret_here,
    is_one_line_fault,
    python,
    socket_of_programs,
)
from tests.patience import PATIENCE
from tui.console.commands import OPERATOR, PORT, PROGRAM, SSH, ArgumentSpec, CommandSpec
from tui.console.exits import Exit
from tui.play.players import LONGEST

DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
RUNNABLE = re.compile(r"<!-- runnable -->\n```sh\n(.*?)```", re.DOTALL)


def test_help_lists_every_command() -> None:
    ended = banneret("--help")
    assert ended.returncode == Exit.OK
    assert all(f"  {name}" in ended.stdout for name in app.HANDLERS)
    assert [*app.HANDLERS] == [spec.name for spec in PROGRAM]


def test_version_matches_the_project_and_the_newest_changes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    released = re.findall(
        r"^## ([\d.]+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    coming = [path.name.partition("-")[0] for path in (ROOT / "CHANGES").glob("*-*.md")]
    newest = max(tuple(map(int, version.split("."))) for version in [*released, *coming])
    assert tuple(map(int, project["version"].split("."))) == newest
    assert banneret("--version").stdout == f"banneret {project['version']}\n"


@pytest.mark.parametrize("name", app.HANDLERS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    ended = banneret_here(name, "--help")
    assert ended.returncode == Exit.OK
    assert "example:\n  banneret" in ended.stdout or "example:\n  printf" in ended.stdout


def test_unknown_command_is_one_line() -> None:
    ended = banneret("dance")
    assert ended.returncode == Exit.USAGE
    assert is_one_line_fault(ended.stderr)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--port", "99999"), "a port is from 0 to 65535"),
        (("--port", "-1"), "a port is from 0 to 65535"),
        (("--idle", "nan"), "more than 0 minutes"),
        (("--away", "-5"), "more than 0 minutes"),
        (("--thinkers", "0"), "at least 1"),
        (("--port", "0", "--listen", "192.0.2.1"), "cannot listen on 192.0.2.1, port 0: "),
        (("--folder", "taken"), "taken: File exists"),
    ],
)
def test_host_that_cannot_start_gives_the_reason(
    tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    (tmp_path / "taken").touch()
    ended = banneret("host", *words, folder=tmp_path)
    assert ended.returncode == Exit.USAGE
    assert told in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("name", ["play", "replay"])
def test_screen_requires_a_terminal(tmp_path: Path, name: str) -> None:
    banneret(
        *("run", "--ruleset", "weltendaemmerung", "--scenario", "ford", "--save", "g.bnr", "-"),
        folder=tmp_path,
    )
    ended = banneret(name, "./g.bnr", folder=tmp_path)
    assert ended.returncode == Exit.USAGE
    assert "terminal" in ended.stderr
    assert is_one_line_fault(ended.stderr)


@pytest.mark.parametrize(
    "words",
    [
        ("play", "nix"),
        ("replay", "nix"),
        ("verify", "nix"),
        ("dump", "nix"),
        ("saves", "show", "nix"),
    ],
)
def test_missing_save_is_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    ended = banneret_here(*words, folder=tmp_path)
    assert ended.returncode == Exit.DAMAGED
    assert is_one_line_fault(ended.stderr)
    assert "nix" in ended.stderr


def test_foreign_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.prg").write_bytes(b"\x01\x08 no program")
    (tmp_path / "y").write_bytes(b"nothing at all")
    for name, told in (("x.prg", "7129"), ("y", "nothing that can be imported")):
        ended = banneret("import", name, folder=tmp_path)
        assert ended.returncode == Exit.USAGE
        assert is_one_line_fault(ended.stderr)
        assert told in ended.stderr


def test_saves_are_listed_renamed_and_deleted(tmp_path: Path) -> None:
    base = ("run", "--ruleset", "weltendaemmerung", "--scenario", "ford", "--save")
    assert banneret("saves", "--saves", "store", folder=tmp_path).stdout == "no saved games\n"
    (tmp_path / "store").mkdir()
    banneret(*base, "store/one.bnr", "-", folder=tmp_path)
    listed = banneret("saves", "--saves", "store", folder=tmp_path).stdout
    assert listed.startswith("one ")
    assert "The Ford" in listed
    for words in (("rename", "one", "two"), ("delete", "two")):
        assert banneret("saves", "--saves", "store", *words, folder=tmp_path).returncode == Exit.OK
    assert banneret("saves", "--saves", "store", folder=tmp_path).stdout == "no saved games\n"


def test_closed_output_pipe_is_no_fault(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "app", "schema", "weltendaemmerung"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, cwd=ROOT) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert program.stdout.readline() == b"{\n"
        program.stdout.close()
        assert program.stderr.read() == b""


def test_windows_is_refused_in_one_line() -> None:
    script = """
import sys
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
sys.platform = "win32"
import app
print([app.main(words) for words in ([], ["host"], ["--version"])])
try:
    import banneret
except ImportError as fault:
    print(fault)
"""
    line = "Banneret runs on Linux and macOS; on Windows install and start it in WSL."
    ended = python("-c", script)
    assert ended.stdout.splitlines() == [str([Exit.USAGE.value] * 3), line]
    assert ended.stderr.splitlines() == [f"banneret: {line}"] * 3


def test_help_imports_nothing_else_of_the_program() -> None:
    script = (
        "import sys, app\napp.main(['--help'])\n"
        "print([n for n in sys.modules if n.split('.')[0] in"
        " ('engine', 'host', 'saves', 'study', 'tui', 'numpy', 'msgspec', 'textual')])"
    )
    table = ["tui", "tui.console", "tui.console.commands"]
    assert python("-c", script).stdout.splitlines()[-1] == str(table)


def test_command_table_imports_only_the_standard_library() -> None:
    source = ast.parse((ROOT / "tui" / "console" / "commands.py").read_text(encoding="utf-8"))
    for node in ast.walk(source):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_every_command_of_the_table_has_a_handler() -> None:
    assert [spec.name for spec in PROGRAM] == list(app.HANDLERS)
    assert [spec.name for spec in SSH] == list(HANDLERS)
    assert [spec.name for spec in OPERATOR.commands] == list(COMMANDS)


def test_defaults_of_the_table_match_the_program() -> None:
    assert {_argument("run", "--longest"), _argument("simulate", "--longest")} == {LONGEST}
    assert _argument("host", "--port") == PORT


def _argument(command: str, name: str) -> object:
    return next(_named(spec, name) for spec in PROGRAM if spec.name == command).settings["default"]


def _named(spec: CommandSpec, name: str) -> ArgumentSpec:
    given = (one for one in spec.arguments if isinstance(one, ArgumentSpec))
    return next(one for one in given if name in one.names)


@cache
def _scripts() -> tuple[str, ...]:
    pages = (page.read_text(encoding="utf-8") for page in DOCS)
    return tuple(script for text in pages for script in RUNNABLE.findall(text))


def _program(page: Path) -> str:
    """Return the command of the examples; those of the README start a real Python."""
    if page.name == "README.md":
        return f"{sys.executable} -m app"
    return f"{sys.executable} -IS {program_client.__file__} {socket_of_programs()}"


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_examples_in_the_documentation_run(tmp_path: Path, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name, content in FILE.findall(text):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    launcher = tmp_path / "bin" / "banneret"
    launcher.parent.mkdir()
    launcher.write_text(f'#!/bin/sh\nexec {_program(path)} "$@"\n')
    launcher.chmod(0o755)
    shim = launcher.with_name("python")
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    shim.chmod(0o755)
    for script in RUNNABLE.findall(text):
        if any(script in longer for longer in _scripts() if script != longer):
            continue  # another page runs it
        ended = subprocess.run(
            ["/bin/sh", "-ec", script],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={
                "PATH": f"{launcher.parent}:/usr/bin:/bin",
                "PYTHONPATH": str(ROOT),
                "HOME": str(tmp_path),
                "LANG": "C.UTF-8",
            },
            timeout=PATIENCE,
            check=False,
        )
        assert ended.returncode == 0, f"{script}\n{ended.stderr}"
        assert ended.stdout
