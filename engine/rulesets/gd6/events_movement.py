"""What can happen while units move and fight, with results."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from engine.core.record import Event, Record
from engine.rulesets.gd6.orders import Unit
from engine.rulesets.gd6.state import Squad

Counts: TypeAlias = tuple[int, int, int, int]
"""Armies, cavalry, heavies, spies."""


class Loss(Record, frozen=True):
    """What a squad lost in a fight, and what is left of it."""

    squad: int
    seat: int
    unit: Unit
    lost: int
    left: int


class Hop(Record, frozen=True):
    """A squad on its way over a border."""

    squad: int
    seat: int
    unit: Unit
    count: int
    source: int
    target: int


class Lasting(Event, frozen=True):
    """Events of a turn that is carried out cannot be taken back."""

    lasting: ClassVar[bool] = True


class MinesExploded(Lasting, frozen=True, tag="mines-exploded"):
    """Mines went off under a seat's units; ``left`` are still there, and everybody knows them."""

    at: int
    seat: int
    exploded: int
    left: int
    losses: tuple[Loss, ...]
    spawned_lost: int = 0
    """Armies that had just been spawned and were killed."""


class SquadsBound(Lasting, frozen=True, tag="squads-bound"):
    """Units were bound to moves. A viewer is told of their own."""

    squads: tuple[Squad, ...]


class StepStarted(Lasting, frozen=True, tag="step-started"):
    """All make their n-th hop."""

    step: int


class LiftedOff(Lasting, frozen=True, tag="lifted-off"):
    """Squads left their territories, all at once. Others' spies are not told of."""

    hops: tuple[Hop, ...]


class Arrived(Lasting, frozen=True, tag="arrived"):
    """Squads of a seat reached a territory without a fight.

    ``units`` is what arrived; of others' arrivals without the spies.
    """

    seat: int
    at: int
    kind: Literal["distribution", "expansion", "landing"]
    squads: tuple[int, ...]
    units: Counts


class LoopFound(Lasting, frozen=True, tag="loop-found"):
    """Attacks go round in a circle: these territories in order, the lowest number first."""

    places: tuple[int, ...]


class Skirmish(Lasting, frozen=True, tag="skirmish"):
    """Squads of several seats met on the way; each seat's front unit was hit once a round.

    ``sides`` are (seat, units before, units after), spies not counted.
    """

    kind: Literal["target", "loop"]
    places: tuple[int, ...]
    rounds: int
    sides: tuple[tuple[int, int, int], ...]
    losses: tuple[Loss, ...]


class InvasionBegan(Lasting, frozen=True, tag="invasion-began"):
    """A seat attacks a territory with so many units that can fight."""

    at: int
    seat: int
    owner: int
    attackers: int
    defenders: int


class SpiesCaught(Lasting, frozen=True, tag="spies-caught"):
    """Spies among the attackers died when the fight began."""

    at: int
    losses: tuple[Loss, ...]


class PenaltyPaid(Lasting, frozen=True, tag="penalty-paid"):
    """The attackers lost what every invasion costs; no damage: a spy had shown them the way."""

    at: int
    seat: int
    damage: int
    losses: tuple[Loss, ...]


class WatchtowerHeld(Lasting, frozen=True, tag="watchtower-fought"):
    """A watchtower took so many hits and gave as many; it may have been destroyed."""

    at: int
    seat: int
    hits: int
    destroyed: bool
    losses: tuple[Loss, ...]


class Defended(Lasting, frozen=True, tag="invasion-fought"):
    """Attackers and defenders fought: what each squad lost, and what the garrison lost.

    ``garrison`` counts all defenders that fell, those of passing squads among them; ``passing``
    tells of these squads alone.
    """

    at: int
    seat: int
    owner: int
    rounds: int
    losses: tuple[Loss, ...]
    garrison: Counts
    passing: tuple[Loss, ...]


class InvasionRepelled(Lasting, frozen=True, tag="invasion-repelled"):
    """No attacker is left, and the territory is still its owner's."""

    at: int
    seat: int
    owner: int


class MovementEnded(Lasting, frozen=True, tag="movement-ended"):
    """All squads stand where they were sent."""
