"""Changes of what is hidden in games of stacks and cities, and orders that may betray it."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from engine.core.containers import Plane, Roster
from engine.core.ids import Seat
from engine.core.record import Command, replace
from engine.core.ruleset import AnyRuleset
from engine.strategic.events import BattleFought, SiteSearched
from engine.strategic.offers import candidates
from engine.strategic.pieces import NOBODY, Army, Tower, UnitType
from tests.contract.aids import Chance, PositionChange
from tests.strategic import chances


def _near(state: Any, seat: Seat, chance: Chance) -> tuple[int, int]:
    """A tile not far from an army of the seat, as a rule."""
    own = [army for army in state.armies.values() if army.owner == seat]
    if not own or chance.random() < 0.2:
        return chance.randrange(state.width), chance.randrange(state.height)
    at = chance.choice(own)
    x, y = at.x + chance.randint(-6, 6), at.y + chance.randint(-6, 6)
    return max(0, min(state.width - 1, x)), max(0, min(state.height - 1, y))


def armies_of_others(state: Any, seat: Seat) -> list[Any]:
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
    others = [army for army in armies_of_others(state, seat) if army.hero is None]
    return replace(state, armies=state.armies.drop(chance.choice(others).id)) if others else state


def _army_elsewhere(state: Any, seat: Seat, chance: Chance) -> Any:
    others = armies_of_others(state, seat)
    x, y = _near(state, seat, chance)
    if not others or any(army.at == (x, y) for army in state.armies.values()):
        return state
    return replace(state, armies=state.armies.put(replace(chance.choice(others), x=x, y=y)))


def _army_otherwise(state: Any, seat: Seat, chance: Chance) -> Any:
    others = armies_of_others(state, seat)
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


def orders(rules: AnyRuleset, view: Any, seat: Seat, chance: Chance, own: int) -> list[Command]:
    """Return all that looks possible, marches to anywhere, and ``own`` offers of the ruleset."""
    # The first ones are commands of the ruleset's own.
    found: list[Command] = list(islice(rules.offers(view), own))
    listed = list(candidates(view, seat, None))
    found += (one for one in listed if chance.random() < chances.RARE.get(type(one), 1))
    armies = [army.id for army in view.armies.values() if army.owner == seat]
    hand = chances.Hand(chance.randrange(1 << 30))
    return found + [hand.far(view, chance.choice(armies)) for _ in range(len(found) // 4) if armies]


CHANGES: Final[tuple[PositionChange, ...]] = (
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


def battles(event: Any) -> int:
    """Return the attacks of an event: a battle, or a search with a guardian."""
    if isinstance(event, SiteSearched):
        return int(event.guardian > 0 and event.roll > 0)
    return int(isinstance(event, BattleFought))
