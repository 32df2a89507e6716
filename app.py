"""The command line: connects engine, saves and clients; contains no rules.

``tui.console.commands`` lists the commands. All other imports wait until a command is chosen, so
that ``banneret --help`` answers at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from tui.console.commands import PROGRAM, CommandParser, CommandSpec, Misuse, find_command, listed

if TYPE_CHECKING:
    from pathlib import Path

    from engine.core.archive import Opened
    from saves.archive import Folder
    from study.debug.debugger import Debugger
    from tui.console.exits import Exit
    from tui.play.setup import NewGame
    from tui.screens.shell import MakeReasons

_LONGEST_FAULT = 1_000
"""Maximum characters of a fault message; files can hold words of any length."""

_LONGEST_MISUSE: Final = 500
"""Characters of wrong words above which they are cut, so that the help named last is seen."""

_NO_THREADS: Final = ("OPENBLAS_NUM_THREADS", "1")
"""Setting that keeps numpy from starting threads: nothing here multiplies matrices.

The threads would cost each process of the program a third of its start.
"""


_OF_TEXTUAL: Final = frozenset(
    {
        "TEXTUAL_ALLOW_SIGNALS",
        "TEXTUAL_ANIMATIONS",
        "TEXTUAL_DISABLE_KITTY_KEY",
        "TEXTUAL_DRIVER",
        "TEXTUAL_FPS",
    }
)
"""Settings of Textual that a player may need; all others are for developers.

