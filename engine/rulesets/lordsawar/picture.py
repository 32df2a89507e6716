"""The presenter: glyphs, texts and rule ids of this game for the strategic layer's picture."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from engine.rulesets.lordsawar import battle_telling, describing, dialogues, telling
from engine.rulesets.lordsawar.events import GameSet
from engine.rulesets.lordsawar.land import WATER, LandCode, ground_rows
from engine.rulesets.lordsawar.pieces import book_types, type_upkeep
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.tables import PACKAGE
from engine.rulesets.lordsawar.turns import statistics
from engine.strategic.picture.presenter import StrategicPicture
from engine.strategic.picture.style import PictureStyle, TerrainSign
from engine.tabletop.lesson import shipped
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Role

CHAPTERS: Final = (describing, telling)
"""Modules that describe this game's own events; importing them registers their functions."""

_GROUND: Final[Mapping[LandCode, tuple[Role, str, str, str] | tuple[Role, str, str, str, str]]] = {
    LandCode.UNKNOWN: (Role.BLANK, " ", " ", " "),
    LandCode.GRASS: (Role.PLAIN, "·", "·", "."),
    LandCode.SHORE: (Role.WATER, "~", "~", "(", "shore"),
    LandCode.SEA: (Role.WATER, "≈", "≈", "~"),
    LandCode.FOREST: (Role.FOREST, "♠", "♠", "&"),
    LandCode.HILLS: (Role.MOUNTAIN, "∩", "∩", "%", "HILL"),
    LandCode.MOUNTAIN: (Role.MOUNTAIN, "▲", "▲", "^"),
    LandCode.SWAMP: (Role.SWAMP, "„", '"', '"'),
    LandCode.CITY: (Role.WALL, "▒", "▒", "#", "city"),
    LandCode.BRIDGE: (Role.ROAD, "═", "═", "=", "bridge"),
    LandCode.PORT: (Role.WATER, "◊", "◘", ">", "port"),
    LandCode.SEA_PORT: (Role.WATER, "◇", "○", ":", "port"),
}
"""Role and glyphs of each terrain, and its picture if the role is too general. See: LW-1."""

_LETTERS: Final = "siohpadmgxcwCkEbPGZHWULVMAD@"
"""Letters of the unit types by id; capitals mark strong and special ones."""

STYLE: Final = PictureStyle(
    grounds=tuple(
        TerrainSign(row.key, row.name, *_GROUND[LandCode(code)])
        for code, row in enumerate(ground_rows())
    ),
    bridge=LandCode.BRIDGE,
    city=LandCode.CITY,
    site=LandCode.GRASS,
    water=frozenset(WATER),
    types=book_types().rows(),
    letters=dict(zip(book_types(), _LETTERS, strict=True)),
    package=PACKAGE,
    battle_pace="Fought at once, blow by blow until one side is gone",
    aim="The last side with cities wins",
    blows=battle_telling.blows,
    moments=battle_telling.moments,
    statistics=statistics,
    open_numbers=frozenset({"score"}),
    treaties=describing.TREATIES,
    stances=describing.STANCES,
    stance_label="Treaties …",
    upkeep=type_upkeep,
    abilities=describing.abilities,
    effects={"item": describing.item_effect, "standard": describing.standard_effect},
    army_words=describing.army_words,
    experience=describing.experience,
    parked=describing.is_parked,
    wounded=describing.wound_step,
    life=describing.life_left,
    forecast=battle_telling.forecast_lines,
    site_lines=describing.site_lines,
    summary=dialogues.quest_lines,
    layers=dialogues.LAYERS,
    layer_marks={"wounds": dialogues.wound_marks},
    jumps={"wounded": dialogues.wounded_places},
    intents=dialogues.intents,
    dialogues=dialogues.DIALOGUES,
    why_not_at=dialogues.WHY_NOT_AT,
    questions=dialogues.QUESTIONS,
    reports=dialogues.REPORTS,
)
"""Tables of this game for the presenter."""


PRESENTER: AnyPresenter = StrategicPicture(
    STYLE, settings_in, GameSet, partial(shipped, PACKAGE, Map)
)
"""The presenter of this ruleset."""
