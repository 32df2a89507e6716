"""The commands of the program, of the SSH command line and of the operator: one table for all.

``commands.toml`` defines the name, arguments, purpose and usage of each command. The parsers, the
help and the usage lines of the three command lines are built from it here. This module imports only
the standard library, so that ``banneret --help`` answers at once.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

PORT: Final = 7022
"""Port on which a host listens by default."""

_LAST_PORT: Final = 65_535
_MINUTES_A_YEAR: Final = 365 * 24 * 60
_MOST_DIGITS: Final = 9
_SEED_DIGITS: Final = 18
_WIDTH: Final = 79
"""Columns of help for terminals other than that of this process."""

_BELOW_ZERO: Final = re.compile(r"-\.?\d")
"""Beginning of a negative value, as no option begins with a digit."""

_Parser = TypeVar("_Parser", bound="CommandParser")

Converter = Callable[[str], Any]
"""Converts the text of an argument; raises ``ValueError`` or ``ArgumentTypeError``."""


class HelpRequest(Exception):
    """``--help`` was given; the text is the help."""


class Misuse(Exception):
    """The words form no valid command; the text is the reason in one line.

    ``prog`` is the command whose ``--help`` tells more.
    """

    def __init__(self, text: str, prog: str = "") -> None:
        super().__init__(text)
        self.prog = prog


# -- parsers ---------------------------------------------------------------------------------------


class CommandParser(argparse.ArgumentParser):
    """Parser of a command that raises ``Misuse`` and leaves the process to its caller.

    Options are not abbreviated. The help begins with the examples, if there are any.
    """

    takes_rest = True
    """True if unknown words are left to the caller; a subcommand's parser refuses them."""

    def __init__(self, *, width: int | None = None, examples: str = "", **settings: Any) -> None:
        def formatter(prog: str) -> argparse.HelpFormatter:
            return argparse.HelpFormatter(prog, width=width)

        super().__init__(**settings, allow_abbrev=False, formatter_class=formatter)
        self.examples = examples
        self._leading: set[str] = set()
        # argparse only recognises plain negative numbers, but -5,0 and -3..7 are no options either
        self._negative_number_matcher = _BELOW_ZERO

    def error(self, message: str) -> NoReturn:
        """Raise ``Misuse``."""
        raise Misuse(message, self.prog)

    def format_help(self) -> str:
        """Return the help: examples, usage, purpose, arguments."""
        lines = (f"  {line}" for line in self.examples.splitlines())
        head = "\n".join(("example:", *lines, "", "")) if self.examples else ""
        return f"{head}{super().format_help()}"

    def take(self, group: Any, argument: ArgumentSpec) -> None:
        """Add an argument to this parser or to ``group`` of it; its old names are hidden."""
        if not argument.is_option:
            group.add_argument(*argument.names, **argument.settings)
            self._leading |= {*argument.old}
            return
        action = group.add_argument(*argument.names, *argument.old, **argument.settings)
        action.option_strings = list(argument.names)  # help and faults name these only

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse words into (namespace, unknown words).

        Raises:
            Misuse: the words are wrong, or this is a subcommand's parser and some are unknown.
        """
        found, rest = super().parse_known_args(self._led(args), namespace)
        if rest and not self.takes_rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found, rest

    def _led(self, words: Sequence[str]) -> list[str]:
        """Return the words, with the value of an old option moved first if it is positional now."""
        end = words.index("--") if "--" in words else len(words)
        for at, word in enumerate(words[:end]):
            name, sign, value = word.partition("=")
            if name in self._leading:
                after = at + 1 if sign else at + 2
                first = [value] if sign else words[at + 1 : after]
                return [*first, *words[:at], *words[after:]]
        return list(words)


class RemoteParser(CommandParser):
    """Parser that neither prints nor ends the process; raises ``HelpRequest`` and ``Misuse``."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, width=_WIDTH)
        self.color = False  # from Python 3.14 on, help is coloured if this process has a terminal

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Raise ``Misuse`` rather than end the process."""
        raise Misuse(message or f"{self.prog}: {status}", self.prog)

    def print_help(self, file: Any = None) -> None:  # noqa: ARG002 - as it is inherited
        """Raise ``HelpRequest``."""
        raise HelpRequest(self.format_help())


def whole(text: str) -> int:
    """Parse a whole number.

    Raises:
        ArgumentTypeError: the text is anything else.
    """
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no whole number") from None


def decimal(text: str) -> float:
    """Parse a decimal number.

    Raises:
        ArgumentTypeError: the text is anything else.
    """
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no number") from None


def seed(text: str) -> int:
    """Parse the seed of a game.

    Raises:
        ArgumentTypeError: the text is no whole number, or has too many digits.
    """
    number = whole(text)
    if abs(number) >= 10**_SEED_DIGITS:
        raise argparse.ArgumentTypeError(f"a seed has at most {_SEED_DIGITS} digits")
    return number


def positive(text: str) -> int:
    """Parse a whole number that is at least 1.

    Raises:
        ArgumentTypeError: the text is anything else.
    """
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number


def port(text: str) -> int:
    """Parse a port number; 0 means any port.

    Raises:
        ArgumentTypeError, ValueError: the text is anything else.
    """
    number = int(text)
    if not 0 <= number <= _LAST_PORT:
        raise argparse.ArgumentTypeError(f"a port is from 0 to {_LAST_PORT}")
    return number


def minutes(text: str) -> float:
    """Parse a positive number of minutes, up to a year.

    Raises:
        ArgumentTypeError, ValueError: the text is anything else.
    """
    number = float(text)
    if not 0 < number <= _MINUTES_A_YEAR:
        raise argparse.ArgumentTypeError("it must be more than 0 minutes, and at most a year")
    return number


def game_number(text: str) -> int:
    """Parse the number of a game on a host: decimal digits, no sign.

    Raises:
        ArgumentTypeError: the text is anything else.
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no number of a game")
    return int(text)


