"""Cases of sentences on each kind of event: position, event and the referee's sentences."""

from __future__ import annotations

from typing import Any, Final

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.warlords2.state import State
from engine.strategic import events as ev
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    TO_FLAG,
    Army,
    Guardian,
    HitPoints,
    Item,
    Quest,
    Question,
    Sign,
    Tower,
    Transit,
)
from tests.strategic import ground

ARCHERS: Final = ground.army(2, 4, 3, ground.ARCHERS)
HERO: Final = ground.army(1, 4, 3, ground.HERO)
FOE: Final = ground.army(9, 6, 3, ground.LIGHT, owner=1)
SWORD: Final = Item(2, "weapon", 2, "Sword", "ground", x=4, y=3)
BANNER: Final = Item(1, "standard", 1, "Banner", "carried", 1, side=0)


def land(**more: Any) -> State:
    """Return a position: Red has a hero, archers and two cities, Blue a city and light infantry."""
    usual: dict[str, Any] = {
        "armies": [HERO, ARCHERS, FOE],
        "cities": [
            ground.city(1, 0, 0, 0, name="Marthos"),
            ground.city(2, 0, 4, 0, name="Gorm"),
            ground.city(3, 8, 0, 1, name="Stormheim"),
        ],
        "items": [BANNER, SWORD],
        "sites": [replace(ground.site(1, 4, 3, "gold"), name="Old Tower")],
        "sides": [ground.side(0, name="Red"), ground.side(1, name="Blue")],
        "guardians": (Guardian("Dragon", 8),),
    }
    return ground.world(["." * 10] * 7, **(usual | more))


LAND: Final = land()
MARTHOS: Final = LAND.cities[1]
STORMHEIM: Final = LAND.cities[3]
MAKING: Final = replace(MARTHOS, making=0, left=1)
RED: Final = LAND.sides[0]
BLUE: Final = LAND.sides[1]
TRANSIT: Final = Transit(7, replace(ARCHERS, id=7, home=1), 2, 5)
LEARNED: Final = replace(HERO, xp=5)
RISEN: Final = replace(HERO, level=1, strength=6, max_move=16)
LOADED: Final = land(items=[BANNER, replace(SWORD, where="carried", holder=1, x=NONE, y=NONE)])
KNOWN: Final = replace(LAND.sites[1], known_to=1)

BUSY: State = replace(
    LAND,
    cities=LAND.cities.put(replace(LAND.cities[1], making=0, left=2, vector=2, about="Old walls.")),
    towers=Roster([Tower(34, 4, 3, 0)]),
    signs=(Sign(5, 5, "To the\nsea"),),
    transits=Roster([Transit(7, replace(ARCHERS, id=7, home=1), 2, 3)]),
    armies=LAND.armies.put(replace(LAND.armies[2], medals=1, goal=(8, 0), upkeep=3)),
)


def _new(number: int, kind: int, x: int = 0, y: int = 0) -> Army:
    return ground.army(number, x, y, kind)


BATTLE: Final = ev.BattleFought(
    at=(6, 3),
    start=(4, 3),
    attacker=0,
    defender=1,
    ground="open",
    attackers=(ev.Fighter(2, ground.ARCHERS, 4), ev.Fighter(1, ground.HERO, 6)),
    defenders=(ev.Fighter(9, ground.LIGHT, 2),),
    duels=(
        ev.Duel(2, 9, (1, 20, 2, 19), won=False),
        ev.Duel(1, 9, (20, 1, 19, 2), won=True, shielded=True),
    ),
    won=True,
)

