"""How a turn closes, is carried out, and how the next one opens."""

from __future__ import annotations

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.final import eliminate_landless, grow, judge, leave, playing
from engine.rulesets.gd6.lands import Job, free_sites
from engine.rulesets.gd6.stages import PHASES, due, readable, snapshot_of
from engine.rulesets.gd6.state import Seen


def owing(seen: Seen) -> frozenset[int]:
    """The seats whose list is still open. Rules: GD-LIST-3, GD-HQ-5."""
    if seen.reason:
        return frozenset()
    return frozenset(
        seat
        for seat in playing(seen)
        if not seen.players[seat].sealed and not seen.players[seat].conceding
    )


def go_on(work: Job) -> None:
    """Carry the lists out when nobody's is open any more. Rules: GD-LIST-3."""
    if not owing(work.state):
        close(work)


def close(work: Job) -> None:
    """Carry the lists out; unsealed ones are not looked at. Rules: GD-LIST-3, GD-LIST-5."""
    idle = tuple(seat for seat in playing(work.state) if not work.state.players[seat].sealed)
    work.emit(ev.TurnClosed(work.state.turn, idle))
    resolve(work)


def resolve(work: Job) -> None:
    """All stages that are due, unless somebody must choose a site again.

    Rules: GD-TURN-1, GD-HQ-5.
    """
    lists = readable(work, playing(work.state))
    begun = "" if not work.state.failed_rounds else work.state.phase
    for stage in due(work.state.phase):
        if stage.phase != begun:
            work.emit(ev.PhaseBegan(stage.phase))
            begun = stage.phase
        if stage.run(work, lists) is False:
            return
    _finish(work)


def _finish(work: Job) -> None:
    """The Final Phase, the end of the game, or the next turn. Rules: GD-TURN-1, GD-END-1."""
    work.emit(ev.PhaseBegan(PHASES[-1]))
    grow(work)
    eliminate_landless(work)
    if not judge(work, at_end_of_turn=True):
        open_turn(work)


def open_turn(work: Job) -> None:
    """The next turn: who conceded or cannot settle any more leaves; then the snapshot.

    Rules: GD-TURN-2, GD-END-6, GD-END-7, GD-HQ-7.
    """
    state = work.state
    for seat in playing(state):
        if state.players[seat].conceding:
            leave(work, seat)
    if not free_sites(work.state):
        for seat in playing(work.state):
            if work.state.players[seat].status == "unsettled":
                work.emit(ev.Eliminated(seat, "no_site"))
    out = len(playing(work.state)) < len(playing(state))
    if out and judge(work, at_end_of_turn=False):
        return
    owned = tuple((seat, *snapshot_of(work.state, seat)) for seat in work.state.players)
    work.emit(ev.TurnOpened(work.state.turn + 1, owned))
