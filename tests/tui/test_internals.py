"""Private names of Textual: used in ``tui.terminal`` only, and present in the installed version."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import textual

import tui

HOME = Path(tui.__file__).parent
TERMINAL = HOME / "terminal"

USED: dict[str, tuple[str, ...]] = {
    "textual.app:App": (
        "_batch_count",
        "_begin_update",
        "_capture_stderr",
        "_capture_stdout",
        "_check_action_state",
        "_check_bindings",
        "_close_messages_no_wait",
        "_closed",
        "_display",
        "_driver",
        "_end_update",
        "_exception",
        "_exception_event",
        "_exit",
        "_filters",
        "_handle_exception",
        "_return_code",
        "_running",
        "_screen_stack",
        "_shutdown",
        "_sync_available",
    ),
    "textual.css.stylesheet:Stylesheet": ("_parse_cache", "_variables"),
    "textual.driver:Driver": ("_app", "_down_buttons", "_loop", "_size"),
    "textual.drivers.linux_driver:LinuxDriver": (
        "_auto_restart",
        "_disable_mouse_support",
        "_enable_mouse_support",
        "_file",
        "_mouse",
        "_must_signal_resume",
        "_query_in_band_window_resize",
        "_sigcont_application",
        "_sigtstp_application",
        "_writer_thread",
    ),
    "textual.screen:Screen": (
        "_callbacks",
        "_compositor",
        "_layout_required",
        "_modal_binding_chain",
        "_recompose_required",
        "_scroll_required",
    ),
    "textual.widgets:OptionList": ("_index_to_line", "_move_page"),
    "textual._xterm_parser:XTermParser": ("parse_mouse_code",),
    "textual._styles_cache:StylesCache": ("get_inner_outer",),
    "textual._compositor:Compositor": ("visible_widgets",),
    "rich.style:Style": ("_attributes", "_set_attributes"),
}
"""Private members, or members of private classes, that ``tui.terminal`` uses, by class."""

IMPORTED = {
    "textual._ansi_sequences": ("ANSI_SEQUENCES_KEYS",),
    "textual._compositor": ("ChopsUpdate", "LayoutUpdate"),
    "textual._keyboard_protocol": ("FUNCTIONAL_KEYS", "MODIFIER_FUNCTIONAL_KEYS"),
    "textual._styles_cache": ("StylesCache",),
    "textual._xterm_parser": ("XTermParser",),
    "textual.keys": ("_character_to_key",),
}
"""Private names that ``tui.terminal`` imports, by module."""


def has(cls: type[Any], name: str) -> bool:
    """Return whether a class has a member, or sets it on ``self``."""
    if hasattr(cls, name):
        return True
    texts = (source(each) for each in cls.__mro__ if each.__module__ != "builtins")
    return any(f"self.{name}" in text for text in texts)


@cache
def source(cls: type[Any]) -> str:
    """Return the source of a class. Cached, as finding it takes a while."""
    return inspect.getsource(cls)


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file's syntax tree."""
    return (*ast.walk(ast.parse(path.read_text(encoding="utf-8"))),)


@pytest.mark.parametrize("place", USED)
def test_textual_has_every_private_name_in_use(place: str) -> None:
    module, _, name = place.partition(":")
    cls = getattr(importlib.import_module(module), name)
    assert [each for each in USED[place] if not has(cls, each)] == []


@pytest.mark.parametrize("module", IMPORTED)
def test_textual_has_every_private_name_imported(module: str) -> None:
    found = importlib.import_module(module)
    assert [name for name in IMPORTED[module] if not hasattr(found, name)] == []


# -- their users -----------------------------------------------------------------------------------


def defined_by_textual(names: Set[str]) -> set[str]:
    """Return which of ``names`` are functions of Textual, or attributes that it sets."""
    found: set[str] = set()
    for path in Path(textual.__file__).parent.rglob("*.py") if names else ():
        if names & {*re.findall(r"\w+", path.read_text(encoding="utf-8"))}:
            for node in nodes(path):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    found.add(node.name)
                elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    found.add(node.attr)
    return found & names


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the modules of Textual and the names that a file imports and that are private."""
    if "textual" not in path.read_text(encoding="utf-8"):
        return
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("textual"):
            for each in node.names:
                if "._" in str(node.module) or is_private(each.name):
                    yield str(node.module), each.name


def foreign(path: Path) -> Iterator[str]:
    """Yield the private attributes that a file reads of anything but ``self``."""
    for node in nodes(path):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            owner = node.value
            if not (isinstance(owner, ast.Name) and owner.id in {"self", "cls"}):
                yield node.attr


def bases_of_textual(cls: type) -> list[type]:
    """Return the classes of Textual among a class and its bases."""
    return [base for base in cls.__mro__ if base.__module__.startswith("textual")]


def inherited(path: Path) -> Iterator[str]:
    """Yield the private attributes of ``self`` that a file's classes inherit from Textual."""
    module = importlib.import_module(".".join(path.relative_to(HOME.parent).with_suffix("").parts))
    classes = [cls for cls in vars(module).values() if isinstance(cls, type)]
    if not any(bases_of_textual(cls) for cls in classes if cls.__module__ == module.__name__):
        return
    for node in nodes(path):
        cls = getattr(module, node.name, None) if isinstance(node, ast.ClassDef) else None
        if not isinstance(cls, type):
            continue
        used = {
            each.attr
            for each in ast.walk(node)
            if isinstance(each, ast.Attribute)
            and is_private(each.attr)
            and (isinstance(each.value, ast.Name) and each.value.id == "self")
        }
        bases = bases_of_textual(cls)
        text = "".join(map(source, bases))
        yield from sorted(
            name
            for name in used
            if re.search(rf"self\.{name}\b", text) or any(name in vars(base) for base in bases)
        )


FILES = [
    path
    for top in ("host", "study", "tui")
    for path in sorted((HOME.parent / top).rglob("*.py"))
    if path.parent != TERMINAL
]


def test_no_other_package_uses_private_names_of_textual() -> None:
    used = {path.relative_to(HOME.parent): [*imports(path), *inherited(path)] for path in FILES}
    assert {path: names for path, names in used.items() if names} == {}


def test_no_other_package_reaches_into_objects_of_textual() -> None:
    excused = [path.name for path in FILES if "SLF001" in path.read_text()]
    # Both are in host/ssh: one reaches into asyncssh, the other into frames of threads.
    assert excused == ["server.py", "shutdown.py"]


def test_tables_of_private_names_are_complete() -> None:
    known = {name for names in USED.values() for name in names}
    for path in TERMINAL.glob("*.py"):
        assert {*inherited(path)} <= known, path
        assert defined_by_textual({*foreign(path)} - known) == set(), path
        for module, name in imports(path):
            assert name in IMPORTED[module], path
