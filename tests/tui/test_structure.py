"""How screens are built: shallow, and asking the program around them by one protocol."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path
from typing import Any

from textual.screen import Screen

import tui
from tui.app.local import LocalApp
from tui.app.remote import RemoteApp
from tui.screens.shell import HostShell, LocalShell, Shell

DEEPEST = 2
"""Classes of ours between a screen and Textual's."""

ROOT = Path(tui.__file__).parent


def screens() -> set[type[Screen[Any]]]:
    """All screens of the program."""
    for module in pkgutil.walk_packages(tui.__path__, "tui."):
        importlib.import_module(module.name)
    found: set[type[Screen[Any]]] = set()
    rest: list[type[Any]] = [Screen]
    while rest:
        below = rest.pop().__subclasses__()
        found |= {each for each in below if each.__module__.startswith("tui.")}
        rest += below
    return found


def test_no_screen_stands_on_more_than_two_classes_of_ours() -> None:
    assert len(screens()) > 20
    for screen in screens():
        between = [each for each in screen.__mro__[1:] if each.__module__.startswith("tui.")]
        assert len(between) <= DEEPEST, (screen, between)


def shells(local: LocalApp, hosted: RemoteApp) -> tuple[LocalShell, HostShell, Shell, Shell]:
    """Both programs as screens see them; the type checker has the say here."""
    return local, hosted, local, hosted


def test_nothing_pretends_to_know_which_program_runs_it() -> None:
    programs = {"BaseApp", "LocalApp", "RemoteApp"}
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "cast":
                named = {
                    each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)
                }
                named |= {each.id for each in ast.walk(node.args[0]) if isinstance(each, ast.Name)}
                assert not named & programs, path
