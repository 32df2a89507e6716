"""Why this game refuses an order or a command."""

from __future__ import annotations

from enum import StrEnum

from engine.core.record import Record


class Refusal(StrEnum):
    """The closed list of reasons; those of orders in the order of the rule book's table."""

    UNKNOWN_TERRITORY = "unknown_territory"
    UNKNOWN_SEAT = "unknown_seat"
    MALFORMED_ORDER = "malformed_order"
    VARIANT_NOT_ENABLED = "variant_not_enabled"
    HQ_ALREADY_BUILT = "hq_already_built"
    HQ_MULTIPLE_ORDERS = "hq_multiple_orders"
    HQ_TERRITORY_OCCUPIED = "hq_territory_occupied"
    HQ_TOO_CLOSE_TO_EXISTING = "hq_too_close_to_existing"
    HQ_TOO_CLOSE_TO_OTHER_ORDER = "hq_too_close_to_other_order"
    NOT_ON_MAP = "not_on_map"
    INSUFFICIENT_ITEMS = "insufficient_items"
    ORIGIN_NOT_OWNED = "origin_not_owned"
    PROMOTE_BAD_COUNT = "promote_bad_count"
    PROMOTE_BAD_UNIT = "promote_bad_unit"
    INSUFFICIENT_ARMIES = "insufficient_armies"
    INSUFFICIENT_IP = "insufficient_ip"
    PROMOTE_TOO_FAR_FROM_HQ = "promote_too_far_from_hq"
    PROMOTE_LOW_LOYALTY = "promote_low_loyalty"
    SPAWN_BAD_COUNT = "spawn_bad_count"
    TARGET_NOT_OWNED = "target_not_owned"
    SPAWN_TOO_MANY = "spawn_too_many"
    SPAWN_TOO_FAR_FROM_HQ = "spawn_too_far_from_hq"
    SPAWN_NO_LOCATION = "spawn_no_location"
    SPAWN_NOT_MOST_LOYAL = "spawn_not_most_loyal"
    SPAWN_MULTIPLE_FALLBACK = "spawn_multiple_fallback"
    CONSTRUCT_PRESENT = "construct_present"
    MINE_BAD_COUNT = "mine_bad_count"
    MULTIPLE_CONSTRUCTS_ORDERED = "multiple_constructs_ordered"
    TOXIC_WASTELAND = "toxic_wasteland"
    TARGET_NOT_ADJACENT = "target_not_adjacent"
    MOVE_BAD_COUNT = "move_bad_count"
    PATH_BAD_LENGTH = "path_bad_length"
    PATH_NOT_CONNECTED = "path_not_connected"
    INSUFFICIENT_UNITS = "insufficient_units"

    GAME_OVER = "game_over"
    SEAT_ELIMINATED = "seat_eliminated"
    LIST_SEALED = "list_sealed"
    LIST_NOT_SEALED = "list_not_sealed"
    LIST_FIXED = "list_fixed"
    NO_SUCH_LINE = "no_such_line"
    LIST_TOO_LONG = "list_too_long"
    ALREADY_CONCEDED = "already_conceded"
    NOT_FOR_THE_HOUSE = "not_for_the_house"


class Reason(Record, frozen=True):
    """Why an order is refused: the code, a sentence with place and numbers, the rule."""

    code: Refusal
    text: str
    rule: str = ""
