"""Single rules, each on a small position; the worked examples and the readings are in the rules files themselves."""

import pytest

from tests.games.pilgrim.directed import play


def names(state):
    return {move.action for move in state.moves()}


def cited(state, move):
    return {clause for refusal in state.why_not(move) for clause in refusal.clauses}


# ------------------------------------------------------------------------------------------------------------ the turn


@pytest.mark.covers("OBL-1", "OBL-2", "OBL-5")
def test_who_has_nobody_in_the_city_or_on_duties_oblates_from_the_abbey(table):
    state = table("closing", active="yellow", starter="blue", seats_done=2, at__red__city=0, abbey__red=2)
    after = state.play("end_turn")

    assert (1, 1) == (after["at", "red", "city"], after["abbey", "red"])
    assert "naming" == after.stage  # the turn was over at once, and it was the last of the round


@pytest.mark.covers("OBL-3", "OBL-4")
def test_with_an_empty_abbey_a_serf_goes_to_the_abbey(table):
    changes = {"at__red__city": 0, "abbey__red": 0, "village__red": 4}
    after = table("closing", active="yellow", starter="blue", seats_done=2, **changes).play("end_turn")

    assert (0, 1, 3) == (after["at", "red", "city"], after["abbey", "red"], after["village", "red"])


@pytest.mark.covers("TRN-8", "DUT-8", "GAP-TITHE-OR-NOTHING", "GAP-NO-ACTION")
def test_going_without_is_legal_only_if_nothing_else_is(pilgrim):
    for seed in (3, 4):
        for state in play(pilgrim, seed):
            if state.stage == "choosing" and "end_without" in names(state):
                assert {"end_without"} == names(state) - BONUSES


BONUSES = {
    "brew", "buy", "buy_indulgence", "move_merchant", "preach", "put_aside", "put_aside_for_piety", "sell",
    "sell_indulgence", "use",
}  # fmt: skip


@pytest.mark.covers("TIT-2", "TIT-5")
def test_a_tithe_leaves_the_acolytes_where_they_are(table):
    state = table(at__red__west=2, at__red__south=1)
    after = state.play("tithe(west, grain)")

    assert (2, 2) == (after["at", "red", "west"], after["store", "red", "grain"])
    assert "TIT-2" in cited(state, "tithe(south, grain)")


# ------------------------------------------------------------------------------------------------------------- duties


@pytest.mark.covers("DUT-11", "DUT-12")
def test_a_duty_in_minority_costs_a_coin_once(table):
    state = table(at__red__north=1, at__blue__north=2)
    after = state.play("hew")

    assert (0, 0) == (after["store", "red", "coin"], after["work"])
    assert "DUT-11" in cited(table(at__red__north=1, at__blue__north=2, store__red__coin=0), "hew")


@pytest.mark.covers("BL3-5", "BL3-6")
def test_the_customs_house_helps_taxation_only(table):
    state = table(at__red__north=1, at__red__south=1, at__blue__north=2, at__blue__south=2, armed__customs_house=True)

    assert 0 == state.play("hew")["work"]
    assert 2 == state.play("tax(grain)")["work"]
    assert 1 == state.play("tax(grain)")["store", "red", "coin"]  # nothing was paid for the minority


@pytest.mark.covers("BL3-9", "BL3-10")
def test_the_mill_spares_two_grain_and_wants_a_third_to_be_held(table):
    state = table(at__red__southwest=2, armed__mill=True, armed__infirmary=True, store__red__grain=3)
    twice = state.play("ordain", "ordain")

    assert 3 == twice["store", "red", "grain"]
    assert 2 == twice.play("ordain")["store", "red", "grain"]
    held = table(at__red__southwest=2, armed__mill=True, armed__infirmary=True, store__red__grain=2)
    assert "BL3-10" in cited(held.play("ordain", "ordain"), "ordain")


