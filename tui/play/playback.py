"""Playback of recent entries: which ones, as scenes, and in a few words, without widgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from engine.core.feed import RedactedEvent, changes
from engine.core.ids import Seat, Viewer
from engine.core.log import AnyEntry
from engine.core.record import replace
from engine.core.replay import Cursor, Keyframes
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import NOBODY, Line, concerns, condensed
from engine.tabletop.english import many
from engine.tabletop.fact import EventMoment, Fact, FactKind, LossRow
from engine.tabletop.presenter import AnyPresenter, presenter_of
from engine.tabletop.roles import Tone

_COUNTED: Final[dict[FactKind, tuple[str, str]]] = {
    "move": ("step", "steps"),
    "attack": ("attack", "attacks"),
    "loss": ("loss", "losses"),
    "capture": ("capture", "captures"),
    "work": ("built or raised", "built or raised"),
}


HEADINGS: Final[frozenset[FactKind]] = frozenset({"phase", "round", "order"})
"""Kinds of facts that are not news: headings and secret orders."""

_MOST_LINES: Final = 8
"""Maximum lines of a summary of acts that are not counted."""


class PlaybackScene(NamedTuple):
    """Entry as its viewer may know it: the view after it, its lines and its facts."""

    view: Any
    lines: tuple[Line, ...]
    facts: tuple[Fact, ...]
    losses: tuple[LossRow, ...] = ()
    moments: tuple[EventMoment, ...] = ()
    before: Any = None
    """The viewer's view before the entry; None if the viewer saw nothing of it."""

    def concerns(self, seat: Seat) -> bool:
        """Return whether the scene shows an act by a seat, or against it."""
        return any(concerns(line, seat) for line in self.lines) or any(
            seat in (fact.seat, fact.other) for fact in self.facts
        )


def about(lines: Iterable[Line], facts: Sequence[Fact]) -> list[Line]:
    """Return the lines of an event; each names the other seats that the facts concern.

    If the facts have a loss, the lines are marked as losses, except quiet lines beside others.
    """
    lines = list(lines)
    seats = {seat for fact in facts for seat in (fact.seat, fact.other)} - {NOBODY}
    lost = any(fact.kind == "loss" for fact in facts)
    is_quiet = all(line.tone is Tone.QUIET for line in lines)
    return [
        replace(
            line,
            others=tuple(sorted(seats - {line.seat})),
            is_loss=lost and (is_quiet or line.tone is not Tone.QUIET),
        )
        for line in lines
    ]


def told_of(presenter: AnyPresenter, told: RedactedEvent) -> list[Line]:
    """Return the lines that report an event, each with the seats that it concerns."""
    facts = presenter.facts(told.event, told.before, told.after)
    return about(presenter.tell(told.event, told.after), facts)


def stretch(line: Sequence[AnyEntry], seat: Seat) -> tuple[int, int]:
    """Return (first, end) of the last entries of other seats; (0, 0) if there are none.

    They end where ``seat`` acted again, or with the line. Use ``resolution`` for simultaneous
    games.
    """
    stop = len(line)
    while stop > 1 and line[stop - 1].seat == seat:
        stop -= 1
    start = stop
    while start > 1 and line[start - 1].seat != seat:
        start -= 1
    return (start, stop) if start < stop and stop > 1 else (0, 0)


def resolution(line: Sequence[AnyEntry]) -> tuple[int, int]:
    """Return (entry, entry + 1) of the last entry that ended a round; (0, 0) if none did.

    In simultaneous games this entry holds the last order, and all orders are carried out in it.
    """
    for at in range(len(line) - 1, 0, -1):
        if any(event.ends_phase for event in line[at].events):
            return at, at + 1
    return 0, 0


