"""Positions for tests, made from a short text, and the effects of commands on them.

The first line of a text is the land, row by row, in the letters F (field), W (forest) and M
(mountain); the number of letters determines the layout. Each further line is a stack: a tile, a
seat, and units by type. A plus sign marks an upgraded unit, a star a unit that is done, and
``special:2`` is the Special Unit made for seat 2. ``#`` among the units is the seat's Castle,
``#2`` that of seat 2. Instead of a tile, ``dead`` or ``fallen`` lists such units. All other units
are in the reserve::

    FF WFM FF
    A1 0 # crown sword+ sword*
    B2 0 general
    C2 1 # crown shield
    dead 1 sword sword

A seat without a Crown on the board is out of the game. Realms come from the table, by seat. A seat
holds the first card of its realm; the others form its deck.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import pytest

from engine.core.containers import Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Dice, Scripted, Throw
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan import rules
from engine.rulesets.kaladan.board import tile_names
from engine.rulesets.kaladan.evolve import evolve
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import (
    NOBODY,
    NOWHERE,
    UNIT_KINDS,
    Options,
    Phase,
    Player,
    State,
    Terrain,
    Tile,
    Unit,
)
from engine.rulesets.kaladan.tables import event_cards, realm_deck, realms, unit_id, unit_rows

_TERRAINS: Final[Mapping[str, Terrain]] = {"F": "field", "W": "forest", "M": "mountain"}

Throws: TypeAlias = Sequence[int | Throw]
"""Scripted dice: values, or pairs of sides and value."""

DUEL: Final = """
FF WFM FF
A1 0 # crown sword
C2 1 # crown sword
"""
"""Two seats with a Crown and a Sword each, in Castles two steps apart."""


def army(seat: int) -> tuple[Unit, ...]:
    """Return the units of a seat, all in the reserve."""
    counts = {kind: row.count for kind, row in unit_rows().items()} | {"special": 1}
    return tuple(
        Unit(unit_id(seat, kind, number), seat, kind)
        for kind in UNIT_KINDS
        for number in range(1, counts[kind] + 1)
    )


def position(
    text: str = DUEL,
    *,
    seats: int = 0,
    phase: Phase = "action",
    gold: Sequence[int] = (),
    realm: Sequence[str] = (),
    hands: Mapping[int, Sequence[str]] | None = None,
    decks: Mapping[int, Sequence[str]] | None = None,
    spent: Mapping[int, Sequence[str]] | None = None,
    options: Options = Options(),  # noqa: B008 - frozen
    **more: Any,
) -> State:
    """Return the position of a text; other fields of a state can be given by name."""
    land, *lines = [line.split() for line in text.strip().splitlines() if line.strip()]
    letters = "".join(land)
    names = tile_names(len(letters))
    count = seats or 1 + max(int(line[1]) for line in lines)
    units = {unit.id: unit for seat in range(count) for unit in army(seat)}
    built: dict[int, int] = {}
    free = dict(units)
    for where, seat, *words in lines:
        tile = names.index(where) + 1 if where in names else NOWHERE
        place = where if tile == NOWHERE else "board"
        for word in words:
            if word.startswith("#"):
                built[tile] = int(word[1:] or seat)
                continue
            unit = _take(free, int(seat), word)
            units[unit.id] = replace(
                unit,
                owner=int(seat),
                place=place,
                tile=tile,
                upgraded="+" in word,
                done="*" in word,
                gained=int(unit.owner != int(seat)),
            )
    alive = {unit.owner for unit in units.values() if unit.kind == "crown" and unit.tile}
    every = [
        unit if unit.owner in alive or unit.place == "dead" else replace(unit, place="out", tile=0)
        for unit in units.values()
    ]
    seated = [
        _player(seat, seat in alive, gold, realm, hands, decks, spent) for seat in range(count)
    ]
    if "event_deck" not in more:
        more["event_deck"] = tuple(event_cards())
    return State(
        layout=len(letters),
        tiles=Roster(
            Tile(number, _TERRAINS[letter], built.get(number, NOBODY))
            for number, letter in enumerate(letters, 1)
        ),
        players=Roster(seated),
        units=Roster(every),
        options=options,
        phase=phase,
        **more,
    )


def _take(free: dict[int, Unit], seat: int, word: str) -> Unit:
    """Take the first unit of a type that no line has named yet."""
    kind, _, first = word.rstrip("+*").partition(":")
    maker = int(first or seat)
    found = next(unit for unit in free.values() if (unit.kind, unit.id // 100) == (kind, maker))
    return free.pop(found.id)


def _player(
    seat: int,
    alive: bool,
    gold: Sequence[int],
    realm: Sequence[str],
    hands: Mapping[int, Sequence[str]] | None,
    decks: Mapping[int, Sequence[str]] | None,
    spent: Mapping[int, Sequence[str]] | None,
) -> Player:
    chosen = realm[seat] if realm else list(realms())[seat]
    if not alive:
        return Player(seat, chosen, alive=False)
    cards = realm_deck(chosen)
    hand = tuple((hands or {}).get(seat, cards[:1]))
    used = tuple((spent or {}).get(seat, ()))
    rest = tuple(card for card in cards if card not in (*hand, *used))
    deck = tuple((decks or {}).get(seat, rest))
    purse = gold[seat] if seat < len(gold) else 0
    return Player(seat, chosen, gold=purse, hand=hand, deck=deck, spent=used)


# -- effects of commands ---------------------------------------------------------------------------


def decided(
    state: State, seat: int, command: do.AnyCommand, dice: Dice | Throws = ()
) -> tuple[ev.AnyEvent, ...]:
    """Return the events of a command, with scripted dice if a list of throws is given."""
    thrown = Scripted(dice) if isinstance(dice, Sequence) else dice
    return rules.RULES.decide(state, seat, command, thrown)


def after(state: State, seat: int, command: do.AnyCommand, dice: Dice | Throws = ()) -> State:
    """Return the state after a command."""
    return folded(state, decided(state, seat, command, dice))


def folded(state: State, events: Sequence[ev.AnyEvent]) -> State:
    """Return the state after some events."""
    for event in events:
        state = evolve(state, event)
    return state


def pad(state: State, dice: Throws = ()) -> BaseDecision[State, ev.AnyEvent]:
    """Return a scratch pad for functions that emit events."""
    return BaseDecision(state, evolve, Scripted(dice))


def tile(state: State, name: str) -> int:
    """Return the number of a tile."""
    return tile_names(state.layout).index(name) + 1


def stand(state: State, name: str) -> list[str]:
    """Return the types of the units on a tile by id; upgraded ones have a plus sign."""
    return list(_kinds(state, tile(state, name)))


def _kinds(state: State, number: int) -> Iterator[str]:
    for unit in state.units.values():
        if unit.place == "board" and unit.tile == number:
            yield unit.kind + "+" * unit.upgraded


def refusal(state: State, seat: int, command: do.AnyCommand) -> tuple[Refusal, str]:
    """Return the code and the rule id with which a command is refused."""
    with pytest.raises(Refused) as told:
        decided(state, seat, command)
    code = told.value.code
    assert isinstance(code, Refusal)
    return code, told.value.rule
