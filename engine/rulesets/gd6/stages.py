"""The stages of a turn in their order. Rules: GD-TURN-1, GD-TURN-3."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lands import Job, count_of, front, neutralise_if_empty
from engine.rulesets.gd6.lines import Line, Lists, numbered, refuse, unreadable
from engine.rulesets.gd6.movement import move
from engine.rulesets.gd6.orders import AnyOrder
from engine.rulesets.gd6.stages_build import build
from engine.rulesets.gd6.stages_hq import settle, takes_part
from engine.rulesets.gd6.stages_items import buy, use_crops, use_dynamite, use_toxic
from engine.rulesets.gd6.stages_promote import promote
from engine.rulesets.gd6.stages_spawn import spawn
from engine.rulesets.gd6.state import NOBODY, Phase, State

StageName: TypeAlias = Literal[
    "natural",
    "hq",
    "promote",
    "spawn",
    "build",
    "crop",
    "dynamite",
    "toxic",
    "buy",
    "move",
    "final",
]


class Stage(NamedTuple):
    """A part of a phase; within it all orders are checked first, then carried out."""

    name: StageName
    phase: Phase
    run: Callable[[Job, Lists], object]


def poison(work: Job, lists: Lists) -> None:  # noqa: ARG001 - all stages are called alike
    """Every wasteland loses its front unit, and is neutral when none is left.

    Rules: GD-NATURAL-1, GD-NATURAL-2.
    """
    for here in work.state.territories.rows():
        if not here.wasteland or here.owner == NOBODY:
            continue
        unit = front(here)
        if unit is not None:
            work.emit(ev.WastelandLoss(here.id, unit, count_of(here, unit) - 1))
        neutralise_if_empty(work, here.id)


BEFORE_MOVEMENT: Final = (
    Stage("natural", "natural", poison),
    Stage("hq", "construction", settle),
    Stage("promote", "construction", promote),
    Stage("spawn", "construction", spawn),
    Stage("build", "construction", build),
    Stage("crop", "inventory", use_crops),
    Stage("dynamite", "inventory", use_dynamite),
    Stage("toxic", "inventory", use_toxic),
    Stage("buy", "inventory", buy),
)
MOVEMENT: Final = Stage("move", "movement", move)

PHASES: Final[tuple[Phase, ...]] = ("natural", "construction", "inventory", "movement", "final")


def due(phase: Phase) -> list[Stage]:
    """The stages that come when a turn is taken up at a phase, but the last."""
    first = PHASES.index(phase)
    every = (*BEFORE_MOVEMENT, MOVEMENT)
    return [stage for stage in every if PHASES.index(stage.phase) >= first]


def readable(work: Job, seats: Iterable[int]) -> Lists:
    """The lists of seats, without what cannot be read. Rules: GD-REFUSE-3, GD-LIST-3."""
    found: dict[int, list[Line[AnyOrder]]] = {}
    for seat in seats:
        found[seat] = []
        for line in numbered(work.state.players[seat].orders):
            why = unreadable(work.state, line.order)
            if not why:
                found[seat].append(line)
            elif takes_part(work.state, seat):
                refuse(work, seat, line, why)
    return found


def snapshot_of(state: State, seat: int) -> tuple[int, int, int]:
    """Territories, bivouacs and libraries of a seat. Rules: GD-TURN-2."""
    own = [here.construct for here in state.territories.values() if here.owner == seat]
    return len(own), own.count("bivouac"), own.count("library")
