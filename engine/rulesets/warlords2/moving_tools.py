"""Tools of ``calc`` about moving: paths, reach, cost bytes, tile words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.base_ruleset import FunctionTool
from engine.core.ruleset import Argument, Tool, ToolReport
from engine.kit.arguments import place_on
from engine.kit.grid import Place
from engine.rulesets.warlords2.rule_settings import cost_bytes, settings_of
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import terrain_rows
from engine.rulesets.warlords2.tile_codec import (
    MapTile16,
    TileWord32,
    overlay_of,
    tile_word,
    word32,
)
from engine.strategic import costs
from engine.strategic.costs import Mode
from engine.strategic.moving_tools import TARGET, MovingTools
from engine.strategic.pieces import NOBODY

_MODES: Final = {"ground": Mode.GROUND, "air": Mode.AIR, "water": Mode.WATER}
_UPPER: Final = MapTile16._fields
_LOWER: Final = tuple(name for name in TileWord32._fields if name != "tile")


def _cost_byte(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the byte of a tile in the cost map of a side and a mode. See: W2-4.3, W2-4.5a."""
    x, y = place_on(state.terrain, arguments["target"])
    side = _number(arguments["side"], "side")
    if side not in state.sides:
        raise ValueError(f"there is no side {side}")
    word = arguments.get("mode", "ground")
    if word not in _MODES:
        raise ValueError(f"mode is one of {', '.join(_MODES)}, not {word!r}")
    found = costs.cost_map(state, settings_of(state.options), side, _MODES[word])
    cell, byte = found.item(y, x), cost_bytes(found).item(y, x)
    flags = (costs.ZONE, costs.ROAD, costs.LINKED, costs.BRIDGE)
    bits = (int(cell & flag != 0) for flag in flags)
    row: tuple[int | str, ...] = (f"0x{byte:02x}", cell & costs.PRICE, *bits)
    columns = ("byte", "base", "zone", "road", "connected", "bridge")
    return ToolReport(
        columns, (row,), (f"{_terrain(state, (x, y))} at {x},{y}, side {side}, {word}.",)
    )


def _tile(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the word and the overlay byte of a tile in the original's format.

    See: W2-2.2b, W2-2.3.
    """
    at = place_on(state.terrain, arguments["target"])
    word = tile_word(state, *at)
    remarks = [f"word 0x{word.packed():08x}, kept bytes 0x{word.tile.packed():04x}"]
    if "side" in arguments:
        side = _number(arguments["side"], "side")
        if side not in state.sides:
            raise ValueError(f"there is no side {side}")
        byte = overlay_of(state, side, at).packed()
        remarks.append(f"overlay byte of side {side}: 0x{byte:02x}")
    return ToolReport(("field", "value"), _fields(word), tuple(remarks))


def _word(state: State, arguments: Mapping[str, str]) -> ToolReport:  # noqa: ARG001 - as all tools
    """Decode a tile word, and change fields if any are given. See: W2-2.2b."""
    number = _number(arguments.get("word", "0x000f0780"), "word")
    word = word32(number)
    for part in filter(None, arguments.get("fields", "").split(",")):
        word = _changed(word, *part.partition("=")[::2])
    if "owner" in arguments:
        owner = _number(arguments["owner"], "owner")
        if owner != NOBODY and owner > 7:
            raise ValueError(f"an owner is a player 0 to 7 or {NOBODY}, not {owner}")
        word = word._replace(tile=word.tile._replace(owner=owner))
    return ToolReport(("field", "value"), _fields(word), (f"word 0x{word.packed():08x}",))


def _changed(word: TileWord32, name: str, text: str) -> TileWord32:
    value: Any = _number(text, name)
    if name in _UPPER:
        return word._replace(tile=word.tile._replace(**{name: value}))
    if name in _LOWER:
        return word._replace(**{name: value})
    raise ValueError(f"fields are {', '.join((*_UPPER, *_LOWER))}, not {name!r}")


def _fields(word: TileWord32) -> tuple[tuple[str, int], ...]:
    upper = tuple((name, int(value)) for name, value in word.tile._asdict().items())
    lower = tuple((name, int(v)) for name, v in word._asdict().items() if name != "tile")
    return (*upper, *lower)


def _number(text: str, what: str) -> int:
    """Parse a number below 2**32, decimal or hexadecimal."""
    word = text.strip().lower()
    try:
        number = int(word, 16 if word.startswith("0x") else 10)
    except ValueError:
        raise ValueError(f"{what}: {text.strip()!r} is no number") from None
    if not 0 <= number < 1 << 32:
        raise ValueError(f"{what}: {number} is out of range")
    return number


def _terrain(state: State, at: Place) -> str:
    return terrain_rows()[state.terrain[at[1], at[0]]].name


MOVING: Final = MovingTools(
    settings_of=lambda state: settings_of(state.options),
    terrain=_terrain,
    full=lambda _state, group: min(army.max_move for army in group),
    attack="W2-6.4",
    coast="W2-6.6",
)
"""Questions about routes and reach. See: W2-5.2, W2-5.3, W2-5.5, W2-5.6, W2-6.2, W2-6.4."""

TOOLS: Final[tuple[Tool, ...]] = (
    *MOVING.tools(),
    FunctionTool(
        "cost-byte",
        "The byte of a tile in a side's cost map.",
        (
            TARGET,
            Argument("side", "number", "the side that moves"),
            Argument("mode", "word", "ground, air or water", required=False),
        ),
        _cost_byte,
    ),
    FunctionTool(
        "tile",
        "What the original's 32-bit word of a tile would be.",
        (TARGET, Argument("side", "number", "whose overlay byte", required=False)),
        _tile,
    ),
    FunctionTool(
        "word",
        "A 32-bit tile word taken apart, changed or put together.",
        (
            Argument("word", "number", "the word, 0x... or decimal", required=False),
            Argument("fields", "word", "fields to change, as road=1,owner=3", required=False),
            Argument("owner", "number", "another owner, 0 to 7 or 15", required=False),
        ),
        _word,
    ),
)
"""Questions of ``calc`` about moving."""
