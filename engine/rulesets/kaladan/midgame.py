"""Complete and check moments in mid-game, so that play can continue from them.

See: KA-1, KA-5, KA-6, KA-16, KA-17. Checks of battles in progress are in ``battle_checks``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.kaladan.battle_checks import check_battle
from engine.rulesets.kaladan.board import capacity, living, on_board, tile_names
from engine.rulesets.kaladan.event_phase import distinct, touched
from engine.rulesets.kaladan.events import GameSet
from engine.rulesets.kaladan.evolve import EMPTY, evolve
from engine.rulesets.kaladan.founding import army, castle_places
from engine.rulesets.kaladan.scenario import demand
from engine.rulesets.kaladan.state import (
    HIDDEN,
    MOST_GOLD,
    MOST_ROUNDS,
    NOBODY,
    NOWHERE,
    SETUP_PHASES,
    Now,
    Options,
    Player,
    Stack,
    State,
    Unit,
    War,
)
from engine.rulesets.kaladan.tables import (
    event_cards,
    first_seat,
    realm_deck,
    realms,
    terrains,
    unit_rows,
)

_MOST_COUNTED: Final = 1_000_000_000
"""Maximum number of battles or dice in the statistics of a seat."""

# -- written by hand -------------------------------------------------------------------------------


def completed(war: War, options: Options, layout: int) -> Now | None:
    """Return the moment of a scenario, with all units and cards listed; None without a moment.

    Cards that no field names are in the unused decks, in table order.

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
    """Add the cards that no field names to a player's unused deck."""
    known = (*player.hand, *player.deck, *player.spent)
    if not player.alive or HIDDEN in known:
        return player
    rest = [card for card in realm_deck(player.realm) if card not in known]
    return replace(player, deck=(*player.deck, *rest))


def _filled(now: Now) -> tuple[str, ...]:
    """Return the event deck with all missing cards added at its end."""
    if HIDDEN in now.event_deck:
        return now.event_deck
    known = Counter((*now.event_deck, *now.event_discard))
    if now.event is not None:
        known[now.event.card] += 1
    rest = [row.id for row in event_cards().values() for _ in range(row.copies - known[row.id])]
    return (*now.event_deck, *rest)


def _arrayed(now: Now, layout: int) -> Iterator[Unit]:
    """Yield all units of all armies in id order; place those of the stacks.

    Special Units of other seats were gained in the order in which they are listed.
    """
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
    others = (unit for unit in placed.values() if first_seat(unit.id) != unit.owner)
    for gained, unit in enumerate(tuple(others), 1):
        placed[unit.id] = replace(unit, gained=gained)
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
    """Return whether a unit fits; ``first`` is the seat it was made for, or empty for ``seat``."""
    return unit.owner == (int(first) if first.isdigit() else seat)


# -- checks ----------------------------------------------------------------------------------------


def check_now(event: GameSet) -> None:
    """Check that a game can continue from a moment. Rules: KA-21. See: KA-1, KA-5 to KA-7, KA-17.

    Raises:
        ScenarioFault: the moment has a fault; it names the place of the first.
    """
    war, now = event.scenario, event.scenario.now
    if now is None:
        return
    _check_seats(war, now)
    for player in now.players:
        _check_player(player, f"now.players[{player.id}]", event)
    taken = [player.realm for player in now.players if player.realm]
    demand(len({*taken}) == len(taken), "now.players", "two have the same realm", "KA-5.3")
    _check_units(event, now)
    _check_cards(now, event)
    state = evolve(EMPTY, event)
    if now.reason:
        _check_end(state)
        return
    demand(not now.winners, "now.winners", "are those of a game that is over", "KA-17")
    alive = living(state)
    won = state.battle is not None and bool(state.battle.verdict)
    demand(len(alive) > 1 or won, "now.players", "the war is over with one left", "KA-17.1")
    demand(now.active in alive, "now.active", "is out of the game", "KA-16")
    limit = state.options.round_limit
    demand(not limit or now.round <= limit, "now.round", "is after the last one", "KA-17.3")
    if now.phase in SETUP_PHASES:
        _check_founding(state)
    else:
        _check_turn(state)


