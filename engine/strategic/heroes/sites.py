"""Which sites a side knows of, and how it comes to know more."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.desk import Desk
from engine.strategic.events import SiteKnown
from engine.strategic.pieces import Guardian, Site, side_bit
from engine.strategic.world import World, site_at


def is_shown(site: Site, side: int) -> bool:
    """Whether a side knows that there is a site. Rules: W2-10.4."""
    return not site.hidden or is_told(site, side)


def is_told(site: Site, side: int) -> bool:
    """Whether a side has been told what is there."""
    return bool(site.known_to >> side & 1)


def shown_at(world: World, side: int, at: Place) -> Site | None:
    """The site on a tile, as far as the side knows of it."""
    site = site_at(world, at)
    return site if site is not None and is_shown(site, side) else None


def guardian_of(world: World, number: int) -> Guardian | None:
    """The guardian with a number; 0 is none. Rules: W2-10.4."""
    return world.guardians[number - 1] if 0 < number <= len(world.guardians) else None


def secrets(world: World, side: int) -> tuple[Site, ...]:
    """Sites with something in them that the side has not been told of, in id order."""
    return tuple(
        site
        for site in world.sites.values()
        if site.kind != "temple" and not site.searched and not is_told(site, side)
    )


def reveal(work: Desk, side: int, sites: Iterable[Site]) -> None:
    """A side is told what is at sites."""
    told = tuple(
        replace(site, known_to=site.known_to | side_bit(side))
        for site in sites
        if not is_told(site, side)
    )
    if told:
        work.emit(SiteKnown(side, told))
