"""Set-up: from a scenario to the first event, and from any position back to a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.dice import Dice, shuffle
from engine.core.options import Option, OptionFault, Value, settle
from engine.core.record import replace
from tests.toy import events as ev
from tests.toy.checks import check_field, check_whole
from tests.toy.evolve import evolve
from tests.toy.state import HIDDEN, SIGNS, Band, Field, Now, Options, Placed, Seen, State, Terrain

EMPTY: Final = State(Plane([[0]]), Roster(), Roster(), (), 0, Roster(), Options())
"""The state before the first event."""

DECLARED: Final = (
    Option(
        name="stakes",
        default=None,
        text="Whether clans may stake lanterns on their fights",
        rule="T-SEAL-1",
        choices=("on", "off"),
        explained=("they may", "they may not"),
    ),
    Option(name="rounds", default=None, text="Rounds to be played", rule="T-WIN-2", low=1, high=20),
)


def check(field: Field) -> None:
    """Refuse a scenario that cannot be played. See: T-SETUP-1, T-SETUP-3."""
    check_field(field)
    if field.now is not None:
        undealt = _game_set(field, field.options, field.rounds, _bands(field))
        check_whole(evolve(EMPTY, undealt))


def set_up(field: Field, options: Mapping[str, Value], dice: Dice) -> ev.GameSet:
    """Return the first event of a game. See: T-SETUP-1 to T-SETUP-3."""
    check(field)
    given = settle(DECLARED, options)
    rounds = int(given.get("rounds", field.rounds))
    if field.now is not None and field.now.round > rounds:
        raise OptionFault(f"option rounds: round {field.now.round} is being played")
    stakes = given.get("stakes", field.options.stakes)
    chosen = Options(stakes="on" if stakes == "on" else "off")
    return _game_set(field, chosen, rounds, _deal(field, dice))


def _game_set(field: Field, options: Options, rounds: int, bands: tuple[Band, ...]) -> ev.GameSet:
    return ev.GameSet(field, options, rounds, terrain_of(field.rows), bands)


def terrain_of(rows: tuple[str, ...]) -> Plane:
    """Return the rows of a map as a plane, (height, width). See: T-SETUP-1."""
    cells = [[SIGNS.index(sign) for sign in row] for row in rows]
    return Plane(np.array(cells, dtype=np.uint8))


def _bands(field: Field) -> tuple[Band, ...]:
    return tuple(
        Band(number, put.clan, put.x, put.y, put.strength, put.known, put.alive)
        for number, put in enumerate(field.bands, 1)
    )


def _deal(field: Field, dice: Dice) -> tuple[Band, ...]:
    """Return the bands with strengths dealt by the dice. Rules: T-SETUP-2. See: T-SETUP-3."""
    bands = list(_bands(field))
    for clan in range(field.clans):
        left = list(field.strengths)
        for band in bands:
            if band.clan == clan and band.strength != HIDDEN:
                left.remove(band.strength)
        for strength in shuffle(dice, left):
            place = next(
                place
                for place, band in enumerate(bands)
                if band.clan == clan and band.strength == HIDDEN
            )
            bands[place] = replace(bands[place], strength=strength)
    return tuple(bands)


def field_of(seen: Seen) -> Field:
    """Return a position as a scenario; from a view, only what its viewer knows.

    Rules: T-SETUP-3.
    """
    return Field(
        name=seen.name,
        title=seen.title,
        about=seen.about,
        clans=len(seen.clans),
        rounds=seen.rounds,
        strengths=seen.strengths,
        rows=tuple("".join(SIGNS[Terrain(sign)] for sign in row) for row in seen.terrain.cells),
        bands=tuple(
            Placed(band.clan, band.x, band.y, band.strength, band.known, band.alive)
            for band in seen.bands.values()
        ),
        options=seen.options,
        now=Now(
            clans=seen.clans.rows(),
            orders=seen.orders.rows(),
            round=seen.round,
            marched=seen.marched,
            lost=seen.lost,
            reason=seen.reason,
            winners=seen.winners,
        ),
    )
