"""The options of this game (section 0.2)."""

from __future__ import annotations

from typing import Final

from engine.core.options import Option
from engine.rulesets.weltendaemmerung.tables import limits

OPTIONS: Final = (
    Option(
        "price_tile",
        None,
        "Which tile a step is paid for.",
        "WD-MOVE-2",
        ("origin", "destination"),
        ("the tile that is left, as in the original", "the tile that is entered"),
    ),
    Option(
        "last_step",
        None,
        "Whether a unit may make a step that costs more than it has.",
        "WD-MOVE-3",
        ("always", "must_afford"),
        ("one point is enough for any step, as in the original", "it must have the whole price"),
    ),
    Option(
        "reach",
        None,
        "How far a range goes.",
        "WD-ATT-2",
        ("floor", "exact"),
        ("the whole part of the distance counts, as in the original", "the distance itself counts"),
    ),
    Option(
        "chance",
        None,
        "How the modifier 0 to 4 of an attack is drawn.",
        "WD-RNG-3",
        ("uniform8", "c64_weights", "c64_cycle"),
        (
            "one of the eight values 0 1 1 2 2 3 3 4",
            "with the weights of the original, which are lower",
            "the original's fixed sequence; the scenario must hold it",
        ),
    ),
    Option(
        "west_edge_win",
        None,
        "Whether a Dailor unit wins by reaching the westernmost column.",
        "WD-WIN-4",
        ("on", "off"),
        ("it does, as in the original", "it does not"),
    ),
    Option(
        "end_tile",
        None,
        "Whether fire on a free End tile ends the phase.",
        "WD-TURN-6",
        ("on", "off"),
        ("it does, as in the original", "only the command does"),
    ),
    Option(
        "rounds",
        None,
        "How many rounds Eldoin must hold out.",
        "WD-TURN-3",
        low=1,
        high=limits().rounds,
    ),
    Option(
        "free_cursor",
        None,
        "What the free cursor does when several directions are pressed in one tick.",
        "WD-STICK-3",
        ("one", "both"),
        ("it takes the first of up, down, left, right", "it takes all of them, as in the original"),
    ),
    Option(
        "steps",
        None,
        "In how many directions units step.",
        "WD-MOVE-1",
        ("four", "eight"),
        ("four, as in the original", "eight, an extra of this version"),
    ),
)
"""A default of None: the scenario's, and scenarios usually leave everything as in section 0.2."""