SAID: Final[list[tuple[State, ev.AnyEvent, list[str]]]] = [
    (
        LAND,
        ev.GroupMoved((1, 2), ((4, 2), (4, 1)), (8, 6), (False, False)),
        ["Hero 1 and Archers of Red move near Marthos."],
    ),
    (
        LAND,
        ev.GroupMoved((2,), ((4, 2),), (0,), (True,)),
        ["Archers of Red sail near Marthos."],
    ),
    (
        LAND,
        ev.MarchStopped((2,), (6, 3)),
        ["Archers stop before 6,3: Light Infantry of Blue bar the way."],
    ),
    (
        LAND,
        ev.MarchStopped((2,), (8, 0)),
        ["Archers stop before Stormheim."],
    ),
    (LAND, ev.MarchStopped((2,), (5, 5)), ["Archers stop before 5,5: the way is barred."]),
    (LAND, ev.GoalSet((2,), (8, 0)), ["Archers head for Stormheim."]),
    (LAND, ev.GoalSet((2,), flag=True), ["Archers head for the rally flag."]),
    (LAND, ev.GoalSet((1, 2)), ["Hero 1 and Archers await new orders."]),
    (LAND, ev.DefendSet((2,), on=True), ["Archers stand guard."]),
    (LAND, ev.DefendSet((2,), on=False), ["Archers leave their post."]),
    (LAND, ev.TilesFound(0, (1, 2)), ["2 new tiles discovered."]),
    (LAND, ev.GroundSighted(0), []),
    (LAND, ev.FogLifted(), ["The whole map is known to all now."]),
    (LAND, ev.TowersBuilt((Tower(34, 4, 3, 0),)), ["Red builds a tower at Old Tower."]),
    (
        land(towers=Roster([Tower(34, 4, 3, 0)])),
        ev.TowersFell((34,)),
        ["The tower at Old Tower falls."],
    ),
    (
        LAND,
        BATTLE,
        [
            "Red attacks Blue near Stormheim, in the open.",
            "Red: Archers 4 (3+1), hero 1 6 (5+1).",
            "Blue: Light Infantry 2.",
            "Light Infantry (2) slay Archers (4) in 2 rounds: 1:20 2:19.",
            "Hero 1 (6) slays Light Infantry (2) in 2 rounds: 1:20 2:19, unharmed.",
            "Red wins near Stormheim, slays Light Infantry, loses Archers.",
        ],
    ),
    (LAND, ev.ArmiesRemoved((2,), "battle"), []),
    (LAND, ev.ArmiesRemoved((1, 2), "disbanded"), ["2 armies are disbanded."]),
    (LAND, ev.ArmiesGrew((LEARNED,), "experience"), ["Hero 1: 5 experience."]),
    (
        LAND,
        ev.ArmiesGrew((replace(ARCHERS, medals=2, strength=5),), "medal"),
        ["Archers earn medal 2, strength 5."],
    ),
    (
        LAND,
        ev.ArmiesGrew((RISEN,), "level"),
        ["Hero 1 becomes Cavalier: strength 6, 16 moves."],
    ),
    (
        LAND,
        ev.ArmiesGrew((replace(ARCHERS, strength=4, blessed=(1,)),), "blessing"),
        ["Archers are blessed: strength 4."],
    ),
    (
        land(armies=[replace(ARCHERS, hp=HitPoints(20, 15)), replace(HERO, hp=HitPoints(20))]),
        ev.ArmiesHealed(((2, 5), (1, 0))),
        [
            "Archers recover: 75 % of life left.",
            "Hero 1 recovers fully.",
        ],
    ),
    (LAND, ev.DeedsCounted((RED,)), []),
    (
        LAND,
        ev.CityTaken(replace(STORMHEIM, owner=0), 1, 50, ((0, 150), (1, 0)), (0, 0, 0, 0)),
        ["Red takes Stormheim from Blue and gains 50 gold; Blue loses 100."],
    ),
    (
        LAND,
        ev.CityTaken(replace(STORMHEIM, owner=1), NOBODY, 0, (), (0, 0, 0, 0)),
        ["Blue takes Stormheim from the neutrals."],
    ),
    (LAND, ev.CitySettled(MARTHOS, 0, "occupy", 0, 100), ["Red occupies Marthos."]),
    (
        LAND,
        ev.CitySettled(MARTHOS, 0, "pillage", 25, 125),
        ["Red pillages Marthos for 25 gold."],
    ),
    (
        LAND,
        ev.CityRazed(replace(MARTHOS, razed=True, owner=NOBODY), 0, 8, (0, 0, 0, 0)),
        ["Red razes Marthos to the ground."],
    ),
    (
        LAND,
        ev.CityChanged(MAKING, "produce"),
        ["Marthos starts Light Infantry: 1 turn."],
    ),
    (LAND, ev.CityChanged(MARTHOS, "stop"), ["Marthos stops production."]),
    (
        LAND,
        ev.CityChanged(replace(MARTHOS, vector=2), "vector"),
        ["Marthos sends its armies to Gorm."],
    ),
    (
        LAND,
        ev.CityChanged(replace(MARTHOS, vector=TO_FLAG), "vector"),
        ["Marthos sends its armies to the rally flag."],
    ),
    (LAND, ev.CityChanged(MARTHOS, "vector"), ["Marthos keeps its armies."]),
    (
        LAND,
        ev.CityChanged(replace(MARTHOS, name="Ilnyr"), "name"),
        ["Red names a city Ilnyr."],
    ),
    (
        LAND,
        ev.SlotBought(replace(MARTHOS, slots=(ground.slot(ground.ARCHERS),)), 0, 400, 10),
        ["Marthos can make Archers now."],
    ),
    (LAND, ev.Counted(((1, 1),)), []),
    (LAND, ev.ArmyMade(1, 1, _new(20, ground.ARCHERS)), ["Marthos completes Archers."]),
    (
        LAND,
        ev.ArmySent(1, 1, TRANSIT),
        ["Marthos sends Archers to Gorm (round 5)."],
    ),
    (
        land(transits=Roster([TRANSIT])),
        ev.TransitsMoved((replace(TRANSIT, homeward=True, due=7),)),
        ["Archers find no room and turn back (round 7)."],
    ),
    (
        land(transits=Roster([TRANSIT])),
        ev.ArmyArrived(7, replace(TRANSIT.army, x=0, y=4)),
        ["Archers arrive at Gorm."],
    ),
    (
        land(transits=Roster([TRANSIT])),
        ev.TransitsLost((7,)),
        ["1 army is lost on its way."],
    ),
    (
        LAND,
        ev.ArmiesPlaced((_new(20, ground.DEVILS), _new(21, ground.DEVILS)), "allies"),
        ["2 Devils join Red at Marthos."],
    ),
    (
        LAND,
        ev.CitiesFreed((replace(MARTHOS, owner=NOBODY),), ((0, 0, 0, 0),)),
        ["Marthos is neutral now."],
    ),
    (LAND, ev.Asked(Question("fate", 0, city=1)), ["Red has a decision to make."]),
    (LAND, ev.Answered("hero", 0, "no"), ["The hero leaves."]),
    (LAND, ev.Answered("hero", 0, "yes"), []),
    (LAND, ev.Answered("yield", 0, "accept"), ["The surrender is accepted."]),
    (
        LAND,
        ev.HeroHired(0, 500, 100, _new(20, ground.HERO), (_new(21, ground.DEVILS),)),
        ["Hero 20 and Devils join Red at Marthos for 500 gold."],
    ),
    (
        LAND,
        ev.ItemsMoved(tuple(i for i in LOADED.items.values() if i.id == 2), "picked"),
        ["Hero 1 picks up Sword (battle +2)."],
    ),
    (
        LAND,
        ev.ItemsMoved((replace(SWORD, where="lost", x=NONE, y=NONE),), "lost"),
        ["Sword (battle +2) is lost in the water."],
    ),
    (LAND, ev.FlagSet(0, (4, 3)), ["Red plants its rally flag at Old Tower."]),
    (LAND, ev.FlagSet(0, None), ["Red has no rally flag any more."]),
    (
        LAND,
        ev.SiteSearched(1, replace(LAND.sites[1], searched=True), 1, 40, 81, died=False),
        [
            "Hero 1 of Red slays the Dragon (rolled 40, needed 81 or less).",
            "Hero 1 of Red searches Old Tower and finds gold.",
        ],
    ),
    (
        LAND,
        ev.SiteSearched(1, LAND.sites[1], 1, 99, 81, died=True),
        ["The Dragon kills hero 1 of Red (rolled 99, needed 81 or less)."],
    ),
    (
        replace(LAND, guardians=(Guardian("Giant Worms", 8),)),
        ev.SiteSearched(1, LAND.sites[1], 1, 99, 81, died=True),
        ["The Giant Worms kill hero 1 of Red (rolled 99, needed 81 or less)."],
    ),
    (LAND, ev.SiteKnown(0, (KNOWN,)), ["Old Tower holds gold."]),
    (
        LAND,
        ev.GoldChanged(0, 500, 600, "sage"),
        ["Red gets 500 gold from the sage, treasury 600."],
    ),
    (
        LAND,
        ev.QuestSet(0, Quest("keep-city", 1, 1, 3, name="Stormheim"), "taken"),
        ["Hero 1 sets out to take Stormheim and hold it."],
    ),
    (LAND, ev.QuestSet(0, None, "done"), ["The quest is fulfilled."]),
    (LAND, ev.QuestSet(0, None, "void"), ["The quest has failed."]),
    (LAND, ev.RoundBegan(2, (1, 0)), ["Round 2: Blue, Red."]),
    (LAND, ev.TurnBegan(1, 1), ["Blue's turn."]),
    (LAND, ev.StageSet("offer"), []),
    (LAND, ev.PointsRefilled(0, ((2, 12),)), []),
    (LAND, ev.IncomeCame(0, 40, 6, 134), ["Income +40, upkeep \N{MINUS SIGN}6, treasury 134."]),
    (LAND, ev.StanceSet(0, (0, 2)), ["Red wants war with Blue."]),
    (LAND, ev.TreatyChanged((RED, BLUE), 0), ["Red and Blue are now at peace."]),
    (
        LAND,
        ev.TreatyChanged((RED, BLUE), 2, betrayal=True),
        ["Red breaks the treaty: Red and Blue are now at war."],
    ),
    (LAND, ev.RatingChanged(0, 77), ["The reputation of Red is now 77."]),
    (LAND, ev.FightOrderSet(0, RED.order), ["Red changes its line of battle."]),
    (
        LAND,
        ev.SideOut(replace(BLUE, alive=False)),
        ["Blue loses its last city and is out."],
    ),
    (LAND, ev.SideOut(replace(BLUE, alive=False), resigned=True), ["Blue gives up."]),
    (LAND, ev.GameEnded((0,), "conquest"), ["No enemy is left.", "Red wins the war."]),
    (LAND, ev.GameEnded((), "all_out"), ["Nobody is left.", "Nobody wins."]),
]
