"""Set up games: options, scenarios, first events, positions as scenarios. See: KA-0, KA-5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import asdict

from engine.core.decision import BaseDecision
from engine.core.dice import Dice
from engine.core.options import Option, OptionFault, Value, settle
from engine.core.record import replace
from engine.core.scenarios import check_ranges
from engine.kit.tables import options
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan import founding
from engine.rulesets.kaladan.board import Decision, layout_for, layouts, tile_name, turn_order
from engine.rulesets.kaladan.evolve import EMPTY, evolve
from engine.rulesets.kaladan.midgame import check_now, completed
from engine.rulesets.kaladan.scenario import LETTERS, check_world, tiles_of
from engine.rulesets.kaladan.state import (
    MOST_SEATS,
    NOBODY,
    Choices,
    Now,
    Options,
    Player,
    Progress,
    State,
    View,
    War,
)
from engine.rulesets.kaladan.tables import PACKAGE, tables

DECLARED: Final[tuple[Option, ...]] = options(PACKAGE)
"""Options of the game; a scenario sets their defaults. See: KA-0."""

_FEWEST: Final = 2


def check(war: War) -> None:
    """Check that a scenario can be played. See: KA-3.1, KA-5.

    Raises:
        ScenarioFault: the scenario has a fault; it names the place of the first.
    """
    check_ranges(war)
    check_world(war, layout_of(war))
    if war.now is not None:
        check_now(_set(war, {}))


def layout_of(war: War) -> int:
    """Return the number of tiles of a scenario. Rules: KA-3.1."""
    return war.tiles or layout_for(war.seats)


def seat_range(war: War) -> tuple[int, int]:
    """Return the minimum and maximum number of seats of a scenario. See: KA-3.1."""
    if war.now is not None or war.realms or war.castles:
        return war.seats, war.seats
    if war.tiles or war.rows:
        return _FEWEST, max(war.seats, *layouts()[layout_of(war)].players)
    return _FEWEST, MOST_SEATS


def with_seats(war: War, seats: int) -> War:
    """Return the scenario for a number of seats; one with rows keeps its layout. See: KA-3.1."""
    return replace(war, seats=seats, tiles=layout_of(war) if war.rows else war.tiles)


def options_of(war: War, given: Mapping[str, Value]) -> Options:
    """Return the options of a game: given ones, the scenario's, then defaults. Rules: KA-0.

    Raises:
        OptionFault: an option is unknown or invalid.
    """
    chosen = {name: value for name, value in asdict(war.options).items() if value is not None}
    usual = asdict(Options()) | {"start_gold": tables().setup.start_gold}
    values: dict[str, Any] = usual | chosen | settle(DECLARED, given)
    return Options(**values)


def _set(war: War, given: Mapping[str, Value]) -> ev.GameSet:
    """Return the first event of a game."""
    layout, chosen = layout_of(war), options_of(war, given)
    if war.now is not None:
        war = replace(war, now=completed(war, chosen, layout))
    now = war.now
    players = now.players if now else tuple(Player(seat) for seat in range(war.seats))
    units = now.units if now else ()
    return ev.GameSet(war, chosen, layout, tiles_of(war, layout), players, units)


def begin(war: War, given: Mapping[str, Value], dice: Dice) -> tuple[ev.AnyEvent, ...]:
    """Return the events of the set-up until a seat has to choose. Rules: KA-5.

    Raises:
        ScenarioFault: the scenario cannot be played.
        OptionFault: an option is unknown or invalid.
    """
    check(war)
    decision: Decision = BaseDecision(EMPTY, evolve, dice)
    first = _set(war, given)
    if war.now is not None and any(name in given for name in ("magic", "events")):
        _check_same(war, first.options)
    decision.emit(first)
    if war.now is not None:
        return decision.events
    decision.emit(founding.roll_for_turn_order(dice, war.seats))
    if war.realms:
        for seat in turn_order(decision.state, decision.state.first):
            founding.take_realm(decision, seat, war.realms[seat])
    founding.go_on(decision)
    return decision.events


def _check_same(war: War, chosen: Options) -> None:
    """Check that Magic and event cards are not switched on or off in mid-game."""
    before = options_of(war, {})
    if (before.magic, before.events) != (chosen.magic, chosen.events):
        raise OptionFault("Magic and event cards cannot be changed in the middle of a game")


def begun_from(first: ev.AnyEvent) -> tuple[War, Mapping[str, Value]]:
    """Return the scenario and options of a game from its first event.

    Raises:
        ValueError: the event is no first event.
    """
    if not isinstance(first, ev.GameSet):
        raise ValueError("a game begins with the event game-set")  # noqa: TRY004
    return first.scenario, asdict(first.options)


def position(state: State | View) -> War:
    """Return any state as a scenario that begins there."""
    shape, letters = layouts()[state.layout], iter(state.tiles.values())
    rows = tuple(
        "".join(LETTERS[next(letters).terrain] for _ in range(width)) for width in shape.row_widths
    )
    built = {tile.castle: tile_name(state.layout, tile.id) for tile in state.tiles.values()}
    built.pop(NOBODY, None)
    return War(
        name=state.name,
        title=state.title,
        about=state.about,
        seats=len(state.players),
        tiles=state.layout,
        rows=rows,
        castles=tuple(built.get(seat, "") for seat in state.players),
        options=Choices(**asdict(state.options)),
        now=Now(
            players=state.players.rows(),
            units=state.units.rows(),
            **{name: getattr(state, name) for name in Progress.__struct_fields__},
        ),
    )
