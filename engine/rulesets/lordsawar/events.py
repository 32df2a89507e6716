"""Events: the set-up of a game, those of the strategic layer, and those of this game alone."""

from __future__ import annotations

from typing import ClassVar, Literal, Self, TypeAlias, cast

from engine.core.record import Event, replace
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import NO_PROPOSAL, Condition, State
from engine.strategic import events as strategic
from engine.strategic.events.base import OwnSideEvent, StrategicEvent
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
    """What a side proposes to the others, and how it wants to stand toward them. Rules: LW-16."""

    proposals: tuple[int, ...]
    stances: tuple[int, ...] = ()

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Proposals to the viewer, if they are otherwise; all of them for the side itself."""
        if self.side in before.secrets:
            return self
        rows = cast("State", before.world).proposals
        known = rows[self.side] if rows else (NO_PROPOSAL,) * len(self.proposals)
        pairs = enumerate(zip(self.proposals, known, strict=True))
        if not any(one != was for other, (one, was) in pairs if other in before.secrets):
            return None
        told = tuple(
            one if other in after.secrets else NO_PROPOSAL
            for other, one in enumerate(self.proposals)
        )
        return replace(self, proposals=told, stances=())


class DiplomacySettled(StrategicEvent, frozen=True, tag="diplomacy"):
    """The proposals of a round are settled; ``changed`` are the pairs that stand otherwise.

    Rules: LW-16.
    """

    irreversible: ClassVar[bool] = True

    changed: tuple[tuple[int, int], ...]
    treaties: tuple[tuple[int, ...], ...]
    opinions: tuple[tuple[int, ...], ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """The event, unless proposals between others came to nothing."""
        del after
        rows = cast("State", before.world).proposals
        known = any(
            told != NO_PROPOSAL
            for side, row in enumerate(rows)
            for other, told in enumerate(row)
            if before.secrets & {side, other}
        )
        return self if self.changed or known else None


class OpinionsChanged(StrategicEvent, frozen=True, tag="opinions"):
    """What everybody thinks of everybody after a deed of a side. Rules: LW-16."""

    irreversible: ClassVar[bool] = True

    side: int
    opinions: tuple[tuple[int, ...], ...]
    reason: Literal["treachery", "razed", "last_city"]


OwnEvent: TypeAlias = ConditionsSet | ProposalSet | DiplomacySettled | OpinionsChanged
"""Events that only this game has, its set-up aside."""

AnyEvent: TypeAlias = GameSet | strategic.AnyEvent | OwnEvent
