"""Scenarios: options, and the checks of rows and positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.options import Option
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.gd6.generate import recipe
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.referee import impossible
from engine.rulesets.gd6.state import (
    NOBODY,
    Options,
    Player,
    Seating,
    Setting,
    StateOrView,
    Territory,
    World,
)
from engine.rulesets.gd6.territories import close_by, owned, strength
from engine.rulesets.gd6.turns import owing


def declared() -> tuple[Option, ...]:
    """Return the options of this game. See: GD-OPT-1."""
    made = recipe()
    variants = (
        "armies are the only units",
        "armies, cavalry, heavies and spies, and mines that they can lay",
    )
    return (
        Option(
            "variant",
            None,
            "A war of armies, or one with special units as well.",
            "GD-OPT-1",
            ("base", "advanced"),
            variants,
            label="Units",
            phrases=("armies only", "all kinds, and mines"),
        ),
        Option(
            "domination",
            None,
            "A side that owns this share of all territories wins.",
            "GD-END-4",
            high=100,
            label="Land to win",
            unit="%",
            words=((0, "not by land"),),
        ),
        Option(
            "turn_limit",
            None,
            "The game ends after this many turns.",
            "GD-END-5",
            high=999,
            label="Length",
            unit="turns",
            words=((0, "no limit"),),
        ),
        Option(
            "map_size",
            None,
            "How many territories the map has.",
            "GD-NEWMAP-1",
            low=made.fewest_territories,
            high=made.most_territories,
            label="Map size",
            unit="territories",
        ),
        Option(
            "map_seed",
            None,
            "Each number stands for another map.",
            "GD-NEWMAP-1",
            high=999_999,
            label="Map number",
        ),
    )


def options_of(setting: Setting) -> tuple[Option, ...]:
    """Return the scenario's options; map options only for a new map. See: GD-NEWMAP-1."""
    known = {"map_size": setting.new, "map_seed": setting.map_seed}
    return tuple(
        replace(option, default=known[option.name]) if option.name in known else option
        for option in declared()
        if setting.new or option.name not in known
    )


# -- checks ----------------------------------------------------------------------------------------

_LIMIT: Final = 1_000_000
"""Upper limit for turns, loyalty, IP, items and settling rounds."""


def _demand(holds: bool, place: str, text: str, rule: str = "GD-SCEN-1") -> None:  # noqa: FBT001
    if not holds:
        raise ScenarioFault(place, text, rule)


def check_setting(setting: Setting, world: World, options: Options, seats: int) -> None:
    """Check the rows of a scenario against its map and number of seats. See: GD-SCEN-1.

    Raises:
        ScenarioFault: with the place of the first fault.
    """
    table = numbers()
    fewest, most = table.fewest_seats.value, table.most_seats.value
    _demand(fewest <= seats <= most, "seats", f"from {fewest} to {most} can play")
    ids = [player.id for player in setting.players]
    rising = ids == sorted(set(ids)) and set(ids) <= set(range(seats))
    _demand(rising, "players", f"must be seats from 0 to {seats - 1}, in order")
    _demand(len(world.lands) <= table.most_territories.value, "map", "has too many territories")
    known = {row.id for row in setting.territories}
    _demand(len(known) == len(setting.territories), "territories", "name one twice")
    for number, row in enumerate(setting.territories):
        _check_territory(row, f"territories[{number}]", len(world.lands), seats, options)
    for number, player in enumerate(setting.players):
        _check_player(player, f"players[{number}]")
    last = options.turn_limit or _LIMIT
    _demand(1 <= setting.turn <= last, "turn", f"must be from 1 to {last}")
    _demand(0 <= setting.failed_rounds <= _LIMIT, "failed_rounds", "cannot be so many")


def _check_territory(row: Territory, at: str, count: int, seats: int, options: Options) -> None:
    most = numbers().most_units.value
    _demand(1 <= row.id <= count, f"{at}.id", f"must be from 1 to {count}")
    for field in ("owner", "hq"):
        known = NOBODY <= getattr(row, field) < seats
        _demand(known, f"{at}.{field}", f"must be a seat from 0 to {seats - 1}, or {NOBODY}")
    for field in ("army", "cavalry", "heavy", "spy", "mines"):
        fits = 0 <= getattr(row, field) <= most
        _demand(fits, f"{at}.{field}", f"must be from 0 to {most}")
    _demand(0 <= row.loyalty <= _LIMIT, f"{at}.loyalty", "is too high or too low")
    held = row.owner != NOBODY or (not strength(row) and not row.loyalty)
    _demand(held, at, "neutral land has neither units nor loyalty", "GD-LAND-1")
    kept = row.owner != NOBODY or row.construct != "bivouac"
    _demand(kept, f"{at}.construct", "a bivouac needs an owner", "GD-LAND-1")
    plain = not (row.cavalry or row.heavy or row.spy or row.mines)
    _demand(options.variant == "advanced" or plain, at, "needs the advanced variant", "GD-OPT-1")
    _check_laid(row, f"{at}.laid", seats)


