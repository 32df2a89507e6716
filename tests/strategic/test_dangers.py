"""Attacks in games of computer players were marked in the danger layer of the attacked side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from engine.core import registry
from engine.core.feed import AnyChange
from engine.core.game import Game
from engine.core.ids import Seat
from engine.core.scenarios import fitted
from engine.kit.grid import Place
from engine.strategic.commands import EndTurn
from engine.strategic.events import BattleFought, CityTaken, GroupMoved
from engine.strategic.item_records import speed
from engine.strategic.picture import overlay, stopping
from engine.strategic.picture.presenter import StrategicPicture
from engine.tabletop.presenter import presenter_of
from tui.play.continuation import Continuation


class KnownDangers(NamedTuple):
    """Knowledge of a side at the end of its turn: the marked tiles, the enemies, the warnings."""

    marked: frozenset[Place]
    seen: frozenset[int]
    told: str


class StruckTile(NamedTuple):
    """StruckTile on a tile of a side by armies."""

    side: Seat
    at: Place
    armies: tuple[int, ...]


def outlook(rules: Any, state: Any, side: Seat) -> KnownDangers:
    """Return what a side knows of the dangers."""
    presenter = presenter_of(rules)
    assert isinstance(presenter, StrategicPicture)
    known = presenter.context(rules.view(state, side))
    rows, columns = overlay.danger(known).nonzero()
    stacks = stopping.enemy_stacks(known).values()
    return KnownDangers(
        frozenset(zip(columns.tolist(), rows.tolist(), strict=True)),
        frozenset(army.id for stack in stacks for army in stack),
        " ".join(line.text for line in stopping.warnings(known)),
    )


def attacks(change: AnyChange) -> Iterator[StruckTile]:
    """Yield the attacks of an entry on armies and cities of other sides."""
    went: tuple[int, ...] = ()
    for event in change.entry.events if change.entry is not None else ():
        match event:
            case BattleFought(defender=side, at=at):
                went = tuple(one.army for one in event.attackers)
                yield StruckTile(side, at, went)
            case GroupMoved(armies=armies):
                went = armies
            case CityTaken(loser=side, city=city):
                places = {change.after.armies[one].at for one in went if one in change.after.armies}
                for at in places.intersection(city.tiles):
                    yield StruckTile(side, at, went)
            case _:
                pass


class WatchedWar:
    """A game of computer players in which all attacks are compared with the warnings."""

    def __init__(self, name: str, scenario: str, seed: bytes) -> None:
        self.rules = registry.find(name)
        scene = self.rules.scenarios()[scenario]
        seats = self.rules.default_seats(scene)
        begun = Game.begin(
            self.rules, fitted(self.rules, scene, seats, frozenset(range(seats))), {}, seed
        )
        self.outlooks: dict[Seat, KnownDangers] = {}
        self.checked = self.unmarked = 0
        level = list(self.rules.bots)[-1]
        self.going = Continuation(
            self.rules, begun.state, [level] * seats, seed, 1, booked=self.book
        )

    def book(self, change: AnyChange) -> None:
        """Note what a side knows when it ends its turn, and check the attacks on the others."""
        entry = change.entry
        assert entry is not None
        if isinstance(entry.command, EndTurn):
            self.outlooks[entry.seat] = outlook(self.rules, change.before, entry.seat)
        for attack in attacks(change):
            known = self.outlooks.get(attack.side)
            if known is None or not known.seen.issuperset(attack.armies):
                continue
            self.checked += 1
            if attack.at in known.marked:
                continue
            before = change.before
            fast = any(speed(before, army.id) for army in before.armies.values())
            assert fast, attack
            assert "unknown items of speed" in known.told, attack
            self.unmarked += 1


@pytest.mark.parametrize(
    ("name", "scenario", "turns", "least"),
    [("warlords2", "skirmish", 24, 5), ("lordsawar", "border", 24, 5)],
)
def test_attacks_by_enemies_in_sight_were_marked(
    name: str, scenario: str, turns: int, least: int
) -> None:
    for seed in range(2):
        war = WatchedWar(name, scenario, bytes([seed]) * 16)
        war.going.play(turns)
        assert war.checked >= least