def _check_seats(war: War, now: Now) -> None:
    ids = [player.id for player in now.players]
    demand(ids == list(range(war.seats)), "now.players", f"must be 0 to {war.seats - 1}", "KA-1")
    for name in ("first", "active"):
        fits = 0 <= getattr(now, name) < war.seats
        demand(fits, f"now.{name}", f"must be a seat from 0 to {war.seats - 1}", "KA-1")
    demand(1 <= now.round <= MOST_ROUNDS, "now.round", "is too high or too low", "KA-6")


def _check_player(player: Player, place: str, event: GameSet) -> None:
    demand(0 <= player.gold <= MOST_GOLD, f"{place}.gold", "is too high or too low", "KA-6.2")
    known = player.realm in realms() or not player.realm
    demand(known, f"{place}.realm", f"must be of {', '.join(realms())}", "KA-5.3")
    cards = (*player.hand, *player.deck, *player.spent)
    own = {*cards} <= {*realm_deck(player.realm)}
    demand(own, place, "has Magic cards that are not of its realm", "KA-10.1")
    demand(len({*cards}) == len(cards), place, "has a Magic card twice", "KA-10.1")
    none = event.options.magic == "on" or not cards
    demand(none, place, "has Magic cards although they are left in the box", "KA-0")
    gone = player.alive or not (player.gold or player.hand or player.deck)
    demand(gone, place, "is out of the game, but has gold or cards left", "KA-8.1")
    for name in ("battles", "battles_won", "dice", "dice_sum", "dice_expected"):
        fits = 0 <= getattr(player, name) <= _MOST_COUNTED
        demand(fits, f"{place}.{name}", "is too high or too low", "KA-7")


def _check_end(state: State) -> None:
    """Check the winners of a game that is over. See: KA-17."""
    alive, winners = living(state), state.winners
    match state.reason:
        case "last_crown":
            fits = len(alive) == 1 and winners == alive
        case "round_limit":
            fits = len(winners) > 0 and {*winners} <= {*alive}
        case _:
            fits = not alive and len(winners) > 0 and {*winners} <= {*state.players}
    fits = fits and len({*winners}) == len(winners)
    demand(fits, "now.winners", "must be those who have won", "KA-17")
    demand(state.battle is None, "now.battle", "is not over, but the game is", "KA-17.1")


# -- units and cards -------------------------------------------------------------------------------


def _check_units(event: GameSet, now: Now) -> None:
    made = {unit.id for player in now.players if player.realm for unit in army(player.id)}
    ids = [unit.id for unit in now.units]
    demand(len({*ids}) == len(ids), "now.units", "name a unit twice", "KA-1")
    demand({*ids} == made, "now.units", "must be the whole army of each realm", "KA-2.1")
    demand(ids == sorted(ids), "now.units", "must be in the order of their ids", "KA-1")
    tiles, counts = {tile.id: tile for tile in event.tiles}, Counter[int]()
    owners: dict[int, int] = {}
    for number, unit in enumerate(now.units):
        place = f"now.units[{number}]"
        _check_unit(unit, place, event, now)
        if unit.place != "board":
            continue
        fits = unit.tile in tiles and bool(tiles[unit.tile].terrain)
        demand(fits, f"{place}.tile", f"there is no tile {unit.tile}", "KA-3.1")
        counts[unit.tile] += 1
        alone = owners.setdefault(unit.tile, unit.owner) == unit.owner
        demand(alone, f"{place}.tile", "another seat's units stand there", "KA-1")
        room = counts[unit.tile] <= capacity(tiles[unit.tile])
        demand(room, f"{place}.tile", "holds no more units", "KA-1.2")
    for player in now.players:
        own = [unit for unit in now.units if unit.owner == player.id]
        there = [unit for unit in own if unit.place in ("board", "removed")]
        crowns = sum(unit.kind == "crown" for unit in there)
        begun = player.alive and (now.phase not in SETUP_PHASES or bool(there))
        text = "has no Crown on the board"
        demand(not begun or crowns == 1, f"now.players[{player.id}]", text, "KA-8.1")


