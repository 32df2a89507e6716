"""A view contains everything that may be known about other sides, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.containers import Roster
from engine.core.ids import PUBLIC, REFEREE
from engine.core.record import replace
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.state import State
from engine.strategic import events as ev
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    Army,
    Deeds,
    Hero,
    Item,
    Quest,
    Question,
    Transit,
)
from engine.strategic.world import World
from tests.strategic.ground import HERO, army, city, side, site, slot, world

FULL = Army(
    id=2,
    owner=1,
    type=HERO,
    x=1,
    y=2,
    strength=7,
    max_move=16,
    points=9,
    upkeep=3,
    medals=1,
    xp=20,
    level=1,
    defends=True,
    blessed=(1,),
    goal=(0, 2),
    home=2,
    hero=Hero("Ada", female=True),
)
"""An army of side 1 with all fields set, beside an army of side 0."""

RICH = side(
    1,
    gold=500,
    capital=(4, 0),
    level=2,
    enhanced=True,
    flag=(5, 2),
    rating=7,
    quest=Quest("plunder", hero=2),
    deeds=Deeds(battles=3),
)
BUSY = city(
    2, 4, 0, 1, slots=(slot(HERO),), making=0, left=3, vector=3, attacked_by=5, tier=1, original=0
)


def realm(*, hidden: bool = False, **more: Any) -> State:
    """Return a position in which side 1 has much to hide and side 0 is beside its hero."""
    rows = ["........"] * 4
    settings: dict[str, Any] = {
        "armies": [army(1, 0, 2), FULL, army(3, 7, 3, owner=1)],
        "cities": [BUSY, city(3, 6, 0, 1)],
        "sides": [side(0), RICH],
        "sites": [site(1, 3, 3, "relic", guardian=4, rich=True, known_to=2)],
        "items": [Item(1, "speed", 0, "Boots", "carried", holder=2)],
        "transits": Roster([Transit(id=8, army=army(8, 4, 0, owner=1), target=3, due=2)]),
        "order": (1, 0),
        "trail": ((7, 3), (1, 2)),
        "trail_of": 1,
        "key": 5,
    }
    return world(rows, hidden=hidden, **(settings | more))


def test_view_hides_points_and_goals_of_foreign_armies() -> None:
    seen = RULES.view(realm(), 0).armies[2]
    bare = {"points": 0, "xp": 0, "defends": False, "blessed": (), "goal": None, "home": NONE}
    assert seen == replace(FULL, **bare)
    assert RULES.view(realm(), 1).armies[2] == FULL


def test_view_hides_purse_and_plans_of_other_sides() -> None:
    seen = RULES.view(realm(), 0).sides[1]
    hidden = {"gold": 0, "order": (), "flag": None, "stances": (), "quest": None, "deeds": Deeds()}
    assert seen == replace(RICH, **hidden)
    assert RULES.view(realm(), 1).sides[1].gold == 500


def test_view_shows_slots_but_not_production_of_foreign_cities() -> None:
    seen = RULES.view(realm(), 0).cities[2]
    assert seen == replace(BUSY, making=NONE, left=0, vector=NONE, attacked_by=0, tier=NONE)
    assert RULES.view(realm(), 1).cities[2] == BUSY


def test_view_reuses_cities_until_a_visible_change() -> None:
    before = realm()
    seen = RULES.view(before, 0)
    stopped = replace(before, cities=before.cities.put(replace(BUSY, making=NONE, left=0)))
    assert RULES.view(stopped, 0).cities is seen.cities
    assert RULES.view(stopped, 1).cities[2].making == NONE
    taken = replace(stopped, cities=stopped.cities.put(replace(stopped.cities[2], owner=0)))
    assert RULES.view(taken, 0).cities[2] == taken.cities[2]
    assert RULES.view(taken, 1).cities[2].owner == 0
    assert seen.cities[2].owner == 1


@pytest.mark.parametrize("kind", ["relic", "sage", "gold", "allies"])
def test_view_shows_only_the_name_of_a_site_until_it_is_known(kind: Any) -> None:
    place = site(1, 3, 3, kind, guardian=4, rich=True, known_to=2)
    seen = RULES.view(realm(sites=[place]), 0).sites[1]
    assert seen == site(1, 3, 3, "unknown")
    assert RULES.view(realm(sites=[place]), 1).sites[1] == replace(place, known_to=0)
    empty = replace(place, searched=True)
    assert RULES.view(realm(sites=[empty]), 0).sites[1] == replace(empty, known_to=0)


def test_view_hides_items_transits_questions_and_future_ids() -> None:
    asked = Question("hero", 1, city=2, price=700, name="Eve", allies=1, ally=25)
    seen = RULES.view(realm(question=asked), 0)
    assert (list(seen.items), list(seen.transits)) == ([], [])
    assert seen.question == Question("hero", 1)
    assert (seen.key, seen.secret, seen.origin, seen.next_id) == (0, "", "", 1)
    own = RULES.view(realm(question=asked), 1)
    assert (list(own.items), list(own.transits), own.question) == ([1], [8], asked)


def test_foggy_view_shows_near_armies_but_no_foreign_trail() -> None:
    """A trail that vanishes from a view would reveal that an army went out of sight."""
    state = realm(hidden=True)
    cells = state.discovered.edit()
    cells[1:4, 0:2] |= 1
    seen = RULES.view(replace(state, discovered=type(state.discovered)(cells)), 0)
    assert list(seen.armies) == [1, 2]
    assert (seen.trail, seen.trail_of) == ((), NOBODY)
    assert (list(seen.cities), list(seen.sites)) == ([], [])
    assert seen.terrain.cells.sum() == 6


def test_public_sees_no_private_data_and_the_referee_sees_all() -> None:
    public = RULES.view(realm(), PUBLIC)
    assert {one.gold for one in public.sides.values()} == {0}
    assert {one.points for one in public.armies.values()} == {0}
    assert RULES.view(realm(), REFEREE).armies[2] == FULL


# -- events ----------------------------------------------------------------------------------------


def told(event: ev.AnyEvent, viewer: int, before: State | None = None) -> Any:
    """Return an event redacted for a viewer, or None if it is hidden."""
    start = before or realm()
    return RULES.redact(event, start, RULES.evolve(start, event), viewer)


TAKEN = ev.CityTaken(
    city=replace(BUSY, owner=0, making=NONE, left=0, vector=NONE),
    loser=1,
    loot=100,
    gold=((0, 200), (1, 300)),
    art=(0, 0, 0, 0),
    others=(city(3, 6, 0, 1),),
)


def test_events_show_each_side_only_its_own_purse() -> None:
    mine, theirs, public = (told(TAKEN, viewer) for viewer in (0, 1, PUBLIC))
    assert (mine.loot, mine.gold, mine.others) == (100, ((0, 200),), ())
    assert (theirs.loot, theirs.gold, theirs.others) == (100, ((1, 300),), TAKEN.others)
    assert (public.loot, public.gold, public.others) == (0, (), ())
    settled = ev.CitySettled(city=TAKEN.city, side=0, fate="pillage", gain=50, gold=250)
    assert (told(settled, 1).gain, told(settled, 1).gold) == (0, 0)
    assert told(settled, 0) == settled


def test_answer_is_visible_to_its_side_only() -> None:
    state = realm(question=Question("sage", 1))
    event = ev.Answered("sage", 1, "gold")
    assert told(event, 1, state) == event
    assert told(event, 0, state) == replace(event, answer="")


def test_production_and_vector_events_are_visible_to_the_owner_only() -> None:
    for what in ("produce", "stop", "vector"):
        event = ev.CityChanged(BUSY, what)
        assert told(event, 1) == event
        assert told(event, 0) is None
    named = ev.CityChanged(replace(BUSY, name="New"), "name")
    assert told(named, 0).city.name == "New"
    assert told(named, 0).city.making == NONE


def test_others_see_only_the_visible_part_of_a_march() -> None:
    state = realm(hidden=True)
    cells = state.discovered.edit()
    cells[:] |= 1
    state = replace(state, discovered=type(state.discovered)(cells))
    gone = ev.GroupMoved((2,), ((1, 1), (2, 1), (3, 1)), (3,), (False,))
    assert told(gone, 0, state) == replace(gone, path=((1, 1),), points=(0,))
    assert told(gone, 1, state) == gone
    far = ev.GroupMoved((3,), ((6, 3), (5, 3)), (3,), (False,))
    assert told(far, 0, state) is None


def test_others_see_only_visible_parts_of_hiring_buying_and_making() -> None:
    eve = army(7, 4, 0, HERO, owner=1, points=14, home=2)
    looks = replace(eve, points=0, home=NONE)
    hired = ev.HeroHired(1, 700, 10, eve, items=(Item(1, "speed", 0, "Boots"),))
    assert told(hired, 0) == ev.ArmiesPlaced((looks,), "hero")
    assert told(hired, 0, realm(hidden=True)) is None
    assert told(hired, 1) == hired
    made = ev.ArmyMade(2, 3, eve)
    assert told(made, 0) == ev.ArmyMade(2, 0, looks)
    assert told(made, 0, realm(hidden=True)) is None
    bought = ev.SlotBought(replace(BUSY, defence=2), 0, 100, 400)
    assert told(bought, 0).gold == 0
    assert told(ev.SlotBought(BUSY, 0, 100, 400), 0) is None, "it looks as before"
    assert told(ev.SlotBought(BUSY, 0, 100, 400), 1) == ev.SlotBought(BUSY, 0, 100, 400)
    assert told(bought, 0).city.making == NONE
    assert told(bought, 0, realm(hidden=True)) is None


def test_attackers_of_a_city_are_visible_to_its_owner_only() -> None:
    fighters = (ev.Fighter(1, 2, 2),), (ev.Fighter(2, HERO, 7),)
    duels = (ev.Duel(1, 2, (1, 20, 1, 20), won=False),)
    battle = ev.BattleFought(
        (1, 2), (0, 2), 0, 1, "city", *fighters, duels, won=False, city=2, attacked_by=5
    )
    assert told(battle, 1) == battle
    assert told(battle, 0) == replace(battle, attacked_by=0)
    far = replace(battle, at=(7, 3), attacker=1, defender=NOBODY)
    assert told(far, 0, realm(hidden=True)) is None


def test_private_events_are_hidden_from_other_sides() -> None:
    private: tuple[ev.AnyEvent, ...] = (
        ev.IncomeCame(1, 10, 5, 505),
        ev.GoldChanged(1, 5, 505, "site"),
        ev.TilesFound(1, (3,)),
        ev.FlagSet(1, (5, 2)),
        ev.QuestSet(1, None, "void"),
        ev.PointsRefilled(1, ((2, 9),)),
        ev.GoalSet((2,), (5, 3)),
        ev.DefendSet((2,), on=False),
        ev.DeedsCounted((RICH,)),
        ev.Counted(((2, 2),)),
    )
    for event in private:
        assert told(event, 0) is None
        assert told(event, 1) == event


def test_first_state_hides_neutral_production_and_points() -> None:
    """Neutral armies and cities hide their private fields like those of sides."""
    keeper = army(5, 6, 0, owner=NOBODY, points=4)
    free = replace(city(3, 6, 0), making=0, left=2, tier=2, attacked_by=1)
    state: World = realm(armies=[army(1, 0, 2), keeper], cities=[BUSY, free], items=[])
    assert isinstance(state, State)
    seen = RULES.view(state, 0)
    assert seen.armies[5].points == 0
    assert (seen.cities[3].making, seen.cities[3].tier) == (NONE, NONE)
