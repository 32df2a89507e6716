"""Events in sentences: which function tells of which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engine.strategic import events as ev
from engine.strategic.picture import cities, fighting, heroes, moving, turns
from engine.strategic.picture.context import PictureContext
from engine.tabletop.board import Line

Teller = Callable[[PictureContext, Any], Iterator[Line]]

TELLERS: Final[Mapping[type[Any], Teller]] = {
    ev.GroupMoved: moving.moved,
    ev.MarchStopped: moving.stopped,
    ev.GoalSet: moving.aimed,
    ev.DefendSet: moving.defended,
    ev.TilesFound: moving.found,
    ev.GroundSighted: turns.nothing,
    ev.FogLifted: moving.lifted,
    ev.TowersBuilt: moving.towers_built,
    ev.TowersFell: moving.towers_fell,
    ev.BattleFought: fighting.fought,
    ev.ArmiesRemoved: fighting.removed,
    ev.ArmiesGrew: fighting.grew,
    ev.DeedsCounted: fighting.counted,
    ev.CityTaken: cities.taken,
    ev.CitySettled: cities.settled,
    ev.CityRazed: cities.razed,
    ev.CityChanged: cities.changed,
    ev.SlotBought: cities.bought,
    ev.Counted: cities.counted,
    ev.ArmyMade: cities.made,
    ev.ArmySent: cities.sent,
    ev.TransitsMoved: cities.turned_back,
    ev.ArmyArrived: cities.arrived,
    ev.TransitsLost: cities.lost,
    ev.ArmiesPlaced: cities.placed,
    ev.CitiesFreed: cities.freed,
    ev.Asked: heroes.asked,
    ev.Answered: heroes.answered,
    ev.HeroHired: heroes.hired,
    ev.ItemsMoved: heroes.items_moved,
    ev.FlagSet: heroes.flag_set,
    ev.SiteSearched: heroes.searched,
    ev.SiteKnown: heroes.sites_known,
    ev.GoldChanged: heroes.gold_changed,
    ev.QuestSet: heroes.quest_set,
    ev.RoundBegan: turns.round_began,
    ev.TurnBegan: turns.turn_began,
    ev.StageSet: turns.nothing,
    ev.PointsRefilled: turns.nothing,
    ev.IncomeCame: turns.income,
    ev.StanceSet: turns.stances,
    ev.TreatyChanged: turns.treaty,
    ev.RatingChanged: turns.rating,
    ev.FightOrderSet: turns.line_set,
    ev.SideOut: turns.side_out,
    ev.GameEnded: turns.ended,
}
"""Every kind of event; a test holds this to ``events.AnyEvent``."""


def tell(event: ev.AnyEvent, after: PictureContext) -> tuple[Line, ...]:
    """An event in sentences."""
    return tuple(TELLERS[type(event)](after, event))
