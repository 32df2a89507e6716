"""Commands that tell: how the host is, which games there are, what happened in one."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Iterator
from typing import Any

from engine.core.codec import encode_json
from engine.core.ids import PUBLIC, REFEREE, Viewer
from engine.core.link import News
from engine.tabletop.presenter import presenter_of
from tui.console.exits import Exit
from tui.host.ports import GameInfo, Hosted, Place, SeatInfo
from tui.ssh.calls import Call, No, called, seat_in
from tui.ssh.grammar import help_of, overview
from tui.ssh.text import Backlog, Teller, first_of


async def about(call: Call) -> Exit:
    """Tell the commands, or more of one."""
    text = help_of(call.args.about) if call.args.about else overview()
    await call.out.write(text)
    return Exit.OK


async def status(call: Call) -> Exit:
    """Tell how the host is."""
    standing, games = call.around.standing(), call.house.games()
    stages = [game.stage for game in games]
    counted = {stage: stages.count(stage) for stage in ("open", "running", "finished")}
    if call.args.json:
        told = {
            "version": standing.version,
            "uptime": int(standing.uptime),
            "sessions": standing.sessions,
            "people": list(standing.people),
            "games": counted,
        }
        await call.out.say_json(encode_json(told).decode())
        return Exit.OK
    up = datetime.timedelta(seconds=int(standing.uptime))
    await call.out.say(
        f"version   {standing.version}",
        f"up        {up}",
        f"sessions  {standing.sessions}",
        f"here      {', '.join(standing.people) or 'nobody'}",
        f"games     {', '.join(f'{count} {stage}' for stage, count in counted.items())}",
    )
    return Exit.OK


async def whoami(call: Call) -> Exit:
    """Tell who somebody is here."""
    person = call.person
    if person.is_guest:
        may = "" if person.may_play else "; you may only watch"
        await call.out.say(f"{person.name}: a guest, without an account{may}")
        return Exit.OK
    admin = ", administrator" if person.is_admin else ""
    await call.out.say(f"{person.name}: account {person.number}{admin}")
    for info in call.house.games():
        names = [one.name for one in info.seats if one.seat in call.own_seats(info)]
        if names:
            await call.out.say(f"game {info.number}, {info.name}: {', '.join(names)}")
    return Exit.OK


async def games(call: Call) -> Exit:
    """List the games."""
    found = [info for info in call.house.games() if _is_wanted(call, info)]
    if call.args.json:
        await call.out.say_json(encode_json(found).decode())
        return Exit.OK
    if not found:
        await call.out.say("There is none.")
    for info in found:
        seats = ", ".join(_seat(one) for one in info.seats)
        clock = f" {info.clock}." if info.clock else ""
        await call.out.say(
            f"{info.number}  {info.name}: {info.title}; {info.stage}. {info.status}.{clock}",
            f"   {seats}; {info.watchers} watching",
        )
    return Exit.OK


async def dump(call: Call) -> Exit:
    """Print a game: what the person's seat was told, or everything once it is over."""
    hosted = await call.hosted()
    with call.place(hosted) as place:
        lines = _dumped(call, hosted, place)
    await call.out.say_all(lines, as_json=call.args.json)
    return Exit.OK


def _dumped(call: Call, hosted: Hosted, place: Place) -> Iterator[str]:
    ports, as_json = call.ports, call.args.json
    if place.is_over and call.args.seat is None:
        return (ports.dump_json if as_json else ports.dump)(hosted.opened(), REFEREE)
    viewer = _viewer(call, hosted, place)
    try:
        chronicle = place.chronicle(viewer)
    except PermissionError:
        raise No(_not_yours(hosted, viewer)) from None
    return chronicle.as_json() if as_json else chronicle.as_text()


async def save(call: Call) -> Exit:
    """Hand out the file of a game that is over."""
    hosted = await call.hosted()
    if call.has_terminal:
        raise No(f"This is a file: ssh HOST save {hosted.number} > game.bnr (without -t)")
    try:
        opened = await asyncio.to_thread(hosted.opened)
    except PermissionError:
        raise No(
            f"Game {hosted.number} is still played, and its file holds what nobody may know yet;"
            f" what you may know has: ssh HOST dump {hosted.number}"
        ) from None
    await call.out.write_bytes(await asyncio.to_thread(call.ports.raw, opened.name))
    return Exit.OK


async def watch(call: Call) -> Exit:
    """Tell what happens in a game until it is over or the watcher leaves."""
    hosted = await call.hosted()
    with call.place(hosted) as place:
        await _watch(call, hosted, place)
    return Exit.OK


async def _watch(call: Call, hosted: Hosted, place: Place) -> None:
    viewer = _viewer(call, hosted, place)
    try:
        await hosted.prepare(viewer)
        link = place.link(viewer)
        before = place.chronicle(viewer).as_text() if call.args.from_start else None
    except PermissionError:
        raise No(_not_yours(hosted, viewer)) from None
    news = _Ticker(hosted, call.around.most_waiting)
    stop = link.feed(news.hear)
    try:
        await call.out.say(f"{hosted.header.title}. {hosted.info.status}.")
        if before is not None:
            await call.out.say_all(before)
        if place.is_over:
            news.end()
        await _until_left(call, news.backlog)
    finally:
        stop()


class _Ticker:
    """Makes lines of news."""

    def __init__(self, hosted: Hosted, most: int) -> None:
        self.backlog: Backlog[str] = Backlog(most)
        self._presenter = presenter_of(hosted.rules)

    def hear(self, news: News) -> None:
        if news.change == "rewound":
            self.backlog.put("Taken back.")
        for event in news.events:
            for line in self._presenter.tell(event, news.view):
                self.backlog.put(line.text)
        if self._is_over(news.view):
            self.end()

    def end(self) -> None:
        self.backlog.put("The game is over.")
        self.backlog.close()

    def _is_over(self, view: Any) -> bool:
        return bool(self._presenter.status(view).over)


async def _until_left(call: Call, backlog: Backlog[str]) -> None:
    """Tell what waits until there will be no more, or nobody is there to be told.

    Raises:
        TooSlow: more happens than is read.
    """
    await first_of(_pump(backlog, call.out), backlog.overflow(), call.left())


async def _pump(backlog: Backlog[str], out: Teller) -> None:
    while lines := await backlog.get():
        await out.say(*lines)


def _viewer(call: Call, hosted: Hosted, place: Place) -> Viewer:
    """With whose eyes: those of the seat that is named, of the only one, or everybody's."""
    if call.args.seat is not None:
        return seat_in(hosted.info, call.args.seat)
    if len(place.seats) > 1:
        names = ", ".join(called(hosted.info, seat) for seat in place.seats)
        raise No(f"You have several seats there: {names}; name one with --seat")
    return place.seats[0] if place.seats else PUBLIC


def _not_yours(hosted: Hosted, viewer: Viewer) -> str:
    if viewer == PUBLIC:
        return "That game is not to be watched."
    return f"The seat of {called(hosted.info, viewer)} is not yours."


def _is_wanted(call: Call, info: GameInfo) -> bool:
    if call.args.mine and not call.own_seats(info):
        return False
    return not call.args.open or info.stage == "open"


def _seat(one: SeatInfo) -> str:
    if one.bot:
        who = f"computer, {one.bot}" + (f", for {one.person}" if one.person else "")
    else:
        who = one.person or "free"
    here = ", here" if one.is_here else ""
    return f"{one.name}: {who}{here}{', to act' if one.owes else ''}"
