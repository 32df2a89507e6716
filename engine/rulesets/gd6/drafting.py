"""What a list would come to if everybody else were idle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core import notation
from engine.core.dice import Scripted
from engine.core.record import Record, replace
from engine.core.refused import Refused
from engine.core.work import Work
from engine.kit.memo import recent
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.lands import Job
from engine.rulesets.gd6.movement_bind import bind
from engine.rulesets.gd6.orders import AnyOrder
from engine.rulesets.gd6.refusal import Refusal
from engine.rulesets.gd6.stages import MOVEMENT, StageName, due, readable
from engine.rulesets.gd6.state import State, View
from engine.rulesets.gd6.view import imagine

WHOLE: Final = -1
"""A move gets all the units it asks for; so does what is no move."""


class Judged(Record, frozen=True):
    """What the draft check says of a line: why it is refused, or how many units it gets."""

    codes: tuple[str, ...] = ()
    text: str = ""
    rule: str = ""
    kept: int = WHOLE


class Projection(Record, frozen=True):
    """A list carried out on what its seat sees, with everybody else idle. Rules: GD-CHECK-1.

    ``before`` has the position before each stage, ``after`` the one in which moves were bound.
    """

    judged: tuple[Judged, ...]
    before: Mapping[StageName, State]
    after: State

    @property
    def refused(self) -> tuple[int, ...]:
        """The places of lines that are refused."""
        return tuple(place for place, line in enumerate(self.judged) if line.codes)


@recent
def project(seen: View) -> Projection:
    """The viewer's list as far as it can be foreseen. Rules: GD-CHECK-1."""
    seat = seen.viewer
    work: Job = Work(imagine(seen), evolve, Scripted())
    before: dict[StageName, State] = {}
    lists = readable(work, [seat])
    for stage in due(seen.phase):
        before[stage.name] = work.state
        (bind if stage is MOVEMENT else stage.run)(work, lists)
    judged = [Judged()] * len(seen.players[seat].orders)
    for event in work.events:
        match event:
            case ev.OrderRefused():
                judged[event.place] = Judged(event.codes, event.text, event.rule)
            case ev.OrderReduced():
                judged[event.place] = Judged(kept=event.kept)
            case _:
                pass
    return Projection(tuple(judged), before, work.state)


def with_list(seen: View, orders: tuple[AnyOrder, ...]) -> View:
    """The view if the viewer's list were this."""
    player = replace(seen.players[seen.viewer], orders=orders)
    return replace(seen, players=seen.players.put(player))


def refusal(seen: View, place: int, projection: Projection) -> Refused:
    """What to answer because of a line that is refused. Rules: GD-REFUSE-2."""
    judged, order = projection.judged[place], seen.players[seen.viewer].orders[place]
    text = f"Line {place + 1}, {notation.write(order)}: {judged.text}"
    return Refused(Refusal(judged.codes[0]), text, judged.rule)