def _check_laid(row: Territory, at: str, seats: int) -> None:
    layers = [seat for seat, _ in row.laid]
    fits = layers == sorted(set(layers)) and set(layers) <= set(range(seats))
    _demand(fits, at, "must be seats in order, each once", "GD-MINE-5")
    sound = all(count > 0 for _, count in row.laid)
    enough = sum(count for _, count in row.laid) <= row.mines
    _demand(sound and enough, at, "must be some of the mines", "GD-MINE-5")


def _check_player(player: Seating, at: str) -> None:
    table = numbers()
    for field in ("ip", "crop", "dynamite", "toxic"):
        fits = 0 <= getattr(player, field) <= _LIMIT
        _demand(fits, f"{at}.{field}", "is too high or too low")
    for field, text in (("name", player.name), ("colour", player.colour)):
        fits = len(text) <= 40 and (not text or text.isprintable())
        _demand(fits, f"{at}.{field}", "must be a word of at most 40 signs")
    listed = {"orders": player.orders, "last": player.last, "forced": player.forced}
    for field, orders in listed.items():
        fits = len(orders) <= table.longest_list.value
        _demand(fits, f"{at}.{field}", f"has more than {table.longest_list.value} lines")
    opened = player.opened
    if opened is not None:
        least = min(opened.territories, opened.bivouacs, opened.libraries)
        most = max(opened.territories, opened.bivouacs, opened.libraries)
        fits = least >= 0 and most <= table.most_territories.value
        _demand(fits, f"{at}.opened", "is too high or too low")


def check_position(seen: StateOrView) -> None:
    """Check that a game can continue from a position. Rules: GD-SCEN-1. See: GD-HQ-2.

    Raises:
        ScenarioFault: with the place of the first fault.
    """
    sites = [here for here in seen.territories.values() if here.hq != NOBODY]
    settlers = [here.hq for here in sites]
    _demand(len(set(settlers)) == len(settlers), "territories", "a seat settled twice", "GD-HQ-1")
    for here in sites:
        others = {other.id for other in sites} - {here.id}
        near = sorted(others & close_by(seen.world, here.id))
        _demand(not near, "territories", f"headquarters at {here.id} and {near[:1]}", "GD-HQ-2")
    for player in seen.players.values():
        _check_seat(seen, player, f"players[{player.id}]")
    _check_rounds(seen)
    _check_end(seen, [player.id for player in seen.players.values()])


def _check_seat(seen: StateOrView, player: Player, at: str) -> None:
    landed = bool(owned(seen, player.id))
    settled = any(here.hq == player.id for here in seen.territories.values())
    out = player.status == "eliminated"
    _demand(not (out and landed), f"{at}.status", "an eliminated seat owns land", "GD-END-1")
    _demand(player.hq_built or not settled, f"{at}.hq_built", "there is one", "GD-HQ-1")
    built = player.hq_built == (player.status == "active") or out
    _demand(built, f"{at}.hq_built", "goes with the status", "GD-HQ-1")
    for number, order in enumerate(player.forced):
        why = "is for a seat that is out" if out else impossible(seen, order)
        _demand(not why, f"{at}.forced[{number}]", why, "GD-FORCED-1")
    alive = landed or player.status != "active" or bool(seen.reason)
    _demand(alive, f"{at}.status", "an active seat owns no land", "GD-END-1")


def _check_rounds(seen: StateOrView) -> None:
    again = bool(seen.failed_rounds) and not seen.reason
    fits = again == bool(seen.choosing) and (not again or seen.phase == "construction")
    _demand(fits, "choosing", "goes with failed rounds, in construction", "GD-HQ-5")
    unsettled = {p.id for p in seen.players.values() if p.status == "unsettled"}
    free = list(seen.choosing) == sorted(set(seen.choosing)) and set(seen.choosing) <= unsettled
    _demand(free, "choosing", "must be unsettled seats in order", "GD-HQ-5")


def _check_end(seen: StateOrView, seats: Sequence[int]) -> None:
    if seen.reason:
        named = set(seen.winners) <= set(seats)
        _demand(named, "winners", "must be seats", "GD-END-2")
        return
    _demand(not seen.winners, "winners", "nobody has won yet", "GD-END-2")
    _demand(bool(owing(seen)), "players", "all have sealed", "GD-LIST-3")
