"""Elimination and resigning. Rules: KA-8, KA-16."""

from __future__ import annotations

from engine.rulesets.kaladan.board import Decision


def eliminate(decision: Decision, seat: int, by: int, specials: tuple[int, ...] = ()) -> None:
    """A seat whose Crown fell is out; the victor takes its Special Units. Rules: KA-8.1, KA-8.3.

    ``by`` is the victor or NOBODY; ``specials`` are in the order in which they find a place.
    """
    raise NotImplementedError


def resign(decision: Decision, seat: int) -> None:
    """A seat gives up. Rules: KA-8.4."""
    raise NotImplementedError
