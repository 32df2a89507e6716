"""Events in a position, and the sentences expected for them."""

from __future__ import annotations

from typing import Final

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import Buy, Move, Spawn
from engine.rulesets.gd6.state import Hop, Loss, State
from tests.rulesets.gd6.words_table import BLUE, GREEN, RED, middle, squad

QUIET: Final = middle()
INVASION: Final = middle(squad(1, BLUE, 6, 3, 4), squad(2, BLUE, 1, 3, 4, unit="spy"))
SWAP: Final = middle(squad(1, BLUE, 6, 2, 3), squad(2, RED, 2, 4, 3))

SAID: Final[list[tuple[State, ev.AnyEvent, list[str]]]] = [
    (QUIET, ev.OrderAdded(BLUE, Spawn(1, 2)), ["Order 2: raise 2 armies at territory 1."]),
    (
        QUIET,
        ev.OrderAdded(BLUE, Move((1, 2, 3), 1, "spy")),
        ["Order 2: send 1 spy from territory 1 over territory 2 to territory 3."],
    ),
    (QUIET, ev.ListWritten(RED, (Buy("crop"),)), ["Red (B) has 1 order now."]),
    (QUIET, ev.ListSealed(GREEN), ["C seals its orders."]),
    (QUIET, ev.ListUnsealed(RED), ["Red (B) changes its orders again."]),
    (QUIET, ev.Conceded(RED), ["Red (B) gives up and leaves next turn."]),
    (QUIET, ev.TurnClosed(3, ()), ["The orders of turn 3 are carried out."]),
    (
        QUIET,
        ev.TurnClosed(3, (RED, GREEN)),
        [
            "The orders of turn 3 are carried out.",
            "Red (B) and C give no orders.",
        ],
    ),
    (QUIET, ev.PhaseBegan("construction"), ["Construction Phase."]),
    (
        QUIET,
        ev.OrderRefused(RED, 1, Spawn(99, 2), ("unknown_territory",), "No such land.", "GD-HQ-1"),
        ["Refused: raise 2 armies at territory 99. No such land."],
    ),
    (
        QUIET,
        ev.OrderReduced(RED, 0, Move((4, 5), 9), 3),
        ["Only 3 of 9 can go: send 9 armies from territory 4 to territory 5."],
    ),
    (QUIET, ev.IpPaid(BLUE, 20, 40), ["Blue (A) pays 20 IP, 40 left."]),
    (
        QUIET,
        ev.WastelandLoss(7, "army", 4),
        ["The wasteland at territory 7 kills 1 army, 4 left."],
    ),
    (
        QUIET,
        ev.WastelandLoss(7, "army", 0),
        ["The wasteland at territory 7 kills 1 army, none left."],
    ),
    (QUIET, ev.HqBuilt(RED, 9), ["Red (B) builds its headquarters at territory 9."]),
    (
        QUIET,
        ev.HqRoundFailed(((BLUE, 2), (RED, 3), (GREEN, 9)), (BLUE, RED), 1),
        [
            "Blue (A) and red (B) choose a new site: theirs were too near.",
            "Blue (A) wants territory 2.",
            "Red (B) wants territory 3.",
        ],
    ),
    (
        QUIET,
        ev.Promoted(BLUE, 1, "cavalry", 2),
        ["Blue (A) trains 2 cavalry at territory 1."],
    ),
    (QUIET, ev.Claimed(BLUE, 3), ["Territory 3: blue (A) takes it."]),
    (SWAP, ev.Claimed(BLUE, 3), ["Step 1, territory 3: blue (A) takes it."]),
    (QUIET, ev.Neutralised(7, None), ["Territory 7: neutral now."]),
    (
        QUIET,
        ev.Neutralised(7, None, BLUE),
        ["Territory 7: blue (A) loses it, neutral now."],
    ),
    (
        SWAP,
        ev.Neutralised(5, "bivouac", RED),
        [
            "Step 1, territory 5: red (B) loses it, neutral now, its bivouac falls.",
        ],
    ),
    (
        QUIET,
        ev.Spawned(BLUE, 1, 2, 6),
        ["Blue (A) raises 2 armies at territory 1, 6 there now."],
    ),
    (
        QUIET,
        ev.MinesExploded(3, RED, 2, 0, (), 2),
        ["Territory 3: 2 mines go off under red (B), 2 armies are lost."],
    ),
    (
        SWAP,
        ev.MinesExploded(3, BLUE, 1, 4, (Loss(1, BLUE, "army", 1, 5),)),
        ["Step 1, territory 3: 1 mine goes off under blue (A), 1 army is lost, 4 mines left."],
    ),
    (QUIET, ev.ConstructBuilt(RED, 5, "library"), ["Red (B) builds a library at territory 5."]),
    (QUIET, ev.MinesLaid(RED, 5, 3), ["Red (B) lays 3 mines at territory 5."]),
    (QUIET, ev.ItemSpent(BLUE, "toxic", 0), ["Blue (A) has 0 toxic waste left."]),
    (
        QUIET,
        ev.CropUsed(BLUE, ((1, 3, 7), (2, 2, 2))),
        [
            "A crop supply gives blue (A) 3 armies at territory 1, 7 there now.",
            "A crop supply gives blue (A) 2 armies at territory 2.",
        ],
    ),
    (
        QUIET,
        ev.DynamiteUsed(BLUE, 3, 4, "army", 2, "watchtower"),
        [
            ("Blue (A) uses dynamite on territory 4: 1 army dies and the watchtower is destroyed."),
        ],
    ),
    (
        QUIET,
        ev.DynamiteUsed(BLUE, 2, 3, None, 0, None),
        ["Blue (A) uses dynamite on territory 3: nothing falls."],
    ),
    (
        QUIET,
        ev.ToxicUsed(RED, 4, 3),
        ["Red (B) poisons territory 3: wasteland for ever."],
    ),
    (
        QUIET,
        ev.ToxicUsed(RED, 4, 4),
        ["Red (B) poisons territory 4: wasteland for ever."],
    ),
    (QUIET, ev.ItemBought(RED, "crop", 1), ["Red (B) buys a crop supply, 1 in stock."]),
    (
        QUIET,
        ev.SquadsBound((squad(1, BLUE, 2, 1, 2), squad(2, BLUE, 1, 1, 2))),
        ["Blue (A) sends 3 units with 2 orders."],
    ),
    (QUIET, ev.StepStarted(2), ["Step 2: all march at once."]),
    (
        SWAP,
        ev.LiftedOff(
            (Hop(1, BLUE, "army", 1, 2, 3), Hop(2, BLUE, "heavy", 1, 2, 3)),
        ),
        ["Step 1: blue (A) sends 1 army and 1 heavy from territory 2 to territory 3."],
    ),
    (
        SWAP,
        ev.Arrived(BLUE, 3, "distribution", (1,), (6, 0, 0, 0)),
        ["Step 1, territory 3: blue (A) arrives with 6 armies."],
    ),
    (
        SWAP,
        ev.Arrived(BLUE, 3, "expansion", (1,), (6, 0, 0, 0)),
        ["Step 1, territory 3: blue (A) arrives with 6 armies and takes it."],
    ),
    (
        INVASION,
        ev.Arrived(BLUE, 4, "landing", (1,), (2, 0, 0, 0)),
        ["Step 1, territory 4: blue (A) lands with 2 armies and takes it."],
    ),
    (
        SWAP,
        ev.LoopFound((3, 4)),
        ["Step 1: attacks cross between territory 3 and territory 4."],
    ),
    (
        SWAP,
        ev.LoopFound((3, 4, 5)),
        ["Step 1: attacks go round from territory 3 to territory 4 to territory 5 to territory 3."],
    ),
    (
        SWAP,
        ev.Skirmish(
            "target",
            (3,),
            2,
            ((BLUE, 6, 4), (RED, 2, 0)),
            (Loss(1, BLUE, "army", 2, 4), Loss(2, RED, "army", 2, 0)),
        ),
        ["Step 1, territory 3: blue (A) 6 against red (B) 2, blue (A) keeps 4."],
    ),
    (
        middle(squad(1, BLUE, 2, 3, 4), squad(2, RED, 2, 4, 3), squad(3, RED, 1, 4, 3, unit="spy")),
        ev.Skirmish(
            "loop",
            (3, 4),
            2,
            ((BLUE, 2, 0), (RED, 2, 0)),
            (
                Loss(1, BLUE, "army", 2, 0),
                Loss(2, RED, "army", 2, 0),
                Loss(3, RED, "spy", 1, 0),
            ),
        ),
        [
            "Step 1, territory 3 and territory 4: blue (A) 2 against red (B) 2, nobody is left.",
            "Step 1, territory 3: 1 spy of red (B) is caught.",
        ],
    ),
    (
        INVASION,
        ev.InvasionBegan(4, BLUE, RED, 6, 4),
        ["Step 1, territory 4: blue (A) invades red (B), 6 against 4 and a watchtower."],
    ),
    (
        INVASION,
        ev.InvasionBegan(5, BLUE, RED, 6, 0),
        ["Step 1, territory 5: blue (A) invades red (B), 6 against no defender."],
    ),
    (
        INVASION,
        ev.SpiesCaught(4, (Loss(2, BLUE, "spy", 1, 0),)),
        ["Step 1, territory 4: 1 spy of blue (A) is caught."],
    ),
    (
        INVASION,
        ev.PenaltyPaid(4, BLUE, 2, (Loss(1, BLUE, "army", 2, 4),)),
        ["Step 1, territory 4: invading costs blue (A) 2 armies, 4 left."],
    ),
    (
        INVASION,
        ev.PenaltyPaid(4, BLUE, 2, (Loss(1, BLUE, "army", 6, 0),)),
        ["Step 1, territory 4: invading costs blue (A) 6 armies, nobody left."],
    ),
    (
        INVASION,
        ev.PenaltyPaid(4, BLUE, 0, ()),
        ["Step 1, territory 4: a spy shows blue (A) the way: no penalty."],
    ),
    (
        INVASION,
        ev.WatchtowerHeld(4, BLUE, 2, True, (Loss(1, BLUE, "army", 2, 4),)),
        ["Step 1, territory 4: the watchtower costs blue (A) 2 armies, 4 left; it is destroyed."],
    ),
    (
        INVASION,
        ev.WatchtowerHeld(4, BLUE, 1, False, (Loss(1, BLUE, "army", 1, 5),)),
        ["Step 1, territory 4: the watchtower costs blue (A) 1 army, 5 left; it stands."],
    ),
    (
        INVASION,
        ev.Defended(4, BLUE, RED, 3, (Loss(1, BLUE, "army", 3, 3),), (2, 1, 0, 0), ()),
        [
            (
                "Step 1, territory 4: blue (A) loses 3 armies and red (B) 2 armies"
                " and 1 cavalry, 3 against 1 left."
            ),
        ],
    ),
    (
        INVASION,
        ev.InvasionRepelled(4, BLUE, RED),
        ["Step 1, territory 4: red (B) holds it with 4 units."],
    ),
    (INVASION, ev.MovementEnded(), []),
    (
        QUIET,
        ev.BivouacYielded(5, 1, 2),
        ["The bivouac at territory 5 gives red (B) 1 army, 2 there now."],
    ),
    (QUIET, ev.LoyaltyGrown(((1, 4), (2, 2))), ["Loyalty +1 in 2 territories."]),
    (
        QUIET,
        ev.IncomeEarned(BLUE, 2, 6, 2, 0, 70),
        ["Blue (A): income +10 IP (land 2, headquarters 6, libraries 2), 70 in all."],
    ),
    (
        QUIET,
        ev.Disbanded(BLUE, 1, (4, 0, 0, 1)),
        ["Blue (A) disbands 4 armies and 1 spy at territory 1."],
    ),
    (QUIET, ev.Eliminated(RED, "no_land"), ["Red (B) loses its last land and is out."]),
    (
        QUIET,
        ev.Eliminated(RED, "no_site"),
        ["Red (B) finds no site to settle and is out."],
    ),
    (QUIET, ev.Eliminated(RED, "conceded"), ["Red (B) has given up and is out."]),
    (QUIET, ev.TurnOpened(2, ((BLUE, 2, 0, 1),)), ["Turn 2 of 30."]),
    (
        QUIET,
        ev.GameOver("last_standing", (RED,)),
        ["Red (B) wins in turn 1.", "Nobody else owns land."],
    ),
]
