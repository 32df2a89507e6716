"""Narration: sentences, facts and losses of events, registered by the type of event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from string import Formatter
from typing import Any, Generic, Protocol, TypeVar, TypeVarTuple

from engine.core.ids import Seat, Viewer
from engine.core.record import Event
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.fact import Fact, LossRow
from engine.tabletop.registration import UNKNOWN_EVENT, Handlers
from engine.tabletop.roles import Tone

E = TypeVar("E", bound=Event)
V = TypeVar("V")
Vs = TypeVarTuple("Vs")


class Narration(Generic[V, *Vs]):
    """Functions that narrate the events of a game, by the type of event.

    They get events as redacted for the viewer, so they cannot reveal more than the viewer may know.
    A function returns one record or several. Those for sentences get the event and the view ``V``
    after it; those for facts and losses get the event and views ``Vs`` before or around it.
    """

    def __init__(self) -> None:
        self.tellers = Handlers[Callable[[Any, V], Line | Iterable[Line]]]()
        self.fact_makers = Handlers[Callable[[Any, *Vs], Fact | Iterable[Fact]]]()
        self.loss_makers = Handlers[Callable[[Any, *Vs], LossRow | Iterable[LossRow]]]()
        self.tells = self.tellers.on
        self.facts = self.fact_makers.on
        self.losses = self.loss_makers.on

    def fact(self, kind: type[E], make: Callable[[E], Fact | Iterable[Fact]]) -> None:
        """Register facts of an event that follow from the event alone."""
        self.facts(kind)(lambda event, *_views: make(event))

    def silent(self, *kinds: type[Event]) -> None:
        """Register events without a sentence."""
        self.tells(*kinds)(lambda _event, _view: ())

    def tell(self, event: Event, after: V) -> tuple[Line, ...]:
        """Describe an event in sentences; an unknown event gets ``UNKNOWN_EVENT``."""
        return self.tellers.results(event, after, default=UNKNOWN_EVENT)

    def facts_of(self, event: Event, *views: *Vs) -> tuple[Fact, ...]:
        """Return the facts of an event; empty for unknown events."""
        return self.fact_makers.results(event, *views)

    def losses_of(self, event: Event, *views: *Vs) -> tuple[LossRow, ...]:
        """Return the losses of an event; empty for unknown events."""
        return self.loss_makers.results(event, *views)


def fill(text: str, event: Event, word: Callable[[str, Any], object]) -> str:
    """Fill the braces of a text with fields of an event; ``word`` turns name and value into words.

    >>> from engine.core.record import Event
    >>> class Bought(Event): count: int
    >>> fill("buys {count}", Bought(2), lambda name, value: f"{value} dragons")
    'buys 2 dragons'
    """
    names = {name for _, name, _, _ in Formatter().parse(text) if name}
    return text.format(**{name: word(name, getattr(event, name)) for name in names})


class _Seen(Protocol):
    """View, or what a presenter makes of one."""

    @property
    def viewer(self) -> Viewer: ...


def mood(seen: _Seen, gains: Seat, loses: Seat = NOBODY) -> Tone:
    """Return the viewer's tone for news by which one seat gains and another loses."""
    if seen.viewer == gains:
        return Tone.GOOD
    return Tone.BAD if seen.viewer == loses else Tone.NORMAL
