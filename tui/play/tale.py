"""Tale of a finished game in four sentences: lead, heaviest loss, last blow, length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.core.archive import SeatPlayer
from engine.core.ids import Seat
from engine.core.ruleset import Outcome
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.fact import Fact
from engine.tabletop.presenter import AnyPresenter
from tui.play.playback import told_of
from tui.replay.timeline import Moment, Story

# -- the verdict -----------------------------------------------------------------------------------


class ScreenVerdict(NamedTuple):
    """Verdict on a finished game for those at one screen."""

    words: tuple[str, ...]
    """Words for it, the best one first; the others are shorter."""
    is_won: bool | None
    """True or False for those who played here; None if they watched or some of them won."""
    winner: Seat
    """First of the winners; NOBODY if nobody won."""


def verdict(
    outcome: Outcome | None, players: Sequence[SeatPlayer], here: Iterable[Seat]
) -> ScreenVerdict:
    """Verdict for the seats ``here``; none of them: the screen of a spectator."""
    winners = outcome.winners if outcome is not None else ()
    if not winners:
        return ScreenVerdict(("Draw",), None, NOBODY)
    won = {seat in winners for seat in here}
    if len(won) == 1:
        is_won = won.pop()
        return ScreenVerdict(("Victory" if is_won else "Defeat",), is_won, winners[0])
    names = [player.name for player in players if player.seat in winners]
    words = (" and ".join(names), *(name.split()[0] for name in names[:1] if name.split()))
    return ScreenVerdict((*words, "Victory"), None, winners[0])


# -- the sentences ---------------------------------------------------------------------------------


def tale(story: Story, presenter: AnyPresenter, names: Sequence[str]) -> list[Line]:
    """Tale of a story that was walked to its end; sentences without anything to tell are left out.

    It tells no more than the story knows, which was made for one viewer.
    """
    found = [
        _lead(story, names),
        _heaviest(story.moments, names),
        _last_blow(story, presenter),
        _length(story),
    ]
    return [line for line in found if line is not None]


def _name(names: Sequence[str], seat: Seat) -> str:
    return names[seat] if 0 <= seat < len(names) else "nobody"


def _lead(story: Story, names: Sequence[str]) -> Line | None:
    """The seats that led, and since when."""
    changes = [marker for marker in story.markers if marker.kind == "lead"]
    if changes:
        last = changes[-1]
        name, number = _name(names, last.seat), max(1, story.round_at(last.index))
        if len(changes) == 1:
            return Line(f"{name} took the lead in round {number} and kept it.", seat=last.seat)
        text = f"The lead changed {len(changes)} times; {name} took it last, in round {number}."
        return Line(text, seat=last.seat)
    if story.leader == NOBODY:
        return Line("Nobody ever led.") if story.numbers else None
    text = f"{_name(names, story.leader)} led from beginning to end."
    return Line(text, seat=story.leader)


def pieces_of(fact: Fact) -> int:
    """Number of pieces that a fact of a loss is about."""
    return max(1, fact.amount or 1)


def _heaviest(moments: Iterable[Moment], names: Sequence[str]) -> Line | None:
    """The most that a seat lost in one round."""
    lost: Counter[tuple[Seat, int]] = Counter()
    named: dict[tuple[Seat, int], str] = {}
    for moment in moments:
        fact = moment.fact
        if fact.kind == "loss" and fact.seat != NOBODY:
            lost[fact.seat, moment.round] += pieces_of(fact)
            named[fact.seat, moment.round] = fact.piece
    if not lost:
        return None
    seat, number = max(lost, key=lambda key: (lost[key], -key[1], -key[0]))
    count, name = lost[seat, number], _name(names, seat)
    what = f"{count} pieces" if count > 1 else named[seat, number] or "one piece"
    return Line(f"The heaviest loss was {name}'s: {what} in round {max(1, number)}.", seat=seat)


def _last_blow(story: Story, presenter: AnyPresenter) -> Line | None:
    """The last attack or capture, in the words of its game."""
    if story.blow is None:
        return None
    told, fact = story.blow
    said = [line for line in told_of(presenter, told) if line.text]
    at = [line for line in said if fact.at is not None and line.at == fact.at]
    return Line(f"The last blow: {(at or said)[0].text}", seat=fact.seat) if said else None


def _length(story: Story) -> Line | None:
    """Number of rounds, and what happened in them."""
    if not story.rounds:
        return None
    kinds = Counter(moment.fact.kind for moment in story.moments)
    lost = sum(pieces_of(m.fact) for m in story.moments if m.fact.kind == "loss")
    parts = [
        _count(kinds["attack"], "attack", "attacks"),
        _count(lost, "piece lost", "pieces lost"),
        _count(kinds["capture"], "place taken", "places taken"),
    ]
    rounds = _count(max(1, *(number for _, number in story.rounds)), "round", "rounds")
    known = [part for part in parts if part]
    return Line(f"{rounds}: {', '.join(known)}." if known else f"{rounds}, without a blow.")


def _count(number: int, one: str, many: str) -> str:
    """Number with its noun; empty if there are none."""
    return f"{number} {one if number == 1 else many}" if number else ""