def share(text: str) -> float:
    """Parse a share from 0 to 1, which may be written as ``10%``.

    Raises:
        ArgumentTypeError: the text is anything else.
    """
    number = decimal(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError("a share is from 0 to 1, or from 0% to 100%")
    return number


_CONVERTERS: Final[Mapping[str, Converter]] = {
    "int": whole,
    "float": decimal,
    "seed": seed,
    "positive": positive,
    "port": port,
    "minutes": minutes,
    "share": share,
    "game": game_number,
}
"""Converters by the type names in the table; converters from other modules go to ``parser``."""


# -- records ---------------------------------------------------------------------------------------


class ArgumentSpec(NamedTuple):
    """Argument of a command: its names, and its keywords for ``add_argument``."""

    names: tuple[str, ...]
    settings: Mapping[str, Any]
    is_needed: bool
    old: tuple[str, ...] = ()
    """Options that were its names once; they are accepted, but no help shows them."""

    @classmethod
    def read(
        cls,
        names: str,
        *,
        old: str = "",
        flag: bool = False,
        repeated: bool = False,
        **settings: Any,
    ) -> ArgumentSpec:
        """Build the argument from the keys of its row in ``commands.toml``."""
        is_optional = names.startswith("-") or settings.get("nargs") in {"?", "*"}
        is_needed = settings.pop("needed", settings.get("required", not is_optional))
        if settings.get("nargs") == "*":
            settings.setdefault("default", [])  # or argparse calls it required
        if flag:
            settings["action"] = "store_true"
        if repeated:
            settings |= {"action": "append", "default": []}
        return cls(tuple(names.split()), settings, is_needed, tuple(old.split()))

    @property
    def is_option(self) -> bool:
        """True for an option such as ``--seed``; False for a positional argument."""
        return self.names[0].startswith("-")

    @property
    def usage(self) -> str:
        """The argument in a usage line, in brackets if it is optional."""
        metavar = self.settings.get("metavar")
        words = (self.names[0], metavar) if self.is_option else (metavar or self.names[0],)
        text = " ".join(filter(None, words))
        return text if self.is_needed else f"[{text}]"


class ArgumentGroup(NamedTuple):
    """Arguments under a title; without a title, at most one of them may be given."""

    title: str
    arguments: tuple[ArgumentSpec, ...]


class CommandSpec(NamedTuple):
    """Command: its name, its purpose in a line, its arguments and examples."""

    name: str
    text: str
    arguments: tuple[ArgumentSpec | ArgumentGroup, ...] = ()
    examples: str = ""
    """Examples, as they are typed."""
    remark: str = ""
    """Sentence below the arguments."""
    commands: tuple[CommandSpec, ...] = ()
    """Subcommands; one must follow this command's name."""
    default: str = ""
    """Name of the subcommand to use if none is given; empty if one must be given."""

    @property
    def usage(self) -> str:
        """The command with its arguments, in one line."""
        given = (one.usage for one in self.arguments if isinstance(one, ArgumentSpec))
        return " ".join((self.name, *given))

    def parser(
        self,
        prog: str,
        kind: type[_Parser],
        converters: Mapping[str, Converter] | None = None,
        usage: str | None = None,
    ) -> _Parser:
        """Build a parser of the command.

        Args:
            prog: name of the command in its usage line and faults.
            kind: class of this parser and of those of ``commands``.
            converters: further types that arguments name.
            usage: usage line; None for the arguments, with options only summed up.
        """
        texts = self.help_texts(prog)
        parser = kind(prog=prog, **(texts if usage is None else texts | {"usage": usage}))
        self.declare(parser, {**_CONVERTERS, **(converters or {})})
        return parser

    def declare(self, parser: CommandParser, converters: Mapping[str, Converter]) -> None:
        """Add the arguments and subcommands to a parser; ``converters`` is by type name."""
        for name, converter in converters.items():
            parser.register("type", name, converter)
        for one in self.arguments:
            if isinstance(one, ArgumentSpec):
                parser.take(parser, one)
                continue
            group = (
                parser.add_argument_group(one.title)
                if one.title
                else parser.add_mutually_exclusive_group()
            )
            for each in one.arguments:
                parser.take(group, each)
        if not self.commands:
            return
        actions = parser.add_subparsers(
            dest="action", metavar="COMMAND", required=not self.default, prog=parser.prog
        )
        for command in self.commands:
            texts = command.help_texts(f"{parser.prog} {command.name}")
            sub = actions.add_parser(command.name, help=command.text, **texts)
            sub.takes_rest = False
            command.declare(sub, converters)
        parser.set_defaults(action=self.default)

    def help_texts(self, prog: str) -> dict[str, Any]:
        """Return the texts of the help as keywords for the constructor of a parser."""
        return {
            "usage": f"{prog} {self._summary()}".strip().replace("%", "%%"),
            "description": self.text,
            "examples": self.examples,
            "epilog": self.remark,
        }

    def _summary(self) -> str:
        """Return the arguments in a line; optional options are only summed up."""
        given = [one for one in self.arguments if isinstance(one, ArgumentSpec)]
        places = [one.usage for one in given if not one.is_option]
        needed = [one.usage for one in given if one.is_option and one.is_needed]
        more = ["[OPTIONS]"] if len(places) + len(needed) < len(self.arguments) else []
        names = (["[COMMAND]"] if self.default else ["COMMAND"]) if self.commands else []
        if any(one.settings.get("nargs") == "..." for one in given):
            return " ".join((*more, *needed, *places))
        return " ".join((*places, *needed, *more, *names))


# -- the table -------------------------------------------------------------------------------------


def find_command(commands: Iterable[CommandSpec], name: str) -> CommandSpec | None:
    """Return the command with this name, or None."""
    return next((one for one in commands if one.name == name), None)


def listed(commands: Iterable[CommandSpec]) -> str:
    """Return one text with the name and purpose of each command, a line each."""
    texts = {one.name: one.text for one in commands}
    width = max(map(len, texts))
    return "".join(f"  {name.ljust(width)}  {text}\n" for name, text in texts.items())


def _read_command(row: Mapping[str, Any], shared: Mapping[str, Any]) -> CommandSpec:
    fields = dict(row)
    fields["arguments"] = tuple(_read_argument(one, shared) for one in row.get("arguments", ()))
    fields["commands"] = tuple(_read_command(one, shared) for one in row.get("commands", ()))
    return CommandSpec(**fields)


def _read_argument(row: Any, shared: Mapping[str, Any]) -> ArgumentSpec | ArgumentGroup:
    found = shared[row] if isinstance(row, str) else row
    if "group" not in found:
        return ArgumentSpec.read(**found)
    inside = (shared[one] if isinstance(one, str) else one for one in found["arguments"])
    return ArgumentGroup(found["group"], tuple(ArgumentSpec.read(**one) for one in inside))


def _read(name: str) -> tuple[CommandSpec, ...]:
    return tuple(_read_command(row, _TABLE["shared"]) for row in _TABLE[name])


_TABLE: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

PROGRAM: Final = _read("program")
"""``banneret COMMAND``."""

SSH: Final = _read("ssh")
"""``ssh HOST COMMAND``."""

DEBUGGER: Final = _read("debugger")
"""The verbs of ``banneret debug SAVE VERB`` and of its prompt."""


@cache
def lab_verbs() -> tuple[CommandSpec, ...]:
    """Return the verbs of ``banneret lab``, from a table that only this command reads."""
    table = tomllib.loads(Path(__file__).with_name("lab.toml").read_text(encoding="utf-8"))
    shared = _TABLE["shared"] | table["shared"]
    return tuple(_read_command(row, shared) for row in table["lab"])


OPERATOR: Final = _read("operator")[0]
"""``banneret host admin COMMAND`` and ``ssh HOST admin COMMAND``."""
