"""Keys and their actions: packs of keys, a player's own keys over them, and faults of both.

A pack and ``keys.toml`` have the same form: ``[keys]`` assigns keys to ids, such as ``"game.undo" =
"z,ctrl+z"``; ``[letters]`` assigns other keys to the letters that rulesets suggest on the map, such
as ``a = "j"``.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from textual.binding import Binding
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, key_to_character

from tui.console.files import settings_in
from tui.settings.keys import CONTEXTS, Context
from tui.settings.settings import put, read_document
from tui.terminal.internals import key_of

LETTERS: Final = "acdegmrst"
"""Letters that rulesets may suggest for keys on the map."""

USUAL: Final = "usual"
"""Name of the pack with the keys of ``tui/settings/bindings.toml``."""

_KEYS: Final = {*(key.value for key in Keys), *KEY_NAME_REPLACEMENTS.values(), "kp_begin"}

_LONG: Final = {short: name for name, short in KEY_NAME_REPLACEMENTS.items()}
"""Long names of keys by the short names that Textual shows for them."""

_SHOWN: Final = {
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "tab": "Tab",
    "shift+tab": "Shift-Tab",
    "backspace": "Backspace",
    "delete": "Del",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "kp_begin": "5 on the pad",
    "end": "End",
}
"""Display names of keys that are not characters."""

_SAME_BYTES: Final = {"i", "m", "j", "h", "left_square_bracket", "at", "space", "s", "z"}
"""Keys that with Ctrl send the bytes of another key, or stop the terminal."""


@dataclass(frozen=True)
class Keymap:
    """Keys by binding id if not the defaults, keys for rulesets' letters, and faults of both."""

    keys: Mapping[str, str] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    def of(self, binding: Binding) -> tuple[str, ...]:
        """Return the keys of a binding, in Textual's names."""
        return listed(self.keys.get(str(binding.id), binding.key))

    def letter(self, wanted: str) -> str:
        """Return the key to press for a letter that a ruleset suggests."""
        return self.letters.get(wanted, wanted)

    def letter_of(self, key: str) -> str:
        """Return the letter of a ruleset for which a key is pressed; empty if there is none."""
        return next((one for one in LETTERS if named(self.letter(one)) == key), "")

    def on_map(self, wanted: str) -> str:
        """Return the key for a ruleset's letter on the map; empty if only the menu has it."""
        return self.letter(wanted) if wanted in LETTERS else ""

    def way_to(self, wanted: str) -> str:
        """Return the keys from the map to a ruleset's letter, such as ``B``, or ``i B`` by menu."""
        menu = shown(self.of(known()["game.intents"])[0])
        return self.on_map(wanted) or f"{menu} {self.letter(wanted)}"


def listed(keys: str) -> tuple[str, ...]:
    """Split comma-separated keys, and return Textual's names: ``?`` is ``question_mark``."""
    return tuple(named(key.strip()) for key in keys.split(",") if key.strip())


def named(key: str) -> str:
    """Return Textual's name of a key."""
    return key_of(key) if len(key) == 1 else key


def is_key(key: str) -> bool:
    """Return whether a terminal could send a key with this Textual name."""
    *modifiers, last = key.split("+")
    if any(modifier not in {"ctrl", "shift", "alt"} for modifier in modifiers):
        return False
    return last in _KEYS or len(last) == 1 or key_to_character(last) is not None


def is_reliable(key: str) -> bool:
    """Return whether all terminals send this key with bytes that no other key has."""
    *modifiers, last = key.split("+")
    if not modifiers:
        return True
    if modifiers == ["shift"]:
        return last == "tab"
    return modifiers == ["ctrl"] and last.isalpha() and len(last) == 1 and last not in _SAME_BYTES


def shown(key: str) -> str:
    """Return the display name of a key."""
    if key in _SHOWN:
        return _SHOWN[key]
    if key.startswith("ctrl+"):
        return f"Ctrl-{key[5:].upper()}"
    return key_to_character(_LONG.get(key, key)) or key.upper()


_NAMED: Final = re.compile(r"\{key:([\w.-]+)\}")


def spelt(text: str, keys: Mapping[str, str]) -> str:
    """Replace references such as ``{key:game.fire}`` in a text by the keys in ``keys``, by id."""
    return _NAMED.sub(lambda found: keys.get(found[1], found[1]), text)


# -- files -----------------------------------------------------------------------------------------


@cache
def packs() -> tuple[str, ...]:
    """Return the names of all packs, the usual one first."""
    found = files("tui.settings").joinpath("packs").iterdir()
    names = sorted(path.name.removesuffix(".toml") for path in found if path.name.endswith(".toml"))
    return (USUAL, *names)


@cache
def pack(name: str) -> Keymap:
    """Return the pack of keys with a name."""
    if name == USUAL:
        return Keymap()
    text = files("tui.settings").joinpath("packs", f"{name}.toml").read_text(encoding="utf-8")
    return _checked(tomllib.loads(text), f"{name}.toml", Keymap())


def load(name: str, path: Path) -> Keymap:
    """Return the pack ``name`` with the player's own keys in ``path``; wrong ones are faults."""
    base = pack(name if name in packs() else USUAL)
    try:
        found = settings_in(path)
    except FileNotFoundError:
        return base
    except (OSError, ValueError) as problem:
        return Keymap(base.keys, base.letters, (f"{path.name}: {problem}",))
    return _checked(found, path.name, base)


