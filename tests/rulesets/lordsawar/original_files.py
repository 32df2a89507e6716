"""Builders of files of LordsAWar by the layout of section 19, for tests of their reader."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 12, 10
NEUTRAL = 8

Value = str | int | bool
"""A value of a data element."""


def tar(parts: Mapping[str, bytes]) -> bytes:
    """Build a plain tar archive with these members, in order. Rules: LW-19.1."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data in parts.items():
            header = tarfile.TarInfo(name)
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    return made.getvalue()


def text(value: Value) -> str:
    """Return a value as the original writes it. Rules: LW-19.2."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return escape(str(value))


def data(**values: Value) -> str:
    """Build data elements, with ``d_`` before each name. Rules: LW-19.2."""
    return "".join(f"<d_{name}>{text(value)}</d_{name}>\n" for name, value in values.items())


def values(**given: Value) -> dict[str, Value]:
    """Return values by name, for ``data``."""
    return given


def element(tag: str, *inner: str) -> str:
    """Build an element with others in it."""
    return f"<{tag}>\n{''.join(inner)}</{tag}>\n"


def document(root: str, version: str, *inner: str) -> bytes:
    """Build the XML of a file, with its declaration."""
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f'{head}<{root} version="{version}">\n{"".join(inner)}</{root}>\n'.encode()


# -- sets ------------------------------------------------------------------------------------------


UNITS = (
    values(id=7, name="Spears", strength=2, max_moves=12, move_bonus="", army_bonus=""),
    values(id=3, name="Wolves", strength=4, max_moves=16, move_bonus=6, army_bonus=1 + 512),
    values(id=11, name="Hawks", strength=3, max_moves=20, move_bonus=" Tile::WATER Tile::SWAMP"),
    values(id=20, name="Hero", strength=5, max_moves=14, gender="Hero::FEMALE", expvalue="10.5"),
)


def army_set(
    units: Sequence[Mapping[str, Value]] = UNITS,
    *,
    version: str = "0.3.0",
    name: str = "test.lwa",
    number: int = 4,
    more: str = "",
) -> bytes:
    """Build an army set. Rules: LW-19.4."""
    about = data(id=number, name="Test set", tilesize=40) + more
    rows = "".join(element("armyproto", data(**{"sight": 1, **unit})) for unit in units)
    return tar({name: document("armyset", version, about, rows), "spears.png": b"\x89PNG"})


GROUNDS = ("GRASS", "WATER", "FOREST", "HILLS", "MOUNTAIN", "SWAMP")


def tile_set(costs: Sequence[Value] = (2, 3, 4, 5, 7, 9), *, name: str = "land.lwt") -> bytes:
    """Build a tile set. Rules: LW-19.4."""
    tiles = [
        element("tile", data(name=ground.lower(), moves=cost, type=f"Tile::{ground}"))
        for ground, cost in zip(GROUNDS, costs, strict=False)
    ]
    return tar({name: document("tileset", "0.2.1", data(id=2, name="Land"), *tiles)})


def city_set(width: Value = 2, *, name: str = "towns.lwc") -> bytes:
    """Build a city set. Rules: LW-19.3."""
    sizes = data(id=3, name="Towns", city_tile_width=width, temple_tile_width=1, ruin_tile_width=1)
    return tar({name: document("cityset", "0.2.1", sizes)})


# -- parts of a scenario ---------------------------------------------------------------------------


def item(**values: Value) -> str:
    """Build an item, or a kind of item under another tag. Rules: LW-19.3."""
    return element("item", data(**{"name": "Axe", "bonus": " ItemProto::ADD1STR", **values}))


def army(number: int, kind: int = 7, /, *inner: str, tag: str = "army", **values: Value) -> str:
    """Build an army or hero. Rules: LW-19.3."""
    return element(tag, data(**{"id": number, "type": kind, "armyset": 4, **values}), *inner)


def stack(number: int, x: int, y: int, owner: int, /, *armies: str, **values: Value) -> str:
    """Build a stack. Rules: LW-19.3."""
    head = data(**{"id": number, "x": x, "y": y, "owner": owner, **values})
    path = element("path", data(size=0, x="", y=""))
    return element("stack", head, path, *armies)


def fog(digit: str = "0", *, width: int = WIDTH, height: int = HEIGHT) -> str:
    """Build a fog map filled with a digit, a row of tiles per line. Rules: LW-19.3."""
    rows = "\n".join(digit * width for _ in range(height))
    return element("fogmap", data(width=width, height=height, map=rows))


def player(number: int, /, *inner: str, stacks: Sequence[str] = (), **values: Value) -> str:
    """Build a player. Rules: LW-19.3."""
    usual: dict[str, Value] = {
        "id": number,
        "name": f"Player {number}",
        "color": "#FC9F00",
        "armyset": 4,
        "gold": 100 + number,
        "dead": False,
        "immortal": False,
        "type": "Player::AI_DUMMY" if number == NEUTRAL else "Player::HUMAN",
        "fight_order": "3 7 11 20",
        "diplomatic_states": "1 1 1 1 1 1 1 1",
        "diplomatic_proposals": "0 0 0 0 0 0 0 0",
        "diplomatic_scores": "8 8 8 8 8 8 8 8",
    }
    listed = element("stacklist", data(active=0), *stacks)
    ignored = element("triumphs", data(hero="0 0")) + element("history", data(type="X"))
    return element("player", data(**(usual | values)), listed, ignored, *inner)


def slot(kind: int | None = None, /, **values: Value) -> str:
    """Build a slot of a city. Rules: LW-19.3."""
    if kind is None:
        return element("slot")
    return element("slot", element("armyprodbase", data(**{"type": kind, "armyset": 4, **values})))


def city(number: int, x: int, y: int, owner: int = NEUTRAL, /, *slots: str, **values: Value) -> str:
    """Build a city. Rules: LW-19.3."""
    usual: dict[str, Value] = {
        "id": number,
        "x": x,
        "y": y,
        "name": f"City {number}",
        "owner": owner,
        "defense": 3,
        "gold": 20,
        "burnt": False,
        "build_production": True,
        "capital": owner != NEUTRAL,
        "vectoring": "-1 -1",
        "active_production_slot": -1,
        "duration": -1,
    }
    if owner != NEUTRAL:
        usual["capital_owner"] = owner
    filled = slots or (slot(7), slot(), slot(), slot())
    return element("city", data(**(usual | values)), *filled)


def site(tag: str, number: int, x: int, y: int, /, *inner: str, **values: Value) -> str:
    """Build a temple, ruin or another object on a tile. Rules: LW-19.3."""
    return element(tag, data(**{"id": number, "x": x, "y": y, **values}), *inner)


def reward(kind: Value, /, *inner: str, **values: Value) -> str:
    """Build a reward. Rules: LW-19.3."""
    return element("reward", data(type=kind, name="Reward", **values), *inner)


TYPES = "\n".join(["012345012345", *["0" * WIDTH] * (HEIGHT - 1)])

STACKS = (
    stack(50, 3, 3, 0, army(60), army(61, 3, hp="1.5", xp="3.33333", moves=4), parked=True),
    stack(
        51,
        4,
        3,
        0,
        army(
            62,
            20,
            element(
                "backpack",
                item(id=70, type=0, plantable=False),
                item(
                    id=71,
                    name="Standard",
                    plantable=True,
                    plantable_owner=0,
                    planted=False,
                    type=-1,
                ),
            ),
            tag="hero",
            name="Ada",
            gender="Hero::FEMALE",
            level=2,
            medals="1 0 1",
            battlesnumber=4,
            visited_temples="30 31",
            ship=True,
            strength=6,
            max_moves=18,
            sight=2,
            upkeep=0,
            move_bonus=" Tile::HILLS",
            army_bonus=" ArmyBase::FORTIFY ArmyBase::ADD1STRINCITY",
            expvalue=12,
            max_moves_multiplier=2,
        ),
        defending=True,
    ),
)


def sections(**changed: str) -> str:
    """Build the sections of a small scenario with everything; ``changed`` replaces some.

    Rules: LW-19.3.
    """
    parts = {
        "counter": element("counter", data(curID=900)),
        "itemlist": element(
            "itemlist",
            element("itemproto", data(name="Axe", bonus=" ItemProto::ADD1STR")),
            element(
                "itemproto",
                data(
                    name="Bell",
                    bonus=" ItemProto::SUMMON_MONSTER ItemProto::RAISE_DEFENDERS",
                    uses_left=3,
                    steal_gold_percent="50",
                    mp_to_add=2,
                    army_type_to_kill=3,
                    army_type_to_summon=7,
                    army_type_to_raise=11,
                    building_type_to_summon_on="Maptile::TEMPLE",
                    percent_armies_to_kill="25",
                    num_armies_to_raise=4,
                ),
            ),
        ),
        "playerlist": element(
            "playerlist",
            data(active=0, neutral=NEUTRAL),
            player(0, fog("1"), stacks=STACKS),
            player(5, fog("0"), type="Player::AI_SMART", color="80 172 28"),
            player(NEUTRAL, color="#FFFF00008080", armyset=4),
        ),
        "map": plan(),
        "citylist": element(
            "citylist",
            city(10, 0, 1, 0, slot(7, strength=3), slot(3), slot(), slot(11), duration=2),
            city(11, 8, 7, 5, vectoring="0 1", active_production_slot=0),
            city(12, 5, 5, burnt=True, build_production=False),
        ),
        "templelist": element(
            "templelist", site("temple", 30, 9, 1, name="Light", description="Blesses.", type=1)
        ),
        "ruinlist": element(
            "ruinlist",
            site(
                "ruin",
                40,
                2,
                8,
                element("keeper", data(name="some Wolves"), stack(45, 2, 8, NEUTRAL, army(46, 3))),
                reward("Reward::GOLD", gold=700),
                name="Crypt",
                description="Dark.",
                type="Ruin::STRONGHOLD",
                searched=False,
                sage=False,
                hidden=True,
                owner=8,
            ),
            site("ruin", 41, 3, 8, name="Sage", type="Ruin::SAGE", sage=True, owner=5),
        ),
        "rewardlist": element(
            "rewardlist",
            reward("Reward::ALLIES", num_allies=2, ally_type=11, ally_armyset=4),
            reward("Reward::ITEM", item(id=80, type=1)),
            reward("Reward::RUIN", x=2, y=8),
            reward("Reward::MAP", element("location", data(x=6, y=2, width=4, height=99))),
            reward(1, gold=5),
        ),
        "signpostlist": element("signpostlist", site("signpost", 81, 6, 1, name="Turn back!")),
        "roadlist": element(
            "roadlist", site("road", 82, 6, 3, type="Road::CONNECTS_EAST_AND_WEST")
        ),
        "stonelist": element(
            "stonelist", site("stone", 83, 6, 3, type=2), site("stone", 84, 7, 3, type=0)
        ),
        "portlist": element("portlist", site("port", 85, 1, 0)),
        "bridgelist": element(
            "bridgelist", site("bridge", 86, 7, 0, type="Bridge::CONNECTS_TO_EAST")
        ),
        "questlist": element("questlist"),
        "vectoredunitlist": element(
            "vectoredunitlist",
            element(
                "vectoredunit",
                data(x=0, y=1, dest_x=8, dest_y=7, owner=0, duration=2, name=""),
                element("armyprodbase", data(type=3, armyset=4, strength=9)),
            ),
        ),
        "turnlist": element("turnlist", element("turn", data(owner=0), element("action"))),
        "herotemplates": element(
            "herotemplates",
            element("heroproto", data(name="Bo", gender="Hero::MALE", owner=5, starting_items="0")),
        ),
        "scenario": element("scenario", OPTIONS),
    }
    return "".join((parts | changed).values())


OPTIONS = data(
    id="abc-1",
    name="Small War",
    comment="A test.",
    copyright="Nobody",
    license="None",
    turn=3,
    quests="GameParameters::ONE_QUEST_PER_HERO",
    hidden_map=True,
    diplomacy=True,
    cusp_of_war=False,
    neutral_cities="GameParameters::STRONG",
    razing_cities="GameParameters::ON_CAPTURE",
    vectoring_mode="GameParameters::VECTORING_VARIABLE_TURNS",
    build_production_mode="GameParameters::BUILD_PRODUCTION_SELDOM",
    sacking_mode="GameParameters::SACKING_ON_QUEST",
    intense_combat=True,
    military_advisor=True,
    random_turns=True,
    view_enemies=True,
    view_production=True,
    playmode="GameScenario::HOTSEAT",
)


def plan(types: str = TYPES, *inner: str, **values: Value) -> str:
    """Build the section of the map. Rules: LW-19.3."""
    usual: dict[str, Value] = {
        "width": WIDTH,
        "height": HEIGHT,
        "tileset": "land",
        "cityset": "towns",
        "shieldset": "default",
        "types": types,
        "styles": "00" * 120,
    }
    bag = site("itemstack", 0, 9, 9, item(id=75, type=0))
    return element("map", data(**(usual | values)), bag, *inner)


def sets() -> dict[str, bytes]:
    """Return the sets that a scenario embeds. Rules: LW-19.1."""
    return {
        "test.lwa": army_set(),
        "towns.lwc": city_set(),
        "land.lwt": tile_set(),
        "default.lws": tar({"default.lws": b"<shieldset/>"}),
    }


def scenario(
    xml: str | None = None,
    *,
    version: str = "0.3.2",
    name: str = "small.map",
    others: Mapping[str, bytes] | None = None,
) -> bytes:
    """Build a scenario with its sets. Rules: LW-19.1, LW-19.3."""
    inner = sections() if xml is None else xml
    root = document("lordsawar", version, inner)
    return tar({name: root, **(sets() if others is None else others)})
