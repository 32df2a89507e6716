"""Index of the rules that the strategic layer keeps: rule id to functions of the layer.

The layer itself names no rule book. What this folder keeps itself says so in its docstrings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_INDEX: Final[Mapping[str, str]] = {
    "W2-1.2": "heroes.ROUND routes.DIRECTIONS",
    "W2-1.4": "cities.add_gold",
    "W2-1.5": "site_contents.is_far",
    "W2-1.6": "decision.roll",
    "W2-1.8": "cities.is_crowded heroes.vacancies heroes.join_at",
    "W2-2.4": "turns.drop_unmanned",
    "W2-3.4": "aftermath.ruin_city",
    "W2-4.1": "costs._fixed",
    "W2-4.2": "sight.others costs.cost_map quests.enemies",
    "W2-4.3": "costs.BRIDGE costs.cost_map costs.base",
    "W2-4.4": "costs.HILLS costs.mover costs.prices",
    "W2-4.5a": "sight.others costs.cost_map",
    "W2-4.5b": "costs.prices costs.toll costs.step movement.stretch routes.described",
    "W2-4.5c": "routes.described",
    "W2-5.1": "costs.HILLS costs.Mode routes.RouteRequest",
    "W2-5.2": (
        "costs.passable costs.prices costs.entry costs.step movement.walk movement.judged "
        "movement.may_step"
    ),
    "W2-5.3": (
        "costs.prices sight.foreign costs.entry movement.march path_cache.PathCache.way "
        "routes.CLOSED routes.DistanceField.charge routes.distance_field routes.plan "
        "routes.ordered sight.as_known"
    ),
    "W2-5.4": "routes.DistanceField",
    "W2-5.5": "path_cache.PathCache.way reach.reach routes.distance_field routes.plan",
    "W2-5.6": "path_cache.PathCache.way routes.AHEAD routes.plan",
    "W2-5.7": "routes.DistanceField",
    "W2-6.1": (
        "costs.mover movement.march movement.walk movement.judged movement.need_mover routes.plan"
    ),
    "W2-6.2": "costs.mover costs.points costs.step movement.stretch reach.reach",
    "W2-6.3": "item_records.speed reach.reach turns.refill_points turns.speed_bearers",
    "W2-6.4": (
        "costs.is_attack costs.is_held movement.march movement.walk movement.judged movement.go "
        "movement.advance movement.gets_on movement.strikes movement.stretch reach.reach "
        "routes.described sites.pick_up_all"
    ),
    "W2-6.5": "movement.march movement.go decision.aim goals.set_goal goals.go_on",
    "W2-6.6": (
        "battle.strength costs.coastal costs.harbours costs.docks costs.is_water "
        "costs.is_coast_step costs.aboard_at costs.prices costs.ashore costs.entry costs.links "
        "costs.step movement.may_step reach.reach routes.described"
    ),
    "W2-6.7": (
        "aftermath.settle_battle movement.go movement.wake goals.set_goal goals.defend sight.span "
        "turns.build_towers turns.drop_unmanned"
    ),
    "W2-7": "heroes._hero_type",
    "W2-8.1": "battle.attack battle.defenders_at battle.line_up battle.forecast",
    "W2-8.2": "battle.line_up battle.forecast",
    "W2-8.3": (
        "battle.line_up battle.meet battle.attackers_support battle.defenders_support "
        "battle.defence battle.strength battle.reasons item_records.standards battle.forecast"
    ),
    "W2-8.4": (
        "battle.line_up battle.meet battle.order_of battle.in_order duels.fight "
        "diplomacy.set_fight_order battle.forecast"
    ),
    "W2-8.5": (
        "battle.meet duels.fight duels.struck duels.duel_rounds battle.forecast "
        "duels.odds_of_duels duels.odds duels.share"
    ),
    "W2-8.6": (
        "aftermath.settle_battle aftermath.learn aftermath.award_medal battle.forecast "
        "quests.after_battle sites.fall"
    ),
    "W2-9.1": "cities.rename cities.buy_slot",
    "W2-9.2": (
        "aftermath.take_city aftermath.looted aftermath.fates aftermath.settle_city "
        "aftermath.raze_city aftermath.ruin_city aftermath.worth quests.after_city"
    ),
    "W2-9.3": (
        "cities.produce cities.stop_production cities.pass_turn cities.count_down cities.room_in "
        "cities.recruit cities.receive_transits cities.due_transits cities.posted heroes.new_army "
        "heroes.places_in"
    ),
    "W2-9.4": "cities.buy_slot",
    "W2-9.5": "cities.set_vector cities.sources cities.receive_transits sites.plant_flag",
    "W2-9.6": "cities.income cities.upkeep cities.keep_accounts item_records.purses",
    "W2-9.7": "cities.garrison cities.posted cities.tier_slot cities.refill_neutrals",
    "W2-10.1": "heroes.offer heroes.hire heroes.new_army heroes.places_in",
    "W2-10.2": (
        "heroes.title heroes.learned heroes.gain heroes.level_up heroes.is_due heroes.raised "
        "sites.bless"
    ),
    "W2-10.3": (
        "item_records.weapons item_records.command item_records.standards item_records.speed "
        "item_records.purses site_contents.fill site_contents.stocked site_contents.completed "
        "sites.pick_up_all sites.pick_up sites.drop sites.plant_flag"
    ),
    "W2-10.4": (
        "item_records.is_good item_records.is_shown item_records.guardian_of site_contents.fill "
        "site_contents.is_far site_contents.ranked"
    ),
    "W2-10.5": (
        "cities.add_gold heroes.ROUND heroes.new_army heroes.room_beside heroes.join_at "
        "quests.take sites.search sites.chance sites.ask_sage sites.bless"
    ),
    "W2-10.6": (
        "aftermath.settle_battle heroes.join_at quests.take quests.check quests.after_battle "
        "quests.after_city quests.on_gold quests.possible quests.measured quests.reward "
        "cities.add_gold"
    ),
    "W2-11": (
        "heroes.look_from movement.go movement.gets_on routes.ordered sight.has_fog sight.span "
        "sight.visible sight.as_known sight.look_around sight.look_along sight.note_sighted "
        "sight.lift"
    ),
    "W2-12.1": "diplomacy.apply diplomacy.set_stance quests.enemies",
    "W2-12.2": "diplomacy.apply diplomacy.set_stance",
    "W2-12.3": (
        "aftermath.settle_city aftermath.raze_city battle.attack diplomacy.may_attack "
        "diplomacy.betray diplomacy.worsen diplomacy.titles movement.march movement.walk "
        "movement.judged movement.advance movement.strikes"
    ),
    "W2-13.1": (
        "dispatch.check sites.fall turns.begin_game turns.end_turn turns.pass_on "
        "turns.go_on_round victory.eliminate victory.leave_game"
    ),
    "W2-13.2": (
        "heroes.offer heroes.level_up quests.check turns.end_turn turns.begin_turn turns.go_on_turn"
    ),
    "W2-13.3": (
        "victory.eliminate victory.judge victory.check victory.answer_yield victory.has_most "
        "victory.surrenders_to victory.resign"
    ),
    "W2-14.1": "aftermath.take_city",
    "W2-17": (
        "aftermath.raze_city cities.rename goals.disband quests.carries_quest_item sites.pick_up "
        "sites.drop victory.leave_game victory.resign"
    ),
}

IN_THE_LAYER: Final[Mapping[str, tuple[str, ...]]] = {
    rule: tuple(names.split()) for rule, names in _INDEX.items()
}
"""Names below ``engine.strategic``, by rule id."""
