"""The command line: plugs engine, saves and clients together; contains no rules.

Nothing is imported before a subcommand is chosen, so that ``banneret --help`` answers at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.core.archive import Opened
    from engine.core.ruleset import AnyRuleset
    from saves.archive import Folder
    from tui.console.exits import Exit

Configure = Callable[[argparse.ArgumentParser], None]

COMMANDS = {
    "play": "play in the terminal, or in lines of text (what happens without a subcommand)",
    "replay": "walk through a saved game",
    "run": "play a script without a screen",
    "bot": "serve a game to a program on stdin and stdout",
    "simulate": "let computer players play many games",
    "calc": "ask about a position: reach, prices, forecasts",
    "verify": "decide a saved game again and name the first difference",
    "dump": "print a saved game as text or JSON lines",
    "export": "write a position, recording, drawing or data of a saved game",
    "import": "make a scenario of a foreign file",
    "saves": "list, show, rename, delete and repair saved games",
    "schema": "print the JSON Schema of a ruleset",
    "keys": "print all keys as they are set",
    "doctor": "print what was found out about this machine and terminal",
    "host": "let people play over SSH",
    "report": "list faults of the program that were met, and show one",
}


_LONGEST_FAULT = 1_000
"""Most characters of what is said about a fault; files can hold words of any length."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] in ("-h", "--help"):
        sys.stdout.write(_overview())
        return 0
    if words and words[0] == "--version":
        from saves.stamp import engine_version

        sys.stdout.write(f"banneret {engine_version()}\n")
        return 0
    name = "play" if not words or words[0].startswith("-") else words.pop(0)
    if name not in COMMANDS:
        from tui.console.exits import Exit

        return _fail(f"there is no command {name!r}; see banneret --help", Exit.USAGE)
    return _guarded(name, words)


def _overview() -> str:
    width = max(map(len, COMMANDS))
    listed = "".join(f"  {name.ljust(width)}  {text}\n" for name, text in COMMANDS.items())
    return (
        "usage: banneret [COMMAND] [ARGUMENTS]\n\n"
        "Classic turn-based war games in a terminal: play them, study them, script them.\n"
        "Without a command the title screen opens.\n\n"
        f"commands:\n{listed}\n"
        "'banneret COMMAND --help' tells more, with an example.\n"
    )


def _guarded(name: str, words: list[str]) -> int:
    """Run a subcommand; every expected fault becomes one line and an exit code."""
    from tui.console.printing import tamed

    with tamed():
        return _answered(name, words)


