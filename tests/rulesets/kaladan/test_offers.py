"""Offers: never refused, of every kind of command, and limited to one unit on request."""

from __future__ import annotations

import pytest

from engine.core.dice import Seeded
from engine.core.record import tag
from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.commands import AnyCommand
from engine.rulesets.kaladan.offers import groups, offers
from engine.rulesets.kaladan.state import State
from engine.rulesets.kaladan.turns import owing
from engine.rulesets.kaladan.view import view
from tests.rulesets.kaladan.positions import decided, folded, position
from tests.rulesets.kaladan.walks import begun, walk

CROWD = """
FF WFM FF
A1 0 # crown sword sword+ archer shield
B1 0 general catapult
B2 1 shield archer
C2 1 # crown sword
"""


def offered(state: State, seat: int) -> list[AnyCommand]:
    """Return the offers to a seat."""
    return list(offers(view(state, seat)))


@pytest.mark.rule("KA-13")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_offers_are_never_refused_and_only_for_the_asked_seat(seats: int) -> None:
    state, dice = begun(seats, "drawn", b"offers"), Seeded(b"offers", seats, "walk")
    for number in range(220):
        if not (asked := owing(state)):
            break
        (seat,) = asked
        found = offered(state, seat)
        assert len(found) == len({*found}) < 2000
        for other in state.players:
            assert other == seat or not offered(state, other)
        for command in found[:: max(1, len(found) // 12)]:
            decided(state, seat, command, Seeded(b"offers", number, "dice"))
        chosen = found[dice.roll(len(found)) - 1]
        state = folded(state, decided(state, seat, chosen, Seeded(b"offers", number, "dice")))


@pytest.mark.rule("KA-13")
def test_every_kind_of_command_is_offered_in_some_game() -> None:
    seen: set[str] = set()
    for game in range(12):
        dice = Seeded(b"kinds", game, "walk")
        numbers = (dice.roll(1_000_000) for _ in range(250))
        for before, seat, *_ in walk(begun(2 + game % 3, "drawn"), numbers):
            seen |= {tag(command) for command in offered(before, seat)}
    assert seen == {tag(kind) for kind in AnyCommand.__args__}


@pytest.mark.rule("KA-6.4")
def test_offers_about_a_unit_name_it() -> None:
    state = position(CROWD)
    found = list(offers(view(state, 0), about=11))
    assert found
    assert all(
        isinstance(command, do.Attack) or 11 in command.units  # type: ignore[union-attr]
        for command in found
    )
    assert do.Attack("A1", "B2") in found
    assert do.Attack("B1", "B2") not in found
    assert list(offers(view(state, 0), about=111)) == []


@pytest.mark.rule("KA-6.4")
def test_groups_are_all_units_all_but_the_crown_and_single_ones() -> None:
    units = [unit for unit in position(CROWD).units.values() if unit.tile == 1]
    assert groups(units, 5)[:2] == [(11, 12, 21, 31, 61), (11, 12, 21, 31)]
    assert groups(units, 1) == [(11,), (61,), (12,), (21,), (31,)]
    assert groups(units, 0) == []
    assert groups([], 3) == []


@pytest.mark.rule("KA-8.4")
def test_resigning_is_offered_only_to_a_seat_with_few_units() -> None:
    assert do.Resign() not in offered(position(CROWD), 0)
    assert do.Resign() in offered(position(), 0)


@pytest.mark.rule("KA-15")
def test_viewers_that_are_not_asked_get_no_offers() -> None:
    state = position()
    for viewer in (1, -2, -3):
        assert not list(offers(view(state, viewer)))


def test_command_that_is_not_offered_can_be_refused() -> None:
    with pytest.raises(Refused):
        decided(position(), 0, do.AnswerEvent("gold"))
