"""Closed loops of attacks: directed cycles in the graph from starting territories to targets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Graph = Mapping[int, tuple[int, ...]]
"""From each territory the targets attacked from it, in order."""


def next_loop(edges: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The loop that is fought out next; empty if there is none. Rules: GD-LOOP-1, GD-LOOP-2.

    The shortest one; of those the one whose territories, from its lowest number on, come first.

    >>> next_loop([(1, 2), (2, 3), (3, 1), (3, 2)])
    (2, 3)
    """
    graph = _trimmed(edges)
    best: tuple[int, ...] = ()
    for start in graph:
        if len(best) == 2:
            break
        found = _shortest_from(graph, start, len(best) - 1 if best else len(graph))
        best = found or best
    return best


def _trimmed(edges: Iterable[tuple[int, int]]) -> Graph:
    """The part of the graph in which loops can be: every territory attacks and is attacked."""
    left = set(edges)
    while True:
        sources, targets = {a for a, _ in left}, {b for _, b in left}
        both = sources & targets
        kept = {(a, b) for a, b in left if a in both and b in both}
        if len(kept) == len(left):
            break
        left = kept
    return {
        start: tuple(sorted(b for a, b in left if a == start))
        for start in sorted({a for a, _ in left})
    }


def _shortest_from(graph: Graph, start: int, longest: int) -> tuple[int, ...]:
    """The first of the shortest loops whose lowest number is ``start``, if it is not too long."""
    back = _steps_back(graph, start)
    ways = [back[other] for other in graph[start] if other in back]
    if not ways or min(ways) + 1 > longest:
        return ()
    path, left = [start], min(ways)
    while left:
        path.append(min(other for other in graph[path[-1]] if back.get(other, -1) == left))
        left -= 1
    return tuple(path)


def _steps_back(graph: Graph, start: int) -> dict[int, int]:
    """How many steps each territory above ``start`` is away from it."""
    into: dict[int, list[int]] = {}
    for source, targets in graph.items():
        for target in targets:
            if source > start and target >= start:
                into.setdefault(target, []).append(source)
    steps, wave, count = dict[int, int](), [start], 0
    while wave:
        count += 1
        fresh = {
            source for target in wave for source in into.get(target, ()) if source not in steps
        }
        steps.update(dict.fromkeys(sorted(fresh), count))
        wave = sorted(fresh)
    return steps
