"""Decide recorded games again with the rules of the tree that a process was started in.

``tree_program`` loads this file, and its modules of the engine are those of the tree. It uses only
what is listed in ``_Sources``, so the tree may be older than this version. Requests and answers:

    {"read": PATH}       {"layout": …}, then two signs for each entry
    {"explain": SEQ}     the decision at an entry of that save, in full
    {"trace": SEQ}       the calls and returns of that decision, function by function
    {"states": [SEQ]}    digests of the states after entries

The first sign of an entry is ``=`` if its decision is as recorded, or else a hash of its decision.
The second one is the same for the state after it, or ``-`` if that is not compared.
"""

from __future__ import annotations

import gc
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any, Final

JsonObject = dict[str, Any]

_UNTRACED: Final = frozenset({"engine.kit.identity_cache"})
"""Modules whose calls mean nothing: caches, which are also called when objects are freed."""
_MOST_CALLS: Final = 400_000
"""Maximum calls and returns of a decision that are recorded."""
_DEEPEST: Final = 8
"""Maximum depth to which a value that is no record is inspected."""
_LONGEST: Final = 40
"""Maximum characters of a value that is written out; longer ones are hashed."""
_RULES: Final = re.compile(r"\bRules?:(.*?)(?:\.(?=\s|\Z)|\n\s*\n|\Z)", re.DOTALL)
_ID: Final = re.compile(
    r"\b([A-Z][A-Z0-9]*-(?:[A-Z]+-|\d+\.)?)(\d+)([a-z]?)(?: to (?:\1)?(\d+))?\b"
)


class WrongTree(ImportError):
    """The rules were loaded from outside the requested tree."""


class _Sources:
    """Functions used from a tree of sources; found by name, as it may be of any version."""

    def __init__(self, top: Path) -> None:
        self.top = top.resolve()
        self._checked: set[str] = set()
        self.read = import_module("saves.reader").read
        self.find = import_module("engine.core.registry").find
        self.replay = import_module("engine.core.replay")
        self.codec = import_module("engine.core.codec")
        dice = import_module("engine.core.dice")
        self.scripted, self.unpack, self.wrong_throw = dice.Scripted, dice.unpack, dice.WrongThrow
        self.refused = import_module("engine.core.refused").Refused
        decision = _module("engine.core.decision")
        self.is_heard = getattr(decision or self.replay, "is_heard", _always_heard)
        self.states_around = getattr(decision, "states_around", None)
        self.check()

    def check(self) -> None:
        """Check that every module was loaded from this tree.

        Raises:
            WrongTree: a module was not.
        """
        for name in sys.modules.keys() - self._checked:
            place = getattr(sys.modules[name], "__file__", None)
            self._checked.add(name)
            if name.partition(".")[0] not in {"engine", "saves"} or place is None:
                continue
            if not Path(place).resolve().is_relative_to(self.top):
                raise WrongTree(f"{name} came from {place}, not from {self.top}")


