"""What can be typed behind ``ssh HOST``: the commands, their arguments, their help."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from typing import Any, Final, NamedTuple, NoReturn

from tui.console.exits import Wrong
from tui.host.clocks import span

LONGEST: Final = 2_000
"""Most characters of a command."""

_MOST_DIGITS: Final = 9


class Told(Exception):
    """Instead of a command there is a text to be told: somebody asked for help."""


class Parser(argparse.ArgumentParser):
    """An argument parser that neither prints nor ends the process."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments."""
        raise Wrong(f"{message}; see help {self.prog}")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Never leave the process."""
        raise Wrong(message or f"{self.prog}: {status}")

    def print_help(self, file: Any = None) -> None:  # noqa: ARG002 - as it is inherited
        """Hand the help over instead of printing it."""
        raise Told(self.format_help())


class Command(NamedTuple):
    """A command: its name, how it is written, what it does in a line, an example."""

    name: str
    usage: str
    text: str
    example: str
    configure: Callable[[argparse.ArgumentParser], None]

    def parser(self) -> Parser:
        """Its parser."""
        parser = Parser(
            prog=self.name,
            usage=self.usage.replace("%", "%%"),
            description=self.text,
            epilog=f"example:\n  ssh HOST {self.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            exit_on_error=True,
        )
        self.configure(parser)
        return parser


def number(text: str) -> int:
    """The number of a game.

    Raises:
        ArgumentTypeError: it is none.
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no number of a game")
    return int(text)


