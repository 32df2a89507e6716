"""What the bots must know of each unit type, in the form they think with."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from engine.rulesets.weltendaemmerung.state import Terrain

OFF: Final = len(Terrain)
"""The terrain of the rim round a board: nobody may enter it."""

Class = Literal["ground", "flyer", "ship"]


class Kind(NamedTuple):
    """A unit type: ``enter`` and ``price`` are indexed by terrain, the rim included."""

    number: int
    key: str
    side: int
    attack: int
    life: int
    range: int
    points: int
    kind: Class
    enter: tuple[bool, ...]
    price: tuple[int, ...]

    @property
    def mean(self) -> int:
        """What a hit takes away on average."""
        return self.attack + 2

    @property
    def breaks(self) -> tuple[bool, bool]:
        """Whether it can break gates, and walls. Rules: WD-SIEGE-1."""
        return self.key in {"catapult", "wyrm", "ram"}, self.key in {"catapult", "wyrm"}


_OPEN = {
    Terrain.MEADOW,
    Terrain.MEADOW_2,
    Terrain.RIVER,
    Terrain.FOREST,
    Terrain.END,
    Terrain.SWAMP,
    Terrain.PAVEMENT,
}
_T = """sword 0 4 16 1 10 ground 4 2 3
bow_e 0 5 12 8 10 ground 4 2 3
eagle 0 7 11 2 12 flyer 1 1 1
spear 0 5 14 2 10 ground 4 3 3
ship 0 20 18 8 8 ship 1 0 0
horse 0 6 10 5 15 ground 4 4 4
lord_e 0 6 16 1 10 ground 4 2 3
bow_d 1 5 12 8 10 ground 2 2 3
catapult 1 1 5 12 9 ground 4 4 4
blood 1 8 10 1 12 flyer 1 1 1
axe 1 4 16 1 10 ground 2 2 3
lord_d 1 6 16 1 10 ground 2 2 3
wyrm 1 30 30 2 10 ground 4 1 1
ram 1 1 5 1 10 ground 4 3 4
wagon 1 10 16 7 14 ground 5 7 7
wolf 1 8 18 3 12 ground 2 2 4"""


def _kinds() -> tuple[Kind, ...]:
    made = []
    for n, line in enumerate(_T.splitlines()):
        key, side, a, v, r, b, c, river, forest, swamp = line.split()
        prices = {2: int(river), 3: int(forest), 5: int(swamp)}
        enter = tuple(
            c == "flyer" or (t == 2 if c == "ship" else Terrain(t) in _OPEN) for t in range(OFF)
        )
        made.append(
            Kind(
                n,
                key,
                int(side),
                int(a),
                int(v),
                int(r),
                int(b),
                c,  # type: ignore[arg-type]  # the word is a class
                (*enter, False),
                (*(prices.get(t, 1) for t in range(OFF)), 1),
            )
        )
    return tuple(made)


KINDS: Final = _kinds()
NUMBER: Final = {kind.key: kind.number for kind in KINDS}
