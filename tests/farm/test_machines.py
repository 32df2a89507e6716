"""Notation of machines, as given with ``--on``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from study.farm.machines import SshMachine, machines_of
from tui.console.exits import Wrong

HOME = Path(__file__).parents[2]
CLIENT = (sys.executable,)
"""A program installed wherever the tests run; no machine is reached with it."""


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ([], ["local 1", "local 2", "local 3"]),
        (["local"], ["local 1", "local 2", "local 3"]),
        (["local*2"], ["local 1", "local 2"]),
        (["ssh:ann@host"], ["ssh:ann@host 1"]),
        (["ssh:host*2", "local*1"], ["ssh:host 1", "ssh:host 2", "local 1"]),
        (["ssh:a@b.example.org:2222*2"], [f"ssh:a@b.example.org:2222 {n}" for n in (1, 2)]),
        (["ssh:a@[::1]:22"], ["ssh:a@[::1]:22 1"]),
        (["ssh:host:22", "ssh:host:23"], ["ssh:host:22 1", "ssh:host:23 1"]),
    ],
)
def test_words_name_machines_and_their_workers(words: list[str], names: list[str]) -> None:
    machines = machines_of(words, workers=3, client=CLIENT)
    assert [name for machine in machines for name in machine.names()] == names


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["nowhere"], "--on nowhere: no such machine; it is local, ssh:USER@HOST"),
        ([""], "--on : no such machine"),
        (["ssh:"], "--on ssh:: no such machine"),
        (["ssh:-oProxyCommand=x"], "no such machine"),
        (["ssh:a@-F"], "no such machine"),
        (["ssh:a b"], "no such machine"),
        (["ssh:host*"], "no such machine"),
        (["dask://host"], "no such machine"),
        (["dask://host:8786*2"], "no such machine"),
        (["ssh:host*0"], "--on ssh:host*0: 0 workers are not 1 to 1024"),
        (["local*5000"], "5000 workers are not 1 to 1024"),
        (["ssh:host:70000"], "--on ssh:host:70000: 70000 is no port; it is 1 to 65535"),
        (["ssh:host", "ssh:host*2"], "--on ssh:host*2: ssh:host is named twice"),
    ],
)
def test_wrong_word_is_refused_in_one_line(words: list[str], line: str) -> None:
    with pytest.raises(Wrong) as wrong:
        machines_of(words, client=CLIENT)
    assert line in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_missing_client_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Wrong) as wrong:
        machines_of(["local", "ssh:host*2"])
    line = "--on ssh:host*2: this needs the program ssh, which is not installed"
    assert str(wrong.value) == line


def test_ssh_is_not_interactive_and_keeps_the_link_alive() -> None:
    machine = SshMachine("ann@[::1]", 2222, command="cmd", client=("ssh", "-F", "file"))
    command = " ".join(machine.command)
    assert command.startswith("ssh -F file -T -o BatchMode=yes")
    assert "ServerAliveInterval=5" in command
    assert command.endswith("-p 2222 -- ann@::1 cmd")


def test_missing_dask_is_reported_with_the_install_command() -> None:
    program = (
        "import sys; sys.modules['distributed'] = None\n"
        "from study.farm.machines import machines_of\n"
        "machines_of(['local', 'ssh:host'], client=(sys.executable,))\n"
        "assert 'dask' not in sys.modules\n"
        "try: machines_of(['dask://host:8786'])\n"
        "except Exception as wrong: print(type(wrong).__name__, wrong)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=HOME, capture_output=True, text=True, check=True
    )
    line = "Wrong --on dask://host:8786: this needs pip install 'banneret[cluster]'\n"
    assert done.stdout == line
