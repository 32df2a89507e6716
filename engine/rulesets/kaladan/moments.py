"""Moments written by hand, completed: stacks become units, other cards lie in the decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.kaladan.board import tile_names
from engine.rulesets.kaladan.founding import army
from engine.rulesets.kaladan.state import (
    HIDDEN,
    SETUP_PHASES,
    Now,
    Options,
    Player,
    Stack,
    Unit,
    War,
)
from engine.rulesets.kaladan.tables import event_cards, realm_deck


def completed(war: War, options: Options, layout: int) -> Now | None:
    """The moment of a scenario with all units listed and every card in its place.

    Cards that no field names lie in the unused decks, in the order of the tables.

    Raises:
        ScenarioFault: a stack names a unit that its army does not have.
    """
    now = war.now
    if now is None:
        return None
    if not now.units:
        now = replace(now, units=tuple(_arrayed(now, layout)), stacks=(), dead=())
    if options.magic == "on":
        now = replace(now, players=tuple(_dealt(player) for player in now.players))
    if options.events == "on" and now.phase not in SETUP_PHASES:
        now = replace(now, event_deck=_filled(now))
    return now


def _dealt(player: Player) -> Player:
    """A player whose cards that nothing names are in its unused deck."""
    known = (*player.hand, *player.deck, *player.spent)
    if not player.alive or HIDDEN in known:
        return player
    rest = [card for card in realm_deck(player.realm) if card not in known]
    return replace(player, deck=(*player.deck, *rest))


def _filled(now: Now) -> tuple[str, ...]:
    """The event deck with the cards that nothing names at its end."""
    if HIDDEN in now.event_deck:
        return now.event_deck
    known = Counter((*now.event_deck, *now.event_discard))
    if now.event is not None:
        known[now.event.card] += 1
    rest = [row.id for row in event_cards().values() for _ in range(row.copies - known[row.id])]
    return (*now.event_deck, *rest)


def _arrayed(now: Now, layout: int) -> Iterator[Unit]:
    """All units of all armies, with those of the stacks where they stand, in the order of ids."""
    units = {unit.id: unit for player in now.players if player.realm for unit in army(player.id)}
    alive = {player.id: player.alive for player in now.players}
    placed: dict[int, Unit] = {}
    for number, stack in enumerate(now.stacks):
        for unit in _stacked(stack, f"now.stacks[{number}]", layout, units, placed):
            placed[unit.id] = unit
    for number, stack in enumerate(now.dead):
        for unit in _stacked(stack, f"now.dead[{number}]", layout, units, placed):
            where = "fallen" if unit.kind == "special" else "dead"
            placed[unit.id] = replace(unit, place=where, tile=0)
    for number, unit in sorted(units.items()):
        rest = unit if alive[unit.owner] else replace(unit, place="out")
        yield placed.get(number, rest)


def _stacked(
    stack: Stack, place: str, layout: int, units: dict[int, Unit], placed: dict[int, Unit]
) -> Iterator[Unit]:
    names, used = tile_names(layout), set[int]()
    if stack.at and stack.at not in names:
        raise ScenarioFault(f"{place}.at", f"there is no tile {stack.at[:8]!r}", "KA-3.1")
    tile = names.index(stack.at) + 1 if stack.at else 0
    tired = Counter(stack.done)
    for word in stack.units:
        kind, _, realm = word.removesuffix("+").partition(":")
        left = (
            unit
            for unit in units.values()
            if unit.kind == kind and unit.id not in placed and unit.id not in used
            if _is_of(unit, stack.seat, realm)
        )
        found = next(left, None)
        if found is None:
            text = f"seat {stack.seat} has no more units {word[:20]!r}"
            raise ScenarioFault(f"{place}.units", text, "KA-2.1")
        used.add(found.id)
        tired[word] -= 1
        yield replace(
            found,
            owner=stack.seat,
            place="board",
            tile=tile,
            upgraded=word.endswith("+"),
            done=tired[word] >= 0,
        )


def _is_of(unit: Unit, seat: int, first: str) -> bool:
    """True for a unit of a seat; ``first`` is the number of another seat it was made for."""
    return unit.owner == (int(first) if first.isdigit() else seat)
