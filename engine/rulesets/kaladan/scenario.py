"""Scenarios: rows of terrain, Castles, and the checks of worlds and of moments in mid-game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from engine.core.ruleset import ScenarioFault
from engine.rulesets.kaladan.board import (
    capacity,
    is_edge,
    layouts,
    neighbours,
    tile_names,
)
from engine.rulesets.kaladan.events import GameSet
from engine.rulesets.kaladan.founding import army, most_castles
from engine.rulesets.kaladan.state import (
    HIDDEN,
    MOST_GOLD,
    MOST_ROUNDS,
    NOBODY,
    NOWHERE,
    SETUP_PHASES,
    BattleSide,
    Now,
    Player,
    Terrain,
    Tile,
    Unit,
    War,
)
from engine.rulesets.kaladan.tables import (
    event_cards,
    first_seat,
    magic_cards,
    realm_deck,
    realms,
    terrains,
    unit_rows,
)

LETTERS: Final[Mapping[str, str]] = {"field": "F", "forest": "W", "mountain": "M", "": "."}
"""Letters of terrains in rows; a dot is a position without a tile yet. Rules: KA-19."""

_TERRAIN: Final[dict[str, Terrain]] = {"F": "field", "W": "forest", "M": "mountain"}


def _demand(holds: bool, place: str, text: str, rule: str) -> None:  # noqa: FBT001
    if not holds:
        raise ScenarioFault(place, text, rule)


# -- worlds ----------------------------------------------------------------------------------------


def check_world(war: War, layout: int) -> None:
    """Check the world of a scenario. Rules: KA-3.1.1, KA-3.3, KA-5.4.

    Raises:
        ScenarioFault: with the place of the first fault.
    """
    known = ", ".join(str(tiles) for tiles in layouts())
    _demand(layout in layouts(), "tiles", f"there are layouts of {known} tiles", "KA-3.1")
    most = most_castles(layout)
    _demand(war.seats <= most, "seats", f"{layout} tiles hold {most} Castles at most", "KA-5.4")
    widths = layouts()[layout].row_widths
    fits = not war.rows or tuple(len(row) for row in war.rows) == widths
    _demand(fits, "rows", f"must be of {', '.join(map(str, widths))} letters", "KA-3.1")
    for number, row in enumerate(war.rows):
        letters = "FWM." if war.now is not None else "FWM"
        text = "is written with F, W and M (field, wood, mountain)"
        _demand({*row} <= {*letters}, f"rows[{number}]", text, "KA-3.3")
    counts = Counter(_TERRAIN[letter] for row in war.rows for letter in row if letter != ".")
    for row_of in terrains().values():
        text = f"there are {row_of.bag} tiles of each terrain"
        _demand(counts[row_of.id] <= row_of.bag, "rows", text, "KA-3.3")
    _check_realms(war)
    _check_castles(war, layout)


def _check_realms(war: War) -> None:
    fits = not war.realms or len(war.realms) == war.seats
    _demand(fits, "realms", f"must be {war.seats}, one for each seat", "KA-5.3")
    known = ", ".join(realms())
    _demand({*war.realms} <= {*realms()}, "realms", f"must be of {known}", "KA-5.3")
    _demand(len({*war.realms}) == len(war.realms), "realms", "name one twice", "KA-5.3")


def _check_castles(war: War, layout: int) -> None:
    fits = not war.castles or len(war.castles) == war.seats
    _demand(fits, "castles", f"must be {war.seats}, one for each seat", "KA-5.4")
    names, built = tile_names(layout), set[int]()
    for number, name in enumerate(war.castles):
        if not name and war.now is not None:
            continue
        place = f"castles[{number}]"
        _demand(name in names, place, f"there is no tile {name[:8]!r}", "KA-3.1")
        tile = names.index(name) + 1
        _demand(is_edge(layout, tile), place, f"{name} is no edge tile", "KA-5.4")
        apart = tile not in built and not built.intersection(neighbours(layout, tile))
        _demand(apart, place, f"{name} touches another Castle", "KA-5.4")
        built.add(tile)


def tiles_of(war: War, layout: int) -> tuple[Tile, ...]:
    """Tiles of a scenario, with the terrain and the Castles that it fixes. Rules: KA-3.1."""
    letters = "".join(war.rows) or "." * layout
    names = tile_names(layout)
    builders = {names.index(name) + 1: seat for seat, name in enumerate(war.castles) if name}
    return tuple(
        Tile(number, _TERRAIN.get(letter, ""), builders.get(number, NOBODY))
        for number, letter in enumerate(letters, 1)
    )


# -- moments in mid-game ---------------------------------------------------------------------------


def check_now(event: GameSet) -> None:
    """Check that a game can go on from a moment. Rules: KA-1, KA-5, KA-6, KA-7, KA-21.

    Raises:
        ScenarioFault: with the place of the first fault.
    """
    war, now = event.scenario, event.scenario.now
    if now is None:
        return
    ids = [player.id for player in now.players]
    _demand(ids == list(range(war.seats)), "now.players", f"must be 0 to {war.seats - 1}", "KA-1")
    for name in ("first", "active"):
        fits = 0 <= getattr(now, name) < war.seats
        _demand(fits, f"now.{name}", f"must be a seat from 0 to {war.seats - 1}", "KA-1")
    _demand(1 <= now.round <= MOST_ROUNDS, "now.round", "is too high or too low", "KA-6")
    for player in now.players:
        _check_player(player, f"now.players[{player.id}]", event)
    taken = [player.realm for player in now.players if player.realm]
    _demand(len({*taken}) == len(taken), "now.players", "two have the same realm", "KA-5.3")
    _check_units(event, now)
    _check_cards(now, event)
    alive = [player.id for player in now.players if player.alive]
    over = bool(now.reason)
    _demand(over or len(alive) > 1, "now.players", "the war is over with one left", "KA-17.1")
    known = {*now.winners} <= {*ids}
    _demand(
        known and (over or not now.winners),
        "now.winners",
        "must be seats of a game that is over",
        "KA-17",
    )
    if over:
        return
    _demand(now.active in alive, "now.active", "is out of the game", "KA-16")
    _check_phase(event, now, alive)


def _check_player(player: Player, place: str, event: GameSet) -> None:
    _demand(0 <= player.gold <= MOST_GOLD, f"{place}.gold", "is too high or too low", "KA-6.2")
    known = player.realm in realms() or not player.realm
    _demand(known, f"{place}.realm", f"must be of {', '.join(realms())}", "KA-5.3")
    cards = [card for card in (*player.hand, *player.deck, *player.spent) if card != HIDDEN]
    own = {*cards} <= {*realm_deck(player.realm)}
    _demand(own, place, "has Magic cards that are not of its realm", "KA-10.1")
    _demand(len({*cards}) == len(cards), place, "has a Magic card twice", "KA-10.1")
    none = event.options.magic == "on" or not (player.hand or player.deck or player.spent)
    _demand(none, place, "has Magic cards although they are left in the box", "KA-0")


def _check_units(event: GameSet, now: Now) -> None:
    made = {unit.id for player in now.players if player.realm for unit in army(player.id)}
    ids = [unit.id for unit in now.units]
    _demand(len({*ids}) == len(ids), "now.units", "name a unit twice", "KA-1")
    _demand({*ids} == made, "now.units", "must be the whole army of each realm", "KA-2.1")
    tiles, counts = {tile.id: tile for tile in event.tiles}, Counter[int]()
    owners: dict[int, int] = {}
    for number, unit in enumerate(now.units):
        place = f"now.units[{number}]"
        _check_unit(unit, place, event)
        if unit.place != "board":
            continue
        fits = unit.tile in tiles and bool(tiles[unit.tile].terrain)
        _demand(fits, f"{place}.tile", f"there is no tile {unit.tile}", "KA-3.1")
        counts[unit.tile] += 1
        alone = owners.setdefault(unit.tile, unit.owner) == unit.owner
        _demand(alone, f"{place}.tile", "another seat's units stand there", "KA-1")
        alive = now.players[unit.owner].alive
        _demand(alive, f"{place}.owner", "is out of the game", "KA-8.1")
        room = counts[unit.tile] <= capacity(tiles[unit.tile])
        _demand(room, f"{place}.tile", "holds no more units", "KA-1.2")
    for player in now.players:
        standing = sum(
            unit.owner == player.id and unit.kind == "crown" and unit.place in ("board", "removed")
            for unit in now.units
        )
        begun = now.phase not in SETUP_PHASES and player.alive and not now.reason
        text = "has no Crown on the board"
        _demand(not begun or standing == 1, f"now.players[{player.id}]", text, "KA-8.1")


def _check_unit(unit: Unit, place: str, event: GameSet) -> None:
    seats = len(event.players)
    _demand(0 <= unit.owner < seats, f"{place}.owner", f"must be from 0 to {seats - 1}", "KA-1")
    right = next(own for own in army(first_seat(unit.id)) if own.id == unit.id)
    _demand(unit.kind == right.kind, f"{place}.kind", f"{unit.id} is a {right.kind}", "KA-2.1")
    moved = unit.owner == right.owner or unit.kind == "special"
    _demand(moved, f"{place}.owner", f"{unit.id} is seat {right.owner}'s", "KA-2.1")
    off = unit.place == "board" or unit.tile == NOWHERE
    _demand(off, f"{place}.tile", "must be 0, for it is not on the board", "KA-1")
    row = unit_rows().get(unit.kind)
    plain = not unit.upgraded or (row is not None and bool(row.upgraded_attack))
    _demand(plain, f"{place}.upgraded", f"a {unit.kind} cannot be upgraded", "KA-2.2")
    kept = not unit.upgraded or unit.place in ("board", "removed", "dead", "out")
    _demand(kept, f"{place}.upgraded", "a unit in the reserve is plain", "KA-2.2")
    fallen = unit.place != "fallen" or unit.kind == "special"
    _demand(fallen, f"{place}.place", "only Special Units may come back", "KA-9")
    fighting = unit.place != "removed" or event.scenario.now is None or event.scenario.now.battle
    _demand(bool(fighting), f"{place}.place", "units are removed in battles only", "KA-7.7")
    _demand(0 <= unit.gained <= len(event.players), f"{place}.gained", "is too high", "KA-8.3")


def _check_cards(now: Now, event: GameSet) -> None:
    counts = Counter((*now.event_deck, *now.event_discard))
    if now.event is not None:
        counts[now.event.card] += 1
    counts.pop(HIDDEN, None)
    known = {row.id: row.copies for row in event_cards().values()}
    fits = all(counts[card] <= known.get(card, 0) for card in counts)
    _demand(fits, "now.event_deck", "has an unknown card, or one too often", "KA-11")
    used = event.options.events == "on" or not counts
    _demand(used, "now.event_deck", "has cards although they are left in the box", "KA-0")
    bag = Counter(now.bag)
    bag.pop(HIDDEN, None)
    for tile in event.tiles:
        if tile.terrain:
            bag[tile.terrain] += 1
    if now.drawn:
        bag[now.drawn] += 1
    rows = terrains()
    fits = all(terrain in rows and bag[terrain] <= rows[terrain].bag for terrain in bag)
    _demand(fits, "now.bag", "has an unknown terrain, or one too often", "KA-3.3")


def _check_phase(event: GameSet, now: Now, alive: list[int]) -> None:
    building = any(not tile.terrain for tile in event.tiles)
    fits = not building or now.phase == "world"
    _demand(fits, "rows", "must be complete in this phase", "KA-5.2")
    _demand(building == (now.phase == "world"), "now.phase", "the world is complete", "KA-5.2")
    placing = bool(now.drawn) == building
    _demand(placing, "now.drawn", "is the tile that waits to be placed", "KA-5.2")
    turn = now.phase not in SETUP_PHASES
    settled = all(now.players[seat].realm for seat in alive)
    _demand(settled or now.phase in ("world", "realms"), "now.players", "need a realm", "KA-5.3")
    _check_founding(event, now, alive)
    _demand(now.phase != "income", "now.phase", "nobody has to choose then", "KA-6.2")
    asked = now.event.asked if now.event is not None else ()
    fits = (now.phase == "event") == bool(asked) and {*asked} <= {*alive}
    _demand(fits, "now.event.asked", "must be the seats that have to choose", "KA-11.1")
    tiles = {tile.id for tile in event.tiles if tile.castle != NOBODY}
    _demand({*now.spawned} <= tiles, "now.spawned", "must be castle tiles", "KA-6.3")
    if now.battle is not None:
        fits = turn and now.phase == "action" and now.battle_used
        _demand(fits, "now.battle", "is fought in an Action Phase", "KA-7.2")
        _check_battle(event, now)


def _check_founding(event: GameSet, now: Now, alive: list[int]) -> None:
    """The seat that is due in the set-up must have its choice before it."""
    built = {tile.castle for tile in event.tiles}
    deployed = {unit.owner for unit in now.units if unit.place == "board"}
    own = now.players[now.active]
    due = {
        "realms": not own.realm,
        "castles": now.active not in built,
        "deployment": now.active in built and now.active not in deployed,
    }
    text = "has made this choice, or cannot make it yet"
    _demand(due.get(now.phase, True), "now.active", text, "KA-5")
    if now.phase == "deployment":
        ready = {*alive} <= built
        _demand(ready, "castles", "must be complete in this phase", "KA-5.4")


def _check_battle(event: GameSet, now: Now) -> None:
    battle = now.battle
    if battle is None:
        return
    attacker, defender = battle.sides
    seats = {side.seat for side in battle.sides}
    fits = len(seats) == len(battle.sides) and attacker.seat == now.active
    _demand(fits, "now.battle.sides", "are the active seat and another", "KA-7.2")
    count = len(event.tiles)
    for number, side in enumerate(battle.sides):
        place = f"now.battle.sides[{number}]"
        fits = 0 <= side.seat < len(now.players) and now.players[side.seat].alive
        _demand(fits, f"{place}.seat", "must be a seat in the game", "KA-7.2")
        _demand(1 <= side.tile <= count, f"{place}.tile", "is no tile", "KA-7.2")
        _check_side(side, place, now)
    near = defender.tile in neighbours(event.layout, attacker.tile)
    _demand(near, "now.battle.sides", "stand on adjacent tiles", "KA-7.2")
    _demand(battle.asked in seats, "now.battle.asked", "must be one of the two seats", "KA-7.1")
    for number, die in enumerate(battle.dice):
        place = f"now.battle.dice[{number}]"
        fits = die.side in (0, 1) and die.sides in (4, 6, 8, 10, 12)
        fits = fits and 1 <= die.value <= die.sides and 0 <= die.first <= die.sides
        _demand(fits, place, "is no die of a battle", "KA-7.5")
    _check_step(now)


def _check_side(side: BattleSide, place: str, now: Now) -> None:
    player = now.players[side.seat]
    for name in ("card", "after_card"):
        card = getattr(side, name)
        fits = not card or card == HIDDEN or card in magic_cards()
        _demand(fits, f"{place}.{name}", "is no Magic card", "KA-10.3")
        own = not card or card == HIDDEN or card in (*player.hand, *player.spent)
        _demand(own or HIDDEN in player.hand, f"{place}.{name}", "is not this seat's", "KA-10.1")
    fits = not side.card or side.statement == "in"
    _demand(fits, f"{place}.statement", "must be in, for a card is committed", "KA-7.3")


def _check_step(now: Now) -> None:
    """A battle must wait for something that the seat asked can do."""
    battle = now.battle
    if battle is None:
        return
    asked = next(side for side in battle.sides if side.seat == battle.asked)
    there = [unit for unit in now.units if unit.place == "board" and unit.tile == asked.tile]
    own = len([unit for unit in there if unit.owner == asked.seat])
    due = {
        "magic": not asked.statement and bool(now.players[asked.seat].hand),
        "aim": battle.revealed and bool(asked.card) and not asked.applied,
        "losses": not asked.chosen and 0 < asked.losses <= own,
        "after": not asked.after and bool(now.players[asked.seat].hand),
        "invasion": asked is battle.sides[0] and 0 < battle.invaders <= own,
    }
    _demand(due[battle.step], "now.battle.step", "asks nothing of this seat", "KA-7.1")
