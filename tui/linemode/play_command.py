"""Command ``banneret play --plain``: a whole game as lines of text."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TextIO

from engine.core import registry
from engine.core.archive import Archive, SaveFault, SeatPlayer
from engine.core.feed import changes
from engine.core.options import OptionFault, parse_options
from engine.core.registry import UnknownRuleset
from engine.core.replay import BrokenLog
from engine.core.ruleset import AnyRuleset, ScenarioFault
from engine.core.soundness import log_faults
from engine.tabletop.new_game import level_name, player_name
from engine.tabletop.presenter import presenter_of
from tui.console.exits import Exit, Wrong
from tui.console.printing import is_ascii_asked
from tui.linemode.asking import LIST
from tui.linemode.line_session import LEAVE, Left, LineSession
from tui.linemode.voice import Voice, from_stream
from tui.linemode.words import aside, help_for, run
from tui.play.players import Opponents
from tui.play.scenarios import find_rules, listed, resolve_scenario, seed_bytes
from tui.play.setup import NewGame, begin, resume, usual_players, wanted_players
from tui.play.table import OnBug, Table
from tui.replay.query import BadQuery
from tui.replay.stops import PostMortem, StopReached, Stops, StopWatch, never, stops_of
from tui.terminal.capabilities import is_poor

_NO_GAME = LEAVE | {"cancel"}
"""Words that end the questions about a new game."""

_EXPECTED = (SaveFault, BrokenLog, UnknownRuleset, ScenarioFault, OptionFault, LookupError, Wrong)


def opening(word: str | None, find: Callable[[str], object]) -> tuple[str | None, str | None]:
    """Return (ruleset, save) for the word after ``play``.

    Both None without a word, else one of them.

    ``find`` looks a save up by name.

    Raises:
        SaveFault: it names neither.
    """
    if word is None or word in registry.names():
        return word, None
    try:
        find(word)
    except SaveFault as fault:
        try:
            return find_rules(word).name, None
        except Wrong:
            raise SaveFault(f"{fault}, and no ruleset: {', '.join(registry.names())}") from None
    return None, word


def is_wanted(args: argparse.Namespace) -> bool:
    """Return whether to play in lines: by request, or because the terminal cannot show a screen.

    Raises:
        Wrong: an argument is only valid with lines.
    """
    if args.plain:
        return True
    if args.ascii or args.stop_when or args.always or args.sometimes:
        raise Wrong("--ascii, --stop-when, --always and --sometimes go with --plain")
    if is_poor() and sys.stdin.isatty() and sys.stdout.isatty():
        sys.stdout.write("This terminal cannot show the screen, so the game is played in lines.\n")
        return True
    return False


def main(
    args: argparse.Namespace, archive: Archive, on_bug: OnBug, post_mortem: PostMortem
) -> Exit:
    """Play until the player leaves or the input ends.

    Raises:
        Wrong: an argument is wrong.
        SaveFault: the save cannot be opened or written.
    """
    lines = Lines(_voice(sys.stdin, sys.stdout, only_ascii=args.ascii), archive, on_bug)
    lines.stops = stops_of(args)
    start = start_of(args)
    try:
        if start is not None:
            lines.begin(start)
        elif args.save is not None:
            lines.load(args.save)
        return lines.play()
    except BadQuery as bad:
        raise Wrong(str(bad)) from None
    except StopReached as stop:
        lines.farewell(f"Stopped at {stop}.")
        if not stop.found.is_broken:
            return Exit.OK
        lines.voice.say(f"A bundle is in {lines.bundled(post_mortem)}.")
        return Exit.REFUSED
    except (ScenarioFault, OptionFault) as fault:
        raise Wrong(str(fault)) from None
    except KeyboardInterrupt:
        lines.farewell("Interrupted.")
        return Exit.INTERRUPTED
    except Left:
        return lines.farewell("")
    except EOFError:
        return lines.farewell("The input has ended.")
    finally:
        lines.close()


def start_of(args: argparse.Namespace) -> NewGame | None:
    """Return the new game that the arguments ask for, or None.

    Raises:
        Wrong: an argument is wrong.
    """
    if args.ruleset is None:
        if settings_in(args):
            named = "--scenario, --option, --seat, --seats and --seed"
            raise Wrong(f"{named} are for a new game: play RULESET")
        return None
    rules = find_rules(args.ruleset)
    try:
        options = parse_options(args.option)
    except OptionFault as fault:
        raise Wrong(str(fault)) from None
    scenario = resolve_scenario(rules, args.scenario)
    players = wanted_players(rules, scenario, args.seat, args.seats)
    seed = b"" if args.seed is None else seed_bytes(args.seed)
    return NewGame(rules.name, scenario, options, players, seed)


def settings_in(args: argparse.Namespace) -> bool:
    """Return whether any argument sets up a new game, such as its scenario or seats."""
    given = args.scenario or args.option or args.seat or args.seats
    return bool(given) or args.seed is not None


class Lines:
    """Loop of line mode, with or without a game."""

    def __init__(self, voice: Voice, archive: Archive, on_bug: OnBug) -> None:
        """Start without a game; ``on_bug`` gets faults of the rules."""
        self.voice = voice
        self.archive = archive
        self.session: LineSession | None = None
        self.stops = Stops()
        """Queries that watch every game."""
        self._watch: StopWatch | None = None
        self._table: Table | None = None
        self._on_bug = on_bug
        self._fault: Exception | None = None
        """The latest fault."""

    @property
    def _is_unsaved(self) -> bool:
        """True if the last command of a person or computer player could not be saved."""
        if self.session is None:
            return False
        is_held_up = self.session.is_held_up and isinstance(self._fault, SaveFault)
        return is_held_up or any(one.is_unsaved for one in self.session.clients.values())

    def play(self) -> Exit:
        """Execute lines until ``quit``.

        Raises:
            EOFError: there are no more lines.
        """
        self.voice.say("help lists what you can type.")
        if self.session is None:
            self.voice.say("No game is open: games lists saved ones, new begins one.")
        while True:
            line = self.voice.listen()
            if line and line.split(maxsplit=1)[0].casefold() in LEAVE:
                return self.farewell("")
            if line and not line.startswith("#"):
                try:
                    self._carry_out(line)
                except Left:
                    return self.farewell("")

    def begin(self, start: NewGame) -> None:
        """Begin a game."""
        self._take(begin(self.archive, start, self._on_bug))

    def load(self, name: str) -> None:
        """Resume a saved game."""
        self._take(resume(self.archive, name, self._on_bug))

    def farewell(self, text: str) -> Exit:
        """Say why the loop ends, and where the game is saved; return whether all of it is."""
        kept = ""
        if self.session is not None:
            until = " as it was before the fault" if self._is_unsaved else ""
            kept = f" The game is saved as {self.session.name!r}{until}."
        with contextlib.suppress(BrokenPipeError):
            for query in never(self.stops, self._watch.seen) if self._watch is not None else ():
                self.voice.say(f"This never happened: {query}")
            self.voice.say(f"{text}{kept}".strip() or "Goodbye.")
        return Exit.DAMAGED if self._is_unsaved else Exit.OK

    def bundled(self, post_mortem: PostMortem) -> str:
        """Write a bundle about the end of the open game; return the name of its file."""
        assert self._table is not None  # noqa: S101 - a stop was reached in it
        return post_mortem(self._table.header, self._table.game.log)

    def close(self) -> None:
        """Close the open game."""
        if self._table is not None:
            self._table.close()
            self.session = self._table = None

    # -- inside ----------------------------------------------------------------------------------

    def _take(self, table: Table) -> None:
        self.close()
        name = table.file.name if table.file is not None else ""
        self._table = table
        if not self.stops.is_empty:
            self._watch = watch = StopWatch(table.rules, table.seat_names, self.stops)
            for change in changes(table.rules, table.game.log.line()):
                watch.stop(change)
            table.game.listen(watch.stop)
        for remark in table.remarks:
            self.voice.say(f"{name}: {remark}.")
        with self._log_faults():
            self.session = LineSession(
                self.voice, table, name, aside=aside, opponents=Opponents(table)
            )
            self.session.open()

    def _carry_out(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        try:
            with self._log_faults():
                self._obey(word.casefold(), rest, line)
        except _EXPECTED as fault:
            self._fault = fault
            self.voice.say(f"{' '.join(str(fault).split())}")
            if self.session is not None and self.session.is_held_up:
                self.voice.say("The computer players wait. They try again when you type go on.")

    def _obey(self, word: str, rest: str, line: str) -> None:
        match word:
            case "?" if not rest and self.session is not None and self.session.open_question():
                run(self.session, word)
            case "help" | "?":
                help_for(self.voice, self.session, rest)
            case "games":
                self._games()
            case "load":
                self._load(rest)
            case "new":
                self._new(rest)
            case _:
                self._at_game(line)

    def _log_faults(self) -> AbstractContextManager[None]:
        """Turn faults of the open game's log into messages, within a ``with`` block."""
        table = self._table
        if table is None:
            return contextlib.nullcontext()
        return log_faults(table.rules, table.game.log)

    def _at_game(self, line: str) -> None:
        if self.session is None:
            self.voice.say("No game is open: games lists saved ones, new begins one.")
        else:
            run(self.session, line)

    def _games(self) -> None:
        found = self.archive.listing()
        for number, info in enumerate(found, 1):
            seats = ", ".join(f"{one.name} {player_name(one.bot)}" for one in info.players)
            fault = f" Cannot be opened: {info.fault}." if info.fault else ""
            self.voice.say(f"{number}. {info.name}: {info.title}; {seats}.{fault}")
        self.voice.say("load and a number or a name opens one." if found else "No saved games.")

    def _load(self, rest: str) -> None:
        found = self.archive.listing()
        names = {info.name for info in found}
        if rest.isdecimal() and rest not in names and 1 <= int(rest[:6]) <= len(found):
            rest = found[int(rest[:6]) - 1].name
        if not rest:
            self.voice.say("Which? games lists them.")
        elif self.session is not None and self.session.name == rest:
            self.voice.say("That game is open.")
        else:
            self.load(rest)

    def _new(self, rest: str) -> None:
        words = rest.split()
        rules = find_rules(words[0]) if words else self._choose_rules()
        if rules is None:
            return
        scenario = words[1] if len(words) > 1 else self._choose_scenario(rules)
        found = resolve_scenario(rules, scenario or None)
        usual = usual_players(rules, found)
        players = tuple(self._choose_player(rules, player) for player in usual)
        self.begin(NewGame(rules.name, found, players=players))

    def _choose_rules(self) -> AnyRuleset | None:
        names = registry.names()
        if len(names) == 1:
            return registry.find(names[0])
        titles = [registry.find(name).title for name in names]
        picked = self._pick("Which game?", names, names[0], titles)
        return registry.find(picked)

    def _choose_scenario(self, rules: AnyRuleset) -> str:
        found = [one for one in listed(rules) if not one.fault]
        texts = presenter_of(rules).new_game
        for number, one in enumerate(found, 1):
            told = texts.scenario("" if one.path else one.name)
            about = f" {told.length.capitalize()}; {told.difficulty}." if told.length else ""
            self.voice.say(f"{number}. {one.title} ({one.name}).{about}")
        names = [one.name for one in found]
        first = texts.first if texts.first in names else names[0]
        picked = self._pick("", names, first)
        return next((one.path or one.name for one in found if one.name == picked), picked)

    def _choose_player(self, rules: AnyRuleset, usual: SeatPlayer) -> SeatPlayer:
        levels = ["person", *rules.bots]
        labels = ["person", *(_opponent(rules, level) for level in rules.bots)]
        picked = self._pick(f"Who plays {usual.name}?", levels, usual.bot or "person", labels)
        return SeatPlayer(usual.seat, usual.name, "" if picked == "person" else picked)

    def _pick(
        self, title: str, words: Sequence[str], usual: str, labels: Sequence[str] = ()
    ) -> str:
        """Ask for one of some words, by its number or itself; a blank line takes the default.

        ``labels`` are read out instead of the words, in the same order.

        Raises:
            Wrong: the person wants no game.
        """
        told = dict(zip(words, labels or words, strict=True))
        if title:
            listing = ", ".join(f"{number} {word}" for number, word in enumerate(told.values(), 1))
            self.voice.say(f"{title} {listing}")
        while True:
            said = self.voice.listen(f"Number, or Enter for {told[usual]}: ")
            if not said:
                return usual
            if said.isdecimal() and 1 <= int(said[:6]) <= len(words):
                return words[int(said[:6]) - 1]
            if said in words:
                return said
            if said.casefold() in _NO_GAME:
                raise Wrong("No game is begun.")
            if said.casefold() in {*LIST, "help"}:
                self.voice.say(title or "Which?")
                for number, text in enumerate(told.values(), 1):
                    self.voice.say(f"{number}. {text}")
                self.voice.say("Type a number or a word; cancel begins no game.")
                continue
            self.voice.say(f"{said[:30]!r} is none of them; cancel begins no game.")


def _opponent(rules: AnyRuleset, level: str) -> str:
    """Return a level of computer players by name, temper and its word in commands."""
    temper = presenter_of(rules).new_game.opponent(level).temper
    return f"{level_name(level)} ({f'{temper}, ' if temper else ''}{level})"


def _voice(stdin: TextIO, stdout: TextIO, *, only_ascii: bool) -> Voice:
    """Return the voice of this process, in ASCII if the output cannot encode more."""
    encoding = (stdout.encoding or "ascii").lower().replace("-", "")
    narrow = only_ascii or not encoding.startswith("utf") or is_ascii_asked()
    reconfigure = getattr(stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    if stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401, PLC0415 - only importing it gives input() a history
        return Voice(stdout, input, only_ascii=narrow)
    return Voice(stdout, from_stream(stdin), only_ascii=narrow, echo=True)
