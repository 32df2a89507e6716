"""Seats and players: ``--seat NAME=bot:LEVEL`` and the players of a header."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.archive import Header, SeatPlayer
from engine.core.ids import Seat, viewer_name
from engine.core.ruleset import AnyRuleset, Scenario
from tui.console.exits import Wrong
from tui.play.scenarios import seed_bytes

PERSON = "person"


def seat_named(names: Sequence[str], name: str) -> Seat:
    """Seat by its name, in any case, or by its number; ``names`` are those of the game.

    Raises:
        Wrong: there is none.
    """
    known = [one.casefold() for one in names]
    if name.casefold() in known:
        return known.index(name.casefold())
    if name.isdecimal() and int(name) < len(names):
        return int(name)
    raise Wrong(f"there is no seat {name!r}; known: {', '.join(names)}")


def seat_name(names: Sequence[str], seat: Seat) -> str:
    """Name of a seat or of the house; ``names`` are those of the game."""
    return names[seat] if 0 <= seat < len(names) else viewer_name(seat)


def players_of(
    rules: AnyRuleset, scenario: Scenario, words: Iterable[str]
) -> tuple[SeatPlayer, ...]:
    """Players from words such as ``Eldoin=bot:hard``; every other seat is a person.

    There are as many as the scenario needs, and all up to the last that is named.

    Raises:
        Wrong: a seat or a level is not known.
    """
    least, _ = rules.seat_range(scenario)
    names = rules.seat_names(scenario)
    levels: dict[Seat, str] = {}
    for word in words:
        name, sign, who = word.partition("=")
        kind, _, level = who.partition(":")
        if not sign or kind not in ("bot", PERSON):
            raise Wrong(f"a seat is written NAME=bot:LEVEL or NAME=person, not {word!r}")
        if kind == "bot" and level not in rules.bots:
            raise Wrong(f"there is no level {level!r}; known: {', '.join(rules.bots)}")
        levels[seat_named(names, name)] = level if kind == "bot" else ""
    return tuple(
        SeatPlayer(seat, seat_name(names, seat), levels.get(seat, ""))
        for seat in range(max(least, 1 + max(levels, default=0)))
    )


def header_of(
    rules: AnyRuleset, scenario: Scenario, players: tuple[SeatPlayer, ...], seed: int
) -> Header:
    """Header of a headless game: without a date, so that the same input gives the same bytes."""
    return Header(
        ruleset=rules.name,
        schema=rules.schema,
        seed=seed_bytes(seed),
        players=players,
        title=f"{rules.title}: {scenario.title}",
    )
