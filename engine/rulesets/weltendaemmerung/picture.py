"""The presenter: views and events of this game as plain data for any client."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.core.containers import Plane
from engine.rulesets.weltendaemmerung import (
    dialogues,
    facts,
    layers,
    looking,
    masonry,
    names,
    panels,
    reports,
    sentences,
    sight,
    stick,
    travel,
)
from engine.rulesets.weltendaemmerung.events import AnyEvent
from engine.rulesets.weltendaemmerung.idle import idle
from engine.rulesets.weltendaemmerung.state import ATTACK, MOVE, Map, Terrain, View
from engine.rulesets.weltendaemmerung.statistics import statistics
from engine.rulesets.weltendaemmerung.symbols import (
    FIRST_PIECE,
    OPEN_SITE,
    SYMBOLS,
)
from engine.rulesets.weltendaemmerung.tables import PACKAGE
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import (
    NOBODY,
    Board,
    Find,
    Layer,
    Line,
    Mark,
    Overlay,
    Status,
    Symbol,
)
from engine.tabletop.fact import Fact
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.lesson import Lesson
from engine.tabletop.lesson_files import shipped
from engine.tabletop.listing import ListLine
from engine.tabletop.manual import Chapter, manual
from engine.tabletop.report import Numbers, Report
from engine.tabletop.toll import Toll
from engine.tabletop.unknown import UNKNOWN_EVENT, is_known


class Picture:
    """Shows the game as a square map under a cursor that is pushed with a stick.

    The window is ``engine.tabletop.viewport``: as large as the screen allows and never larger than
    the map; it moves only when the cursor pushes against its edge, in all three phases. The start
    cursor is the scenario's. When a phase ends the cursor jumps to the window's home cell.

    Rules: WD-VIEW-1, WD-VIEW-2, WD-VIEW-3, WD-VIEW-4, WD-VIEW-5.
    """

    symbols: tuple[Symbol, ...] = SYMBOLS
    zooms: tuple[str, ...] = ("map",)
    layers: tuple[Layer, ...] = layers.LAYERS
    lead: str = "life"

    def board(self, view: View, zoom: str) -> Board:
        """Terrain below, units above; the window scrolls when it is pushed.

        Rules: WD-VIEW-2, WD-VIEW-5.
        """
        if zoom not in self.zooms:
            raise ValueError(f"there is no zoom {zoom!r}")
        shape = view.terrain.cells.shape
        ground = masonry.ground(view.terrain.cells)
        for site in view.sites.values():
            if not site.ruined and view.terrain.cells[site.y, site.x] != Terrain.GATE:
                ground[site.y, site.x] = OPEN_SITE
        piece = np.zeros(shape, dtype=np.int16)
        owner = np.full(shape, NOBODY, dtype=np.int8)
        living = [unit for unit in view.units.values() if unit.alive]
        if living:
            at = tuple(np.array([(unit.y, unit.x) for unit in living]).T)
            piece[at] = [unit.type + FIRST_PIECE for unit in living]
            owner[at] = [sight.side(unit) for unit in living]
        nowhere = np.full(shape, -1, dtype=np.int8)
        return Board(Plane(ground), Plane(piece), Plane(owner), Plane(nowhere), homes=True)

    def start(self, view: View) -> Focus:
        """The scenario's start cursor. Rules: WD-VIEW-4."""
        return Focus(*view.cursor)

    def status(self, view: View) -> Status:
        """Side, phase and round. Rules: WD-TURN-1, WD-TURN-3."""
        over = view.winner >= 0
        return Status(
            round=sight.round_now(view),
            rounds=view.rounds,
            phase=sight.phase_name(view),
            seat=NOBODY if over else view.player,
            text=sentences.standing(view),
            todo=len(idle(view)),
            over=over,
        )

    def overlay(self, view: View, focus: Focus) -> Overlay:
        """Marks of what the held unit can do, and the panel for the cursor's tile."""
        return panels.overlay(view, focus)

    def settle(self, view: View, focus: Focus) -> Focus:
        """Lets go of a unit that cannot be carried or attack; the cursor stays with a carried one.

        Rules: WD-TURN-1, WD-STICK-6.
        """
        x = min(max(0, focus.x), view.terrain.width - 1)
        y = min(max(0, focus.y), view.terrain.height - 1)
        unit = stick.held_unit(view, focus)
        if unit is None or (view.phase == ATTACK and unit.b == 0):
            return Focus(x, y)
        return Focus(unit.x, unit.y, unit.id) if view.phase == MOVE else Focus(x, y, unit.id)

    def step(self, view: View, focus: Focus, direction: Direction) -> Push:
        """One tick of the stick. Rules: WD-STICK-2, WD-STICK-3, WD-STICK-5."""
        carrying = view.phase == MOVE and stick.held_unit(view, focus) is not None
        mask = stick.MASKS[direction]
        ticked = stick.tick(mask, locked=False, carrying=carrying, options=view.options)
        return stick.push(view, focus, ticked.directions)

    def stride(self, _view: View, _focus: Focus, _direction: Direction) -> Focus | None:
        """As many cells as usual."""
        return None

    def fire(self, view: View, focus: Focus) -> Push:
        """One press of the button. Rules: WD-STICK-6."""
        return stick.fire(view, focus)

    def jumps(self, view: View, focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
        """Units that can still act, enemies (those the attacker reaches), own gate sites."""
        return panels.jumps(view, focus, kind)

    def intents(self, view: View, focus: Focus) -> tuple[Intent, ...]:
        """Walking to a tile, attacking, working a gate, ending the phase."""
        return dialogues.intents(view, focus)

    def why_not(self, view: View, _focus: Focus, key: str) -> str:
        """The phase in which a key means something."""
        return dialogues.why_not(view, key)

    def ask(self, view: View, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """The next question of such a dialogue."""
        return dialogues.ask(view, focus, intent, answers)

    def look(self, view: View, x: int, y: int) -> tuple[Line, ...]:
        """A tile in sentences."""
        return looking.look(view, x, y)

    def tell(self, event: AnyEvent, after: View) -> tuple[Line, ...]:
        """An event in sentences."""
        return sentences.tell(event, after) if is_known(event, AnyEvent) else UNKNOWN_EVENT

    def facts(self, event: AnyEvent, before: View, after: View) -> tuple[Fact, ...]:
        """What an event means, in the form all games share."""
        return facts.facts(event, before, after) if is_known(event, AnyEvent) else ()

    def tolls(self, event: AnyEvent, before: View, after: View) -> tuple[Toll, ...]:
        """What an event cost."""
        return facts.tolls(event, before, after) if is_known(event, AnyEvent) else ()

    def summary(self, view: View) -> tuple[Line, ...]:
        """How the sides stand, and how the game ended."""
        return sentences.summary(view)

    def reports(self, view: View) -> tuple[Report, ...]:
        """Sides, types, units, gates."""
        return reports.reports(view)

    def numbers(self, view: View) -> Numbers:
        """All of it: nothing is hidden."""
        return statistics(view)

    def layer(self, view: View, focus: Focus, name: str) -> tuple[Mark, ...]:
        """Where blows can fall, prices, times of travel."""
        return layers.layer(view, focus, name)

    def route(self, view: View, focus: Focus, x: int, y: int) -> tuple[Mark, ...]:
        """The way of a unit over as many rounds as it needs."""
        return travel.route(view, focus, x, y)

    def finds(self, view: View) -> tuple[Find, ...]:
        """Units, gate sites and End tiles."""
        return names.finds(view)

    @property
    def listing(self) -> str:
        """Nothing: orders are carried out at once."""
        return ""

    def listed(self, view: View) -> str:  # noqa: ARG002 - as the protocol has it
        """Nothing."""
        return ""

    def unlisted(self, view: View, text: str) -> tuple[ListLine, ...]:  # noqa: ARG002 - the same
        """Nothing."""
        return ()

    @property
    def manual(self) -> tuple[Chapter, ...]:
        """The rule book."""
        return manual(PACKAGE)

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """What can be learnt by playing."""
        return shipped(PACKAGE, Map)


PRESENTER = Picture()
"""The presenter of this ruleset."""