def _answered(name: str, words: list[str]) -> int:
    from threading import RLock

    from engine.core import codec
    from engine.core.archive import SaveFault
    from engine.core.replay import BrokenLog
    from tui.console.exits import Exit, Stuck, Wrong

    codec.share(RLock())
    try:
        code = _dispatch(name, words)
        sys.stdout.flush()
        return int(code)
    except Wrong as wrong:
        return _fail(str(wrong), Exit.USAGE)
    except (SaveFault, BrokenLog) as fault:
        return _fail(str(fault), Exit.DAMAGED)
    except Stuck as stuck:
        return _fail(str(stuck), Exit.STUCK)
    except KeyboardInterrupt:
        return _fail("interrupted", Exit.INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        return int(Exit.OK)


def _fail(text: str, code: Exit) -> int:
    from engine.core.printable import clipped, harmless

    line = " ".join(clipped(text, _LONGEST_FAULT).split())
    sys.stderr.write(f"banneret: {harmless(line)}\n")
    return int(code)


def _dispatch(name: str, words: list[str]) -> Exit:
    return HANDLERS[name](words)


def _parser(name: str, example: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"banneret {name}",
        description=COMMANDS[name],
        epilog=example,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--saves", metavar="DIR", help="where saved games are, if not as usual")
    return parser


def _folder(args: argparse.Namespace) -> Folder:
    from pathlib import Path

    from saves.archive import Folder

    return Folder(Path(args.saves) if args.saves else None)


def _needs_terminal() -> None:
    from tui.console.exits import Wrong

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Wrong("this needs a terminal; 'banneret play --plain' plays without one")


def _play(words: list[str]) -> Exit:
    from tui.linemode import play_command

    parser = _parser("play", play_command.EXAMPLE)
    parser.add_argument("save", nargs="?", help="go on with this saved game at once")
    parser.add_argument("--glyphs", choices=("rich", "box", "ascii"), help="how the map is drawn")
    play_command.configure(parser)
    args = parser.parse_args(words)
    archive = _folder(args)
    if args.save is not None:
        archive.find(args.save)
    if play_command.is_wanted(args):
        from tui.console.faults import keep

        return play_command.main(args, archive, keep)
    _needs_terminal()
    from tui.app import garbage

    garbage.rest()
    from tui.app.local import run
    from tui.console.exits import Exit

    return Exit(run(archive, open_name=args.save, glyphs=args.glyphs))


def _replay(words: list[str]) -> Exit:
    parser = _parser("replay", "example:\n  banneret replay 'The Ford'")
    parser.add_argument("save", help="which saved game")
    parser.add_argument("--glyphs", choices=("rich", "box", "ascii"), help="how the map is drawn")
    args = parser.parse_args(words)
    archive = _folder(args)
    archive.find(args.save)
    _needs_terminal()
    from tui.app import garbage

    garbage.rest()
    from tui.app.local import run
    from tui.console.exits import Exit

    return Exit(run(archive, replay_name=args.save, glyphs=args.glyphs))


def _run(words: list[str]) -> Exit:
    from tui.console.faults import keep
    from tui.headless import run

    parser = _parser("run", run.EXAMPLE)
    run.configure(parser)
    args = parser.parse_args(words)
    return run.main(args, _folder(args), keep)


def _bot(words: list[str]) -> Exit:
    from tui.console.faults import keep
    from tui.headless import bot_command

    parser = _parser("bot", bot_command.EXAMPLE)
    bot_command.configure(parser)
    args = parser.parse_args(words)
    return bot_command.main(args, _folder(args), keep)


def _simulate(words: list[str]) -> Exit:
    from tui.console.exits import Exit
    from tui.headless import simulate

    parser = _parser(
        "simulate", "example:\n  banneret simulate weltendaemmerung --scenario ford --games 20"
    )
    simulate.configure(parser)
    return Exit(simulate.main(parser.parse_args(words)))


def _calc(words: list[str]) -> Exit:
    from tui.headless import calc

    parser = _parser("calc", calc.EXAMPLE)
    calc.configure(parser)
    args = parser.parse_intermixed_args(words)
    return calc.main(args, _folder(args))


def _verify(words: list[str]) -> Exit:
    from engine.core.codec import encode_json
    from saves.checking import check
    from tui.console.exits import Exit
    from tui.console.printing import say

    parser = _parser("verify", "example:\n  banneret verify 'The Ford'")
    parser.add_argument("save", help="name of a saved game, or a file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(words)
    checked = check(_folder(args).read(args.save))
    verdict = checked.verdict
    if args.json:
        sys.stdout.write(encode_json(checked).decode() + "\n")
    else:
        found = verdict.divergence
        told = (
            f"{args.save}: {found}"
            if found is not None
            else f"{args.save}: {verdict.entries} entries and {verdict.marks} marks agree"
        )
        say(told, *checked.remarks)
    return Exit.OK if verdict.divergence is None else Exit.REFUSED


def _dump(words: list[str]) -> Exit:
    from engine.core.ids import REFEREE
    from engine.core.registry import find
    from engine.core.seating import names_in
    from engine.core.soundness import log_faults
    from saves.dump import as_json, as_text
    from tui.console.exits import Exit
    from tui.console.printing import say, say_json
    from tui.play.seats import seat_named

    parser = _parser("dump", "example:\n  banneret dump 'The Ford' --seat Eldoin")
    parser.add_argument("save", help="name of a saved game, or a file")
    parser.add_argument("--seat", metavar="NAME", help="only what this seat was told")
    parser.add_argument("--json", action="store_true", help="JSON lines")
    parser.add_argument("--where", metavar="QUERY", help="only moments like 'loss and round > 3'")
    args = parser.parse_args(words)
    opened = _folder(args).read(args.save)
    rules = find(opened.header.ruleset)
    with log_faults(rules, opened.log):
        viewer = seat_named(names_in(rules, opened.log), args.seat) if args.seat else REFEREE
        if args.where is not None:
            from tui.headless.query_command import found

            lines = found(opened, args.where, viewer, json=args.json)
        else:
            lines = (as_json if args.json else as_text)(opened, viewer)
        for line in lines:
            (say_json if args.json else say)(line)
    return Exit.OK


def _export(words: list[str]) -> Exit:
    from engine.core.registry import find
    from engine.core.soundness import log_faults
    from tui.app import export

    parser = _parser("export", export.EXAMPLE)
    parser.add_argument("save", help="name of a saved game, or a file")
    parser.add_argument("--at", type=int, metavar="N", help="after entry N; default: the last")
    export.configure(parser)
    args = parser.parse_args(words)
    opened = _folder(args).read(args.save)
    rules = find(opened.header.ruleset)
    with log_faults(rules, opened.log):
        return _exported(args, opened, rules)


def _exported(args: argparse.Namespace, opened: Opened, rules: AnyRuleset) -> Exit:
    from engine.core.replay import fold
    from engine.core.scenarios import dump
    from tui.app import export
    from tui.console.exits import Exit, Wrong

    if args.format != "position":
        return export.main(args, opened)
    if args.at is not None and not 0 <= args.at < len(opened.log):
        raise Wrong(f"{args.save}: no entry {args.at}; it has 0 to {len(opened.log) - 1}")
    sys.stdout.write(dump(rules.position(fold(rules, opened.log.line(args.at)))) + "\n")
    return Exit.OK


def _import(words: list[str]) -> Exit:
    from tui.headless import import_command

    parser = _parser("import", import_command.EXAMPLE)
    import_command.configure(parser)
    args = parser.parse_args(words)
    return import_command.main(args, _folder(args))


def _saves(words: list[str]) -> Exit:
    from tui.play import saves_command

    parser = _parser("saves", saves_command.EXAMPLE)
    saves_command.configure(parser)
    args = parser.parse_args(words)
    return saves_command.main(args, _folder(args))


def _schema(words: list[str]) -> Exit:
    import json

    from engine.core.schema import published
    from tui.console.exits import Exit
    from tui.play.scenarios import find_rules

    parser = _parser("schema", "example:\n  banneret schema weltendaemmerung > schema.json")
    parser.add_argument("ruleset", help="which game")
    args = parser.parse_args(words)
    text = json.dumps(published(find_rules(args.ruleset)), indent=1, ensure_ascii=False)
    sys.stdout.write(text + "\n")
    return Exit.OK


def _keys(words: list[str]) -> Exit:
    parser = _parser("keys", "example:\n  banneret keys --pack vi")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--pack", metavar="NAME", help="keys of this pack, if not as it is set")
    parser.add_argument("--packs", action="store_true", help="list the packs and stop")
    args = parser.parse_args(words)
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
    sys.stdout.write(printed(args.pack or preferences.settings.keys, as_json=args.json))
    return Exit.OK


def _doctor(words: list[str]) -> Exit:
    from engine.core.codec import encode_json
    from tui.app.test_card import card, drawn_with, used
    from tui.console.exits import Exit
    from tui.console.printing import raw
    from tui.headless.doctor import facts
    from tui.settings.preferences import Preferences
    from tui.terminal.capabilities import here

    parser = _parser("doctor", "example:\n  banneret doctor --json\n  banneret doctor --card")
    parser.add_argument("--folder", metavar="DIR", help="of the host whose key to tell")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--card", action="store_true", help="print colours and signs to look at")
    args = parser.parse_args(words)
    preferences, terminal = Preferences(), here()
    preferences.read()
    if args.card:
        raw(sys.stdout).write(card(*drawn_with(terminal, preferences)))
        return Exit.OK
    found = facts() | used(terminal, preferences) | _host_facts(args.folder)
    if args.json:
        sys.stdout.write(encode_json(found).decode() + "\n")
        return Exit.OK
    width = max(map(len, found))
    for name, value in found.items():
        sys.stdout.write(f"{name.ljust(width)}  {value}\n")
    return Exit.OK


def _host_facts(wanted: str | None) -> dict[str, str]:
    """The key of a host, the usual one or that in a folder; SSH is loaded only if it has one."""
    from tui.host.folder import folder_of

    folder = folder_of(wanted)
    if not (folder / "host_key").is_file():
        return {"host key": "none yet; 'banneret host' makes one"}
    from tui.ssh.hostkey import told

    return told(folder)


def _report(words: list[str]) -> Exit:
    from tui.console.exits import Exit, Wrong
    from tui.console.faults import reports

    parser = _parser("report", "example:\n  banneret report\n  banneret report fault-0001")
    parser.add_argument("name", nargs="?", help="print this report; without it, list all")
    args = parser.parse_args(words)
    known = {path.stem: path for path in reports()}
    if args.name is None:
        sys.stdout.write("\n".join(known or ["no faults of the program were met"]) + "\n")
        return Exit.OK
    if args.name not in known:
        raise Wrong(f"there is no report {args.name!r}")
    sys.stdout.write(known[args.name].read_text(encoding="utf-8"))
    return Exit.OK


def _host(words: list[str]) -> Exit:
    from tui.ssh import serving

    if words[:1] == ["admin"]:
        return serving.order(words[1:])
    from saves.archive import Folder
    from saves.dump import as_json, as_text
    from saves.stamp import engine_version
    from tui.console.faults import keep
    from tui.host.folder import folder_of
    from tui.host.ports import Ports

    parser = argparse.ArgumentParser(
        prog="banneret host",
        description=COMMANDS["host"],
        epilog=serving.EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    serving.configure(parser)
    args = parser.parse_args(words)
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


HANDLERS: dict[str, Callable[[list[str]], Exit]] = {
    "play": _play,
    "replay": _replay,
    "run": _run,
    "bot": _bot,
    "simulate": _simulate,
    "calc": _calc,
    "verify": _verify,
    "dump": _dump,
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
