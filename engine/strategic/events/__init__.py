"""What can happen, with results: one module for each chapter of the rules.

Records inside events are those that stand in the world afterwards, so booking them needs no rule.
"""

from __future__ import annotations

from typing import TypeAlias

from engine.strategic.events.cities import (
    CitiesFreed,
    CityChanged,
    CityRazed,
    CitySettled,
    CityTaken,
    Counted,
    SlotBought,
)
from engine.strategic.events.fighting import (
    ArmiesGrew,
    ArmiesRemoved,
    BattleFought,
    DeedsCounted,
    Duel,
    Fighter,
)
from engine.strategic.events.heroes import (
    Answered,
    Asked,
    FlagSet,
    GoldChanged,
    HeroHired,
    ItemsMoved,
    QuestSet,
    SiteKnown,
    SiteSearched,
)
from engine.strategic.events.moving import (
    DefendSet,
    FogLifted,
    GoalSet,
    GroundSighted,
    GroupMoved,
    MarchStopped,
    TilesFound,
    TowersBuilt,
    TowersFell,
)
from engine.strategic.events.realm import (
    FightOrderSet,
    RatingChanged,
    SideOut,
    StanceSet,
    TreatyChanged,
)
from engine.strategic.events.troops import (
    ArmiesPlaced,
    ArmyArrived,
    ArmyMade,
    ArmySent,
    TransitsLost,
    TransitsMoved,
)
from engine.strategic.events.turns import (
    GameEnded,
    IncomeCame,
    PointsRefilled,
    RoundBegan,
    StageSet,
    TurnBegan,
)

AnyEvent: TypeAlias = (
    GroupMoved
    | MarchStopped
    | GoalSet
    | DefendSet
    | TilesFound
    | FogLifted
    | GroundSighted
    | TowersBuilt
    | TowersFell
    | BattleFought
    | ArmiesRemoved
    | ArmiesGrew
    | DeedsCounted
    | CityTaken
    | CitySettled
    | CityRazed
    | CityChanged
    | SlotBought
    | Counted
    | ArmyMade
    | ArmySent
    | TransitsMoved
    | ArmyArrived
    | TransitsLost
    | ArmiesPlaced
    | Asked
    | Answered
    | HeroHired
    | ItemsMoved
    | FlagSet
    | SiteSearched
    | SiteKnown
    | GoldChanged
    | QuestSet
    | RoundBegan
    | TurnBegan
    | StageSet
    | PointsRefilled
    | IncomeCame
    | StanceSet
    | TreatyChanged
    | RatingChanged
    | FightOrderSet
    | SideOut
    | CitiesFreed
    | GameEnded
)
"""All but the first event of a game, which is the ruleset's own."""

__all__ = [
    "Answered",
    "AnyEvent",
    "ArmiesGrew",
    "ArmiesPlaced",
    "ArmiesRemoved",
    "ArmyArrived",
    "ArmyMade",
    "ArmySent",
    "Asked",
    "BattleFought",
    "CitiesFreed",
    "CityChanged",
    "CityRazed",
    "CitySettled",
    "CityTaken",
    "Counted",
    "DeedsCounted",
    "DefendSet",
    "Duel",
    "FightOrderSet",
    "Fighter",
    "FlagSet",
    "FogLifted",
    "GameEnded",
    "GoalSet",
    "GoldChanged",
    "GroundSighted",
    "GroupMoved",
    "HeroHired",
    "IncomeCame",
    "ItemsMoved",
    "MarchStopped",
    "PointsRefilled",
    "QuestSet",
    "RatingChanged",
    "RoundBegan",
    "SideOut",
    "SiteKnown",
    "SiteSearched",
    "SlotBought",
    "StageSet",
    "StanceSet",
    "TilesFound",
    "TowersBuilt",
    "TowersFell",
    "TransitsLost",
    "TransitsMoved",
    "TreatyChanged",
    "TurnBegan",
]
