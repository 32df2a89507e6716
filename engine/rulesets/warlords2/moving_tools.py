"""Tools of ``calc`` about moving: paths, reach, cost bytes, tile words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.base_ruleset import FunctionTool
from engine.core.ruleset import Argument, Tool, ToolReport
from engine.kit.arguments import place_on, rows_of
from engine.kit.grid import Place
from engine.rulesets.warlords2.rule_settings import book_of, cost_bytes
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import terrain_rows
from engine.rulesets.warlords2.tile_codec import (
    MapTile16,
    TileWord32,
    overlay_of,
    tile_word,
    word32,
)
from engine.strategic import costs, routes
from engine.strategic.costs import Mode
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.reach import reach

_ARMIES: Final = Argument("armies", "word", "numbers of armies that stand together, as 3,4")
_TARGET: Final = Argument("target", "place", "the tile")
_MODES: Final = {"ground": Mode.GROUND, "air": Mode.AIR, "water": Mode.WATER}
_UPPER: Final = MapTile16._fields
_LOWER: Final = tuple(name for name in TileWord32._fields if name != "tile")


def _path(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Path of a group to a tile, step by step. Rules: W2-5.2, W2-5.3, W2-5.5, W2-5.6."""
    group = _movers(state, arguments["armies"])
    target = place_on(state.terrain, arguments["target"])
    owner = group[0].owner
    human = owner in state.sides and state.sides[owner].human
    route = routes.plan(state, book_of(state.options), owner, group, target, human=human)
    if route is None:
        raise ValueError(f"no way leads there from {group[0].x},{group[0].y}")
    points, full = costs.points(group), min(army.max_move for army in group)
    listed, total = [], 0
    for number, (at, cost, turn) in enumerate(
        zip(route.path, route.costs, routes.turns(route, points, full), strict=True), 1
    ):
        total += cost
        listed.append((number, *at, _terrain(state, at), cost, total, turn))
    remark = f"{total} points; the group has {points} this turn and {full} in each turn after."
    ends = [
        "The last step is an attack (W2-6.4)." if route.attack else "",
        "The last step leads aboard or ashore and takes all points (W2-6.6)."
        if route.coast
        else "",
    ]
    columns = ("step", "x", "y", "terrain", "cost", "total", "turn")
    return ToolReport(columns, tuple(listed), (remark, *filter(None, ends)))


def _reach(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Tiles that a group can stop on this turn, and its targets. Rules: W2-5.5, W2-6.2, W2-6.4."""
    group = _movers(state, arguments["armies"])
    points = costs.points(group)
    found = reach(state, book_of(state.options), group[0].owner, group)
    order = sorted(found.stops, key=lambda at: (at[1], at[0]))
    listed: list[tuple[int | str | None, ...]] = [
        (*at, _terrain(state, at), found.stops[at], points - found.stops[at], "stop")
        for at in order
    ]
    for at in sorted(found.targets, key=lambda at: (at[1], at[0])):
        x, y = found.targets[at]
        listed.append((*at, _terrain(state, at), None, None, f"attack from {x},{y}"))
    remark = f"{points} points: {len(found.stops)} tiles, {len(found.targets)} targets."
    full = f"{len(found.crowded)} more have no room for the group."
    columns = ("x", "y", "terrain", "cost", "left", "what")
    return ToolReport(columns, tuple(listed), (remark, full) if found.crowded else (remark,))


def _cost_byte(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Byte of a tile in the cost map of a side and a mode. Rules: W2-4.3, W2-4.5a."""
    x, y = place_on(state.terrain, arguments["target"])
    side = _number(arguments["side"], "side")
    if side not in state.sides:
        raise ValueError(f"there is no side {side}")
    word = arguments.get("mode", "ground")
    if word not in _MODES:
        raise ValueError(f"mode is one of {', '.join(_MODES)}, not {word!r}")
    found = costs.cost_map(state, book_of(state.options), side, _MODES[word])
    cell, byte = found.item(y, x), cost_bytes(found).item(y, x)
    flags = (costs.ZONE, costs.ROAD, costs.LINKED, costs.BRIDGE)
    bits = (int(cell & flag != 0) for flag in flags)
    row: tuple[int | str, ...] = (f"0x{byte:02x}", cell & costs.PRICE, *bits)
    columns = ("byte", "base", "zone", "road", "connected", "bridge")
    return ToolReport(
        columns, (row,), (f"{_terrain(state, (x, y))} at {x},{y}, side {side}, {word}.",)
    )


def _tile(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Word and overlay byte of a tile in the original's format.

    Rules: W2-2.2b, W2-2.3.
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
    """A tile word decoded, changed or composed. Rules: W2-2.2b."""
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


def _movers(state: State, text: str) -> tuple[Army, ...]:
    """Armies that stand and can move together."""
    group = rows_of(state.armies, text, "army")
    if len({(army.at, army.owner) for army in group}) > 1:
        raise ValueError("the armies do not stand together")
    if costs.mover(state, book_of(state.options).moving, group) is None:
        raise ValueError("boats, armies aboard and armies on land cannot go together")
    return group


def _number(text: str, what: str) -> int:
    """A number below 2**32, decimal or hexadecimal."""
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


TOOLS: Final[tuple[Tool, ...]] = (
    FunctionTool(
        "path",
        "The way of armies to a tile, and in which turn they are where.",
        (_ARMIES, _TARGET),
        _path,
    ),
    FunctionTool(
        "reach", "Where armies can stop this turn, and what they can attack.", (_ARMIES,), _reach
    ),
    FunctionTool(
        "cost-byte",
        "The byte of a tile in a side's cost map.",
        (
            _TARGET,
            Argument("side", "number", "the side that moves"),
            Argument("mode", "word", "ground, air or water", required=False),
        ),
        _cost_byte,
    ),
    FunctionTool(
        "tile",
        "What the original's 32-bit word of a tile would be.",
        (_TARGET, Argument("side", "number", "whose overlay byte", required=False)),
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
