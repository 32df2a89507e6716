"""Events: the set-up of a game, those of the strategic layer, and those of this game alone."""

from __future__ import annotations

from typing import ClassVar, Literal, Self, TypeAlias

from engine.core.record import Event, replace
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import Condition, State
from engine.strategic import events as strategic
from engine.strategic.events.base import OwnSideEvent, StrategicEvent
from engine.strategic.pieces import NOBODY, City
from engine.strategic.seen import Seen


class GameSet(Event, frozen=True, tag="game-set"):
    """The game is set up: the whole scenario, the options, and what became of both.

    Everything that was drawn for the set-up is in ``start``. Rules: LW-0, LW-19.5.
    """

    irreversible: ClassVar[bool] = True

    scenario: Map
    options: Options
    start: State


class ConditionsSet(StrategicEvent, frozen=True, tag="conditions"):
    """Conditions of armies are otherwise: as they are now. Rules: LW-3.2, LW-6.2 to LW-6.4."""

    conditions: tuple[Condition, ...]
    reason: Literal["experience", "medal", "level", "fortified", "moved", "parked"]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Conditions of own armies."""
        rows = before.world.armies
        own = tuple(one for one in self.conditions if rows[one.id].owner in before.secrets)
        del after
        return replace(self, conditions=own) if own else None


class ProposalSet(OwnSideEvent, frozen=True, tag="proposal"):
    """What a side proposes to the others. Rules: LW-16."""

    proposals: tuple[int, ...]


class NeutralGoldSet(StrategicEvent, frozen=True, tag="neutral-gold"):
    """Gold of the neutral side now. Rules: LW-13.1."""

    irreversible: ClassVar[bool] = True

    gold: int

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Event, for those who know everything."""
        return self if NOBODY in before.secrets else None


class ProductionStopped(StrategicEvent, frozen=True, tag="production-stopped"):
    """A city whose army cannot be paid stops: as it is now. Rules: LW-13.2."""

    irreversible: ClassVar[bool] = True

    city: City

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Event, if the viewer knows the business of the city's owner."""
        return self if self.city.owner in before.secrets else None


class RoundScored(StrategicEvent, frozen=True, tag="scored"):
    """Scores of all sides at the end of a round. Rules: LW-17."""

    irreversible: ClassVar[bool] = True

    scores: tuple[int, ...]


OwnEvent: TypeAlias = ConditionsSet | ProposalSet | NeutralGoldSet | ProductionStopped | RoundScored
"""Events that only this game has, its set-up aside."""

AnyEvent: TypeAlias = GameSet | strategic.AnyEvent | OwnEvent
