"""Twenty planted faults, each one line of the rules, and copies of the sources with one of them.

They test the debugger: each fault breaks a known rule, so the right findings of ``compare``,
``impact``, ``bisect`` and ``shrink`` are known.
"""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from engine.core.record import Record

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = ("engine", "host", "saves", "study", "tui", "app.py", "pyproject.toml")
"""Content of a copy: enough to run the program and to decide games."""


class PlantedFault(Record, frozen=True):
    """A line of the rules with its faulty replacement, and the rule that it breaks."""

    name: str
    ruleset: str
    file: str
    """Path relative to the top of the source tree."""
    line: str
    """The correct line, which occurs once in the file."""
    planted: str
    rule: str


def _fault(name: str, file: str, line: str, planted: str, rule: str) -> PlantedFault:
    return PlantedFault(name, _RULESETS[rule.split("-", maxsplit=1)[0]], file, line, planted, rule)


_RULESETS: Final = {
    "WD": "weltendaemmerung",
    "GD": "gd6",
    "KA": "kaladan",
    "W2": "warlords2",
}
_WD: Final = "engine/rulesets/weltendaemmerung"
_GD: Final = "engine/rulesets/gd6"
_KA: Final = "engine/rulesets/kaladan"
_W2: Final = "engine/rulesets/warlords2"

FAULTS: Final = (
    _fault(
        "harder hits",
        f"{_WD}/fighting.py",
        "    damage = units_table()[unit.type].a + modifier",
        "    damage = units_table()[unit.type].a + modifier + 1",
        "WD-ATT-3",
    ),
    _fault(
        "nobody falls",
        f"{_WD}/fighting.py",
        "    return max(0, v - damage)",
        "    return max(1, v - damage)",
        "WD-NUM-4",
    ),
    _fault(
        "wrong winner",
        f"{_WD}/fighting.py",
        '        decision.emit(GameWon(side=DAILOR, reason="commander"))',
        '        decision.emit(GameWon(side=ELDOIN, reason="commander"))',
        "WD-WIN-1",
    ),
    _fault(
        "attacks given once",
        f"{_WD}/phases.py",
        "GIVES_ATTACKS = (2, 3)",
        "GIVES_ATTACKS = (2,)",
        "WD-TURN-4",
    ),
    _fault(
        "dearer steps",
        f"{_WD}/moving.py",
        "    return max(0, b - price)",
        "    return max(0, b - price - 1)",
        "WD-NUM-3",
    ),
    _fault(
        "loyalty grows by two",
        f"{_GD}/turns.py",
        "        (here.id, here.loyalty + 1)",
        "        (here.id, here.loyalty + 2)",
        "GD-FINAL-2",
    ),
    _fault(
        "one land pays nothing",
        f"{_GD}/turns.py",
        "        len(lands) * table.ip_per_territory.value,",
        "        len(lands[1:]) * table.ip_per_territory.value,",
        "GD-FINAL-3",
    ),
    _fault(
        "dearer invasions",
        f"{_GD}/fights.py",
        "        damage = attack.suffer(0 if guided else numbers().invasion_penalty.value)",
        "        damage = attack.suffer(0 if guided else numbers().invasion_penalty.value + 1)",
        "GD-INVADE-1",
    ),
    _fault(
        "the last defender stands",
        f"{_GD}/fights.py",
        "    rounds = min(attack.health, defence.health)",
        "    rounds = min(attack.health, max(0, defence.health - 1))",
        "GD-INVADE-2",
    ),
    _fault(
        "fewer new armies",
        f"{_GD}/construction.py",
        "    return numbers().spawn_base.value + count // numbers().spawn_per_territories.value",
        "    return numbers().spawn_base.value",
        "GD-SPAWN-1",
    ),
    _fault(
        "upgrades do nothing",
        f"{_KA}/pools.py",
        "        return row.upgraded_attack if unit.upgraded else row.attack",
        "        return row.attack",
        "KA-2.1",
    ),
    _fault(
        "ties lose",
        "engine/kit/dice_pools.py",
        "    lost_attack = sum(one < other for one, other in pairs)",
        "    lost_attack = sum(one <= other for one, other in pairs)",
        "KA-7.6",
    ),
    _fault(
        "castles pay nothing",
        f"{_KA}/turns.py",
        "    gain = tiles * turn.income_per_tile + built * turn.income_per_castle_extra",
        "    gain = tiles * turn.income_per_tile",
        "KA-6.2",
    ),
    _fault(
        "cheaper units",
        f"{_KA}/purchases.py",
        "    gold = state.players[seat].gold - row.price",
        "    gold = state.players[seat].gold - row.price + 1",
        "KA-6.5",
    ),
    _fault(
        "one moves in",
        f"{_KA}/outcome.py",
        "    return min(attackers, capacity(seen.tiles[battle.sides[DEFENCE].tile]) - kept)",
        "    return min(attackers, 1)",
        "KA-7.10",
    ),
    _fault(
        "equal throws hit",
        "engine/strategic/duels.py",
        "    defender_fails, attacker_fails = dice[0] > strengths[1], dice[1] > strengths[0]",
        "    defender_fails, attacker_fails = dice[0] >= strengths[1], dice[1] >= strengths[0]",
        "W2-8.5",
    ),
    _fault(
        "all points are carried over",
        f"{_W2}/rule_settings.py",
        "    return min(MOST_POINTS, usual + min(CARRIED, army.points) + bearers * army.max_move)",
        "    return min(MOST_POINTS, usual + army.points + bearers * army.max_move)",
        "W2-6.3",
    ),
    _fault(
        "half upkeep",
        "engine/strategic/cities.py",
        "    comes, goes = income(world, side), upkeep(world, settings, side)",
        "    comes, goes = income(world, side), upkeep(world, settings, side) // 2",
        "W2-9.6",
    ),
    _fault(
        "cities teach nothing",
        "engine/strategic/aftermath.py",
        "    gained = lore.won_city if fought.event.city != NONE else lore.won",
        "    gained = lore.won",
        "W2-8.6",
    ),
    _fault(
        "nobody helps",
        "engine/strategic/battle.py",
        "    return max(1, min(rules.most, soldier.army.strength + support + own + weapons))",
        "    return max(1, min(rules.most, soldier.army.strength + own + weapons))",
        "W2-8.3",
    ),
)