def _module(name: str) -> Any:
    """Import a module that only some versions have; None if this one does not."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return None


def _always_heard(_rules: Any, _state: Any, _seat: Any) -> bool:
    """Return True: the rules of early versions refuse commands out of turn themselves."""
    return True


class _Save:
    """A save that is being decided again."""

    def __init__(self, tree: _Sources, path: Path) -> None:
        self.tree = tree
        found = tree.read(path)
        self.rules = tree.find(found.header.ruleset)
        self.entries = found.log.entries
        self.layout = tree.codec.layout(self.rules.state_type)
        tree.check()

    def signs(self) -> Iterator[tuple[str, str]]:
        """Yield the two signs of each entry."""
        last = len(self.entries) - 1
        for entry, now, before in self._decided():
            sign = "=" if now == {"events": entry.events} else self._hash(now)
            state = "-"
            if entry.mark is not None or entry.seq == last:
                state = self._digest_after(entry, before, now)
            yield sign, state

    def explain(self, seq: int) -> JsonObject:
        """Return the decision of an entry in full, with the requested throws."""
        entry, before = self._at(seq)
        dice = self._dice(entry)
        now = self._decide(entry, before, dice)
        now["events"] = [self.tree.codec.plain(event) for event in now.get("events", ())]
        throws = [list(one) for one in dice.thrown]
        return {**now, "throws": throws, "state": self._digest_after(entry, before, {})}

    def trace(self, seq: int) -> JsonObject:
        """Return the calls and returns of deciding an entry."""
        entry, before = self._at(seq)
        _forget()
        dice = self._dice(entry)
        trace = _Trace(self.tree.codec.encode)
        trace.follow(lambda: self._decide(entry, before, dice))
        return {"steps": trace.steps, "functions": trace.described(self.rules, self.tree.top)}

    def states(self, numbers: list[int]) -> JsonObject:
        """Return digests of the states after entries."""
        found: dict[int, str] = {}
        for entry, now, before in self._decided():
            if entry.seq in numbers:
                found[entry.seq] = self._digest_after(entry, before, now)
            if len(found) == len(numbers):
                break
        return {"states": [found[number] for number in numbers]}

    def _at(self, seq: int) -> tuple[Any, Any]:
        line = []
        while seq >= 0:
            line.append(self.entries[seq])
            seq = self.entries[seq].parent
        state = self.rules.empty()
        for entry in reversed(line[1:]):
            state = self._after(entry, state, {})
        return line[0], state

    def _decided(self) -> Iterator[tuple[Any, JsonObject, Any]]:
        """Yield entries in log order, each with its present decision and the state before it."""
        states = {-1: self.rules.empty()}
        last_use = {entry.parent: entry.seq for entry in self.entries}
        for entry in self.entries:
            before, dice = states[entry.parent], self._dice(entry)
            now = self._decide(entry, before, dice)
            if left := dice.left():
                now["left"] = left
            yield entry, now, before
            if entry.seq in last_use:
                states[entry.seq] = self._after(entry, before, now)
            if last_use[entry.parent] == entry.seq:
                del states[entry.parent]

    def _after(self, entry: Any, before: Any, now: JsonObject) -> Any:
        """Return the state after an entry as recorded, reusing the states of an equal decision."""
        events = now.get("events")
        if self.tree.states_around is not None and events == entry.events:
            return self.tree.states_around(self.rules, before, events)[-1]
        return self.tree.replay.apply(self.rules, before, entry)

    def _dice(self, entry: Any) -> Any:
        return self.tree.scripted(self.tree.unpack(entry.throws))

    def _decide(self, entry: Any, before: Any, dice: Any) -> JsonObject:
        """Return the events, or why there are none."""
        try:
            if entry.command is None:
                return {"events": self.rules.begin(*self.rules.setup(entry.events[0]), dice)}
            if not self.tree.is_heard(self.rules, before, entry.seat):
                return {"unheard": int(entry.seat)}
            return {"events": self.rules.decide(before, entry.seat, entry.command, dice)}
        except self.tree.refused as refused:
            return {"refused": str(refused.code), "text": refused.text, "rule": refused.rule}
        except self.tree.wrong_throw as wrong:
            return {"throw": str(wrong)}
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - whatever those rules make of it
            return {"raised": type(problem).__name__, "text": str(problem)[:200]}

    def _hash(self, value: Any) -> str:
        return blake2b(self.tree.codec.encode(value), digest_size=8).hexdigest()

    def _digest_after(self, entry: Any, before: Any, now: JsonObject) -> str:
        """Return a digest of the state after an entry, or the name of the exception.

        ``now`` is the decision of the entry by these rules.
        """
        try:
            return str(self.tree.codec.digest(self._after(entry, before, now)).hex())
        except Exception as problem:  # noqa: BLE001 - an event that cannot be applied, or written
            return type(problem).__name__


# -- a decision, function by function --------------------------------------------------------------


class _Trace:
    """Calls and returns of the engine's functions, each with a short mark of its values."""

    def __init__(self, encode: Callable[[Any], bytes]) -> None:
        self.steps: list[tuple[str, str, str]] = []
        self._encode = encode
        self._codes: dict[str, tuple[Any, str]] = {}
        self._marks: dict[int, tuple[Any, str]] = {}

    def follow(self, act: Callable[[], Any]) -> None:
        """Call a function and record the calls it makes."""
        gc.disable()  # else freed objects call back at different times
        sys.setprofile(self._note)
        try:
            act()
        finally:
            sys.setprofile(None)
            gc.enable()

    def _note(self, frame: Any, event: str, value: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event not in {"call", "return"} or not module.startswith("engine."):
            return
        if module in _UNTRACED or len(self.steps) >= _MOST_CALLS:
            return
        code = frame.f_code
        name = f"{module}:{code.co_qualname.split('.<locals>')[0]}"
        self._codes.setdefault(name, (code, module))
        if event == "call":
            count = code.co_argcount + code.co_kwonlyargcount
            known = frame.f_locals
            given = [known.get(one) for one in code.co_varnames[:count]]
            self.steps.append(("call", name, self._mark(given, 0)))
        else:
            self.steps.append(("return", name, self._mark(value, 0)))

    def _mark(self, value: Any, depth: int) -> str:
        """Return a value in short form: equal values give the same text in any process."""
        if value is None or isinstance(value, int | float | str | bytes):
            return _short(repr(value))
        if callable(value):
            return getattr(value, "__qualname__", type(value).__qualname__)
        if depth > _DEEPEST:
            return type(value).__qualname__
        if isinstance(value, list | tuple):
            return _short("(" + ",".join(self._mark(one, depth + 1) for one in value) + ")")
        if isinstance(value, set | frozenset | dict):
            pairs = value.items() if isinstance(value, dict) else value
            return _short("{" + ",".join(sorted(self._mark(one, depth + 1) for one in pairs)) + "}")
        known = self._marks.get(id(value))
        if known is None:
            known = self._marks[id(value)] = value, self._written(value, depth)
        return known[1]

    def _written(self, value: Any, depth: int) -> str:
        """Return a record or container by its encoding, or else by its fields."""
        name = type(value).__qualname__
        if hasattr(value, "numerator"):
            return _short(str(value))
        try:
            return f"{name} {blake2b(self._encode(value), digest_size=6).hexdigest()}"
        except Exception:  # noqa: BLE001 - records of functions cannot be written
            fields = getattr(value, "__struct_fields__", ())
            return _short(
                f"{name}({','.join(self._mark(getattr(value, one), depth + 1) for one in fields)})"
            )

    def described(self, rules: Any, top: Path) -> dict[str, JsonObject]:
        """Return file, line and rule ids of every function that was called."""
        index = _rule_index(rules)
        found = {}
        for name, (code, module) in self._codes.items():
            place = Path(code.co_filename)
            inside = place.relative_to(top) if place.is_relative_to(top) else place
            ids = [*rule_ids(_docstring(module, name)), *index.get(name, ())]
            found[name] = {"at": f"{inside}:{code.co_firstlineno}", "rules": ids}
        return found


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"#{blake2b(text.encode(errors='replace'), digest_size=6).hexdigest()}"


def _docstring(module: str, name: str) -> str:
    """Return the docstring of a function by name, found through its caches and wrappers."""
    found: Any = sys.modules.get(module)
    for part in name.partition(":")[2].split("."):
        found = getattr(found, part, None)
    return getattr(found, "__doc__", None) or ""


def rule_ids(text: str) -> list[str]:
    """Return the rule ids that a docstring lists after ``Rules:``, with ranges expanded."""
    found: list[str] = []
    for part in _RULES.findall(text):
        for prefix, first, letter, last in _ID.findall(part):
            numbers = range(int(first), int(last or first) + 1)
            found += [f"{prefix}{number}{letter}" for number in numbers]
    return list(dict.fromkeys(found))


def _rule_index(rules: Any) -> dict[str, list[str]]:
    """Return rule ids by function of the shared layers, from the ruleset's index if it has one."""
    module = sys.modules.get(type(rules).__module__)
    index = Path(getattr(module, "__file__", None) or "").with_name("rule_index.toml")
    if not index.is_file():
        return {}
    found: dict[str, list[str]] = {}
    for rule, names in tomllib.loads(index.read_text(encoding="utf-8")).items():
        for name in names if isinstance(names, list) else ():
            module_name, _, function = name.partition(".")
            found.setdefault(f"engine.strategic.{module_name}:{function}", []).append(rule)
    return found


def _forget() -> None:
    """Empty the caches of the rules, so that cached functions are called and traced again."""
    for name, module in list(sys.modules.items()):
        if name.startswith("engine."):
            for thing in list(vars(module).values()):
                clear = getattr(thing, "cache_clear", None)
                if clear is not None and not isinstance(thing, type):
                    clear()


# -- answers ---------------------------------------------------------------------------------------


def answers_with(top: Path) -> Callable[[Any], Iterator[Any]]:
    """Return the function that answers requests with the rules of a tree.

    Raises:
        WrongTree: a module was loaded from elsewhere.
    """
    tree = _Sources(top)
    save: _Save | None = None

    def answers(request: Any) -> Iterator[Any]:
        nonlocal save
        if "read" in request:
            save = None
            try:
                save = _Save(tree, Path(request["read"]))
            except Exception as problem:  # noqa: BLE001 - a save that this version cannot read
                yield {"fault": f"{type(problem).__name__}: {problem}"[:300]}
                return
            yield {"layout": save.layout.hex()}
            try:
                yield from save.signs()
            except Exception as problem:  # noqa: BLE001 - an event that this version cannot apply
                yield "!", f"{type(problem).__name__}: {str(problem)[:200]!a}"
        elif save is not None:
            yield _answer(save, request)

    return answers


def _answer(save: _Save, request: JsonObject) -> JsonObject:
    try:
        if "explain" in request:
            return save.explain(request["explain"])
        if "trace" in request:
            return save.trace(request["trace"])
        return save.states(request["states"])
    except Exception as problem:  # noqa: BLE001 - whatever those rules make of it
        return {"fault": f"{type(problem).__name__}: {problem}"[:300]}
