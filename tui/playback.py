"""What others did since somebody acted last: which entries, in a few words, and as frames.

Knows no widgets.
"""

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
from engine.tabletop.board import NOBODY, Line, Mark, concerns, condensed
from engine.tabletop.fact import Fact, Kind
from engine.tabletop.presenter import AnyPresenter, presenter_of
from engine.tabletop.roles import Sign, Tone
from engine.tabletop.toll import Toll

_TRAIL: Final = 4
"""Cells of a way that are lit at once."""

_BLINKS: Final = 2

_COUNTED: Final[dict[Kind, tuple[str, str]]] = {
    "move": ("step", "steps"),
    "attack": ("attack", "attacks"),
    "loss": ("loss", "losses"),
    "capture": ("place taken or broken", "places taken or broken"),
    "work": ("work", "works"),
}

Frame = tuple[Mark, ...]


class Scene(NamedTuple):
    """One entry as a viewer may know it: the view after it, what is said, what it means."""

    view: Any
    lines: tuple[Line, ...]
    facts: tuple[Fact, ...]
    tolls: tuple[Toll, ...] = ()

    def concerns(self, seat: Seat) -> bool:
        """Whether it shows something that a seat did, or that was done to it."""
        return any(concerns(line, seat) for line in self.lines) or any(
            seat in (fact.seat, fact.other) for fact in self.facts
        )


def about(lines: Iterable[Line], facts: Sequence[Fact]) -> list[Line]:
    """Lines of an event that know whom it concerns besides their own seat."""
    seats = {seat for fact in facts for seat in (fact.seat, fact.other)} - {NOBODY}
    return [replace(line, others=tuple(sorted(seats - {line.seat}))) for line in lines]


def told_of(presenter: AnyPresenter, told: RedactedEvent) -> list[Line]:
    """What is said of an event, with whom it concerns."""
    facts = presenter.facts(told.event, told.before, told.after)
    return about(presenter.tell(told.event, told.after), facts)


def stretch(line: Sequence[AnyEntry], seat: Seat) -> tuple[int, int]:
    """The last entries that others made one after the other, as (first, behind the last).

    They end where the line ends or where the seat acted again; (0, 0) if there are none. See
    ``resolution`` for games in which all act at once.
    """
    stop = len(line)
    while stop > 1 and line[stop - 1].seat == seat:
        stop -= 1
    start = stop
    while start > 1 and line[start - 1].seat != seat:
        start -= 1
    return (start, stop) if start < stop and stop > 1 else (0, 0)


def resolution(line: Sequence[AnyEntry]) -> tuple[int, int]:
    """The last entry that closed a round, as (itself, behind it); (0, 0) if there is none.

    For games in which everybody's orders are carried out together, whoever gave the last of them.
    """
    for at in range(len(line) - 1, 0, -1):
        if any(event.closing for event in line[at].events):
            return at, at + 1
    return 0, 0


def scenes(
    rules: AnyRuleset,
    line: Sequence[AnyEntry],
    viewer: Viewer,
    start: int,
    stop: int,
    keyframes: Keyframes[Any] | None = None,
) -> Iterator[Scene]:
    """Some entries of a log, one after the other; where all act at once, event after event.

    ``keyframes`` are states along the log, which save folding it from its beginning.

    Raises:
        BrokenLog: an event cannot be applied.
    """
    presenter = presenter_of(rules)
    in_parts = rules.traits.simultaneous
    cursor: Cursor[Any, Any, Any] = Cursor(rules, line, keyframes)
    for change in changes(rules, line[start:stop], cursor.seek(start - 1)):
        lines: list[Line] = []
        facts: list[Fact] = []
        tolls: list[Toll] = []
        for told in change.events(viewer):
            own = presenter.facts(told.event, told.before, told.after)
            lines += about(presenter.tell(told.event, told.after), own)
            facts += own
            tolls += presenter.tolls(told.event, told.before, told.after)
            if in_parts and lines:
                yield Scene(told.after, tuple(condensed(lines)), tuple(facts), tuple(tolls))
                lines, facts, tolls = [], [], []
        if lines or facts or not in_parts:
            view = change.view(viewer)
            yield Scene(view, tuple(condensed(lines)), tuple(facts), tuple(tolls))


def summary(facts: Iterable[Fact], names: Sequence[str]) -> list[Line]:
    """How often each seat did what."""
    counts: dict[Seat, Counter[Kind]] = {}
    won: Counter[Seat] = Counter()
    for fact in facts:
        if fact.kind in _COUNTED and fact.seat != NOBODY:
            counts.setdefault(fact.seat, Counter())[fact.kind] += 1
            won[fact.seat] += fact.kind == "attack" and fact.won is True
    found = []
    for seat in sorted(counts):
        parts = []
        for kind, (one, many) in _COUNTED.items():
            number = counts[seat][kind]
            if number:
                parts.append(f"{number} {one if number == 1 else many}")
                if kind == "attack" and won[seat]:
                    parts[-1] += f" ({won[seat]} deadly)"
        found.append(Line(f"{names[seat]}: {', '.join(parts)}.", seat=seat))
    return found or [Line("Nothing that you could see.", Tone.QUIET)]


def frames(facts: Iterable[Fact]) -> list[Frame]:
    """Moves as trails that glide, blows and losses as flashes; the last frame is empty."""
    made: list[Frame] = []
    trail: list[tuple[int, int]] = []
    for fact in facts:
        if fact.at is None:
            continue
        if fact.kind == "move":
            trail = [*trail, fact.at][-_TRAIL:]
            made.append(tuple(Mark(*at, Sign.PATH) for at in trail))
        elif fact.kind in {"attack", "loss", "capture"}:
            trail = []
            made += _flash(fact)
    return [*made, ()] if made else []


def _flash(fact: Fact) -> list[Frame]:
    assert fact.at is not None  # noqa: S101 - tells the type checker
    lit: Frame = (Mark(*fact.at, Sign.TARGET, "x"),)
    if fact.source is not None:
        lit = (Mark(*fact.source, Sign.HELD), *lit)
    return [lit, lit, ()] * _BLINKS
