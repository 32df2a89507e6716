"""Frozen records, of which states, commands, events and scenarios are made."""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias, dataclass_transform

import msgspec

replace = msgspec.structs.replace
field = msgspec.field

UNSET = msgspec.UNSET
UnsetType: TypeAlias = msgspec.UnsetType
"""Default of a field that is left out of the written form until it is set."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True):
    """A frozen value."""


class Message(Record, frozen=True):
    """A record that goes into the log, with a tag that never changes."""


class Command(Message, frozen=True, tag_field="do"):
    """A request of a seat. Its tag is the first word of its notation."""


class Event(Message, frozen=True, tag_field="t"):
    """Something that happened, with its results."""

    irreversible: ClassVar[bool] = False
    """True: the entry cannot be undone (dice, secrets, ends of turns)."""

    ends_phase: ClassVar[bool] = False
    """True: a phase or turn ends here, so the entry carries a digest of the state."""


class Range(Record, frozen=True):
    """Bounds of a whole number of a scenario, as in ``Annotated[int, Range(0, 9, "X-1")]``.

    ``engine.core.scenarios.check_ranges`` enforces them, also in records that were never in a
    file; None passes.
    """

    low: int
    high: int
    rule: str = ""
    text: str = "{value} is not from {low} to {high}"
    """The complaint, with the names of these fields in braces."""


class Known(tuple[str, ...]):
    """Values of a text that the code gives a meaning to, as in ``Annotated[str, Known(KINDS)]``.

    Rulesets may add others, and their scenario checks say which they allow. The layout of a state
    names the known ones, so opening a closed list this way leaves digests comparable.
    """


class Scenario(Record, frozen=True):
    """The starting point of a game. Rulesets add the board and the pieces."""

    name: str
    title: str
    about: str


def tag(message: Message | type[Message]) -> str:
    """The written-out name of a command or event, such as ``end-phase``."""
    kind = message if isinstance(message, type) else type(message)
    return str(kind.__struct_config__.tag)


Raw: TypeAlias = dict[str, Any]
"""A record as it stands in a file, before it is typed."""
