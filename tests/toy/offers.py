"""Commands that are possible now."""

from __future__ import annotations

from collections.abc import Iterator

from tests.toy import commands as do
from tests.toy.fights import refuges
from tests.toy.hexes import paths
from tests.toy.numbers import numbers
from tests.toy.orders import highest_stake, is_open, living
from tests.toy.state import View


def offers(view: View, about: int | None = None) -> Iterator[do.AnyCommand]:
    """Yield commands that the viewer's clan can give now, all or only those about one band.

    None of them will be refused. Resigning is offered only to a clan with a single band left.
    """
    if view.viewer not in view.clans or view.reason:
        return
    if view.lost and view.lost[0].clan == view.viewer and about is None:
        for at in refuges(view, view.lost[0]):
            yield do.Retreat(at)
    if is_open(view, view.viewer):
        if about is None:
            yield from _about_all(view)
        yield from _about_bands(view, about)
    if about is None and len(living(view, view.viewer)) == 1:
        yield do.Resign()


def _about_all(view: View) -> Iterator[do.AnyCommand]:
    yield do.SealOrders()
    most = highest_stake(view, view.viewer)
    if most:
        yield do.SealOrders(stake=most)
    ranks = tuple(reversed(living(view, view.viewer)))
    if ranks != view.clans[view.viewer].ranks:
        yield do.SetRanks(ranks)
    if not view.clans[view.viewer].cried:
        yield do.RaiseCry("The hills are ours.")


def _about_bands(view: View, about: int | None) -> Iterator[do.AnyCommand]:
    for band in living(view, view.viewer):
        if about not in (None, band):
            continue
        if band in view.orders:
            yield do.DropOrders((band,))
            continue
        start = (view.bands[band].x, view.bands[band].y)
        for path in paths(view, start, numbers().march.value):
            yield do.GiveOrder(band, path)
