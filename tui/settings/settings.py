"""Settings of a player, and the file where they are kept. Knows no widgets.

``settings.toml`` in the user's settings folder has one line for each setting that is not as usual:
``scrolling = "smooth"``. Comments and lines that are not understood are kept when it is rewritten.
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
    """All settings, as they are when nobody has changed them."""

    colours: Colours = "auto"
    """Number of colours that the terminal is trusted with."""
    palette: str = "usual"
    """Name of the palette."""
    glyphs: GlyphChoice = "auto"
    tiles: Tiles = "auto"
    """Columns of the screen a cell of the board takes; auto: two where there is room."""
    scrolling: Scrolling = "half"
    """Scrolling when the cursor pushes the edge of the window: by one cell or by half a screen."""
    animation: Switch = "on"
    speed: int = 3
    """Of computers' turns and replays that play by themselves, 1 to 6; 6 shows only the end."""
    fast: int = 5
    """Cells that the fast cursor goes."""
    minimap: Switch = "off"
    """At 80 columns; where there is more room it is always there."""
    mouse: Switch = "on"
    reader: Switch = "off"
    """For screen readers: no boxes, nothing moves, new lines only, spoken positions."""
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
    """Heading under which it stands."""
    text: str
    choices: tuple[SettingValue, ...] = ()
    explained: tuple[str, ...] = ()
    """Meaning of each choice, in the order of the choices."""


@cache
def about(palettes: tuple[str, ...], packs: tuple[str, ...]) -> Mapping[str, About]:
    """All settings by name, in the order they are shown in."""
    listed = files("tui.settings").joinpath("choices.toml").read_text(encoding="utf-8")
    found = msgspec.convert(tomllib.loads(listed), dict[str, About])
    for name, choices in (("keys", packs), ("palette", palettes)):
        found[name] = replace(found[name], choices=choices)
    return found


def config_folder() -> Path:
    """Folder of a player's keys and settings."""
    return user_config_path("banneret", appauthor=False)


def read(path: Path, known: Mapping[str, About]) -> tuple[Settings, tuple[str, ...]]:
    """The settings in a file, and what is wrong with it, a line each.

    What is wrong is as usual; a file that is not there is no fault.
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
    """Why a setting cannot be so; empty if it can."""
    if name not in known:
        return f"there is no setting {name}"
    choices = known[name].choices
    if value in choices and type(value) is type(choices[0]):
        return ""
    return f"{name} = {value!r}: it is one of {', '.join(map(str, choices))}"


def write(path: Path, settings: Settings) -> None:
    """Put settings into a file: those that are not as usual, and those that stand there already.

    Raises:
        OSError: it cannot be written; the old file is untouched then.
    """
    document = read_document(path)
    usual = msgspec.to_builtins(Settings())
    for name, value in msgspec.to_builtins(settings).items():
        if value != usual[name] or name in document:
            document[name] = value
    put(path, document)


def read_document(path: Path) -> TOMLDocument:
    """A player's file with its comments; empty if there is none that can be read."""
    import tomlkit  # noqa: PLC0415 - only when something is changed

    try:
        return tomlkit.parse(read_file(path, MOST_SETTINGS).decode())
    except (OSError, ValueError, RecursionError):
        return tomlkit.document()


def put(path: Path, document: TOMLDocument) -> None:
    """Replace a file as a whole: whoever reads it finds the old text or the new one.

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
