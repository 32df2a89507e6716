"""Small positions to try rules on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from engine.core.dice import Scripted
from engine.core.record import replace
from engine.core.refused import Refused
from tests.toy import RULES
from tests.toy import commands as do
from tests.toy import events as ev
from tests.toy.refusal import Refusal
from tests.toy.state import Clan, Field, Now, Options, Placed, State

ROWS = (
    "....",
    ".*~.",
    "....",
)


def placed(*bands: tuple[int, int, int, int], **fields: Any) -> Field:
    """A scenario of bands given as (clan, x, y, strength)."""
    clans = 1 + max(clan for clan, *_ in bands)
    strengths = tuple(sorted(strength for clan, _, _, strength in bands if clan == 0))
    field = Field(
        name="place",
        title="A place",
        about="",
        clans=clans,
        rounds=3,
        strengths=strengths,
        rows=ROWS,
        bands=tuple(Placed(*band) for band in bands),
    )
    return replace(field, **fields)


def begun(field: Field, throws: Iterable[int] = (), **options: int | str) -> State:
    """The state a scenario begins with."""
    state = RULES.empty()
    for event in RULES.begin(field, options, Scripted(throws)):
        state = RULES.evolve(state, event)
    return state


def play(
    state: State, *moves: tuple[int, do.AnyCommand], throws: Sequence[int] = ()
) -> tuple[State, list[ev.AnyEvent]]:
    """The state after some commands of seats, and all that happened; uses every throw."""
    dice, happened = Scripted(throws), []
    for seat, command in moves:
        for event in RULES.decide(state, seat, command, dice):
            state = RULES.evolve(state, event)
            happened.append(event)
    assert dice.left() == 0
    return state, happened


def refused(state: State, seat: int, command: do.AnyCommand, code: Refusal, rule: str) -> None:
    """The command is refused for that reason by that rule."""
    with pytest.raises(Refused) as caught:
        RULES.decide(state, seat, command, Scripted())
    assert (caught.value.code, caught.value.rule) == (code, rule)


def march(band: int, *path: tuple[int, int]) -> do.GiveOrder:
    """An order."""
    return do.GiveOrder(band, path)


def now(clans: int, **fields: Any) -> Now:
    """The middle of a game."""
    return Now(clans=tuple(Clan(number) for number in range(clans)), **fields)


SEAL = do.SealOrders()
NO_STAKES = Options(stakes="off")