def _checked(found: Mapping[str, Any], name: str, base: Keymap) -> Keymap:
    faults = [f"{name}: [{part}] is not known" for part in found if part not in {"keys", "letters"}]
    keys, letters = dict(base.keys), dict(base.letters)
    for part, into, why in (("keys", keys, _why_not), ("letters", letters, _why_no_letter)):
        table = found.get(part, {})
        if not isinstance(table, dict):
            faults.append(f"{name}: [{part}] is not a table")
            continue
        for key, value in table.items():
            fault = why(key, value)
            if fault:
                faults.append(f"{name}: {fault}")
            else:
                into[key] = ",".join(listed(value))
    while clashes := conflicts(Keymap(keys, letters)):
        before = dict(keys), dict(letters)
        faults += [f"{name}: {clash}" for clash in clashes]
        for clash in clashes:
            for which in (clash.one, clash.other):
                _as_before(keys, base.keys, which)
                _as_before(letters, base.letters, which.removeprefix(_LETTER))
        if before == (keys, letters):
            break
    return Keymap(keys, letters, tuple(faults))


def _as_before(now: dict[str, str], base: Mapping[str, str], name: str) -> None:
    """Restore the keys of ``base`` for the id or letter ``name``."""
    now.pop(name, None)
    if name in base:
        now[name] = base[name]


def _why_not(name: str, value: object) -> str:
    if name not in known():
        return f"there is no {name!r}; 'banneret keys' lists all"
    if not isinstance(value, str) or not listed(value):
        return f'{name}: its keys are a text such as "z,ctrl+z"'
    for key in listed(value):
        if not is_key(key):
            return f"{name}: there is no key {key!r}"
    return ""


def _why_no_letter(letter: str, value: object) -> str:
    if letter not in LETTERS or len(letter) != 1:
        return f"{letter!r} is none of the letters {' '.join(LETTERS)}"
    if not isinstance(value, str) or len(listed(value)) != 1 or not is_key(listed(value)[0]):
        return f"{letter}: it takes one key"
    return ""


@cache
def known() -> Mapping[str, Binding]:
    """Return all bindings by id."""
    found = (binding for context in CONTEXTS for binding in context.bindings)
    return {str(binding.id): binding for binding in found}


def give(path: Path, binding_id: str, keys: str) -> None:
    """Assign keys to a binding id in a player's own file; empty ``keys`` restore the pack's.

    Raises:
        OSError: it cannot be written.
    """
    import tomlkit  # noqa: PLC0415 - only when something is changed

    document = read_document(path)
    table = document.setdefault("keys", tomlkit.table())
    if keys:
        table[binding_id] = keys
    else:
        table.pop(binding_id, None)
    put(path, document)


def forget(path: Path) -> None:
    """Restore the pack's keys for every id and letter in a player's own file; keep the rest of it.

    Raises:
        OSError: it cannot be written.
    """
    document = read_document(path)
    for table in ("keys", "letters"):
        document.pop(table, None)
    put(path, document)


def tried(keymap: Keymap, binding_id: str, keys: str) -> list[KeyClash]:
    """Return the key clashes that there would be with these keys for a binding."""
    made = Keymap({**keymap.keys, binding_id: keys}, keymap.letters)
    return conflicts(made)


# -- conflicts -------------------------------------------------------------------------------------


class KeyClash(NamedTuple):
    """Key that would do two things in one context."""

    key: str
    one: str
    other: str
    where: str

    def __str__(self) -> str:
        return f"{self.key} is both {self.one} and {self.other} ({self.where.lower()})"


_LETTER: Final = "the letter of games "


def conflicts(keymap: Keymap) -> list[KeyClash]:
    """Return the keys that do two things in one context; each once, for its first context."""
    found: dict[tuple[str, str, str], KeyClash] = {}
    for context in CONTEXTS:
        for clash in _clashes(keymap, context):
            found.setdefault((clash.key, clash.one, clash.other), clash)
    return list(found.values())


def _clashes(keymap: Keymap, context: Context) -> Iterator[KeyClash]:
    taken: dict[str, str] = {}
    for key, name in _together(keymap, context):
        other = taken.setdefault(key, name)
        if other != name:
            yield KeyClash(key, other, name, context.title)


def _together(keymap: Keymap, context: Context) -> Iterator[tuple[str, str]]:
    """Yield (key, action) for all keys that are active in a context."""
    names = {context.name, "everywhere", *context.beside}
    for other in CONTEXTS:
        if other.name in names:
            for binding in other.bindings:
                yield from ((key, str(binding.id)) for key in keymap.of(binding))
    if context.name == "map":
        for letter in LETTERS:
            yield named(keymap.letter(letter)), _LETTER + letter


# -- for the command line --------------------------------------------------------------------------


def printed(name: str, path: Path, *, as_json: bool) -> str:
    """Return all keys, those of a pack with a player's own keys over it, as text or JSON."""
    keymap = load(name, path)
    rows = [
        (context.name, str(binding.id), ", ".join(keymap.of(binding)), binding.description)
        for context in CONTEXTS
        for binding in context.bindings
    ]
    rows += [
        ("map", f"letter {letter}", keymap.letter(letter), "What a game suggests there")
        for letter in LETTERS
    ]
    if as_json:
        names = ("context", "id", "keys", "text")
        found = {
            "pack": name,
            "keys": [dict(zip(names, row, strict=True)) for row in rows],
            "faults": keymap.faults,
        }
        return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    lines = [f"{place:<10} {which:<19} {keys:<26} {text}" for place, which, keys, text in rows]
    lines += [f"fault: {fault}" for fault in keymap.faults]
    return "\n".join([*lines, f"pack: {name}", f"other keys: {path}"]) + "\n"
