"""The turn: its stages, closing and opening, Natural and Final Phase, elimination and victory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import AnyOrder
from engine.rulesets.gd6.construction import build, promote, settle, spawn, takes_part
from engine.rulesets.gd6.inventory import buy, use_crops, use_dynamite, use_toxic
from engine.rulesets.gd6.movement import move
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.referee import carry_out
from engine.rulesets.gd6.refusal import LinesBySeat, OrderLine, numbered, refuse, unreadable
from engine.rulesets.gd6.state import NOBODY, End, Phase, State, StateOrView
from engine.rulesets.gd6.territories import (
    Decision,
    count_of,
    counts,
    free_sites,
    front,
    neutralise,
    neutralise_if_empty,
    owned,
    strength,
)

# -- stages ----------------------------------------------------------------------------------------

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


class TurnStage(NamedTuple):
    """Part of a phase. All its orders are checked first, then executed."""

    name: StageName
    phase: Phase
    run: Callable[[Decision, LinesBySeat], object]


def poison(decision: Decision, lists: LinesBySeat) -> None:  # noqa: ARG001 - all stages are called alike
    """Kill the front unit of every owned wasteland; without units left it becomes neutral.

    ``lists`` has no effect. Rules: GD-NATURAL-1, GD-NATURAL-2.
    """
    for here in decision.state.territories.rows():
        if not here.wasteland or here.owner == NOBODY:
            continue
        unit = front(here)
        if unit is not None:
            decision.emit(ev.WastelandLoss(here.id, unit, count_of(here, unit) - 1))
        neutralise_if_empty(decision, here.id)


BEFORE_MOVEMENT: Final = (
    TurnStage("natural", "natural", poison),
    TurnStage("hq", "construction", settle),
    TurnStage("promote", "construction", promote),
    TurnStage("spawn", "construction", spawn),
    TurnStage("build", "construction", build),
    TurnStage("crop", "inventory", use_crops),
    TurnStage("dynamite", "inventory", use_dynamite),
    TurnStage("toxic", "inventory", use_toxic),
    TurnStage("buy", "inventory", buy),
)
MOVEMENT: Final = TurnStage("move", "movement", move)

PHASES: Final[tuple[Phase, ...]] = ("natural", "construction", "inventory", "movement", "final")


def due(phase: Phase) -> list[TurnStage]:
    """Return the stages of a turn from a phase on, without the Final Phase."""
    first = PHASES.index(phase)
    every = (*BEFORE_MOVEMENT, MOVEMENT)
    return [stage for stage in every if PHASES.index(stage.phase) >= first]


def readable(decision: Decision, seats: Iterable[int]) -> LinesBySeat:
    """Return each seat's lines that can be read; emit a refusal for each other line.

    In a repeated settling round only the seats that choose again get refusals.
    Rules: GD-REFUSE-3. See: GD-LIST-3.
    """
    found: dict[int, list[OrderLine[AnyOrder]]] = {}
    for seat in seats:
        found[seat] = []
        for line in numbered(decision.state.players[seat].orders):
            why = unreadable(decision.state, line.order)
            if not why:
                found[seat].append(line)
            elif takes_part(decision.state, seat):
                refuse(decision, seat, line, why)
    return found


def snapshot_of(state: State, seat: int) -> tuple[int, int, int]:
    """Return the numbers of territories, bivouacs and libraries of a seat. Rules: GD-TURN-2."""
    own = [here.construct for here in state.territories.values() if here.owner == seat]
    return len(own), own.count("bivouac"), own.count("library")


# -- closing and opening ---------------------------------------------------------------------------


def owing(seen: StateOrView) -> frozenset[int]:
    """Return the seats whose lists are still open. Rules: GD-LIST-3, GD-HQ-5."""
    if seen.reason:
        return frozenset()
    return frozenset(
        seat
        for seat in playing(seen)
        if not seen.players[seat].sealed and not seen.players[seat].conceding
    )


def go_on(decision: Decision) -> None:
    """Close the turn if no list is open. Rules: GD-LIST-3."""
    if not owing(decision.state):
        close(decision)


def close(decision: Decision) -> None:
    """Execute the sealed lists; other seats are idle. Rules: GD-LIST-5. See: GD-LIST-3."""
    idle = tuple(
        seat for seat in playing(decision.state) if not decision.state.players[seat].sealed
    )
    decision.emit(ev.TurnClosed(decision.state.turn, idle))
    resolve(decision)


def resolve(decision: Decision) -> None:
    """Run all stages that are due; stop if a settling round fails.

    Rules: GD-TURN-1. See: GD-HQ-5.
    """
    lists = readable(decision, playing(decision.state))
    begun = "" if not decision.state.failed_rounds else decision.state.phase
    for stage in due(decision.state.phase):
        if stage.phase != begun:
            decision.emit(ev.PhaseBegan(stage.phase))
            begun = stage.phase
        if stage.run(decision, lists) is False:
            return
        carry_out(decision, stage.name)
    _finish(decision)


def _finish(decision: Decision) -> None:
    """Run the Final Phase, then end the game or open the next turn.

    Rules: GD-TURN-1. See: GD-END-1.
    """
    decision.emit(ev.PhaseBegan(PHASES[-1]))
    grow(decision)
    eliminate_landless(decision)
    if not judge(decision, at_end_of_turn=True):
        open_turn(decision)


def open_turn(decision: Decision) -> None:
    """Open the next turn. Rules: GD-TURN-2, GD-END-7, GD-HQ-7. See: GD-END-6.

    Seats that conceded, or have no site left to settle, are eliminated first.
    """
    state = decision.state
    for seat in playing(state):
        if state.players[seat].conceding:
            leave(decision, seat)
    if not free_sites(decision.state):
        for seat in playing(decision.state):
            if decision.state.players[seat].status == "unsettled":
                decision.emit(ev.Eliminated(seat, "no_site"))
    out = len(playing(decision.state)) < len(playing(state))
    if out and judge(decision, at_end_of_turn=False):
        return
    owned = tuple((seat, *snapshot_of(decision.state, seat)) for seat in decision.state.players)
    decision.emit(ev.TurnOpened(decision.state.turn + 1, owned))


# -- Final Phase, elimination and victory ----------------------------------------------------------


def grow(decision: Decision) -> None:
    """Apply bivouacs, loyalty and income, in this order.

    Rules: GD-FINAL-1, GD-FINAL-2. See: GD-FINAL-3.
    """
    for here in decision.state.territories.rows():
        if here.construct == "bivouac" and here.owner != NOBODY and not here.wasteland:
            count = numbers().bivouac_yield.value
            decision.emit(ev.BivouacYielded(here.id, count, here.army + count))
    grown = tuple(
        (here.id, here.loyalty + 1)
        for here in decision.state.territories.values()
        if here.owner != NOBODY
    )
    if grown:
        decision.emit(ev.LoyaltyGrown(grown))
    for seat in playing(decision.state):
        _earn(decision, seat)


def _earn(decision: Decision, seat: int) -> None:
    """Pay the income of a seat. Rules: GD-FINAL-3."""
    parts = income_of(decision.state, seat)
    decision.emit(ev.IncomeEarned(seat, *parts, decision.state.players[seat].ip + sum(parts)))


def income_of(seen: StateOrView, seat: int) -> tuple[int, int, int, int]:
    """Return the IP income for territories, headquarters, libraries, armies. Rules: GD-FINAL-3."""
    table, lands = numbers(), owned(seen, seat)
    return (
        len(lands) * table.ip_per_territory.value,
        sum(here.hq != NOBODY for here in lands) * table.ip_per_hq.value,
        sum(here.construct == "library" for here in lands) * table.ip_per_library.value,
        sum(here.army for here in lands) // table.armies_per_ip.value,
    )


def playing(seen: StateOrView) -> list[int]:
    """Return the seats that are not eliminated, in order."""
    return [player.id for player in seen.players.values() if player.status != "eliminated"]


def eliminate_landless(decision: Decision) -> None:
    """Eliminate settled seats without land. Rules: GD-END-1."""
    for player in decision.state.players.rows():
        if player.status == "active" and not owned(decision.state, player.id):
            decision.emit(ev.Eliminated(player.id, "no_land"))


def judge(decision: Decision, *, at_end_of_turn: bool) -> bool:
    """End a decided game; return whether it was decided. See: GD-END-2 to GD-END-5, GD-END-7."""
    end = _last_one(decision.state)
    if not end[0] and at_end_of_turn:
        end = _dominating(decision.state)
        if not end[0]:
            end = _at_limit(decision.state)
    if end[0]:
        decision.emit(ev.GameOver(*end))
    return bool(end[0])


EndVerdict = tuple[End, tuple[int, ...]]


def _last_one(seen: StateOrView) -> EndVerdict:
    """Check for an end with one seat or none left. Rules: GD-END-2, GD-END-3."""
    if any(player.status == "unsettled" for player in seen.players.values()):
        return "", ()
    landed = tuple(seat for seat in playing(seen) if owned(seen, seat))
    if not landed:
        return "mutual_elimination", ()
    return ("last_standing", landed) if len(landed) == 1 else ("", ())


def _dominating(seen: StateOrView) -> EndVerdict:
    """Check for an end by domination. Rules: GD-END-4."""
    percent, every = seen.options.domination, len(seen.territories)
    if not percent:
        return "", ()
    found = tuple(seat for seat in playing(seen) if len(owned(seen, seat)) * 100 >= percent * every)
    if not found:
        return "", ()
    most = max(len(owned(seen, seat)) for seat in found)
    return "domination", tuple(seat for seat in found if len(owned(seen, seat)) == most)


def _at_limit(seen: StateOrView) -> EndVerdict:
    """Check for an end after the last turn. Rules: GD-END-5."""
    if not seen.options.turn_limit or seen.turn < seen.options.turn_limit:
        return "", ()
    scores = {seat: score(seen, seat) for seat in playing(seen)}
    best = max(scores.values())
    return "turn_limit", tuple(seat for seat, points in scores.items() if points == best)


def score(seen: StateOrView, seat: int) -> tuple[int, int, int, int]:
    """Return the score: territories, headquarters, units, IP, in order of weight."""
    lands = owned(seen, seat)
    hqs = sum(here.hq != NOBODY for here in lands)
    return len(lands), hqs, sum(map(strength, lands)), seen.players[seat].ip


def leave(decision: Decision, seat: int) -> None:
    """Remove a seat that conceded: its units vanish, its land becomes neutral. Rules: GD-END-6."""
    for here in owned(decision.state, seat):
        if strength(here):
            decision.emit(ev.Disbanded(seat, here.id, counts(here)))
        neutralise(decision, here.id)
    decision.emit(ev.Eliminated(seat, "conceded"))
