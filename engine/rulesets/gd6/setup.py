"""Setup: from a scenario to the first event, and from any position back to a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import asdict

from engine.core import notation
from engine.core.containers import Roster
from engine.core.options import OptionFault, Value, settle
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import AnyOrder, read_order
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.generate import generated, recipe
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.scenario import check_position, check_setting, declared
from engine.rulesets.gd6.state import (
    LETTERS,
    Choices,
    Options,
    Player,
    Seating,
    Setting,
    Snapshot,
    State,
    StateOrView,
    Territory,
    World,
    header,
)
from engine.rulesets.gd6.turns import snapshot_of
from engine.rulesets.gd6.world import MapTerritory, check_world, lands, shipped, site_count

EMPTY: Final = State(World("", "", ()), Roster(), Roster(), Options())
"""The state before the first event."""


def check(setting: Setting) -> None:
    """Refuse a scenario that cannot be played. See: GD-MAP-1, GD-SCEN-1."""
    world = world_of(setting)
    started(setting, world, _options(setting, {}), seats_of(setting))


def set_up(setting: Setting, options: Mapping[str, Value]) -> ev.GameStarted:
    """Return the first event of a game from a scenario and options. See: GD-MAP-2, GD-OPT-1.

    Raises:
        ScenarioFault: the scenario cannot be played.
        OptionFault: an option has an invalid value.
    """
    given = settle(declared(), options)
    setting = _sized(setting, given)
    check(setting)
    world = world_of(setting)
    try:
        return started(setting, world, _options(setting, given), seats_of(setting))
    except ScenarioFault as problem:
        raise OptionFault(f"these options do not go with the scenario: {problem}") from None


def _sized(setting: Setting, given: Mapping[str, Value]) -> Setting:
    """Return the scenario with the options of a generated map applied. See: GD-NEWMAP-1.

    Raises:
        OptionFault: the scenario does not use a generated map.
    """
    if "map_size" not in given and "map_seed" not in given:
        return setting
    if not setting.new:
        raise OptionFault("map_size and map_seed are for a scenario with a new map")
    size = int(given.get("map_size", setting.new))
    return replace(setting, new=size, map_seed=int(given.get("map_seed", setting.map_seed)))


def world_of(setting: Setting) -> World:
    """Return the map of a scenario. Rules: GD-MAP-1.

    Raises:
        ScenarioFault: the map is missing, given more than once, or invalid.
    """
    maps = (setting.world is not None, bool(setting.map), bool(setting.borders), bool(setting.new))
    if sum(maps) != 1:
        raise ScenarioFault("map", "give either map, world, borders or new", "GD-MAP-1")
    if setting.new:
        return generated(str(setting.map_seed), setting.new, seats_of(setting))
    if setting.world is not None:
        check_world(setting.world)
        return setting.world
    return shipped(setting.map) if setting.map else _bare(setting.borders)


def _bare(borders: Sequence[tuple[int, int]]) -> World:
    """Build a map without polygons or names from its borders."""
    if len(borders) > numbers().most_territories.value ** 2:
        raise ScenarioFault("borders", f"{len(borders)} borders are too many", "GD-MAP-1")
    count = max(max(pair) for pair in borders)
    if min(min(pair) for pair in borders) < 1 or count > numbers().most_territories.value:
        raise ScenarioFault("borders", "territories are numbered from 1", "GD-MAP-1")
    rows = [MapTerritory(at) for at in range(1, count + 1)]
    world = World("graph", "A graph", lands(rows, [()] * count, borders))
    check_world(world)
    return world


def _options(setting: Setting, given: Mapping[str, Value]) -> Options:
    """Combine options: those given, then the scenario's, then defaults. Rules: GD-OPT-1."""
    table, chosen = numbers(), setting.options
    domination = _first(chosen.domination, table.domination_percent.value)
    limit = _first(chosen.turn_limit, table.turn_limit.value)
    return Options(
        variant="advanced" if given.get("variant", chosen.variant) == "advanced" else "base",
        domination=int(given.get("domination", domination)),
        turn_limit=int(given.get("turn_limit", limit)),
    )


def _first(chosen: int | None, otherwise: int) -> int:
    return otherwise if chosen is None else chosen


