"""Widgets of rows without a frame, and a shortcut from them to the terminal.

Textual passes a widget's repaint request through three queues and a timer, and then renders every
widget between the first and the last changed cell of the screen. A step of the cursor changes a few
cells in three uncovered widgets, and all of them are known at once: ``Painter`` sends their rows to
the output directly. In any other case (a widget is covered, another screen is on top, the layout is
changing, the output is Textual's own), the request goes through Textual.

Written for the pinned version of Textual: the compositor gives the regions of widgets, and the
screen whether they are valid. ``tests/tui/test_painted.py`` checks that both ways give the same
bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from textual.geometry import Region, Size, Spacing
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tui.terminal.capabilities import Depth
from tui.terminal.cells import RowPatch, cells_of
from tui.terminal.internals import WidgetPlaces, is_settled, places_of
from tui.terminal.output import CellOutput

_NO_FRAME = Spacing()


class Painted(Widget):
    """A widget that draws whole rows, only in the colours of a palette."""

    painter: Painter | None = None
    """The painter of the shortcut; None if Textual paints it."""
    measured: Size | None = None
    """Size while the painter paints; Textual would compute it again for each row."""

    @property
    def size(self) -> Size:
        """Columns and rows of the content."""
        return self.measured or super().size

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render some rows; without a frame, Textual has nothing to add to them."""
        if self.gutter != _NO_FRAME:
            return super().render_lines(crop)
        rows = [self.row(y) for y in crop.line_range]
        left, right = crop.column_span
        return (
            rows if (left, right) == (0, self.size.width) else [r.crop(left, right) for r in rows]
        )

    def row(self, y: int) -> Strip:
        """Return row ``y`` as it is shown."""
        strip, width = self.render_line(y), self.size.width
        if strip.cell_length != width:
            strip = strip.adjust_cell_length(width, self.rich_style)
        for part in self.get_line_filters():
            strip = strip.apply_filter(part, self.background_colors[1])
        return strip

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Painted:
        """Request a repaint, of the whole widget or of some regions."""
        painter = self.painter
        if painter is None or not painter.is_open or layout or recompose or not repaint:
            super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        else:
            painter.note(self, regions or (self.size.region,))
        return self


class Painter:
    """Paints changed widgets of one screen, by the shortcut if possible."""

    def __init__(self, screen: Screen[Any]) -> None:
        self.is_open = False
        """True while changes are collected, rather than passed to Textual."""
        self._screen = screen
        self._changed: dict[Painted, list[Region]] = {}
        self._places: WidgetPlaces | None = None
        """The places for which ``_bare`` was computed; the compositor replaces them on a change."""
        self._bare: dict[Widget, Region] = {}

    def collect(self) -> None:
        """Collect changes until ``flush``, which must follow soon."""
        self.is_open = True

    def note(self, widget: Painted, regions: Iterable[Region]) -> None:
        """Add a change in some regions of a widget, to paint at the next ``flush``."""
        self._changed.setdefault(widget, []).extend(regions)

    def flush(self) -> None:
        """Paint the collected changes, in one piece."""
        self.is_open = False
        changed, self._changed = self._changed, {}
        if changed and not self._paint(changed):
            for widget, regions in changed.items():
                widget.refresh(*regions)

    def _paint(self, changed: Mapping[Painted, list[Region]]) -> bool:
        """Paint these regions by the shortcut; return whether that was possible."""
        app = self._screen.app
        if not isinstance(app, CellOutput) or not app.paints or not self._is_settled():
            return False
        bare = self._uncovered()
        if not bare.keys() >= changed.keys():
            return False
        patches: list[RowPatch] = []
        depth = app.depth
        for widget, regions in changed.items():
            widget.measured = bare[widget].size
            try:
                patches += _patches(widget, bare[widget], regions, depth)
            finally:
                widget.measured = None
        patches.sort(key=lambda patch: (patch.y, patch.x))
        app.paint(patches)
        return True

    def _is_settled(self) -> bool:
        """Return whether this screen is shown, and its layout matches the compositor's."""
        screen = self._screen
        return screen.is_current and screen.app.screen is screen and is_settled(screen)

    def _uncovered(self) -> Mapping[Widget, Region]:
        """Return the widgets of the screen that are fully visible."""
        places = places_of(self._screen)
        if places is not self._places:
            self._places, self._bare = places, uncovered(places)
        return self._bare


def uncovered(places: WidgetPlaces) -> dict[Widget, Region]:
    """Return the fully visible painted widgets without a frame, with their regions."""
    found: dict[Widget, Region] = {}
    above: list[Region] = []
    for widget, (region, clip) in places.items():
        seen = region.intersection(clip)
        if (
            isinstance(widget, Painted)
            and seen == region
            and widget.gutter == _NO_FRAME
            and not any(other.overlaps(region) for other in above)
        ):
            found[widget] = region
        above.append(seen)
    return found


def _patches(
    widget: Painted, place: Region, regions: Iterable[Region], depth: Depth
) -> Iterator[RowPatch]:
    """Yield the cells of some regions of a widget that is at a place."""
    width, height = place.size
    for y, spans in _by_row(regions).items():
        if not 0 <= y < height:
            continue
        cells = cells_of((widget.row(y),), depth)
        for left, right in spans:
            start, stop = max(0, left), min(right, width)
            if start < stop:
                yield RowPatch(place.y + y, place.x + start, cells[start:stop])


def _by_row(regions: Iterable[Region]) -> dict[int, list[tuple[int, int]]]:
    """Return the columns of each row within regions, with touching ones joined."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for region in sorted(regions):
        for y in region.line_range:
            spans = rows.setdefault(y, [])
            left, right = region.column_span
            if spans and left <= spans[-1][1]:
                spans[-1] = spans[-1][0], max(right, spans[-1][1])
            else:
                spans.append((left, right))
    return rows
