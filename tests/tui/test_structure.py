"""Structure of screens: few levels of inheritance, and one protocol for the surrounding program."""

from __future__ import annotations

import ast
from pathlib import Path

import tui
from bench.structure import DEEPEST_SCREEN, screen_depths
from host.screens.remote import RemoteApp
from host.screens.shell import HostShell
from tui.app.local import LocalApp
from tui.screens.shell import LocalShell, Shell

ROOT = Path(tui.__file__).parents[1]


def test_no_screen_has_more_than_two_base_classes_of_ours() -> None:
    depths = screen_depths()
    assert len(depths) > 20
    for screen, depth in depths.items():
        assert depth <= DEEPEST_SCREEN, screen


def shells(local: LocalApp, hosted: RemoteApp) -> tuple[LocalShell, HostShell, Shell, Shell]:
    """Return both programs as screens see them; the type checker verifies this."""
    return local, hosted, local, hosted


def test_no_code_casts_to_a_concrete_program() -> None:
    programs = {"BaseApp", "LocalApp", "RemoteApp"}
    for path in (path for top in ("host", "study", "tui") for path in (ROOT / top).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "cast(" in text else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "cast":
                named = {
                    each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)
                }
                named |= {each.id for each in ast.walk(node.args[0]) if isinstance(each, ast.Name)}
                assert not named & programs, path