def seat_range(setting: Setting) -> tuple[int, int]:
    """Return the minimum and maximum number of seats of a scenario. See: GD-OPT-1, GD-MAP-5."""
    if setting.players or setting.territories:
        return seats_of(setting), seats_of(setting)
    table = numbers()
    if setting.new:
        most = min(table.most_seats.value, setting.new // recipe().territories_per_seat)
        return table.fewest_seats.value, max(table.fewest_seats.value, most)
    most = min(table.most_seats.value, site_count(world_of(setting)))
    return table.fewest_seats.value, max(most, seats_of(setting))


def seat_names(setting: Setting) -> tuple[str, ...]:
    """Return the names of a scenario's players, with letters for unnamed ones. See: GD-SCEN-1.

    If no player is named, or if two share a name, all seats get letters.
    """
    given = {player.id: " ".join(player.name.split()) for player in setting.players}
    if not any(given.values()):
        return tuple(LETTERS)
    seats = range(max(seats_of(setting), 1 + max(given)))
    names = tuple(given.get(seat) or LETTERS[seat] for seat in seats)
    is_clear = len({name.casefold() for name in names}) == len(names)
    return names if is_clear else tuple(LETTERS[seat] for seat in seats)


def default_seats(setting: Setting) -> int:
    """Return the number of seats that the scenario names, clamped to its range. See: GD-OPT-1."""
    least, most = seat_range(setting)
    return min(max(least, seats_of(setting)), most)


def seats_of(setting: Setting) -> int:
    """Return the number of seats that the scenario names; 0 if it names none."""
    return setting.seats or len(setting.players)


def started(setting: Setting, world: World, options: Options, seats: int) -> ev.GameStarted:
    """Return the first event, with defaults for everything that the scenario omits.

    Rules: GD-MAP-2, GD-SCEN-1.

    Raises:
        ScenarioFault: the scenario cannot be played.
    """
    check_setting(setting, world, options, seats)
    territories = Roster(Territory(land.id) for land in world.lands).put(*setting.territories)
    listed = {row.id: player_of(row) for row in setting.players}
    players = [listed.get(seat, Player(seat)) for seat in range(seats)]
    rest = Setting(**header(setting), options=setting.options)
    begun = ev.GameStarted(rest, options, world, tuple(players), territories.rows())
    state = evolve(EMPTY, begun)
    whole = tuple(_completed(state, player) for player in players)
    first = replace(begun, players=whole)
    check_position(evolve(EMPTY, first))
    return first


def _completed(state: State, player: Player) -> Player:
    """Fill in defaults for everything that a scenario may omit about a seat."""
    territories, bivouacs, libraries = snapshot_of(state, player.id)
    settled = player.status == "unsettled" and territories > 0
    colours = state.world.colours[: len(state.players)]
    plenty = colours if len(colours) == len(state.players) else numbers().colours
    return replace(
        player,
        name=player.name or LETTERS[player.id],
        colour=player.colour or plenty[player.id],
        status="active" if settled else player.status,
        hq_built=player.hq_built or settled,
        opened=player.opened or Snapshot(territories, bivouacs, libraries),
    )


def begun_from(first: ev.AnyEvent) -> tuple[Setting, Mapping[str, Value]]:
    """Return the scenario and the options of a game, from its first event.

    Raises:
        ValueError: this is not the first event of a game.
    """
    if not isinstance(first, ev.GameStarted):
        raise ValueError("a game begins with the event game-started")  # noqa: TRY004 - protocol
    setting = replace(
        first.scenario,
        world=first.world,
        players=tuple(map(seating_of, first.players)),
        territories=first.territories,
    )
    return setting, {
        "variant": first.options.variant,
        "domination": first.options.domination,
        "turn_limit": first.options.turn_limit,
    }


def setting_of(seen: StateOrView) -> Setting:
    """Convert a position, or the known part of it, to a scenario. See: GD-SCEN-1."""
    return Setting(
        world=seen.world,
        players=tuple(map(seating_of, seen.players.values())),
        territories=seen.territories.rows(),
        options=Choices(seen.options.variant, seen.options.domination, seen.options.turn_limit),
        **header(seen),
    )


# -- seats -----------------------------------------------------------------------------------------


def player_of(row: Seating) -> Player:
    """Convert a scenario's seat to a player record. See: GD-SCEN-1.

    Raises:
        ScenarioFault: a line of a list is not an order.
    """
    at = f"players[{row.id}]"
    listed = {"orders": row.orders, "last": row.last, "forced": row.forced}
    lists = {field: _orders(lines, f"{at}.{field}") for field, lines in listed.items()}
    return Player(**asdict(row) | lists)


def _orders(lines: tuple[str, ...], place: str) -> tuple[AnyOrder, ...]:
    found = []
    for number, line in enumerate(lines):
        try:
            found.append(read_order(line))
        except notation.BadNotation as problem:
            raise ScenarioFault(f"{place}[{number}]", problem.text, "GD-LIST-2") from None
    return tuple(found)


def seating_of(player: Player) -> Seating:
    """Convert a player record to a scenario's seat. See: GD-SCEN-1."""
    listed = {"orders": player.orders, "last": player.last, "forced": player.forced}
    lists = {field: tuple(map(notation.write, orders)) for field, orders in listed.items()}
    return Seating(**asdict(player) | lists)
