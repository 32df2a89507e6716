"""A full disk: every way to play gives the reason and ends with the exit code for damage."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import resource
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import cast
from unittest.mock import patch

import pytest

import app
from engine.core.archive import Opened, SaveFault, SaveFile
from engine.core.registry import find
from saves.archive import Folder
from tests.app.cli import ROOT, banneret, banneret_here, is_one_line_fault
from tests.saves import games
from tui.console.exits import Exit, Wrong
from tui.console.files import created, put_file
from tui.headless.bot_protocol import BotServer
from tui.play.players import Opponents
from tui.play.table import Table

FORD = ("--ruleset", "weltendaemmerung", "--scenario", "ford", "--save", "small.bnr")
BOTS = ("--seat", "Eldoin=bot:normal", "--seat", "Dailor=bot:easy")
ROOM = 6_000


def limited(folder: Path, *words: str, given: str = "") -> CompletedProcess[str]:
    """Run a subcommand whose files cannot grow beyond ``ROOM`` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, hard))
    try:
        with patch.object(sys, "dont_write_bytecode", True):
            return banneret_here(*words, given=given, folder=folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def check(ended: CompletedProcess[str]) -> None:
    assert ended.returncode == Exit.DAMAGED, ended.stderr
    assert is_one_line_fault(ended.stderr)
    assert "small.bnr: File too large" in ended.stderr


def test_run_with_bots_reports_a_full_disk(tmp_path: Path) -> None:
    check(limited(tmp_path, "run", *FORD, *BOTS, "--quiet", "-"))
    kept = Folder(tmp_path).read(str(tmp_path / "small.bnr"))
    assert (len(kept.log) > 1, kept.remarks) == (True, ())


@pytest.mark.parametrize("more", [(), ("--keep-going",)])
def test_script_reports_a_full_disk(tmp_path: Path, more: tuple[str, ...]) -> None:
    script = "step unit=0 direction=up\nundo\n" * 200
    ended = limited(tmp_path, "run", *FORD, *more, "-", given=script)
    check(ended)
    assert all("refused" not in json.loads(line) for line in ended.stdout.splitlines())


def test_bot_with_an_opponent_reports_a_full_disk(tmp_path: Path) -> None:
    acts = '{"type":"ready"}\n' + '{"type":"act","command":"end-phase"}\n' * 200
    ended = limited(tmp_path, "bot", *FORD, "--opponent", "bot:normal", given=acts)
    check(ended)
    goodbye = json.loads(ended.stdout.splitlines()[-1])
    assert goodbye["type"] == "bye"
    assert "File too large" in goodbye["reason"]


@pytest.mark.parametrize("command", ["run", "bot"])
def test_game_that_cannot_begin_leaves_no_file(command: str, tmp_path: Path) -> None:
    words = [command, *FORD, *(["-"] if command == "run" else [])]
    ended = banneret(*words, "--option", "nonsense=1", folder=tmp_path)
    assert ended.returncode == Exit.USAGE
    assert list(tmp_path.glob("*.bnr*")) == []
    assert banneret(*words, folder=tmp_path).returncode == Exit.OK
    assert [path.name for path in tmp_path.glob("small*")] == ["small.bnr"]


def test_line_mode_with_bots_reports_a_full_disk(tmp_path: Path) -> None:
    words = ("play", "--plain", "--new", "weltendaemmerung", "--scenario", "ford", "--seed", "1")
    ended = limited(tmp_path, *words, *BOTS, "--saves", str(tmp_path))
    assert ended.returncode == Exit.DAMAGED
    assert "File too large" in ended.stderr


class Full:
    """A save on a full disk."""

    name = "full"
    size = 0
    patient = False

    def __getattr__(self, _name: str) -> object:
        def refuse(*_given: object) -> None:
            raise SaveFault("full.bnr: No space left on device")

        return refuse


def full_table(level: str) -> Table:
    """Return a game on a full disk whose first seat has a bot of ``level``."""
    begun = games.start(None, level=level)
    file = cast("SaveFile", Full())
    opened = Opened("full", begun.header, begun.game.log, file=file)
    return Table.resume(begun.rules, opened)


def test_save_fault_passes_through_bot_turns() -> None:
    with pytest.raises(SaveFault, match="No space left"):
        Opponents(full_table("normal")).play()
    out = io.StringIO()
    server = BotServer(full_table("normal"), 1, out)
    with pytest.raises(SaveFault, match="No space left"):
        server.serve(iter(['{"type":"ready"}\n']))
    assert "No space left" in json.loads(out.getvalue().splitlines()[-1])["reason"]


def test_refused_save_changes_nothing_for_a_person() -> None:
    table = full_table("normal")
    state = table.game.state
    reply = table.submit(0, "end-phase")
    assert (reply.ok, reply.code) == (False, "NOT_SAVED")
    assert table.game.state is state
    assert find(games.RULESET).owes(state) == {0}


@pytest.mark.parametrize("kind", ["svg", "text", "jsonl", "cast"])
def test_an_export_that_does_not_fit_leaves_the_old_file(tmp_path: Path, kind: str) -> None:
    games.saved(tmp_path, entries=60)
    old = tmp_path / "out.file"
    old.write_bytes(b"old")
    old.chmod(0o640)
    words = ("export", str(tmp_path / "game.bnr"), "--format", kind, "-o", str(old))
    more = ("--from", "0") if kind == "text" else ()
    ended = limited(tmp_path, *words, *more)
    assert ended.returncode == Exit.USAGE
    assert is_one_line_fault(ended.stderr)
    assert "out.file: File too large" in ended.stderr
    assert old.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.bnr", "out.file"]
    assert banneret_here(*words, folder=tmp_path).returncode == Exit.OK
    assert old.stat().st_mode & 0o777 == 0o640


def test_a_file_that_does_not_fit_is_not_created(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, hard))
    try:
        with pytest.raises(Wrong, match="File too large"):
            put_file(tmp_path / "named", ["x" * ROOM, "y"])
        with pytest.raises(OSError, match="too large"), created(tmp_path / "new") as file:
            file.write(b"x" * (ROOM + 1))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_written_through_a_link_and_to_a_device(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to(real)
    put_file(link, ["new"])
    assert (link.is_symlink(), real.read_text()) == (True, "new")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    put_file(pipe, b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


def test_files_that_users_name_are_written_by_one_function() -> None:
    """Other code writes only files of its own: in a folder of a run, or unpacked."""
    own = {"debug/bundle.py", "debug/trees.py", "lab/plans.py", "lab/store.py"}
    own |= {"play/lessons.py"}
    folders = [ROOT / top for top in ("host", "study", "tui")]
    found = {
        str(path.relative_to(folder))
        for folder in folders
        for path in folder.rglob("*.py")
        if re.search(r"[^.]\.write_(text|bytes)\(", path.read_text(encoding="utf-8"))
    }
    assert {name for name in found if not name.startswith("ssh/")} == own


ALL = (
    *("--help", "--version", "dump --help", "host admin --help", "lab --help"),
    *("dump SAVE", "dump SAVE --json", "export SAVE", "verify SAVE", "debug SAVE help"),
    *("schema gd6", "saves", "saves show SAVE", "keys", "doctor", "doctor --card"),
    *("calc kaladan", "play --plain", "play --plain SAVE"),
    "run --ruleset weltendaemmerung --scenario ford --state -",
    "bot --ruleset weltendaemmerung --scenario ford",
)
FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("command", ALL)
def test_a_full_output_is_one_line(tmp_path: Path, command: str) -> None:
    save = str(games.saved(tmp_path, entries=4))
    errors = io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(b'{"type":"ready"}\n' if "bot" in command else b""))
    with (
        contextlib.chdir(tmp_path),
        patch.dict(os.environ, dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(tmp_path))),
        patch.object(sys, "stdin", given),
        FULL.open("w", encoding="utf-8") as full,
        contextlib.redirect_stdout(full),
        contextlib.redirect_stderr(errors),
    ):
        code = app.main([save if word == "SAVE" else word for word in command.split()])
    assert code == Exit.USAGE
    fault = "banneret: standard output: No space left on device"
    assert errors.getvalue().splitlines()[-1] == fault
    assert "Traceback" not in errors.getvalue()


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
def test_a_full_error_output_leaves_the_exit_code(tmp_path: Path) -> None:
    with FULL.open("w", encoding="utf-8") as full, contextlib.redirect_stderr(full):
        assert app.main(["chess"]) == Exit.USAGE
        assert app.main(["dump", str(tmp_path / "nix.bnr")]) == Exit.DAMAGED
