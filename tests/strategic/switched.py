"""Effects of rule switches and options, to check that random games reach them.

``of_events`` yields the name of each effect that happened; ``ALL`` has all names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.rulesets.warlords2.events import AnyEvent
from engine.rulesets.warlords2.evolve import evolve
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import Terrain
from engine.strategic import events as ev
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.world import flies, is_boat

_WATER: Final = {Terrain.OCEAN, Terrain.SHORE}
_GUIDED: Final = {Terrain.FOREST, Terrain.HILLS}
_OUTER: Final = 20
"""The highest roll in battles that are not intense."""

ALL: Final = (
    "a fleet of ships and armies aboard sailed",
    "a hero rode over water with flyers",
    "one army led others through woods or hills",
    "a ship was made",
    "ships fought",
    "a die of more than 20 fell",
    "a hero was shielded",
    "a side's bonus was cut",
    "an attack cost what the tile costs",
    "a treaty was made",
    "a treaty was broken",
    "a quest was set",
    "a city was razed",
    "a neutral city began an army",
    "the order of the sides was drawn",
    "a hidden tile was found",
)


def of_events(state: State, events: Iterable[AnyEvent]) -> Iterator[str]:
    """Yield the effects of switches in events that follow a position."""
    for event in events:
        match event:
            case ev.GroupMoved():
                yield from _of_group(state, event)
            case ev.BattleFought():
                yield from _of_battle(state, event)
            case ev.ArmyMade() if is_boat(state, event.army):
                yield "a ship was made"
            case ev.TreatyChanged():
                yield "a treaty was broken" if event.betrayal else "a treaty was made"
            case _:
                yield from _of_turn(event)
        state = evolve(state, event)


def _of_turn(event: AnyEvent) -> Iterator[str]:
    match event:
        case ev.QuestSet(quest=quest) if quest is not None:
            yield "a quest was set"
        case ev.CityRazed():
            yield "a city was razed"
        case ev.RoundBegan() if list(event.order) != sorted(event.order):
            yield "the order of the sides was drawn"
        case ev.TilesFound():
            yield "a hidden tile was found"
        case ev.CityChanged(what="produce") if event.city.owner == NOBODY:
            yield "a neutral city began an army"
        case _:
            pass


def _of_group(before: State, event: ev.GroupMoved) -> Iterator[str]:
    group = [before.armies[army] for army in event.armies]
    terrains = {before.terrain[y, x] for x, y in event.path}
    walkers = [army for army in group if not flies(before, army)]
    if any(is_boat(before, army) for army in group):
        if event.path and any(event.aboard):
            yield "a fleet of ships and armies aboard sailed"
        return
    ridden = 0 < len(walkers) < len(group) and all(army.hero is not None for army in walkers)
    if ridden and terrains & _WATER and not any(event.aboard):
        yield "a hero rode over water with flyers"
    wise = {_is_wise(before, army) for army in walkers}
    if len(wise) > 1 and terrains & _GUIDED and before.options.group_ability == "any":
        yield "one army led others through woods or hills"


def _is_wise(state: State, army: Army) -> bool:
    return bool({"woods", "hills"} & set(state.types[army.type].traits))


def _of_battle(before: State, event: ev.BattleFought) -> Iterator[str]:
    fighters = [*event.attackers, *event.defenders]
    if any("boat" in before.types[one.type].traits for one in fighters):
        yield "ships fought"
    if any(die > _OUTER for duel in event.duels for die in duel.dice if die != 100):
        yield "a die of more than 20 fell"
    if any(duel.shielded for duel in event.duels):
        yield "a hero was shielded"
    if any(part.source == "cap" for part in (*event.helped, *event.covered)):
        yield "a side's bonus was cut"
    if before.options.attack_step == "terrain":
        yield "an attack cost what the tile costs"
