"""Events of rounds, turns, money and treaties, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.strategic import events as ev
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.style import Topic
from engine.strategic.picture.words import STANCES, TREATIES, joined, mood, say, side_name
from engine.strategic.world import Reason
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def round_began(context: PictureContext, event: ev.RoundBegan) -> Iterator[Line]:
    """Rules: W2-13.1."""
    names = joined([side_name(context, side) for side in event.order])
    yield say(context, f"Round {event.turn}: {names}", "round", tone=Tone.TITLE)


def turn_began(context: PictureContext, event: ev.TurnBegan) -> Iterator[Line]:
    """Rules: W2-13.2."""
    text = f"It is the turn of {side_name(context, event.side)}"
    yield say(context, text, "turn", event.side, tone=Tone.TITLE)


def nothing(
    _context: PictureContext, _event: ev.StageSet | ev.PointsRefilled | ev.GroundSighted
) -> Iterator[Line]:
    """What is not worth a line."""
    return iter(())


def income(context: PictureContext, event: ev.IncomeCame) -> Iterator[Line]:
    """Rules: W2-9.6."""
    text = f"{event.income} gold came in, upkeep took {event.upkeep}; {event.gold} gold now"
    tone = Tone.BAD if event.gold == 0 else Tone.NORMAL
    yield say(context, text, "economy", event.side, tone=tone)


def stances(context: PictureContext, event: ev.StanceSet) -> Iterator[Line]:
    """Rules: W2-12.2."""
    rows = context.world.sides
    wanted = [
        f"{STANCES[stance]} with {side_name(context, other)}"
        for other, stance in enumerate(event.stances)
        if other != event.side and other in rows and rows[other].alive
    ]
    if wanted:
        text = f"{side_name(context, event.side)} wants {joined(wanted)}"
        yield say(context, text, "stance", event.side, tone=Tone.QUIET)


def treaty(context: PictureContext, event: ev.TreatyChanged) -> Iterator[Line]:
    """Rules: W2-12.1, W2-12.3."""
    one, other = event.sides
    text = f"{side_name(context, one.id)} and {side_name(context, other.id)} are"
    text += f" {TREATIES[event.treaty]} now"
    if event.betrayal:
        text = f"Treachery of {side_name(context, one.id)}: {text}"
    topic: Topic = "betrayal" if event.betrayal else "treaty"
    tone = Tone.STRONG if context.viewer in {one.id, other.id} else Tone.NORMAL
    yield say(context, text, topic, one.id, tone=tone)


def rating(context: PictureContext, event: ev.RatingChanged) -> Iterator[Line]:
    """Rules: W2-12.3."""
    text = f"{side_name(context, event.side)} is thought worse of: {event.rating} now"
    yield say(context, text, "betrayal", event.side, tone=Tone.QUIET)


def line_set(context: PictureContext, event: ev.FightOrderSet) -> Iterator[Line]:
    """Rules: W2-8.4."""
    text = f"{side_name(context, event.side)} has another line of battle"
    yield say(context, text, "order", event.side, tone=Tone.QUIET)


def side_out(context: PictureContext, event: ev.SideOut) -> Iterator[Line]:
    """Rules: W2-13.1, W2-17."""
    who = side_name(context, event.side.id)
    text = f"{who} gave up" if event.resigned else f"{who} has no city left and is out of the game"
    topic: Topic = "resign" if event.resigned else "round"
    tone = mood(context, -1, event.side.id)
    yield say(context, text, topic, event.side.id, tone=tone if tone is Tone.BAD else Tone.STRONG)


_ENDINGS: Final[dict[Reason, str]] = {
    "conquest": "All others are beaten",
    "surrender": "The others surrendered",
    "humans_out": "No human player is left",
    "all_out": "Nobody is left",
}


def ended(context: PictureContext, event: ev.GameEnded) -> Iterator[Line]:
    """Rules: W2-13.3."""
    yield from ending(context, event.winners, event.reason)


def ending(context: PictureContext, winners: tuple[int, ...], reason: Reason) -> Iterator[Line]:
    """Why the game is over, and who has won. Rules: W2-13.3."""
    seat = winners[0] if winners else None
    yield say(context, _ENDINGS[reason], "victory", tone=Tone.STRONG)
    names = joined([side_name(context, side) for side in winners])
    verb = "has" if len(winners) < 2 else "have"
    text = f"{names} {verb} won" if names else "Nobody has won"
    if seat is None:
        yield say(context, text, "victory", tone=Tone.TITLE)
    else:
        yield say(context, text, "victory", seat, tone=Tone.TITLE)
    if context.world.origin:
        seed, _, drawn = context.world.origin.partition(" ")
        text = f"The hidden map came from seed {seed} and {drawn}, drawn at the beginning"
        yield say(context, text, "fog", tone=Tone.QUIET)
