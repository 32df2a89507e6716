"""The toy book: five terrains, two units, battles without dice, and a horn that gives gold.

Steps into a bog cost 12 points. Armies strike in turn with damage equal to their strength, the
attacker first; ten points of damage kill an army. Only the two in front fight, and no dice are
rolled. There are no treaties, heroes, sites or quests. ``BlowHorn`` is a command of the book.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as changed
from typing import Final, get_args

from engine.core.dice import Dice, Scripted
from engine.core.record import Command, replace
from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.strategic import cities, turns, victory
from engine.strategic.aftermath import survivors
from engine.strategic.battle import defenders_at
from engine.strategic.battle_records import (
    Battleground,
    BattleLine,
    BattleOdds,
    Lineup,
    Support,
)
from engine.strategic.decision import Decision, grow_armies
from engine.strategic.dispatch import decide
from engine.strategic.events import ArmiesGrew, Duel, Fighter
from engine.strategic.events.battle import FoughtBattle
from engine.strategic.hero_settings import (
    DiceSum,
    HeroRules,
    ItemRules,
    LevelRules,
    OfferRules,
    QuestRules,
    SearchRules,
)
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.refusal import Topic
from engine.strategic.settings import (
    CityRules,
    Experience,
    FightingRules,
    GameVerdict,
    Medals,
    MovingRules,
    RuleSettings,
    Spoils,
    TurnRules,
)
from engine.strategic.world import World
from tests.strategic.toy.world import (
    GRASS,
    GUARD,
    PIER,
    QUAY,
    SEA,
    ArmiesRose,
    ArmyTaught,
    AskToast,
    BlowHorn,
    HornBlown,
    Teach,
    ToastAsked,
    ToyEvent,
    ToyRefusal,
    ToyWorld,
    evolve,
)

BOG_PRICE: Final = 12
DAMAGE: Final = 10
"""Damage that kills an army."""

LORE: Final = 840
"""Experience for each killed army; divisible by the number of survivors, up to eight."""

LESSON: Final = LORE // 2
"""Experience needed for a lesson."""

HORN: Final = 7
"""Gold that the horn gives."""


# -- policies --------------------------------------------------------------------------------------


def blow_horn(decision: Decision, settings: RuleSettings, side: int, _command: BlowHorn) -> None:
    """Execute ``BlowHorn``.

    Raises:
        Refused: the side has blown it already.
    """
    world = decision.state
    assert isinstance(world, ToyWorld)
    if side in world.blown:
        raise Refused(ToyRefusal.OUT_OF_BREATH, "You have blown the horn.", "TOY-HORN")
    gold = min(settings.cities.most_gold, world.sides[side].gold + HORN)
    decision.emit(HornBlown(side, gold))


def ask_toast(decision: Decision, _settings: RuleSettings, _side: int, command: AskToast) -> None:
    """Execute ``AskToast``."""
    decision.emit(ToastAsked(command.side))


def in_file(world: World, _rules: FightingRules, group: Sequence[Army], at: Place) -> Lineup:
    """Line up both sides in id order, each army with its own strength."""
    foes = defenders_at(world, at, group[0].owner)
    first, second = (
        BattleLine(
            tuple(
                Fighter(one.id, one.type, one.strength, one.hp) for one in sorted(side, key=_number)
            ),
            Support(0, ()),
            ((),) * len(side),
        )
        for side in (group, foes)
    )
    return Lineup(battleground(world, at), first, second, (False,) * len(group))


def _number(one: Army) -> int:
    return one.id


def toughen(decision: Decision, _settings: RuleSettings, fought: FoughtBattle) -> None:
    """Raise the strength of the survivors of a battle by one."""
    living = survivors(fought, (*fought.attackers, *fought.defenders))
    alive = [decision.state.armies[one.id] for one in living]
    decision.emit(
        ArmiesGrew(tuple(replace(one, strength=one.strength + 1) for one in alive), "level")
    )


def share_lore(decision: Decision, _settings: RuleSettings, fought: FoughtBattle) -> None:
    """Share the experience of the dead among the winners; armies that reach a lesson rise."""
    winners = fought.attackers if fought.event.won else fought.defenders
    living = [decision.state.armies[one.id] for one in survivors(fought, winners)]
    share = LORE * len(fought.fallen) // len(living)
    grow_armies(decision, (replace(one, xp=one.xp + share) for one in living), "experience")
    risen = tuple(one.id for one in living if one.xp < LESSON <= one.xp + share)
    if risen:
        decision.emit(ArmiesRose(risen))


def teach(decision: Decision, _settings: RuleSettings, _side: int, command: Teach) -> None:
    """Execute ``Teach``."""
    world = decision.state
    assert isinstance(world, ToyWorld)
    army = world.armies[world.risen[0]]
    stronger = replace(army, strength=army.strength + 1)
    faster = replace(army, max_move=army.max_move + 4)
    decision.emit(ArmyTaught(stronger if command.lesson == "strength" else faster))


def trade_blows(_dice: Dice, _rules: FightingRules, lineup: Lineup) -> tuple[Duel, ...]:
    """Fight a battle. The numbers of a duel are the damages, blow by blow."""
    fronts = list(lineup.attackers.fighters), list(lineup.defenders.fighters)
    borne = [_lost(fronts[0][0]), _lost(fronts[1][0])]
    duels = []
    while fronts[0] and fronts[1]:
        damages: list[int] = []
        striker = 0
        while max(borne) < DAMAGE:
            damages.append(fronts[striker][0].strength)
            borne[1 - striker] += damages[-1]
            striker = 1 - striker
        won = borne[1] >= DAMAGE
        duels.append(Duel(fronts[0][0].army, fronts[1][0].army, tuple(damages), won))
        fallen = int(won)
        fronts[fallen].pop(0)
        borne[fallen] = _lost(fronts[fallen][0]) if fronts[fallen] else 0
    return tuple(duels)


def _lost(fighter: Fighter) -> int:
    return fighter.hp.lost if fighter.hp else 0


def lasting(lineup: Lineup, duels: tuple[Duel, ...]) -> tuple[tuple[int, int], ...]:
    """Return the damage that the survivor of the last duel keeps.

    An unhurt army has ``DAMAGE`` hit points.
    """
    last, lines = duels[-1], (*lineup.attackers.fighters, *lineup.defenders.fighters)
    alive = last.attacker if last.won else last.defender
    fighter = next(one for one in lines if one.army == alive)
    taken = 0
    for duel in duels:
        if alive in (duel.attacker, duel.defender):
            taken += sum(duel.dice[alive == duel.attacker :: 2])
    return ((alive, _lost(fighter) + taken),) if fighter.hp and taken else ()


def foreseen(rules: FightingRules, lineup: Lineup) -> BattleOdds:
    """Return the odds of a battle. The result is certain, so it is fought once."""
    duels = trade_blows(Scripted(()), rules, lineup)
    fallen = {duel.defender if duel.won else duel.attacker for duel in duels}
    lines = lineup.attackers.fighters, lineup.defenders.fighters
    living = [[float(one.army not in fallen) for one in line] for line in lines]
    left = [tuple(float(count == sum(line)) for count in range(len(line) + 1)) for line in living]
    return BattleOdds(left[1][0], left[0], left[1], tuple(living[0]), tuple(living[1]))


def battleground(_world: World, _at: Place) -> Battleground:
    """Return open ground for every tile."""
    return Battleground("open")


def verdict(world: World) -> GameVerdict | None:
    """Return the victory of the last living side, or None."""
    living = victory.living(world)
    return (living, "conquest") if len(living) == 1 else None


# -- settings --------------------------------------------------------------------------------------


def _nobody_comes(_dice: Dice, _gold: int, _price: int) -> bool:
    return False


_NOTHING = DiceSum(0, 0)
_ART = (1, 2, 3, 4)
_OWNERS = (0, 1, NOBODY)
_TOPICS: tuple[Topic, ...] = get_args(Topic)

MOVING: Final = MovingRules(
    foot=(4, BOG_PRICE, 0, 4, 4),
    air=(4, 4, 4, 4, 4),
    boats=frozenset({SEA, QUAY}),
    water=frozenset({SEA}),
    bridges=frozenset({QUAY}),
    roadside=frozenset(),
    seaside=frozenset({SEA}),
    wise=(),
    all_wise=True,
    cap=4,
    road_price=None,
    foe_price=None,
    zone_toll=0,
    riders=False,
    attack=4,
    attack_as_terrain=True,
    attack_in_full=True,
    boarding=4,
    near=4,
    far_human=9,
    far_computer=9,
    longest=50,
    fog=False,
    sight=1,
    far_sight=1,
    keeps=frozenset({QUAY}),
    embarks=frozenset({(PIER, QUAY)}),
)

FIGHTING: Final = FightingRules(
    line_up=in_file,
    after_battle=(toughen,),
    fight=trade_blows,
    odds=foreseen,
    battleground=battleground,
    leadership=(0,),
    cap=0,
    most=20,
    aboard=1,
    dice=0,
    rounds=0,
    novice_shield=False,
    experience=Experience(0, 0, 0, 0),
    medals=Medals(chance=0, less=0, least=0, most=0, strength=20, early=0, worthy=99),
    spoils=Spoils(may_raze=False, penalties={}, ruin=GRASS, ruin_art=dict.fromkeys(_OWNERS, _ART)),
)

CITIES: Final = CityRules(
    most_slots=2,
    most_armies=50,
    most_gold=99,
    most_strength=20,
    enhanced=0,
    sources=1,
    journey=1,
    name_length=10,
    keeper=GUARD,
    tier_plus=None,
    most_tier=0,
    refills=False,
    refill_to=0,
    defence=lambda _slots: 0,
    for_sale=lambda _world, _city, kind: kind.id == GUARD,
    pays_for=lambda side, slot: side.gold >= slot.cost,
    upkeep=lambda army: army.upkeep,
    upkeep_of_slot=lambda _slot: 1,
    art=dict.fromkeys(_OWNERS, _ART),
)

HEROES: Final = HeroRules(
    offers=OfferRules(
        (),
        lambda _dice, _has: 0,
        _nobody_comes,
        lambda _cities: 0,
        0,
        lambda _d, _p: 0,
        lambda _kind: False,
    ),
    levels=LevelRules((), 0, 0, 0, 0, (), ()),
    items=ItemRules(frozenset(), frozenset()),
    search=SearchRules(
        0,
        lambda _hero, _guardian, _armies: 0,
        0,
        (_NOTHING, _NOTHING),
        (_NOTHING, _NOTHING),
        _NOTHING,
        _NOTHING,
        _NOTHING,
        0,
        0,
    ),
    quests=QuestRules(False, False, _NOTHING, _NOTHING, 0, 0, _NOTHING, _NOTHING),
    may_stand=lambda world, _kind, at: world.terrain[at[1], at[0]] != SEA,
)

TURNS: Final = TurnRules(
    opening=(turns.refill_points, cities.keep_accounts),
    rest=(cities.pass_turn,),
    closing=(),
    round_end=(victory.eliminate, victory.judge),
    between=(),
    order=lambda decision: tuple(decision.state.sides),
    verdict=verdict,
    yields=lambda _world: None,
    refill=lambda army, _bearers: army.max_move,
    builds_on=lambda _world, _at: False,
    may_burn=False,
    diplomacy=False,
    betrayal={},
    titles=("Lord", "Rogue"),
)

TOY: Final = RuleSettings(
    moving=MOVING,
    fighting=FIGHTING,
    cities=CITIES,
    heroes=HEROES,
    turns=TURNS,
    rules={topic: f"TOY-{topic.upper()}" for topic in _TOPICS},
    orders={BlowHorn: blow_horn, AskToast: ask_toast},
)
"""The settings of the book."""

WOUNDING: Final = changed(
    TOY,
    fighting=changed(FIGHTING, wounds=lasting),
    turns=changed(
        TURNS,
        opening=(turns.refill_points, turns.heal),
        heals=lambda army: max(0, army.wounds - 2),
    ),
)
"""The book with lasting damage; two points of it heal at each turn start."""

LEARNING: Final = changed(
    TOY,
    fighting=changed(FIGHTING, after_battle=(share_lore,)),
    orders={Teach: teach},
    answers={Teach: "lesson"},
)
"""The book in which all armies gain experience, and the owner chooses the lesson."""

TOASTING: Final = changed(TOY, answers={BlowHorn: "toast"})
"""The book in which the horn answers its own question."""


# -- play ------------------------------------------------------------------------------------------


def played(
    world: ToyWorld, *orders: tuple[int, Command], settings: RuleSettings = TOY
) -> tuple[ToyWorld, tuple[ToyEvent, ...]]:
    """Play orders of sides without dice; return the position and all events."""
    events: list[ToyEvent] = []
    for side, order in orders:
        decision: Decision = Decision(world, evolve, Scripted(()))
        decide(decision, settings, side, order)
        assert isinstance(decision.state, ToyWorld)
        world = decision.state
        events.extend(decision.events)
    return world, tuple(events)
