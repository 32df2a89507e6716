"""How a computer player is minded: the few things in which one list differs from another."""

from __future__ import annotations

from typing import Final

from engine.core.record import Record


class Style(Record, frozen=True):
    """Worths are in tenths of a plain territory."""

    margin: int = 1
    """Damage sent to an invasion beyond what today's garrison asks for."""

    contest: int = 0
    """Units more than one on neutral land that a rival can reach too."""

    joint: bool = True
    """Attacks may come from several territories at once."""

    respect: int = 0
    """Percent of what the owner has near a target that an invasion must be able to beat too."""

    surge: bool = False
    """All units of a territory go along with an invasion that some of them make."""

    guard: int = 0
    """Percent of the strongest threat to its headquarters that stays there."""

    cover: int = 0
    """Percent of the threat that stays on other land it is worth to hold, as far as it can."""

    hq: int = 60
    library: int = 20
    bivouac: int = 30
    """Worth of what stands on a territory, beside the 10 of the land."""

    rival: int = 5
    """Worth of taking a territory away from somebody, beside having it."""

    grudge: int = -1
    """The seat whose land is worth half as much again."""

    thrifty: bool = True
    """Money is laid out where it brings most; otherwise on the first thing it suffices for."""


EASY: Final = Style(margin=3, joint=False, guard=60, thrifty=False)
USUAL: Final = Style(margin=1, contest=1, guard=100, cover=30)
BOLD: Final = Style(margin=1, contest=1, surge=True, guard=40)
KEEPER: Final = Style(margin=3, contest=1, respect=50, guard=100, cover=100)
SWARM: Final = Style(margin=1, guard=0, rival=15)