@pytest.mark.covers("BL1-6", "BL1-7", "BL1-8", "ALC-2")
def test_the_chapter_house_lets_one_more_acolyte_in(table):
    full = table(at__red__northeast=2, busy__red__fields=1)
    assert "ALC-2" in cited(full, "assign(fields)")
    state = table(at__red__northeast=2, busy__red__fields=1, armed__chapter_house=True).play("assign(fields)")

    assert 2 == state["busy", "red", "fields"]
    assert 2 == state.ask("helpers", "fields")
    assert not state["armed", "chapter_house"]


@pytest.mark.covers("GAL-6", "GAL-7", "GAL-8", "GAL-9", "BLD-13", "SCO-12")
def test_a_donation_is_the_whole_duty_and_moves_the_marker(table):
    state = table(at__red__west=2, owner__well="red", spot__well=None)
    before = state.scores()["red"].parts["Buildings"]
    after = state.play("donate(well)")

    assert (1, 0) == (after["alms", "red"], after["work"])
    assert 2 == after.scores()["red"].parts["Buildings"] - before
    assert not after.ask("live", "well")
    assert {"finish"} == names(after) - BONUSES


@pytest.mark.covers("CON-2", "CON-5", "CON-6", "SPA-4")
def test_construct_allows_a_second_road_only_with_the_road_engineer(table):
    plain = table(at__red__northwest=2, store__red__stone=3)
    moved = plain.play("start_road(gate_1, to_n, true)", "post(city)")
    assert "CON-2" in cited(moved, "extend_road(1, to_n, to_n, true)")
    helped = table(at__red__northwest=2, store__red__stone=3, busy__red__road_engineer=1)

    assert helped.play("start_road(gate_1, to_n, true)", "post(city)", "extend_road(1, to_n, to_n, true)")


# ---------------------------------------------------------------------------------------------------------- buildings


def owned(*buildings, by="red"):
    return {f"owner__{each}": by for each in buildings} | {f"spot__{each}": None for each in buildings}


@pytest.mark.covers("BLD-21", "BLD-22", "MER-5")
def test_with_the_merchant_at_taxation_only_owners_use_a_building(table):
    state = table(**owned("brewery", by="blue"), **owned("guild"))

    assert "BLD-21" in cited(state, "use(brewery, coin)")
    assert state.play("use(guild)")


@pytest.mark.covers("BLD-23", "BL3-14", "BL3-15")
def test_the_owner_of_the_wagon_yard_hires_one_building_for_nothing_also_at_taxation(table):
    state = table(**owned("wagon_yard"), **owned("brewery", "grain_store", by="blue")).play("use(wagon_yard)")
    after = state.play("use(brewery)")

    assert (1, 1) == (after["store", "red", "coin"], after["store", "blue", "coin"])
    assert "BLD-18" in cited(after, "use(grain_store)")


@pytest.mark.covers("BL3-15", "GAP-WAGON")
def test_a_hired_wagon_yard_is_of_no_use_at_taxation(table):
    state = table(**owned("wagon_yard", "brewery", by="blue"), **owned("guild"), merchant="southeast")
    after = state.play("use(wagon_yard, grain)", "use(guild)", "move_merchant")

    assert "south" == after["merchant"]
    assert "BLD-18" in cited(after, "use(brewery)")


@pytest.mark.covers("BLD-18", "BLD-19", "MER-3")
def test_a_fee_goes_to_the_owner_in_the_trade_resource(table):
    state = table(**owned("brewery", by="blue"), merchant="north")
    after = state.play("use(brewery, stone)")

    assert (0, 2) == (after["store", "red", "stone"], after["store", "blue", "stone"])
    assert "BLD-19" in cited(state, "use(brewery, coin)")


@pytest.mark.covers("MER-7", "MER-8", "BLD-20")
def test_a_cornucopia_lets_the_payer_choose_and_the_supply_takes_the_fee(table):
    state = table(merchant="west", spot__brewery=0, ship=0, roll={"nw": 1, "ne": 3, "se": 3, "sw": 3})
    before = state["stock", "grain"]

    assert before + 1 == state.play("use(brewery, grain)")["stock", "grain"]
    assert state.play("use(brewery, coin)")