def scenes(
    rules: AnyRuleset,
    line: Sequence[AnyEntry],
    viewer: Viewer,
    start: int,
    stop: int,
    keyframes: Keyframes[Any] | None = None,
) -> Iterator[PlaybackScene]:
    """Yield the scenes of the entries from ``start`` up to ``stop``, which is excluded.

    In simultaneous games there is a scene for each event. ``keyframes`` are states along the log,
    which avoid folding it from its beginning.

    Raises:
        BrokenLog: an event cannot be applied.
    """
    presenter = presenter_of(rules)
    in_parts = rules.traits.simultaneous
    cursor: Cursor[Any, Any, Any] = Cursor(rules, line, keyframes)
    for change in changes(rules, line[start:stop], cursor.seek(start - 1)):
        rest: list[RedactedEvent] = []
        for told in change.events(viewer):
            rest.append(told)
            if in_parts and presenter.tell(told.event, told.after):
                yield _scene(presenter, rest, told.after)
                rest = []
        last = _scene(presenter, rest, change.view(viewer))
        if last.facts or not in_parts:
            yield last


def _scene(presenter: AnyPresenter, told: Sequence[RedactedEvent], view: Any) -> PlaybackScene:
    """Return the scene of some events, after which a viewer sees ``view``."""
    lines: list[Line] = []
    facts: list[Fact] = []
    losses: list[LossRow] = []
    moments: list[EventMoment] = []
    for one in told:
        own = presenter.facts(one.event, one.before, one.after)
        lines += about(presenter.tell(one.event, one.after), own)
        facts += own
        losses += presenter.losses(one.event, one.before, one.after)
        moments += presenter.moments(one.event, one.before)
    said, before = tuple(condensed(lines)), told[0].before if told else None
    return PlaybackScene(view, said, tuple(facts), tuple(losses), tuple(moments), before)


def uncounted(found: Iterable[PlaybackScene]) -> list[Line]:
    """Return the latest lines of scenes that ``summary`` would leave out, except headings."""
    lines = [
        line
        for scene in found
        if not scene.facts or any(fact.kind not in HEADINGS for fact in scene.facts)
        for line in scene.lines
    ]
    return lines[-_MOST_LINES:]


def pieces_of(fact: Fact) -> int:
    """Return the number of pieces lost in a fact."""
    return max(1, fact.amount or 1)


def has_lost_place(facts: Iterable[Fact], seat: Viewer) -> bool:
    """Return whether another seat took a place from a seat."""
    return any(_is_taken(fact, seat) for fact in facts)


def places_lost(facts: Iterable[Fact], seat: Viewer, names: Sequence[str]) -> list[Line]:
    """Return a line for each place that another seat took from a seat: ``Lost to Ben: Gorm.``."""
    return [
        Line(f"Lost to {names[fact.seat]}: {fact.target}.", Tone.BAD, fact.seat)
        for fact in facts
        if _is_taken(fact, seat) and fact.seat != NOBODY
    ]


def _is_taken(fact: Fact, seat: Viewer) -> bool:
    is_place = fact.kind == "capture" and bool(fact.target)
    return is_place and fact.other == seat != NOBODY and fact.seat != seat


def summary(facts: Iterable[Fact], names: Sequence[str]) -> list[Line]:
    """Return the number of acts of each kind, one line per seat; empty without any act."""
    counts: dict[Seat, Counter[FactKind]] = {}
    won: Counter[Seat] = Counter()
    for fact in facts:
        if fact.kind in _COUNTED and fact.seat != NOBODY:
            number = pieces_of(fact) if fact.kind == "loss" else 1
            counts.setdefault(fact.seat, Counter())[fact.kind] += number
            won[fact.seat] += fact.kind == "attack" and fact.won is True
    found = []
    for seat in sorted(counts):
        parts = []
        for kind, nouns in _COUNTED.items():
            number = counts[seat][kind]
            if number:
                parts.append(many(number, *nouns))
                if kind == "attack" and won[seat]:
                    parts[-1] += f" ({won[seat]} won)"
        found.append(Line(f"{names[seat]}: {', '.join(parts)}.", seat=seat))
    return found
