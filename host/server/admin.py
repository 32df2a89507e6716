"""Operator's commands: ``banneret host admin``, and ``ssh HOST admin`` for administrators."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from engine.core.codec import encode_json, plain
from host.server.accounts import MOST_HOURS
from host.server.cleaning import BadName, cells, clean, guest_called
from host.server.database import STORE, Missing, StoreFault, folder_of
from host.server.folder_lock import host_runs
from host.server.gamebook import GameRow, stored_in
from host.server.people import GUEST, Account, Person
from host.server.rate_limits import BadLimit, HostLimits
from host.server.security import SecurityLog
from host.server.store import Store
from tui.console.commands import OPERATOR, CommandParser, HelpRequest, Misuse, RemoteParser
from tui.console.exits import Exit, Wrong
from tui.console.printing import columns

_TO_HOST: Final = frozenset({"kick", "stop"})
"""Commands that only a running host can carry out."""

_ON_MACHINE: Final = f"banneret host {OPERATOR.name}"
_NO_ADMIN: Final = "No administrator is left: the host prints a code for one when it starts again."
_MOST_WORDS: Final = 64
_MOST_IN_LINE: Final = 200


def admin(
    words: Sequence[str],
    store: Store,
    by: str,
    log: SecurityLog | None = None,
    prog: str = OPERATOR.name,
    *,
    is_running: bool = True,
) -> tuple[Exit, list[str]]:
    """Run one of the operator's commands; never print, and return mistakes in the words.

    The caller has checked that ``by`` may give such commands.

    Args:
        words: the command and its arguments.
        store: the store of the host.
        by: name of the administrator who gives it; empty for the operator of the machine.
        log: where it is noted.
        prog: command line before the words.
        is_running: False if no host runs, so that orders to it are refused.

    Returns:
        The exit code, and lines to print; on standard error unless the code is OK.
    """
    if log is not None:
        log.note("admin", " ".join(words[:_MOST_WORDS]), name=by or "operator")

    def run(args: argparse.Namespace) -> list[str]:
        if not is_running:
            _refuse_orders(args.action)
        args.is_running = is_running
        return COMMANDS[args.action](args, store, by)

    return _answered(words, prog, run)


def _answered(
    words: Sequence[str], prog: str, run: Callable[[argparse.Namespace], list[str]]
) -> tuple[Exit, list[str]]:
    """Parse words and run the command; return the exit code and lines to print."""
    try:
        return Exit.OK, run(_parsed(words[:_MOST_WORDS], prog))
    except HelpRequest as told:
        return Exit.OK, str(told).splitlines()
    except Misuse as wrong:
        hint = f"; see {wrong.prog or prog} --help"
        return Exit.USAGE, [clean(str(wrong), _MOST_IN_LINE - len(hint)) + hint]
    except (_No, BadLimit, BadName, Missing) as wrong:
        return Exit.REFUSED, [clean(str(wrong), _MOST_IN_LINE)]
    except StoreFault as fault:
        return Exit.DAMAGED, [str(fault)]


def is_for_operator(words: Sequence[str]) -> bool:
    """Return whether words after ``banneret host`` are an operator's command."""
    return _without_folder(words)[1][:1] == [OPERATOR.name]


def main(words: Sequence[str]) -> Exit:
    """Run an operator's command on the machine, also while the host runs.

    Args:
        words: all words after ``banneret host``; ``--folder DIR`` may be anywhere.

    Raises:
        Misuse: ``--folder`` has no value.
        Wrong: no host has used the folder, or it cannot be used.
    """
    wanted, words = _without_folder(words)
    code, lines = _on_machine(words[1:], wanted)
    stream, head = (sys.stdout, "") if code is Exit.OK else (sys.stderr, "banneret: ")
    stream.write("".join(f"{head}{line}\n" for line in lines))
    return code


