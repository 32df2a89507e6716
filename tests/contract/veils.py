"""Positions that differ in hidden things only: changes that a seat must not notice.

A change is made at random and kept if the seat's view stays what it is, so nothing here needs to
know what is hidden; where something is not, the change just never comes about.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from engine.core.containers import Plane, Roster
from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.ids import Seat
from engine.core.log import Entry, EventLog
from engine.core.record import replace
from engine.core.refused import Refused
from engine.core.replay import apply
from engine.core.ruleset import AnyRuleset
from engine.strategic.pieces import NOBODY, Army, Tower, UnitType
from tests.contract.walks import SEED

Chance: TypeAlias = random.Random
Change: TypeAlias = Callable[[Any, Seat, Chance], Any]
"""A position made from another for a seat, by lot; the same position where nothing can be done."""


def look_alike(rules: AnyRuleset, state: Any, seat: Seat, chance: Chance) -> Any:
    """Another position with the same view for a seat, or the very same one if none was found."""
    seen = rules.view(state, seat)
    changes = [*_CHANGES.get(rules.name, ()), _secret_orders(rules)]
    found = state
    if chance.random() < 0.3:
        found = rules.imagine(seen, Seeded(SEED, chance.randrange(1 << 30), "imagine"))
    for _ in range(chance.choice((1, 3, 8, 16))):
        changed = chance.choice(changes)(found, seat, chance)
        if changed is not found and rules.view(changed, seat) == seen:
            found = changed
    return found


def _secret_orders(rules: AnyRuleset) -> Change:
    """Somebody else gives an order, where all act at once."""

    def changed(state: Any, seat: Seat, chance: Chance) -> Any:
        others = sorted(rules.owes(state) - {seat})
        if not others:
            return state
        other = chance.choice(others)
        offers = list(rules.offers(rules.view(state, other)))
        command = chance.choice(offers)
        try:
            events = rules.decide(state, other, command, Seeded(SEED, 1, "veil"))
        except Refused:
            return state
        return apply(rules, state, Entry(0, -1, other, command, events))

    return changed


# -- Warlords II -------------------------------------------------------------------------------


def _near(state: Any, seat: Seat, chance: Chance) -> tuple[int, int]:
    """A tile not far from an army of the seat, as a rule."""
    own = [army for army in state.armies.values() if army.owner == seat]
    if not own or chance.random() < 0.2:
        return chance.randrange(state.width), chance.randrange(state.height)
    at = chance.choice(own)
    x, y = at.x + chance.randint(-6, 6), at.y + chance.randint(-6, 6)
    return max(0, min(state.width - 1, x)), max(0, min(state.height - 1, y))


def _others(state: Any, seat: Seat) -> list[Any]:
    return [army for army in state.armies.values() if army.owner != seat]


def _army_comes(state: Any, seat: Seat, chance: Chance) -> Any:
    x, y = _near(state, seat, chance)
    here = [army for army in state.armies.values() if army.at == (x, y)]
    owners = {army.owner for army in here}
    others = [side for side in (*state.sides, NOBODY) if side != seat]
    owner = owners.pop() if owners else chance.choice(others)
    if owner == seat or len(here) >= 8:
        return state
    kinds: list[UnitType] = [k for k in state.types.values() if "hero" not in k.traits]
    kind = chance.choice(kinds)
    number = 1 + max((*state.armies, *state.transits), default=0)
    new = Army(number, owner, kind.id, x, y, kind.strength, kind.move, kind.move, 1)
    return replace(state, armies=state.armies.put(new), next_id=max(state.next_id, number + 1))


def _army_goes(state: Any, seat: Seat, chance: Chance) -> Any:
    others = [army for army in _others(state, seat) if army.hero is None]
    return replace(state, armies=state.armies.drop(chance.choice(others).id)) if others else state


def _army_elsewhere(state: Any, seat: Seat, chance: Chance) -> Any:
    others = _others(state, seat)
    x, y = _near(state, seat, chance)
    if not others or any(army.at == (x, y) for army in state.armies.values()):
        return state
    return replace(state, armies=state.armies.put(replace(chance.choice(others), x=x, y=y)))


def _army_otherwise(state: Any, seat: Seat, chance: Chance) -> Any:
    others = _others(state, seat)
    if not others:
        return state
    army, goal = chance.choice(others), _near(state, seat, chance)
    return replace(state, armies=state.armies.put(replace(army, points=1, xp=3, goal=goal)))


def _purse(state: Any, seat: Seat, chance: Chance) -> Any:
    other = chance.choice([side for side in state.sides.values() if side.id != seat])
    stances = tuple(chance.randrange(3) if k != other.id else 0 for k in state.sides)
    changed = replace(other, gold=chance.randrange(3000), stances=stances, quest=None)
    return replace(state, sides=state.sides.put(changed))


def _city_otherwise(state: Any, seat: Seat, chance: Chance) -> Any:
    if not state.cities:
        return state
    city = chance.choice([*state.cities.values()])
    making = chance.randrange(-1, len(city.slots))
    changed = replace(city, making=making, left=int(making >= 0), attacked_by=chance.randrange(4))
    if chance.random() < 0.5 and not city.razed and city.owner != seat:
        owner = chance.choice([side for side in (*state.sides, NOBODY) if side != seat])
        there = [army for army in state.armies.values() if army.at in city.tiles]
        moved = (replace(army, owner=owner) for army in there)
        state = replace(state, armies=state.armies.put(*moved))
        changed = replace(changed, owner=owner)
    return replace(state, cities=state.cities.put(changed))


def _site_otherwise(state: Any, _seat: Seat, chance: Chance) -> Any:
    if not state.sites:
        return state
    site = chance.choice([*state.sites.values()])
    kind = chance.choice(("relic", "sage", "gold", "allies"))
    ally = chance.choice([*state.types])
    guardian = chance.randrange(len(state.guardians) + 1)
    known = site.known_to ^ 1 << chance.randrange(8)
    hidden = chance.random() < 0.3
    changed = replace(site, kind=kind, ally=ally, guardian=guardian, known_to=known, hidden=hidden)
    return replace(state, sites=state.sites.put(changed))


def _land_otherwise(state: Any, seat: Seat, chance: Chance) -> Any:
    terrain = state.terrain.edit()
    codes = sorted({*state.terrain.cells.reshape(-1).tolist()} - {state.terrain[0, 0]})
    towns = {at for city in state.cities.values() for at in city.tiles}
    stood = {army.at for army in state.armies.values()} | towns
    for _ in range(6):
        x, y = _near(state, seat, chance)
        if (x, y) not in stood:
            terrain[y, x] = chance.choice(codes)
    return replace(state, terrain=Plane(terrain))


def _discoveries(state: Any, seat: Seat, chance: Chance) -> Any:
    cells = state.discovered.edit()
    bits = chance.randrange(256) & ~(1 << seat)
    x, y = _near(state, seat, chance)
    cells[max(0, y - 4) : y + 5, max(0, x - 4) : x + 5] ^= bits
    return replace(state, discovered=Plane(cells))


def _thing_elsewhere(state: Any, seat: Seat, chance: Chance) -> Any:
    if not state.items:
        return state
    x, y = _near(state, seat, chance)
    item = chance.choice([*state.items.values()])
    changed = replace(item, where="ground", holder=-1, x=x, y=y)
    return replace(state, items=state.items.put(changed))


def _tower_comes(state: Any, seat: Seat, chance: Chance) -> Any:
    x, y = _near(state, seat, chance)
    owner = chance.choice([side for side in state.sides if side != seat])
    tower = Tower(y * state.width + x, x, y, owner)
    return replace(state, towers=state.towers.put(tower))


def _numbering(state: Any, _seat: Seat, chance: Chance) -> Any:
    secret = f"{chance.randrange(1 << 128):032x}" if state.secret else ""
    return replace(state, next_id=state.next_id + chance.randrange(50), secret=secret)


def _journeys(state: Any, seat: Seat, _chance: Chance) -> Any:
    kept = [transit for transit in state.transits.values() if transit.army.owner == seat]
    return replace(state, transits=Roster(kept)) if len(kept) < len(state.transits) else state


# -- LordsAWar ---------------------------------------------------------------------------------


def _army_of_another_type(state: Any, seat: Seat, chance: Chance) -> Any:
    others = [army for army in _others(state, seat) if army.hero is None]
    if not others:
        return state
    kind = chance.choice([kind for kind in state.types.values() if "hero" not in kind.traits])
    army = replace(chance.choice(others), type=kind.id, strength=kind.strength, upkeep=7)
    return replace(state, armies=state.armies.put(army))


def _other_slots(state: Any, seat: Seat, chance: Chance) -> Any:
    others = [city for city in state.cities.values() if city.owner != seat and city.slots]
    if not others:
        return state
    city, model = chance.choice(others), chance.choice(others)
    changed = replace(city, slots=model.slots, making=-1, left=0)
    return replace(state, cities=state.cities.put(changed))


# -- Global Domination -------------------------------------------------------------------------


def _other_player(state: Any, seat: Seat, chance: Chance) -> Any:
    return chance.choice([player for player in state.players.values() if player.id != seat])


def _stores(state: Any, seat: Seat, chance: Chance) -> Any:
    other = _other_player(state, seat, chance)
    numbers = {name: chance.randrange(9) for name in ("ip", "crop", "dynamite", "toxic")}
    return replace(state, players=state.players.put(replace(other, **numbers)))


def _lists(state: Any, seat: Seat, chance: Chance) -> Any:
    other, third = _other_player(state, seat, chance), _other_player(state, seat, chance)
    changed = replace(other, orders=third.orders[:2], last=other.last[:1])
    return replace(state, players=state.players.put(changed))


def _spies(state: Any, seat: Seat, chance: Chance) -> Any:
    here = chance.choice([*state.territories.values()])
    if here.owner in (seat, -1):
        return state
    spied = replace(here, spy=chance.randrange(3))
    return replace(state, territories=state.territories.put(spied))


def _mines(state: Any, seat: Seat, chance: Chance) -> Any:
    here = chance.choice([*state.territories.values()])
    other = _other_player(state, seat, chance).id
    if here.owner != other:
        return state
    known = here.mines - sum(count for by, count in here.laid if by == other)
    count = chance.randrange(1, 4)
    laid = (*((by, number) for by, number in here.laid if by != other), (other, count))
    mined = replace(here, mines=known + count, laid=tuple(sorted(laid)))
    return replace(state, territories=state.territories.put(mined))


# -- Generals of Kaladan -----------------------------------------------------------------------


def _cards_otherwise(state: Any, seat: Seat, chance: Chance) -> Any:
    """Hand and deck of a seat are dealt anew."""
    player = chance.choice([*state.players.values()])
    cards = [*player.hand, *player.deck]
    if player.id != seat:
        chance.shuffle(cards)
    else:
        unused = [*player.deck]
        chance.shuffle(unused)
        cards = [*player.hand, *unused]
    hand, deck = tuple(cards[: len(player.hand)]), tuple(cards[len(player.hand) :])
    changed = replace(player, hand=hand, deck=deck)
    battle = state.battle
    if battle is not None and not battle.revealed:
        sides: Any = tuple(
            replace(side, card=chance.choice(hand))
            if side.seat == player.id and side.card
            else side
            for side in battle.sides
        )
        battle = replace(battle, sides=sides)
    return replace(state, players=state.players.put(changed), battle=battle)


def _decks_otherwise(state: Any, _seat: Seat, chance: Chance) -> Any:
    """The orders of the event deck and of the terrain bag."""
    deck, bag = list(state.event_deck), list(state.bag)
    chance.shuffle(deck)
    chance.shuffle(bag)
    return replace(state, event_deck=tuple(deck), bag=tuple(bag))


# -- Lanterns ----------------------------------------------------------------------------------


def _strengths(state: Any, seat: Seat, chance: Chance) -> Any:
    bands = [band for band in state.bands.values() if band.clan != seat and not band.known]
    if len(bands) < 2:
        return state
    one, other = chance.sample(bands, 2)
    if one.clan != other.clan:
        return state
    swapped = replace(one, strength=other.strength), replace(other, strength=one.strength)
    return replace(state, bands=state.bands.put(*swapped))


_STRATEGIC: Final[tuple[Change, ...]] = (
    _army_comes,
    _army_comes,
    _army_comes,
    _army_goes,
    _army_elsewhere,
    _army_otherwise,
    _purse,
    _city_otherwise,
    _site_otherwise,
    _land_otherwise,
    _discoveries,
    _thing_elsewhere,
    _tower_comes,
    _numbering,
    _journeys,
)
"""Secrets in games of stacks and cities."""

_CHANGES: Final[Mapping[str, tuple[Change, ...]]] = {
    "warlords2": _STRATEGIC,
    "lordsawar": (*_STRATEGIC, _army_of_another_type, _other_slots),
    "gd6": (_stores, _lists, _spies, _mines),
    "kaladan": (_cards_otherwise, _decks_otherwise),
    "toy": (_strengths,),
}
"""Secrets of each game; of others only the orders of others are."""


def poised(rules: AnyRuleset, state: Any) -> Game[Any, Any, Any, Any]:
    """A game that stands at a position, with nothing behind it."""
    return _Poised(rules, state)


class _Poised(Game[Any, Any, Any, Any]):
    """A game whose first entry says nothing and leads to any position."""

    def __init__(self, rules: AnyRuleset, state: Any) -> None:
        self._start = state
        log: EventLog[Any, Any] = EventLog()
        log.append(Entry(0, -1, -1, None, ()))
        super().__init__(rules, SEED, log)

    def _reached(self, seq: int) -> list[tuple[int, Any]]:
        known = [number for number, _ in self._trail]
        if seq in known:
            return self._trail[: known.index(seq) + 1]
        trail, state = [(0, self._start)], self._start
        for entry in self.log.line(seq)[1:]:
            state = apply(self.rules, state, entry)
            self._follow(trail, entry, state)
        return trail
