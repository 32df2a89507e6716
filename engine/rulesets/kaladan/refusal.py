"""Codes of the reasons why a command is not allowed. Rules: KA-13."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """Reason for the refusal of a command."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    NO_TILE = "no_tile"
    NO_UNIT = "no_unit"
    NO_REALM = "no_realm"
    NO_CARD = "no_card"
    TILE_TAKEN = "tile_taken"
    BAD_PLACE = "bad_place"
    BAD_COUNT = "bad_count"
    BAD_OPTION = "bad_option"
    BATTLE_USED = "battle_used"
    NOT_ADJACENT = "not_adjacent"
    NOT_ENEMY = "not_enemy"
    ENEMY_THERE = "enemy_there"
    NOT_OWN = "not_own"
    NO_ROOM = "no_room"
    UNIT_DONE = "unit_done"
    NO_GOLD = "no_gold"
    NOT_IN_RESERVE = "not_in_reserve"
    NOT_UPGRADABLE = "not_upgradable"
    DECK_EMPTY = "deck_empty"
    CARD_UNFIT = "card_unfit"
    BAD_TARGET = "bad_target"
    WRONG_INVADERS = "wrong_invaders"
    WRONG_CASUALTIES = "wrong_casualties"