def seconds(text: str) -> int:
    """The seconds of a span of time such as ``90s``, ``5m``, ``12h`` or ``1d``.

    Raises:
        ArgumentTypeError: it is none.
    """
    try:
        return span(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def _nothing(_parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def _help(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("about", nargs="?", metavar="COMMAND", help="tell more of this one")


def _status(parser: argparse.ArgumentParser) -> None:
    _json(parser)


def _games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mine", action="store_true", help="only where you have a seat")
    parser.add_argument("--open", action="store_true", help="only with free seats")
    _json(parser)
    _ascii(parser)


def _watch(parser: argparse.ArgumentParser) -> None:
    _game(parser)
    parser.add_argument("--seat", metavar="NAME", help="with the eyes of your seat")
    parser.add_argument("--from-start", action="store_true", help="tell first what happened before")
    _ascii(parser)


def _dump(parser: argparse.ArgumentParser) -> None:
    _game(parser)
    parser.add_argument("--seat", metavar="NAME", help="which of your seats")
    _json(parser)
    _ascii(parser)


def _save(parser: argparse.ArgumentParser) -> None:
    _game(parser)


def _bot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", type=number, required=True, metavar="N", help="which game")
    parser.add_argument("--seat", required=True, metavar="NAME", help="your seat, or a free one")


def _new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ruleset", metavar="RULESET", help="which game")
    parser.add_argument("--scenario", default="", metavar="NAME", help="default: the usual one")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated"
    )
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="NAME=bot:LEVEL",
        help="or NAME=person; may be repeated; default: you against computers",
    )
    parser.add_argument("--name", default="", metavar="NAME", help="what the game is called")
    parser.add_argument(
        "--turn", type=seconds, default=0, metavar="TIME", help="for each turn: 90s, 5m, 12h, 1d"
    )
    parser.add_argument(
        "--bank", type=seconds, default=0, metavar="TIME", help="for all that turns take longer"
    )
    parser.add_argument(
        "--late", default="", metavar="LEVEL", help="computer player that takes over; the weakest"
    )
    parser.add_argument(
        "--unwatched", action="store_true", help="only those may watch whom a player lends eyes"
    )


def _sit(parser: argparse.ArgumentParser) -> None:
    _game(parser)
    parser.add_argument("seat", metavar="SEAT", help="its name or number")


def _stand(parser: argparse.ArgumentParser) -> None:
    _sit(parser)
    parser.add_argument("--bot", default="", metavar="LEVEL", help="this computer player goes on")


def _say(parser: argparse.ArgumentParser) -> None:
    _game(parser)
    parser.add_argument("text", nargs=argparse.REMAINDER, metavar="TEXT")


def _clock(parser: argparse.ArgumentParser) -> None:
    _game(parser)
    parser.add_argument("turn", type=seconds, metavar="TIME", help="for each turn; 0: none")
    parser.add_argument(
        "bank", nargs="?", type=seconds, default=0, metavar="BANK", help="for what turns take more"
    )


def _play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plain", action="store_true", help="in lines of text")
    parser.add_argument("game", nargs="?", type=number, metavar="N", help="which game")
    _ascii(parser)


def _admin(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="...")


def _game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=number, metavar="N", help="the number that games lists")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def _ascii(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ascii", action="store_true", help="ASCII only")


COMMANDS: Final[tuple[Command, ...]] = (
    Command("help", "help [COMMAND]", "what can be done here", "help watch", _help),
    Command(
        "status", "status [--json]", "how the host is, and who is here", "status --json", _status
    ),
    Command("whoami", "whoami", "who you are here", "whoami", _nothing),
    Command(
        "games",
        "games [--mine] [--open] [--json]",
        "the games on this host",
        "games --open",
        _games,
    ),
    Command(
        "new",
        "new RULESET [--scenario NAME] [--option NAME=VALUE] [--seat NAME=bot:LEVEL|person]"
        " [--name NAME] [--turn TIME] [--bank TIME] [--late LEVEL] [--unwatched]",
        "begin a game",
        "new weltendaemmerung --scenario ford --seat Dailor=person",
        _new,
    ),
    Command("sit", "sit N SEAT", "take a free seat, or your own back", "sit 3 Dailor", _sit),
    Command(
        "stand",
        "stand N SEAT [--bot LEVEL]",
        "give your seat up, to a computer player or to whoever comes",
        "stand 3 Dailor --bot easy",
        _stand,
    ),
    Command("say", "say N TEXT", "say something to all in a game", "say 3 Back in an hour.", _say),
    Command(
        "clock",
        "clock N TIME [BANK]",
        "change the times of a game that you began, from the next turn on",
        "clock 3 12h 2d",
        _clock,
    ),
    Command(
        "play",
        "play --plain [N] [--ascii]",
        "play in lines of text; without a command the screen opens",
        "play --plain 3",
        _play,
    ),
    Command(
        "bot",
        "bot --game N --seat NAME",
        "let a program play your seat: the bot protocol on its input and output",
        "bot --game 3 --seat Dailor",
        _bot,
    ),
    Command(
        "watch",
        "watch N [--seat NAME] [--from-start] [--ascii]",
        "what happens in a game, as it happens",
        "watch 3 --from-start",
        _watch,
    ),
    Command(
        "dump",
        "dump N [--seat NAME] [--json] [--ascii]",
        "a game as text: what your seat was told, or everything once it is over",
        "dump 3 --json",
        _dump,
    ),
    Command("save", "save N", "the file of a game that is over", "save 3 > game.bnr", _save),
    Command(
        "admin",
        "admin COMMAND ...",
        "for administrators; admin --help lists more",
        "admin list",
        _admin,
    ),
)


def parse(command: str) -> argparse.Namespace:
    """A command with its arguments; ``command`` is its name.

    Raises:
        Wrong: it is none.
        Told: it only asks for help.
    """
    if len(command) > LONGEST:
        raise Wrong(f"a command may have {LONGEST} characters; see help")
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise Wrong(f"{str(problem).lower().rstrip('.')}; see help") from None
    if not words or words[0] in ("-h", "--help"):
        raise Told(overview())
    found = find(words[0])
    args = argparse.Namespace(command=found.name)
    if found.name == "admin":
        args.words = words[1:]
        return args
    try:
        return found.parser().parse_args(words[1:], args)
    except argparse.ArgumentError as problem:
        raise Wrong(f"{problem}; see help {found.name}") from None


def find(name: str) -> Command:
    """A command by its name.

    Raises:
        Wrong: there is none.
    """
    for one in COMMANDS:
        if one.name == name:
            return one
    if name == "scp":
        raise Wrong("the old protocol of scp is not spoken here; use scp without -O, or sftp")
    raise Wrong(f"there is no command {name[:30]!r}; help lists them")


def overview() -> str:
    """All commands, each in a line."""
    width = max(len(one.name) for one in COMMANDS)
    listed = "".join(f"  {one.name.ljust(width)}  {one.text}\n" for one in COMMANDS)
    return (
        "usage: ssh HOST [COMMAND ...]\n\n"
        "Without a command the screen opens (from a terminal).\n\n"
        f"commands:\n{listed}\n"
        "'help COMMAND' tells more, with an example. Files: sftp HOST, scp HOST:/README.txt .\n"
    )
