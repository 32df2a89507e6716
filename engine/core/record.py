"""Frozen records: the base of states, commands, events and scenarios."""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias, dataclass_transform

import msgspec

replace = msgspec.structs.replace
field = msgspec.field

UNSET = msgspec.UNSET
UnsetType: TypeAlias = msgspec.UnsetType
"""Type of a field that is omitted from the written form until it is set."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True):
    """A frozen value."""


class Message(Record, frozen=True):
    """A record in the log, with a tag that never changes."""


class Command(Message, frozen=True, tag_field="do"):
    """A request of a seat. Its tag is the first word of its notation."""


class Event(Message, frozen=True, tag_field="t"):
    """Something that happened, with its results."""

    irreversible: ClassVar[bool] = False
    """True if the entry cannot be undone (dice, secrets, ends of turns)."""

    ends_phase: ClassVar[bool] = False
    """True if a phase or turn ends here; the entry then carries a digest of the state."""


class Range(Record, frozen=True):
    """Bounds of a whole number of a scenario, as in ``Annotated[int, Range(0, 9, "X-1")]``.

    ``engine.core.scenarios.check_ranges`` enforces them, also in records that were never in a file.
    None is accepted.
    """

    low: int
    high: int
    rule: str = ""
    text: str = "{value} is not from {low} to {high}"
    """The error text, with the names of these fields in braces."""


class Known(tuple[str, ...]):
    """Text values with a meaning in the code, as in ``Annotated[str, Known(KINDS)]``.

    Rulesets may add others, and their scenario checks decide which are valid. The layout of a state
    names the known ones. So if a closed list is opened this way, digests stay comparable.
    """


class Scenario(Record, frozen=True):
    """The starting point of a game. Rulesets add the board and the pieces."""

    name: str
    title: str
    about: str


def tag(message: Message | type[Message]) -> str:
    """Return the written name of a command or event, such as ``end-phase``."""
    kind = message if isinstance(message, type) else type(message)
    return str(kind.__struct_config__.tag)


Raw: TypeAlias = dict[str, Any]
"""A record as in a file, before it is typed."""
