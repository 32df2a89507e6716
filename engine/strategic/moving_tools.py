"""Tools of ``calc`` about movement: the path of a group, and its reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.core.base_ruleset import FunctionTool
from engine.core.ruleset import Argument, Tool, ToolReport
from engine.kit.arguments import place_on, rows_of
from engine.kit.grid import Place
from engine.strategic import costs, crossings, routes
from engine.strategic.pieces import Army
from engine.strategic.reach import in_time, reach
from engine.strategic.settings import RuleSettings

ARMIES: Final = Argument("armies", "word", "numbers of armies that stand together, as 3,4")
TARGET: Final = Argument("target", "place", "the tile")


@dataclass(frozen=True, eq=False)
class MovingTools:
    """Parts of a ruleset that the tools need."""

    settings_of: Callable[[Any], RuleSettings]
    """Function that returns the rule settings of a position."""

    terrain: Callable[[Any, Place], str]
    """Function that returns the name of a tile's terrain."""

    full: Callable[[Any, Sequence[Army]], int]
    """Movement points of a group in each turn after this one."""

    attack: str
    """Rule id of an attack at the end of a path."""

    coast: str
    """Rule id of a step that embarks or lands."""

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools ``path`` and ``reach``."""
        text = "The way of armies to a tile, and in which turn they are where."
        way = FunctionTool("path", text, (ARMIES, TARGET), self._path)
        text = "Where armies can stop this turn, and what they can attack."
        return way, FunctionTool("reach", text, (ARMIES,), self._reach)

    def group(self, state: Any, text: str) -> tuple[Army, ...]:
        """Parse the numbers of armies and return them as a group.

        Raises:
            ValueError: The armies are not on one tile, or cannot move together.
        """
        group = rows_of(state.armies, text, "army")
        if len({(army.at, army.owner) for army in group}) > 1:
            raise ValueError("the armies do not stand together")
        if costs.mover(state, self.settings_of(state).moving, group) is None:
            raise ValueError("boats, armies aboard and armies on land cannot go together")
        return group

    def _path(self, state: Any, arguments: Mapping[str, str]) -> ToolReport:
        """Report the path of a group to a tile, step by step."""
        group = self.group(state, arguments["armies"])
        target = place_on(state.terrain, arguments["target"])
        owner, settings = group[0].owner, self.settings_of(state)
        human = owner in state.sides and state.sides[owner].human
        route = routes.plan(state, settings, owner, group, target, human=human)
        quick = (in_time(state, settings, group, route),) if route else ()
        legs = quick or crossings.legs(state, settings, owner, group, target)
        if not legs:
            raise ValueError(f"no way leads there from {group[0].x},{group[0].y}")
        points, full = costs.points(group), self.full(state, group)
        listed: list[tuple[int | str | None, ...]] = []
        total, left, first = 0, points, 0
        for leg in legs:
            taken = [first + turn for turn in routes.turns(leg, left, full)]
            for at, cost, turn in zip(leg.path, leg.costs, taken, strict=True):
                total += cost
                listed.append((len(listed) + 1, *at, self.terrain(state, at), cost, total, turn))
            left, first = 0, taken[-1]
        remark = f"Moves: {total}; the group has {points} this turn and {full} in each turn after."
        ends = [
            f"The last step is an attack ({self.attack})." if legs[-1].attack else "",
            f"The last step leads aboard or ashore and takes all moves ({self.coast})."
            if legs[-1].coast
            else "",
        ]
        columns = ("step", "x", "y", "terrain", "cost", "total", "turn")
        return ToolReport(columns, tuple(listed), (remark, *filter(None, ends)))

    def _reach(self, state: Any, arguments: Mapping[str, str]) -> ToolReport:
        """Report the tiles where a group can stop this turn, and its targets."""
        group = self.group(state, arguments["armies"])
        points = costs.points(group)
        found = reach(state, self.settings_of(state), group[0].owner, group)
        order = sorted(found.stops, key=lambda at: (at[1], at[0]))
        listed: list[tuple[int | str | None, ...]] = [
            (*at, self.terrain(state, at), found.stops[at], points - found.stops[at], "stop")
            for at in order
        ]
        for at in sorted(found.targets, key=lambda at: (at[1], at[0])):
            x, y = found.targets[at]
            listed.append((*at, self.terrain(state, at), None, None, f"attack from {x},{y}"))
        remark = f"Moves: {points}; tiles: {len(found.stops)}; targets: {len(found.targets)}."
        full = f"{len(found.crowded)} more have no room for the group."
        columns = ("x", "y", "terrain", "cost", "left", "what")
        return ToolReport(columns, tuple(listed), (remark, full) if found.crowded else (remark,))
