"""Narration: sentences, facts and losses of events, registered by the type of event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from string import Formatter
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, TypeVarTuple

from engine.core.ids import Seat, Viewer
from engine.core.record import Event
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.english import many
from engine.tabletop.fact import Fact, LossRow
from engine.tabletop.registration import UNKNOWN_EVENT, Handlers
from engine.tabletop.roles import Tone

E = TypeVar("E", bound=Event)
V = TypeVar("V")
Vs = TypeVarTuple("Vs")


class Phrase(NamedTuple):
    """Sentence about an event as data, with fields of the event in braces."""

    text: str
    rule: str
    tone: Tone = Tone.NORMAL


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

    def phrases(
        self, say: Callable[[Phrase, Any, V], Line], table: Mapping[type[Event], Phrase]
    ) -> None:
        """Register sentences that are data; ``say`` makes the line."""
        for kind, phrase in table.items():
            self.tells(kind)(partial(say, phrase))

    def silent(self, *kinds: type[Event]) -> None:
        """Register events without a sentence."""
        self.tells(*kinds)(lambda _event, _view: ())

    def fact(self, kind: type[E], make: Callable[[E, *Vs], Fact | Iterable[Fact]]) -> None:
        """Register the facts of an event without a decorator, such as a lambda."""
        self.facts(kind)(make)

    def tell(self, event: Event, after: V) -> tuple[Line, ...]:
        """Describe an event in sentences; an unknown event gets ``UNKNOWN_EVENT``."""
        return self.tellers.results(event, after, default=UNKNOWN_EVENT)

    def facts_of(self, event: Event, *views: *Vs) -> tuple[Fact, ...]:
        """Return the facts of an event; empty for unknown events."""
        return self.fact_makers.results(event, *views)

    def losses_of(self, event: Event, *views: *Vs) -> tuple[LossRow, ...]:
        """Return the losses of an event; empty for unknown events."""
        return self.loss_makers.results(event, *views)


EventWords: TypeAlias = Mapping[str, Callable[[V, Any], object]]
"""Words for fields of events, from a view and the field; or from the whole event, if it has no
such field."""


def fill(text: str, event: object, words: EventWords[V], view: V) -> str:
    """Return a text with words in its braces, or else fields of the event as they are.

    A number may have its noun, and the plural of that, after a colon.

    >>> class Bought(Event): side: str; count: int
    >>> words = {"side": lambda view, name: name.title()}
    >>> fill("{side} buys {count:army/armies}", Bought("kor", 2), words, None)
    'Kor buys 2 armies'
    """
    names = {name for _, name, _, _ in Formatter().parse(text) if name}
    found = {
        name: words[name](view, getattr(event, name, event))
        if name in words
        else getattr(event, name)
        for name in names
    }
    return _WithNouns().vformat(text, (), found)


class _WithNouns(Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        return many(value, *spec.split("/")) if spec else str(value)


class _Seen(Protocol):
    """View, or what a presenter makes of one."""

    @property
    def viewer(self) -> Viewer: ...


def mood(seen: _Seen, gains: Seat, loses: Seat = NOBODY, neutral: Tone = Tone.NORMAL) -> Tone:
    """Return the viewer's tone for news by which one seat gains and another loses.

    ``neutral`` is the tone for all others.
    """
    return {loses: Tone.BAD, gains: Tone.GOOD}.get(seen.viewer, neutral)