Some of those end the program at a wrong value, press keys in it or write typed text to a file.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit code."""
    try:
        import banneret  # noqa: F401 - checks the system before anything else is loaded
    except ImportError as fault:
        from tui.console.exits import Exit

        return _fail(str(fault), Exit.USAGE)
    os.environ.setdefault(*_NO_THREADS)
    for name in {name for name in os.environ if name.startswith("TEXTUAL")} - _OF_TEXTUAL:
        del os.environ[name]
    words = list(sys.argv[1:] if argv is None else argv)
    if _asks_for_help(words):
        with contextlib.suppress(AttributeError, OSError):  # closed or full, which is said below
            sys.stdout.write(_overview())
            sys.stdout.flush()
            return 0
    return _guarded(words)


def _asks_for_help(words: list[str]) -> bool:
    return bool(words) and words[0] in ("-h", "--help")


def _overview() -> str:
    return (
        "usage: banneret [COMMAND] [ARGUMENTS]\n\n"
        "Classic turn-based war games in a terminal: play them, study them, script them.\n"
        "Without a command the title screen opens.\n\n"
        f"commands:\n{listed(PROGRAM)}\n"
        "'banneret COMMAND --help' tells more, with an example.\n"
    )


def _guarded(words: list[str]) -> int:
    """Run a subcommand; if its output cannot be written, that is one line and an exit code."""
    from tui.console.exits import Exit
    from tui.console.printing import Unwritable, let_go, tamed

    with tamed():
        try:
            code = _begun(words)
            sys.stdout.flush()
        except Unwritable as fault:
            code = _fail(str(fault), Exit.USAGE)
        except BrokenPipeError:
            sys.stderr.close()
            code = int(Exit.OK)
        finally:
            let_go(sys.stdout)
            let_go(sys.stderr)
    return code


def _begun(words: list[str]) -> int:
    """Run the subcommand that some words name, or write what the program answers without one."""
    if _asks_for_help(words):  # standard output was closed or full
        sys.stdout.write(_overview())
        return 0
    if words and words[0] == "--version":
        from saves.stamp import engine_version

        sys.stdout.write(f"banneret {engine_version()}\n")
        return 0
    name = "play" if not words or words[0].startswith("-") else words.pop(0)
    spec = find_command(PROGRAM, name)
    if spec is None:
        from tui.console.exits import Exit

        return _fail(f"there is no command {name[:40]!r}; see banneret --help", Exit.USAGE)
    return _answered(spec, words)


def _answered(spec: CommandSpec, words: list[str]) -> int:
    """Run a subcommand; every expected fault becomes one line and an exit code."""
    from threading import RLock

    from engine.core import codec
    from engine.core.archive import SaveFault
    from engine.core.replay import BrokenLog
    from study.farm.supervisor import FarmFault
    from tui.console.exits import Exit, Stuck, Wrong

    codec.share(RLock())
    try:
        return int(_dispatch(spec, words))
    except (Misuse, Wrong) as wrong:
        return _fail(_misused(wrong) if isinstance(wrong, Misuse) else str(wrong), Exit.USAGE)
    except (SaveFault, BrokenLog) as fault:
        return _fail(str(fault), Exit.DAMAGED)
    except (Stuck, FarmFault) as problem:
        return _fail(str(problem), Exit.STUCK if isinstance(problem, Stuck) else Exit.BROKEN)
    except KeyboardInterrupt:
        return _fail("interrupted", Exit.INTERRUPTED)
    except SystemExit as end:  # the parser has written its help
        return int(end.code or 0)


def _fail(text: str, code: Exit) -> int:
    from engine.core.printable import clipped, harmless

    line = " ".join(clipped(text, _LONGEST_FAULT).split())
    sys.stderr.write(f"banneret: {harmless(line)}\n")
    return int(code)


def _misused(misuse: Misuse) -> str:
    """Return a line about words that are no command, which names the command whose help to read."""
    from engine.core.printable import clipped

    name = misuse.prog.removeprefix("banneret ")
    return f"{name}: {clipped(str(misuse), _LONGEST_MISUSE)}; see {misuse.prog} --help"


def _dispatch(spec: CommandSpec, words: list[str]) -> Exit:
    if spec.name == "host" and "admin" in words:
        from host.server import admin

        if admin.is_for_operator(words):
            return admin.main(words)
    parser = spec.parser(f"banneret {spec.name}", CommandParser)
    is_mixed = spec.name == "calc"  # its options may be between the tool's arguments
    args = parser.parse_intermixed_args(words) if is_mixed else parser.parse_args(words)
    return HANDLERS[spec.name](args)


def _folder(args: Namespace) -> Folder:
    from pathlib import Path

    from saves.archive import Folder

    saves = getattr(args, "saves", None)
    return Folder(Path(saves) if saves else None)


def _on_screen(
    archive: Folder,
    glyphs: str | None,
    *,
    play: str | None = None,
    replay: str | None = None,
    new: NewGame | str | None = None,
) -> Exit:
    """Run the screen: with a saved game to play or replay, or a new one or the form of its ruleset.

    Raises:
        Wrong: there is no terminal.
    """
    from tui.console.exits import Exit, Wrong

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Wrong("this needs a terminal; 'banneret play --plain' plays without one")
    from tui.terminal.capabilities import is_poor

    if is_poor():
        ways = "'banneret play --plain SAVE', 'banneret dump SAVE' or 'banneret debug SAVE --plain'"
        raise Wrong(f"this terminal cannot show the screen; use {ways}")
    from tui.app import garbage

    garbage.rest()
    from tui.app.local import LocalApp, run

    app = LocalApp(archive, _reasons, open_name=play, replay_name=replay, start=new, glyphs=glyphs)
    return Exit(run(app))


def _reasons() -> MakeReasons:
    from study.screens.reasons import ReplayReasons

    return ReplayReasons


def _read(args: Namespace) -> Opened:
    """Read the save of a command; gaps in it are reported on standard error."""
    from tui.console.printing import warn

    opened = _folder(args).read(args.save)
    warn(args.save, opened.remarks)
    return opened


def _play(args: Namespace) -> Exit:
    from tui.console.faults import keep
    from tui.linemode import play_command

    archive = _folder(args)
    args.ruleset, args.save = play_command.opening(args.game, archive.find)
    if play_command.is_wanted(args):
        from study.debug.bundle import keeper

        return play_command.main(args, archive, keep, keeper(archive))
    new = play_command.start_of(args) if play_command.settings_in(args) else args.ruleset
    return _on_screen(archive, args.glyphs, play=args.save, new=new)


def _replay(args: Namespace) -> Exit:
    archive = _folder(args)
    archive.find(args.save)
    return _on_screen(archive, args.glyphs, replay=args.save)


def _run(args: Namespace) -> Exit:
    from study.debug.bundle import keeper
    from tui.console.faults import keep
    from tui.headless import run

    archive = _folder(args)
    return run.main(args, archive, keep, keeper(archive))


def _bot(args: Namespace) -> Exit:
    from tui.console.faults import keep
    from tui.headless import bot_protocol

    return bot_protocol.main(args, _folder(args), keep)


def _simulate(args: Namespace) -> Exit:
    from study.debug.bundle import keeper
    from study.lab import simulate
    from tui.console.exits import Exit

    return Exit(simulate.main(args, keeper(_folder(args))))


def _lab(args: Namespace) -> Exit:
    from saves.archive import Folder
    from saves.stamp import engine_version
    from study.lab import verbs

    def show(folder: Path, name: str, entry: int) -> Exit:
        from tui.app.local import LocalApp, run
        from tui.console.exits import Exit

        app = LocalApp(Folder(folder), _reasons, replay_name=name, replay_entry=entry)
        return Exit(run(app))

    return verbs.main(args.verb, verbs.LabPorts(Folder, engine_version(), show))


def _calc(args: Namespace) -> Exit:
    from tui.headless import questions

    return questions.main(args, _folder(args))


def _verify(args: Namespace) -> Exit:
    from engine.core.codec import encode_json, plain
    from saves.reader import check
    from tui.console.exits import Exit
    from tui.console.printing import say

    checked = check(_folder(args).read(args.save))
    verdict = checked.verdict
    if args.json:
        row = plain(checked)
        if verdict.divergence is not None:
            del row["verdict"]["divergence"]["seq"], row["verdict"]["divergence"]["event"]
            row["verdict"]["divergence"]["place"] = verdict.divergence.place
        sys.stdout.write(encode_json(row).decode() + "\n")
    else:
        agreed = f"{verdict.entries} entries and {verdict.marks} marks agree"
        told = verdict.divergence or ("" if checked.fault else agreed)
        say(*([f"{args.save}: {told}"] if told else []), *checked.remarks)
    if checked.fault:
        return Exit(_fail(f"{args.save}: {checked.fault}", Exit.DAMAGED))
    return Exit.OK if verdict.divergence is None else Exit.REFUSED


def _dump(args: Namespace) -> Exit:
    from engine.core.ids import REFEREE
    from engine.core.registry import find
    from engine.core.scenarios import names_in
    from engine.core.soundness import log_faults
    from saves.reader import as_json, as_text
    from tui.console.exits import Exit
    from tui.console.printing import say, say_json
    from tui.headless.questions import found
    from tui.play.seats import seat_named

    opened = _read(args)
    rules = find(opened.header.ruleset)
    with log_faults(rules, opened.log):
        names, seat = names_in(rules, opened.log), args.seat
        viewer = REFEREE if seat is None else seat_named(names, seat)
        if args.where is not None:
            lines = found(opened, args.where, viewer, json=args.json)
        else:
            lines = (as_json if args.json else as_text)(opened, viewer)
        for line in lines:
            (say_json if args.json else say)(line)
    return Exit.OK


def _debug(args: Namespace) -> Exit:
    from study.debug import prompt
    from tui.console.exits import Exit

    archive = _folder(args)

    def show(bench: Debugger, again: Callable[[], Debugger]) -> Exit:
        from study.screens.debugger import DebugScreen
        from tui.app.local import LocalApp, run

        return Exit(run(LocalApp(archive, _reasons, first=lambda: DebugScreen(bench, again))))

    return prompt.main(args, archive, show)


def _export(args: Namespace) -> Exit:
    from engine.core.registry import find
    from engine.core.soundness import log_faults
    from tui.app import export

    opened = _read(args)
    rules = find(opened.header.ruleset)
    with log_faults(rules, opened.log):
        return export.main(args, opened)


def _import(args: Namespace) -> Exit:
    from tui.headless import import_command

    return import_command.main(args, _folder(args))


def _saves(args: Namespace) -> Exit:
    from tui.console.files import is_folder
    from tui.console.printing import warn
    from tui.headless import saves_command

    if args.saves and not is_folder(args.saves):
        warn(args.saves, ["there is no such folder"])
    return saves_command.main(args, _folder(args))


def _schema(args: Namespace) -> Exit:
    from tui.headless import questions

    return questions.schema(args)


def _keys(args: Namespace) -> Exit:
    from tui.console.exits import Exit, Wrong
    from tui.settings.keymap import packs, printed
    from tui.settings.preferences import Preferences

    if args.packs:
        sys.stdout.write("\n".join(packs()) + "\n")
        return Exit.OK
    if args.pack is not None and args.pack not in packs():
        raise Wrong(f"there is no pack {args.pack!r}; there are {', '.join(packs())}")
    preferences = Preferences()
    preferences.read()
    name = args.pack or preferences.settings.keys
    sys.stdout.write(printed(name, preferences.keys_file, as_json=args.json))
    return Exit.OK


def _doctor(args: Namespace) -> Exit:
    from tui.app import test_card

    return test_card.doctor(args, lambda: _host_facts(args.folder))


def _host_facts(wanted: str | None) -> dict[str, str]:
    """Return facts about the host in a folder; SSH is loaded only if the host has a key."""
    from host.server.database import folder_of
    from tui.console.files import is_file

    folder = folder_of(wanted)
    if not is_file(folder / "host_key"):
        return {"host key": f"none in {folder} yet; 'banneret host' makes one"}
    from host.ssh.hostkey import told

    return told(folder)


def _host(args: Namespace) -> Exit:
    from host.server.database import folder_of
    from host.server.ports import Ports
    from host.ssh import serving
    from saves.archive import Folder
    from saves.reader import as_json, as_text
    from saves.stamp import engine_version
    from tui.console.faults import keep

    archive = Folder(folder_of(args.folder) / "games")
    ports = Ports(
        archive=archive,
        dump=as_text,
        dump_json=as_json,
        raw=lambda name: archive.find(name).read_bytes(),
        on_bug=keep,
        versions={"banneret": engine_version()},
    )
    return serving.main(args, ports)


def _report(args: Namespace) -> Exit:
    from tui.console.exits import Exit, Wrong
    from tui.console.faults import reports

    known = {path.stem: path for path in reports()}
    if args.name is None:
        sys.stdout.write("\n".join(known or ["no faults of the program were met"]) + "\n")
        return Exit.OK
    if args.name not in known:
        raise Wrong(f"there is no report {args.name!r}")
    text = known[args.name].read_text(encoding="utf-8")
    if args.save is None and args.output is None:
        sys.stdout.write(text)
        return Exit.OK
    if args.save is None or args.output is None:
        raise Wrong("--with SAVE and -o FILE.zip go together")
    from study.debug.bundle import reported

    sys.stdout.write(reported(_folder(args), args.save, text, args.output) + "\n")
    return Exit.OK


HANDLERS: dict[str, Callable[[Namespace], Exit]] = {
    "play": _play,
    "replay": _replay,
    "run": _run,
    "bot": _bot,
    "simulate": _simulate,
    "lab": _lab,
    "calc": _calc,
    "verify": _verify,
    "dump": _dump,
    "debug": _debug,
    "export": _export,
    "import": _import,
    "saves": _saves,
    "schema": _schema,
    "keys": _keys,
    "doctor": _doctor,
    "host": _host,
    "report": _report,
}


if __name__ == "__main__":
    sys.exit(main())
