"""Settings of a player, and the file where they are kept. No widgets are used here.

``settings.toml`` in the user's settings folder has one line for each setting that is not the
default: ``scrolling = "smooth"``. Comments and unknown lines are kept when it is rewritten.
"""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from platformdirs import user_config_path

from engine.core.record import Record, replace
from tui.console.files import MOST_SETTINGS, read_file, settings_in

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

Colours = Literal["auto", "truecolor", "256", "16", "8", "none"]
Tiles = Literal["auto", "one", "two"]
GlyphChoice = Literal["auto", "rich", "box", "ascii"]
Scrolling = Literal["smooth", "half"]
Switch = Literal["on", "off"]
SettingValue = str | int


class Settings(Record, frozen=True):
    """All settings, with their defaults."""

    colours: Colours = "auto"
    """Number of colours of the terminal."""
    palette: str = "usual"
    """Name of the palette."""
    glyphs: GlyphChoice = "auto"
    tiles: Tiles = "auto"
    """Screen columns of a cell of the board; auto: two if there is room."""
    scrolling: Scrolling = "half"
    """Scrolling when the cursor pushes the edge of the window: by one cell or by half a screen."""
    animation: Switch = "on"
    speed: int = 3
    """Speed of computers' turns and of automatic replay, 1 to 6; 6 shows only the end."""
    fast: int = 5
    """Number of cells that the fast cursor moves."""
    minimap: Switch = "off"
    """Minimap at 80 columns; wider terminals always show it."""
    mouse: Switch = "on"
    reader: Switch = "off"
    """Mode for screen readers: no boxes, no animation, new lines only, spoken positions."""
    output: Literal["cells", "textual"] = "cells"
    """Writer to the terminal: a layer that sends changed cells only, or Textual itself."""
    confirm: Switch = "on"
    """Confirmation before the button does something that cannot be undone, such as a fight."""
    keys: str = "usual"
    """Name of the pack of keys."""


class About(Record, frozen=True, forbid_unknown_fields=True):
    """Name, effect and choices of a setting."""

    label: str
    group: str
    """Heading of its group in lists."""
    text: str
    choices: tuple[SettingValue, ...] = ()
    explained: tuple[str, ...] = ()
    """Meaning of each choice, in the order of the choices."""


@cache
def about(palettes: tuple[str, ...], packs: tuple[str, ...]) -> Mapping[str, About]:
    """Return all settings by name, in the order of display."""
    listed = files("tui.settings").joinpath("choices.toml").read_text(encoding="utf-8")
    found = msgspec.convert(tomllib.loads(listed), dict[str, About])
    for name, choices in (("keys", packs), ("palette", palettes)):
        found[name] = replace(found[name], choices=choices)
    return found


def config_folder() -> Path:
    """Return the folder of a player's keys and settings."""
    return user_config_path("banneret", appauthor=False)


def read(path: Path, known: Mapping[str, About]) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings in a file, and its faults, one line each.

    Wrong settings get their defaults; a missing file is no fault. ``known`` are the settings by
    name.
    """
    try:
        found = settings_in(path)
    except FileNotFoundError:
        return Settings(), ()
    except (OSError, ValueError) as problem:
        return Settings(), (f"{path.name}: {problem}",)
    good: dict[str, Any] = {}
    faults = []
    for name, value in found.items():
        fault = wrong(known, name, value)
        if fault:
            faults.append(f"{path.name}: {fault}")
        else:
            good[name] = value
    return replace(Settings(), **good), tuple(faults)


def wrong(known: Mapping[str, About], name: str, value: object) -> str:
    """Return why a setting cannot have a value; empty if it can.

    ``known`` are the settings by name.
    """
    if name not in known:
        return f"there is no setting {name}"
    choices = known[name].choices
    if value in choices and type(value) is type(choices[0]):
        return ""
    return f"{name} = {value!r}: it is one of {', '.join(map(str, choices))}"


def write(path: Path, settings: Settings) -> None:
    """Write settings to a file: those that differ from their defaults, and those already in it.

    Raises:
        OSError: it cannot be written; the old file is unchanged then.
    """
    document = read_document(path)
    usual = msgspec.to_builtins(Settings())
    for name, value in msgspec.to_builtins(settings).items():
        if value != usual[name] or name in document:
            document[name] = value
    put(path, document)


def read_document(path: Path) -> TOMLDocument:
    """Return a player's file with its comments; empty if it cannot be read."""
    import tomlkit  # noqa: PLC0415 - only when something is changed

    try:
        return tomlkit.parse(read_file(path, MOST_SETTINGS).decode())
    except (OSError, ValueError, RecursionError):
        return tomlkit.document()


def put(path: Path, document: TOMLDocument) -> None:
    """Replace a file atomically: a reader finds either the old text or the new one.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(document.as_string())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
