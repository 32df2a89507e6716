"""Every key of every screen: what it does there, under an id that stays.

``keys.toml`` and packs give other keys to ids; ``tui/settings/keymap.py`` reads and checks them.
The letters a c d e g m r s t are left to rulesets on the map: for what may be wanted at the cursor.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from textual.binding import Binding

APP: Final = [
    Binding("ctrl+c", "interrupt", "Leave at once", id="app.interrupt", priority=True),
    Binding("ctrl+q", "interrupt", "Leave at once", id="app.quit", priority=True),
    Binding("ctrl+l", "paint_anew", "Paint the screen anew", id="app.paint", priority=True),
]
"""Everywhere."""

MOVES: Final = [
    Binding("up,k,8", "push('up')", "Up", id="move.up", show=False),
    Binding("down,j,2", "push('down')", "Down", id="move.down", show=False),
    Binding("left,h,4", "push('left')", "Left", id="move.left", show=False),
    Binding("right,l,6", "push('right')", "Right", id="move.right", show=False),
    Binding("y,7", "push('up-left')", "Up and left", id="move.up-left", show=False),
    Binding("u,9", "push('up-right')", "Up and right", id="move.up-right", show=False),
    Binding("b,1", "push('down-left')", "Down and left", id="move.down-left", show=False),
    Binding("n,3", "push('down-right')", "Down and right", id="move.down-right", show=False),
]
"""The stick, on every board."""

JUMPS: Final = [
    Binding("tab", "jump('idle', 1)", "Next piece that can act", id="jump.idle"),
    Binding(
        "shift+tab,less_than_sign",
        "jump('idle', -1)",
        "The one before",
        id="jump.idle-back",
    ),
    Binding("x", "jump('enemy', 1)", "Next enemy", id="jump.enemy"),
    Binding("X", "jump('enemy', -1)", "Enemy before", id="jump.enemy-back"),
    Binding("v", "jump('site', 1)", "Next site", id="jump.site"),
    Binding("V", "jump('site', -1)", "Site before", id="jump.site-back"),
    Binding("comma", "labels", "Jump by letters", id="jump.labels"),
    Binding("slash", "find", "Find anything by name", id="app.find"),
    Binding("colon", "palette", "All that can be done", id="app.palette"),
]

SHOWN: Final = [
    Binding("p", "prices", "Prices on the map", id="show.prices"),
    Binding("D", "layer", "Next layer: danger …", id="show.layer"),
    Binding("T", "route", "The way to the cursor", id="show.route"),
    Binding("M", "minimap", "Small map on or off", id="show.minimap"),
    Binding("G,f3", "glyphs", "Other signs", id="show.glyphs"),
    Binding("Z,f4", "zoom", "Other map", id="show.zoom"),
    Binding("pageup", "scroll_log(1)", "Log back", id="log.back"),
    Binding("pagedown", "scroll_log(-1)", "Log on", id="log.on"),
    Binding("L", "log", "The whole log", id="log.all"),
    Binding("K", "luck", "Luck ledger", id="show.luck"),
    Binding("P", "losses", "Who lost what, and why", id="show.losses"),
    Binding("R", "again", "What happened while I was away", id="game.again"),
    Binding("right_square_bracket", "turn_show(1)", "Of what is shown again: on", id="show.on"),
    Binding("left_square_bracket", "turn_show(-1)", "The same: back", id="show.back"),
    Binding("right_curly_bracket", "turn_phase(1)", "The same: next phase", id="show.phase-on"),
    Binding("left_curly_bracket", "turn_phase(-1)", "Phase before", id="show.phase-back"),
    Binding("O", "only_mine", "Show only what concerns me, or all", id="show.mine"),
    Binding("S", "settings", "Settings", id="app.settings"),
    Binding("Q", "record", "Record a macro, or end it", id="macro.record"),
    Binding("at", "macro", "Play a macro", id="macro.play"),
    Binding("question_mark,f1", "help", "Help", id="app.help"),
]

GAME: Final = [
    *MOVES,
    Binding("space,enter,5,kp_begin", "fire", "Fire: pick up, put down …", id="game.fire"),
    Binding("f", "fast", "Fast cursor on or off", id="game.fast"),
    *JUMPS,
    Binding("i", "intents", "What can be done here", id="game.intents"),
    Binding("z,backspace", "undo", "Undo", id="game.undo"),
    Binding("w,semicolon", "look", "Look at the tile", id="game.look"),
    Binding("W", "why", "Why: the rule behind it", id="game.why"),
    Binding("escape", "let_go", "Let go; skip a computer's turn", id="game.let-go"),
    Binding("plus,equals_sign", "speed(1)", "Computer faster", id="game.faster"),
    Binding("minus", "speed(-1)", "Computer slower", id="game.slower"),
    Binding("o", "summary", "How it stands", id="game.summary"),
    Binding("J,f2", "reports", "Reports and history: cities, armies …", id="game.reports"),
    Binding("I", "lists", "Lists of orders: load, copy, save", id="game.lists"),
    *SHOWN,
    Binding("q", "leave", "Leave; the game is saved", id="game.leave"),
]

REPLAY: Final = [
    Binding("right,l,6", "walk(1)", "One entry on", id="replay.on"),
    Binding("left,h,4,backspace", "walk(-1)", "One entry back", id="replay.back"),
    Binding("full_stop", "event(1)", "One event on, inside an entry too", id="replay.event-on"),
    Binding("comma", "event(-1)", "One event back", id="replay.event-back"),
    Binding("down,j,2", "phase(1)", "To the end of the phase", id="replay.phase-on"),
    Binding("up,k,8", "phase(-1)", "To the phase before", id="replay.phase-back"),
    Binding("3", "round(1)", "Next round", id="replay.round-next"),
    Binding("n", "next(1)", "Next of what was found; next round", id="replay.round-on"),
    Binding("N", "next(-1)", "The one before of what was found", id="replay.hit-back"),
    Binding("p,9", "round(-1)", "Round before", id="replay.round-back"),
    Binding("home", "end(-1)", "To the start", id="replay.first"),
    Binding("end", "end(1)", "To the end", id="replay.last"),
    Binding("right_square_bracket", "marker(1)", "Next marker", id="replay.marker-on"),
    Binding("left_square_bracket", "marker(-1)", "Marker before", id="replay.marker-back"),
    Binding("m", "kinds", "Which markers; what they mean", id="replay.kinds"),
    Binding("space,a", "autoplay", "Play by itself, or stop", id="replay.autoplay"),
    Binding("plus,equals_sign", "speed(1)", "Faster", id="replay.faster"),
    Binding("minus", "speed(-1)", "Slower", id="replay.slower"),
    Binding("slash,F", "find", "Go to an entry or round; find moments", id="replay.find"),
    Binding("colon", "palette", "All that can be done; places, rules", id="replay.palette"),
    Binding("w,semicolon", "look", "Look around the board, or watch on", id="replay.look"),
    Binding("s", "viewer", "With whose eyes", id="replay.seat"),
    Binding("c", "comment", "Comment at this entry", id="replay.comment"),
    Binding("C", "comments", "All comments", id="replay.comments"),
    Binding("H", "charts", "Charts of the game", id="replay.charts"),
    Binding("J,f2", "reports", "Reports and history as of here", id="replay.reports"),
    Binding("K", "luck", "Luck ledger up to here", id="replay.luck"),
    Binding("P", "losses", "Who lost what, and why", id="replay.losses"),
    Binding("W", "why", "The rule behind what happened here", id="replay.why"),
    Binding("M", "minimap", "Small map on or off", id="replay.minimap"),
    Binding("S", "settings", "Settings and keys", id="replay.settings"),
    Binding("E", "export", "Export: recording, drawing, text, data", id="replay.export"),
    Binding("b", "branches", "Branches", id="replay.branches"),
    Binding("g", "go_on", "Go on from here", id="replay.go-on"),
    Binding("pageup", "scroll_log(1)", "Log back", id="replay.log-back"),
    Binding("pagedown", "scroll_log(-1)", "Log on", id="replay.log-on"),
    Binding("G,f3", "glyphs", "Other signs", id="replay.glyphs"),
    Binding("Z,f4", "zoom", "Other map", id="replay.zoom"),
    Binding("question_mark,f1", "help", "Help", id="replay.help"),
    Binding("escape,q", "leave", "Leave", id="replay.leave"),
]

LISTS: Final = [
    Binding("j", "cursor_down", "Down", id="list.down", show=False),
    Binding("k", "cursor_up", "Up", id="list.up", show=False),
]

PAGER: Final = [
    Binding("down,j,2", "by(1)", "Down", id="pager.down"),
    Binding("up,k,8", "by(-1)", "Up", id="pager.up"),
    Binding("pagedown,space", "page(1)", "A page down", id="pager.page-down"),
    Binding("pageup,b", "page(-1)", "A page up", id="pager.page-up"),
    Binding("home,g", "end(-1)", "To the start", id="pager.first"),
    Binding("end,G", "end(1)", "To the end", id="pager.last"),
]

MENU: Final = [Binding("escape,q", "leave", "Back", id="menu.leave")]

TITLE: Final = [
    Binding("c", "choose('continue')", "Continue the last game", id="title.continue"),
    Binding("n", "choose('new')", "New game", id="title.new"),
    Binding("t", "choose('learn')", "Learn to play", id="title.learn"),
    Binding("l", "choose('load')", "Load a game", id="title.load"),
    Binding("r", "choose('replay')", "Replay a game", id="title.replay"),
    Binding("s", "choose('settings')", "Settings", id="title.settings"),
    Binding("h,question_mark,f1", "choose('help')", "Help", id="title.help"),
    Binding("q", "choose('leave')", "Quit", id="title.leave"),
    Binding("escape", "ask_leave", "Quit, after a question", id="title.back"),
]

RESULT: Final = [Binding("escape,q", "leave", "Look at the map", id="result.leave")]

LESSONS: Final = [
    Binding("a", "anew", "From the start", id="lessons.anew"),
    Binding("escape,q", "leave", "Back", id="lessons.leave"),
]

SAVES: Final = [
    Binding("slash", "search", "Search", id="saves.search"),
    Binding("o", "order", "Other order", id="saves.order"),
    Binding("r", "rename", "Rename", id="saves.rename"),
    Binding("c", "copy", "Copy", id="saves.copy"),
    Binding("d,delete", "remove", "Delete", id="saves.delete"),
    Binding("escape,q", "leave", "Back", id="saves.leave"),
    Binding("down,enter", "to_list", "To the list", id="saves.list", show=False),
]

FORM: Final = [
    Binding("right,l,6", "change(1)", "Next choice", id="form.next"),
    Binding("left,h,4", "change(-1)", "Choice before", id="form.before"),
    Binding("s", "start", "Start", id="form.start"),
    Binding("escape,q", "leave", "Back", id="form.leave"),
]

SETTINGS: Final = [
    Binding("right,l,6", "change(1)", "Next choice", id="settings.next"),
    Binding("left,h,4", "change(-1)", "Choice before", id="settings.before"),
    Binding("u,delete", "usual", "As usual", id="settings.usual"),
    Binding("U", "all_usual", "All of it as usual", id="settings.all-usual"),
    Binding("escape,q", "leave", "Back", id="settings.leave"),
]

DIALOG: Final = [Binding("escape", "cancel", "Cancel", id="dialog.cancel")]

CONFIRM: Final = [
    Binding("y,enter,space,5,kp_begin", "answer_yes", "Yes", id="dialog.yes"),
    Binding("n,escape", "cancel", "No", id="dialog.no"),
]

SOME: Final = [
    Binding("space", "screen.mark", "Take or leave", id="dialog.toggle"),
    Binding("enter", "screen.done", "Done", id="dialog.done"),
]

ORDER: Final = [
    Binding("space,right,l", "screen.shift(1)", "Further down", id="dialog.later"),
    Binding("left,h", "screen.shift(-1)", "Further up", id="dialog.earlier"),
    Binding("enter", "screen.done", "Done", id="dialog.done"),
]

AMOUNT: Final = [
    Binding("up", "change(1)", "More", id="dialog.more"),
    Binding("down", "change(-1)", "Less", id="dialog.less"),
]

BRANCHES: Final = [Binding("g", "go_on", "Go on with this branch", id="branches.go-on")]

CHARTS: Final = [
    Binding("right,l,space,tab,down,j", "turn(1)", "Next number", id="charts.next"),
    Binding("left,h,shift+tab,up,k", "turn(-1)", "Number before", id="charts.back"),
    Binding("escape,q,H,enter", "cancel", "Back", id="charts.leave"),
]

FIND: Final = [
    Binding("down", "turn(1)", "Next", id="find.next"),
    Binding("up", "turn(-1)", "Before", id="find.before"),
    Binding("escape", "cancel", "Back", id="find.leave"),
]

PAGES: Final = [
    Binding("right,tab,l,6", "turn(1)", "Next page", id="pages.next"),
    Binding("left,shift+tab,h,4", "turn(-1)", "Page before", id="pages.before"),
    Binding("slash", "search", "Search", id="pages.search"),
    Binding("n", "again(1)", "Next that was found", id="pages.again"),
    Binding("N", "again(-1)", "The one before", id="pages.again-back"),
    Binding("enter", "choose", "Go there", id="pages.choose"),
    Binding("escape,q,question_mark", "leave", "Back", id="pages.leave"),
]
"""Long texts in pages: help, the log, the ledger."""

LOG: Final = [Binding("r", "moment", "Watch that moment", id="log.moment")]

REPORTS: Final = [
    Binding("s", "sort", "Sort by the next column", id="reports.sort"),
    Binding("r", "reverse", "The other way round", id="reports.reverse"),
    Binding("J,f2", "leave", "Back", id="reports.leave"),
]
"""Besides the keys of pages."""

HISTORY: Final = [
    Binding("down,j,2", "screen.number(1)", "Next number", id="history.next"),
    Binding("up,k,8", "screen.number(-1)", "Number before", id="history.before"),
]

HOSTED: Final = [
    Binding("quotation_mark", "talk", "Talk with those who play and watch", id="host.talk"),
    Binding("H", "table", "The table: seats, stand-ins, who may watch", id="host.table"),
    Binding("N", "elsewhere", "The next game that waits for me", id="host.next"),
]
"""In a game on a host, besides the keys of the map."""

LOBBY: Final = [
    Binding("n", "new", "New game", id="lobby.new"),
    Binding("m", "mine", "My games only, or all", id="lobby.mine"),
    Binding("a", "add_key", "A code that adds a key to my account", id="lobby.add-key"),
    Binding("S", "settings", "Settings", id="lobby.settings"),
    Binding("question_mark,f1", "help", "Help", id="lobby.help"),
    Binding("q", "leave", "Leave the host", id="lobby.leave"),
    Binding("escape", "ask_leave", "Leave the host, after a question", id="lobby.back"),
]


FOR_PLAYERS: Final = frozenset(
    {
        "game.fire",
        "game.undo",
        "game.intents",
        "game.lists",
        "jump.idle",
        "jump.idle-back",
        "show.mine",
    }
)
"""Actions without use for spectators, whose help leaves them out."""


class Context(NamedTuple):
    """Place of the program where keys are listened to together; none may do two things there."""

    name: str
    title: str
    bindings: list[Binding]


CONTEXTS: Final = (
    Context("everywhere", "Everywhere", APP),
    Context("map", "On the map", GAME),
    Context("replay", "In a replay", REPLAY),
    Context("list", "In lists", LISTS),
    Context("pager", "In long texts", PAGER),
    Context("menu", "In menus", MENU),
    Context("title", "On the title screen", TITLE),
    Context("result", "After a game", RESULT),
    Context("lessons", "Among lessons", LESSONS),
    Context("saves", "Among saved games", SAVES),
    Context("form", "Before a game", FORM),
    Context("settings", "In the settings", SETTINGS),
    Context("dialog", "In windows", DIALOG),
    Context("confirm", "Yes or no", CONFIRM),
    Context("some", "Choosing some", SOME),
    Context("order", "Putting in order", ORDER),
    Context("amount", "Choosing a number", AMOUNT),
    Context("branches", "Among branches", BRANCHES),
    Context("charts", "Among charts", CHARTS),
    Context("find", "In the find box", FIND),
    Context("pages", "In help, log and ledger", PAGES),
    Context("log", "In the log", LOG),
    Context("reports", "Among reports", REPORTS),
    Context("history", "At the charts among reports", HISTORY),
    Context("hosted", "In a game on a host", HOSTED),
    Context("lobby", "In the lobby of a host", LOBBY),
)