def _without_folder(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the folder that words name, and the other words."""
    parser = CommandParser(prog=_ON_MACHINE, add_help=False)
    parser.add_argument("--folder", metavar="DIR")
    found, rest = parser.parse_known_args(list(words))
    return found.folder, rest


def _on_machine(words: Sequence[str], wanted: str | None) -> tuple[Exit, list[str]]:
    """Run a command on the store in a folder, by default the usual one; help needs no store."""
    folder = folder_of(wanted)

    def refuse(_args: argparse.Namespace) -> list[str]:
        begin = f"banneret host --folder {shlex.quote(wanted)}" if wanted else "banneret host"
        raise Wrong(f"no host has used the folder {folder} yet; '{begin}' begins one there")

    try:
        if not (folder / STORE).is_file():
            return _answered(words, _ON_MACHINE, refuse)
        store = Store.open(folder / STORE)
    except OSError as problem:
        raise Wrong(f"{folder}: {problem.strerror}") from None
    except StoreFault as fault:
        raise Wrong(str(fault)) from None
    try:
        log = SecurityLog(folder / "security.log")
        return admin(words, store, "", log, _ON_MACHINE, is_running=host_runs(folder))
    finally:
        store.close()


class _No(Exception):
    """The command is refused."""


def _refuse_orders(action: str) -> None:
    """Raise ``_No`` if a command is an order to the running host."""
    if action in _TO_HOST:
        raise _No("No host is running with this folder.")


def _parsed(words: Sequence[str], prog: str) -> argparse.Namespace:
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        raise Misuse(f"There is no command {words[0]}")
    return OPERATOR.parser(prog, RemoteParser, {"hours": _hours}).parse_args(list(words))


def _invite(args: argparse.Namespace, store: Store, by: str) -> list[str]:
    person = None if args.name is None else _who(store, args.name).number
    giver = store.called(by) if by else None
    code = store.invite(
        giver.number if giver else GUEST, args.hours, admin=args.admin, person=person
    )
    expires = store.invited(code).expires
    if args.json:
        return _json({"code": code, "expires": expires})
    return [code, f"Good once, until {_when(expires)} UTC. It is not kept, so copy it now."]


def _invites(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    found = store.invites()
    if args.json:
        return _json(found)
    names = {account.person.number: account.person.name for account in store.people()}
    rows = [
        (
            str(row.number),
            _when(row.expires),
            names.get(row.by, "operator"),
            "an administrator" if row.is_admin else "",
            "" if row.person is None else f"a key of {names.get(row.person, '?')}",
        )
        for row in found
    ]
    return _table(("number", "until (UTC)", "by", "makes", "adds"), rows, "no open invitations")


def _withdraw(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    store.withdraw(_number(args.number))
    return ["The code is good no longer."]


def _list(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    accounts = store.people()
    if args.json:
        return _json(accounts)
    rows = [
        (
            str(account.person.number),
            account.person.name,
            _when(account.seen),
            str(len(account.keys)),
            _remarks(account),
        )
        for account in accounts
    ]
    return _table(("number", "name", "seen (UTC)", "keys", ""), rows, "nobody has an account yet")


def _keys(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    whose = _who(store, args.name).number
    found = [row for row in store.keyring() if row.person == whose]
    if args.json:
        return _json(found)
    rows = [
        (row.key.fingerprint, row.key.algorithm, _when(row.used), row.key.comment) for row in found
    ]
    return _table(("fingerprint", "algorithm", "used (UTC)", "comment"), rows, "no keys")


def _remove_key(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    fingerprint = clean(args.fingerprint, _MOST_IN_LINE)
    whose = next(
        (row.person for row in store.keyring() if row.key.fingerprint == fingerprint), None
    )
    store.remove_key(fingerprint)
    if whose is not None:
        store.order("kick", whose)  # the key's thief may be connected
    return ["The key is gone, and sessions of its owner end."]


def _rename(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    who = _who(store, args.name)
    name = store.rename(who.number, args.new).name
    store.order("rename", who.number)
    return [f"{who.name} is called {name} now."]


def _ban(args: argparse.Namespace, store: Store, by: str) -> list[str]:
    who = _other(store, args.name, by)
    store.ban(who.number, " ".join(args.reason))
    store.order("kick", who.number)
    return [f"{who.name} is kept out.", *([] if store.has_admin() else [_NO_ADMIN])]


def _unban(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    who = _who(store, args.name)
    store.unban(who.number)
    return [f"{who.name} may come again."]


def _kick(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    guest = guest_called(args.name)
    if guest is not None:
        store.order("kick", guest)
        return [f"Sessions of {args.name if guest else 'all guests who only watch'} end."]
    who = _who(store, args.name)
    store.order("kick", who.number)
    return [f"Sessions of {who.name} end."]


def _make_admin(args: argparse.Namespace, store: Store, by: str) -> list[str]:
    if not args.undo:
        who = _who(store, args.name)
        store.set_admin(who.number)
        store.order("rights", who.number)
        return [f"{who.name} is an administrator now."]
    who = _other(store, args.name, by)
    store.set_admin(who.number, is_admin=False)
    store.order("rights", who.number)
    return [f"{who.name} is no administrator any more; open sessions go on."]


def _limits(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    changes = [change.partition("=") for change in args.changes]
    for name, sign, value in changes:  # all of them or none
        if not sign:
            raise _No(f"A limit is set as NAME=VALUE, not as {name}.")
        HostLimits().changed(name, value or HostLimits().texts().get(name, ""))
    for name, _, value in changes:
        store.set_limits(name, value)
    if changes:
        store.order("limits")
    limits = store.limits().texts()
    if args.json:
        return _json(limits)
    usual = HostLimits().texts()
    rows = [
        (name, value, "" if value == usual[name] else f"(default {usual[name]})")
        for name, value in limits.items()
    ]
    return _table(("limit", "value", ""), rows, "")


def _games(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    all_seats = store.all_seats()
    games = store.games()
    if args.json:
        return _json(
            [
                {
                    "number": game.number,
                    "save": game.save,
                    "owner": game.owner,
                    "made": game.made,
                    "finished": game.is_finished,
                    "closed": stored_in(game.terms).is_away,
                    "seats": {
                        str(seat): who for seat, who in all_seats.get(game.number, {}).items()
                    },
                }
                for game in games
            ]
        )
    names = {account.person.number: account.person.name for account in store.people()}
    rows = [
        (
            str(game.number),
            game.save,
            _stage(game, store.path.parent / "games"),
            ", ".join(
                f"{seat}: {names.get(who, '?')}"
                for seat, who in sorted(all_seats.get(game.number, {}).items())
            ),
        )
        for game in games
    ]
    return _table(("number", "save", "", "people"), rows, "no games")


def _stage(game: GameRow, saves: Path) -> str:
    if stored_in(game.terms).is_away:
        return "closed"
    if saves.is_dir() and not (saves / f"{game.save}.bnr").is_file():
        return "its save is missing"
    return "finished" if game.is_finished else ""


def _close(args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    number = _number(args.game)
    game = next((game for game in store.games() if game.number == number), None)
    if game is None:
        raise _No("There is no game of that number.")
    if stored_in(game.terms).is_away:
        raise _No("That game is closed already.")
    store.order("close", number)
    when = "now" if args.is_running else "when the host starts, as none runs now"
    return [f"Game {number} is closed {when}; its save {game.save} stays."]


def _stop(_args: argparse.Namespace, store: Store, _by: str) -> list[str]:
    store.order("stop")
    return ["The host stops."]


COMMANDS: Final[dict[str, Callable[[argparse.Namespace, Store, str], list[str]]]] = {
    "invite": _invite,
    "invites": _invites,
    "withdraw": _withdraw,
    "list": _list,
    "keys": _keys,
    "remove-key": _remove_key,
    "rename": _rename,
    "ban": _ban,
    "unban": _unban,
    "kick": _kick,
    "make-admin": _make_admin,
    "limits": _limits,
    "games": _games,
    "close": _close,
    "stop": _stop,
}


def _who(store: Store, name: str) -> Person:
    found = store.called(name)
    if found is None:
        raise _No(f"There is nobody called {name}.")
    return found


def _other(store: Store, name: str, by: str) -> Person:
    """Return the named person; refuse ``by``, so that no administrator locks themselves out."""
    found = _who(store, name)
    if by and found == store.called(by):
        raise _No("That is yourself.")
    return found


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Misuse(f"{text} is no number")
    return int(text)


def _hours(text: str) -> float:
    hours = float(text)
    if not 0 < hours <= MOST_HOURS:
        raise argparse.ArgumentTypeError(f"at most {MOST_HOURS} hours, and more than none")
    return hours


def _remarks(account: Account) -> str:
    admin = "administrator" if account.person.is_admin else ""
    ban = f"banned: {account.ban}" if account.ban else ""
    return ", ".join(filter(None, (admin, ban)))


def _when(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds)) if seconds else "never"


def _json(value: Any) -> list[str]:
    return [encode_json(plain(value)).decode()]


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], none: str) -> list[str]:
    """Return aligned columns under a head, or ``none`` if there are no rows."""
    return columns([head, *rows], cells) if rows else [none]