@pytest.mark.covers("BL3-4", "GAP-BANK")
def test_coins_put_aside_at_the_bank_pay_once_and_the_rest_comes_back(table):
    changes = {"store__red__coin": 5, "store__red__stone": 0, "at__red__southeast": 2}
    state = table(**owned("bank"), **changes).play("use(bank)", "put_aside(stone, 3)")
    after = state.play("start_road(gate_1, to_n)")

    assert (2, 3) == (state["store", "red", "coin"], state["voucher", "stone"])
    assert (4, 0) == (after["store", "red", "coin"], after["voucher", "stone"])


@pytest.mark.covers("BL2-10", "GAP-RELIQUARY")
def test_the_reliquary_makes_the_first_shrine_free_of_piety(table):
    changes = {"armed__reliquary": True, "at__red__southeast": 3, "store__red__stone": 3}
    state = table(**changes).play("start_road(gate_1, to_n)", "post(city)", "build_shrine(1)")

    assert 0 == state["piety", "red"]
    assert not state["armed", "reliquary"]


@pytest.mark.covers("BLD-16", "BLD-17")
def test_each_building_works_once_a_turn(table):
    state = table(**owned("brewery", "guild")).play("use(brewery)", "brew")

    assert "BLD-16" in cited(state, "use(brewery)")
    assert state.play("use(guild)")


# ----------------------------------------------------------------------------------------------------------- round end


@pytest.mark.covers("RND-3", "RND-4", "RND-5")
def test_nobody_keeps_more_than_six_stones_or_grain(table):
    state = table("closing", active="yellow", starter="red", seats_done=3, store__blue__stone=9, store__blue__coin=9)
    after = state.play("end_turn")

    assert (6, 9) == (after["store", "blue", "stone"], after["store", "blue", "coin"])


@pytest.mark.covers("RND-12", "BLD-1", "BL1-4")
def test_a_confession_box_that_the_ship_has_just_reached_can_be_used(table):
    state = table("closing", active="yellow", seats_done=3, ship=2, spot__confession_box=3, roll__nw=3, round=1)
    after = state.play("end_turn")

    assert "confessing" == after.stage
    assert {"confess", "keep_silent"} == names(after)


@pytest.mark.covers("RND-14", "RND-16")
def test_among_the_most_pious_the_next_after_the_holder_names_the_start_player(table):
    state = table("closing", active="yellow", starter="red", seats_done=3, piety__red=4, piety__green=4)

    assert "green" == state.play("end_turn").to_move


@pytest.mark.covers("ALM-13", "ALM-16", "ALM-18")
def test_the_season_goes_to_the_highest_then_the_most_pious(table):
    changes = {"ship": 8, "round": 7, "roll": {"nw": 3, "ne": 3, "se": 3, "sw": 3}}
    tied = {"alms__blue": 3, "alms__green": 3, "piety__green": 1}
    after = table("closing", active="yellow", starter="red", seats_done=3, **changes, **tied).play("end_turn")

    assert (0, 1) == (after["alms_top", "blue"], after["alms_top", "green"])
    assert {0} == set(after["alms"].values())


@pytest.mark.covers("ALM-15")
def test_an_empty_abbey_forfeits_the_season(table):
    changes = {"ship": 8, "round": 7, "roll": {"nw": 3, "ne": 3, "se": 3, "sw": 3}}
    won = {"alms__blue": 3, "abbey__blue": 0}
    after = table("closing", active="yellow", starter="red", seats_done=3, **changes, **won).play("end_turn")

    assert {0} == set(after["alms_top"].values())


@pytest.mark.covers("SCO-1", "SCO-2", "SCO-3", "SCO-9", "SCO-11", "SCO-15", "SCO-16")
def test_the_lines_of_the_score_sheet(table):
    changes = {"at__red__north": 2, "abbey__red": 1, "piety__red": 12, "alms_top__red": 3}
    parts = table(**changes, store__red__coin=3).scores()["red"].parts

    assert (8, 9, 18, 1) == tuple(parts[line] for line in ("Acolytes", "Piety", "Alms", "Resources"))
