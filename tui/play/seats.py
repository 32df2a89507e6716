"""Seats and players: ``--seat NAME=bot:LEVEL`` and the players of a header."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.core.archive import Header, SeatPlayer
from engine.core.ids import Seat, viewer_name
from engine.core.printable import clipped, composed
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from engine.core.scenarios import check_count, seat_of
from engine.tabletop.new_game import level_of, listed_levels
from engine.tabletop.presenter import AnyPresenter
from tui.console.exits import Wrong
from tui.play.scenarios import seed_bytes

PERSON = "person"

_LONGEST: Final = 60
"""Maximum characters of an unknown name that an error repeats."""


_JOINTS: Final = re.compile(r"[\s_-]+")
"""Matches characters that may be left out of a name, since a shell splits words at blanks."""


def find_seat(names: Sequence[str], word: str) -> Seat | None:
    """Return the seat with a name, number from 0 or letter from A; None if there is none.

    Blanks, hyphens and underscores in a name do not matter.

    >>> [find_seat(("Player 1", "Player 2"), word) for word in ("player2", "Player-2", "1", "2")]
    [1, 1, 1, None]
    """
    wanted, known = _joined(word), [*map(_joined, names)]
    found = seat_of(names, word)
    if found is None and wanted and known.count(wanted) == 1:
        return known.index(wanted)
    return found


def _joined(name: str) -> str:
    return _JOINTS.sub("", composed(name).casefold())


def with_sides(names: Sequence[str], presenter: AnyPresenter, view: Any) -> list[str]:
    """Return the names of players, each with the name that its seat has taken in the game."""
    sides = [presenter.side(view, seat) for seat in range(len(names))]
    return [
        f"{name} ({side})" if side not in {"", name} else name
        for name, side in zip(names, sides, strict=True)
    ]


def listed_seats(names: Iterable[tuple[Seat, str]]) -> str:
    """Return the seats with their numbers and names, in a line for error messages.

    >>> listed_seats(enumerate(("Ash", "Reed People")))
    'Ash (seat 0), Reed People (seat 1); blanks may be left out: ReedPeople'
    """
    rows = [*names]
    text = ", ".join(numbered_seat(seat, name) for seat, name in rows)
    blank = next((name for _, name in reversed(rows) if " " in name), "")
    return f"{text}; blanks may be left out: {blank.replace(' ', '')}" if blank else text


def numbered_seat(seat: Seat, name: str) -> str:
    """Return a seat's name with its number, counted from 0."""
    return f"{name} (seat {seat})"


def seat_named(names: Sequence[str], name: str) -> Seat:
    """Return a seat by its name in ``names`` (in any case), its number or its letter.

    Raises:
        Wrong: no seat is called that.
    """
    seat = find_seat(names, name)
    if seat is None:
        known = listed_seats(enumerate(names))
        raise Wrong(f"there is no seat {clipped(name, _LONGEST)!r}; known: {known}")
    return seat


def seat_name(names: Sequence[str], seat: Seat) -> str:
    """Return the name of a seat or of the house; ``names`` are those of the game."""
    return names[seat] if 0 <= seat < len(names) else viewer_name(seat)


def acting_seat(names: Sequence[str], owing: Iterable[Seat]) -> Seat | None:
    """Return the only seat that must act; None when the game is over.

    Raises:
        Wrong: several must act; the text names them.
    """
    seats = sorted(owing)
    if len(seats) > 1:
        listed = ", ".join(seat_name(names, seat) for seat in seats)
        raise Wrong(f"several seats may act: {listed}; name the one that does")
    return next(iter(seats), None)


def players_of(
    rules: AnyRuleset, scenario: Scenario, words: Iterable[str], seats: int | None = None
) -> tuple[SeatPlayer, ...]:
    """Return players from words such as ``Eldoin=bot:hard``; every other seat is a person.

    Without a number of seats, there is one per player of the scenario's default, and more if a
    later seat is named.

    Raises:
        Wrong: a seat or a level is not known, a seat is given twice, or that many cannot play.
    """
    count = seats_for(rules, scenario, seats)
    names = rules.seat_names(scenario)[: count if seats else rules.seat_range(scenario)[1]]
    levels: dict[Seat, str] = {}
    for word in words:
        name, sign, who = word.rpartition("=")
        kind, _, level = who.partition(":")
        if not sign or kind not in ("bot", PERSON):
            raise Wrong(f"a seat is written NAME=bot:LEVEL or NAME=person, not {word!r}")
        if kind == "bot" and not (known := level_of(level, rules.bots)):
            raise Wrong(f"there is no level {level!r}; known: {listed_levels(rules.bots)}")
        seat = seat_named(names, name)
        if seat in levels:
            raise Wrong(f"the seat {seat_name(names, seat)} is given twice")
        levels[seat] = known if kind == "bot" else ""
    return tuple(
        SeatPlayer(seat, seat_name(names, seat), levels.get(seat, ""))
        for seat in range(max(count, 1 + max(levels, default=0)))
    )


def who_played(players: Sequence[SeatPlayer]) -> str:
    """Return the players in a line: ``bot:easy played Dailor; the script played Eldoin``."""
    seats: dict[str, list[str]] = {}
    for player in players:
        who = f"bot:{player.bot}" if player.bot else "the script"
        seats.setdefault(who, []).append(player.name or f"seat {player.seat}")
    return "; ".join(f"{who} played {', '.join(names)}" for who, names in sorted(seats.items()))


def seats_for(rules: AnyRuleset, scenario: Scenario, seats: int | None) -> int:
    """Return the wanted number of players, or the scenario's default.

    Raises:
        Wrong: the scenario is for fewer or more.
    """
    if seats is None:
        return rules.default_seats(scenario)
    try:
        check_count(rules, scenario, seats)
    except ScenarioFault as fault:
        raise Wrong(str(fault)) from None
    return seats


def left_out(rules: AnyRuleset, scenario: Scenario, seats: int) -> str:
    """Return a remark if the game has fewer players than the scenario's default; else "".

    Args:
        rules: the ruleset.
        scenario: the scenario before it was fitted.
        seats: number of players.
    """
    names, meant = rules.seat_names(scenario), rules.default_seats(scenario)
    if seats >= meant:
        return ""
    playing = ", ".join(names[:seats])
    return f"{scenario.title} is meant for {meant} players; only {seats} play: {playing}"


def header_of(
    rules: AnyRuleset, scenario: Scenario, players: tuple[SeatPlayer, ...], seed: int
) -> Header:
    """Return the header of a headless game, undated: the same input gives the same bytes."""
    return Header(
        ruleset=rules.name,
        schema=rules.schema,
        seed=seed_bytes(seed),
        players=players,
        title=f"{rules.title}: {scenario.title}",
    )