class NotPlanted(ValueError):
    """The line to replace does not occur exactly once in its file."""


def copied(folder: Path, *, compiled: bool = True, without: Sequence[str] = ()) -> Path:
    """Copy the sources into a new folder and return it.

    Compiled modules are copied too unless ``compiled`` is false: they stay valid for files of the
    same time and size, and save compiling in each process that uses the copy. Files and folders
    named in ``without`` are left out.

    Copies share their files by hard links, since creating a file takes ten times as long as linking
    one: change them only with ``rewrite``, never in place.
    """
    unwanted = (*without, *(() if compiled else ("__pycache__",)))
    ignore = shutil.ignore_patterns(*unwanted)
    shutil.copytree(_shared_sources(), folder, copy_function=_linked, ignore=ignore)
    return folder


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


@cache
def _shared_sources() -> Path:
    """Return a copy of the sources that other copies link to; nothing links to the checkout."""
    place = TemporaryDirectory(prefix="banneret-sources-")
    atexit.register(place.cleanup)
    folder = Path(place.name) / "sources"
    folder.mkdir()
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy2(source, folder / name)
    return folder


def plant(fault: PlantedFault, tree: Path) -> Path:
    """Plant a fault in a tree of sources and return the changed file.

    Raises NotPlanted if the line does not occur exactly once in the file.
    """
    path = tree / fault.file
    lines = path.read_text(encoding="utf-8").split("\n")
    if lines.count(fault.line) != 1:
        raise NotPlanted(f"{fault.file}: {lines.count(fault.line)} times {fault.line.strip()!r}")
    lines[lines.index(fault.line)] = fault.planted
    rewrite(path, "\n".join(lines))
    return path


def planted_copy(fault: PlantedFault, folder: Path) -> Path:
    """Copy the sources with one fault into a new folder and return it.

    Raises NotPlanted if the line does not occur exactly once in the file.
    """
    plant(fault, copied(folder))
    return folder


def rewrite(path: Path, text: str) -> None:
    """Replace a file, so that copies that share it by a hard link keep theirs."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)  # noqa: PTH105 - as it is meant