def _check_unit(unit: Unit, place: str, event: GameSet, now: Now) -> None:
    seats = len(event.players)
    demand(0 <= unit.owner < seats, f"{place}.owner", f"must be from 0 to {seats - 1}", "KA-1")
    maker = first_seat(unit.id)
    right = next(own for own in army(maker) if own.id == unit.id)
    demand(unit.kind == right.kind, f"{place}.kind", f"{unit.id} is a {right.kind}", "KA-2.1")
    moved = unit.owner == maker or (unit.kind == "special" and not now.players[maker].alive)
    demand(moved, f"{place}.owner", f"{unit.id} is seat {maker}'s", "KA-8.3")
    off = unit.place == "board" or unit.tile == NOWHERE
    demand(off, f"{place}.tile", "must be 0, for it is not on the board", "KA-1")
    alive = now.players[unit.owner].alive
    gone = unit.place in ("dead", "out")
    demand(alive or gone, f"{place}.owner", "is out of the game", "KA-8.1")
    fallen_crown = unit.kind == "crown" and unit.place == "dead"
    left = not alive or not (unit.place == "out" or fallen_crown)
    demand(left, f"{place}.place", "has left the game, but its owner has not", "KA-8.1")
    row = unit_rows().get(unit.kind)
    plain = not unit.upgraded or (row is not None and bool(row.upgraded_attack))
    demand(plain, f"{place}.upgraded", f"a {unit.kind} cannot be upgraded", "KA-2.2")
    kept = not unit.upgraded or unit.place in ("board", "removed", "dead", "out")
    demand(kept, f"{place}.upgraded", "a unit in the reserve is plain", "KA-2.2")
    fresh = not unit.done or unit.place != "reserve"
    demand(fresh, f"{place}.done", "a unit in the reserve can act", "KA-6.6")
    fallen = unit.place != "fallen" or unit.kind == "special"
    demand(fallen, f"{place}.place", "only Special Units may come back", "KA-9")
    mortal = unit.place != "dead" or unit.kind != "special"
    demand(mortal, f"{place}.place", "Special Units do not die, they fall", "KA-7.9")
    sides = now.battle.sides if now.battle is not None else ()
    fighting = unit.place != "removed" or unit.owner in {side.seat for side in sides}
    demand(fighting, f"{place}.place", "units are removed in their battles only", "KA-7.7")
    most = seats * seats
    demand(0 <= unit.gained <= most, f"{place}.gained", "is too high or too low", "KA-8.3")


def _check_cards(now: Now, event: GameSet) -> None:
    counts = Counter((*now.event_deck, *now.event_discard))
    if now.event is not None:
        counts[now.event.card] += 1
    known = {row.id: row.copies for row in event_cards().values()}
    fits = all(counts[card] <= known.get(card, 0) for card in counts)
    demand(fits, "now.event_deck", "has an unknown card, or one too often", "KA-11")
    used = event.options.events == "on" or not counts
    demand(used, "now.event_deck", "has cards although they are left in the box", "KA-0")
    bag = Counter(now.bag)
    for tile in event.tiles:
        if tile.terrain:
            bag[tile.terrain] += 1
    if now.drawn:
        bag[now.drawn] += 1
    rows = terrains()
    fits = all(terrain in rows and bag[terrain] <= rows[terrain].bag for terrain in bag)
    demand(fits, "now.bag", "has an unknown terrain, or one too often", "KA-3.3")
    empty = sum(not tile.terrain for tile in event.tiles)
    enough = len(now.bag) + bool(now.drawn) >= empty
    demand(enough, "now.bag", "has too few tiles for the world", "KA-5.2")


