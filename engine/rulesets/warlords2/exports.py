"""Export of a game's land as the original's resource ``MAP `` (section 16.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.core.log import AnyEntry
from engine.core.record import replace
from engine.core.replay import fold
from engine.core.ruleset import Exporter, ScenarioFault
from engine.rulesets.warlords2.initial_state import painted
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.state import HEIGHT, WIDTH, State
from engine.rulesets.warlords2.tables import Terrain
from engine.rulesets.warlords2.tile_codec import FILE_RULE, map_file
from engine.strategic.pieces import NOBODY


class MapExporter:
    """Exporter of pictures and ports in the original's bytes."""

    name = "map"
    text = f"pictures and ports of a land of {WIDTH}x{HEIGHT} tiles as the original's MAP resource"

    def content(self, entries: Iterable[AnyEntry]) -> bytes:
        """Encode the land after a game's line of play; in such files all cities are neutral.

        See: W2-16.2, W2-16.4.

        Raises:
            ScenarioFault: the land has another size, or a port is not on a shore.
        """
        state: State = fold(RULES, entries)
        if (state.width, state.height) != (WIDTH, HEIGHT):
            size = f"{state.width}x{state.height}"
            raise ScenarioFault(
                "MAP", f"is of {WIDTH}x{HEIGHT} tiles, this land of {size}", FILE_RULE
            )
        for x, y in state.ports:
            if state.terrain[y, x] != Terrain.SHORE:
                raise ScenarioFault("MAP", f"the port ({x}, {y}) is not on a shore", FILE_RULE)
        standing = (city for city in state.cities.values() if not city.razed)
        bare = painted(state, (replace(city, owner=NOBODY) for city in standing))
        return map_file(bare.art, state.ports)


EXPORTERS: Final[tuple[Exporter, ...]] = (MapExporter(),)