# -- phases ----------------------------------------------------------------------------------------


def _check_founding(state: State) -> None:
    """Check that the active seat of the set-up has its choice still open. See: KA-5."""
    demand(state.battle is None, "now.battle", "is fought in an Action Phase", "KA-7.2")
    demand(state.event is None, "now.event", "is drawn in an Event Phase", "KA-6.1")
    building = any(not tile.terrain for tile in state.tiles.values())
    demand(building or state.phase != "world", "now.phase", "the world is complete", "KA-5.2")
    demand(not building or state.phase == "world", "rows", "are not complete yet", "KA-5.2")
    placing = bool(state.drawn) == building
    demand(placing, "now.drawn", "is the tile that waits to be placed", "KA-5.2")
    alive = living(state)
    realmless = [seat for seat in alive if not state.players[seat].realm]
    built = {tile.castle for tile in state.tiles.values()}
    deployed = {seat for seat in alive if on_board(state, seat)}
    due = {
        "world": True,
        "realms": state.active in realmless,
        "castles": state.active not in built and bool(castle_places(state)),
        "deployment": state.active not in deployed,
    }
    text = "has made this choice, or cannot make it yet"
    demand(due[state.phase], "now.active", text, "KA-5")
    settled = not realmless or state.phase in ("world", "realms")
    demand(settled, "now.players", "need a realm", "KA-5.3")
    ready = state.phase != "deployment" or {*alive} <= built
    demand(ready, "castles", "must be complete in this phase", "KA-5.4")
    early = state.phase == "deployment" or not deployed
    demand(early, "now.units", "come onto the board when all Castles stand", "KA-5.5")
    homes = {tile.id: tile.castle for tile in state.tiles.values()}
    for unit in state.units.values():
        home = unit.place != "board" or homes[unit.tile] == unit.owner
        demand(home, "now.units", "first stand on the Castle of their seat", "KA-5.5")


def _check_turn(state: State) -> None:
    """Check that a turn waits for a seat that can act. See: KA-6."""
    alive = living(state)
    complete = all(tile.terrain for tile in state.tiles.values())
    demand(complete, "rows", "must be complete in this phase", "KA-5.2")
    demand(not state.drawn, "now.drawn", "is placed in the set-up", "KA-5.2")
    settled = all(state.players[seat].realm for seat in alive)
    demand(settled, "now.players", "need a realm", "KA-5.3")
    built = {tile.id: tile.castle for tile in state.tiles.values() if tile.castle != NOBODY}
    demand({*alive} <= {*built.values()}, "castles", "must be complete in this phase", "KA-5.4")
    demand(state.phase != "income", "now.phase", "nobody has to choose then", "KA-6.2")
    _check_event(state)
    once = len({*state.spawned}) == len(state.spawned) and {*state.spawned} <= {*built}
    demand(once, "now.spawned", "must be castle tiles, each once", "KA-6.3")
    if state.battle is not None:
        fits = state.phase == "action" and state.battle_used
        demand(fits, "now.battle", "is fought in an Action Phase", "KA-7.2")
        check_battle(state)


def _check_event(state: State) -> None:
    """Check that an open event card waits for the seats that have a choice. See: KA-11.1."""
    drawn = state.event is not None
    demand(drawn == (state.phase == "event"), "now.event", "is drawn in an Event Phase", "KA-6.1")
    if state.event is None:
        return
    card, asked = event_cards()[state.event.card], state.event.asked
    choosing = [seat for seat in touched(state, card) if len(distinct(state, seat, card)) > 1]
    order = [seat for seat in choosing if seat in asked]
    text = "must be the seats that have to choose, in turn order"
    demand(bool(asked) and list(asked) == order, "now.event.asked", text, "KA-11.1")
