"""Automata: seats that own pieces and decide by a policy of the rules."""

import pytest

import pilgrim_rules as pr
from pilgrim_rules.cli.seats import parse_seats
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language.load import check, read_game
from verifier.claims.obligations import obligations
from verifier.explore.search import explore
from verifier.fuzz.campaign import run as fuzz
from verifier.prove.run import verify

TEXT = """\
game duel
    players 1..2 named ann, ben
    automaton crow when players == 1

stages
    taking by turn
    resting by turn
    over nobody

state
    left : 0..6 = 6
    own[Player] : 0..6 = 0
    turn : Player = ann

action take(n: 1..2)
    during taking
    require n <= left
        else "so many are not left"
    do
        move n from left to own[turn]
        turn = next(turn)
        stage = over if left == 0 else taking

auto peck during taking
    do
        move 1 from left to own[turn]
        turn = next(turn)
        stage = over if left == 0 else taking

action rest
    during resting
    do stage = over

score of p
    line "Own" own[p]

invariant something_is_left: stage == taking implies left > 0
invariant resting_is_never: stage != resting
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "duel.rules"
    path.write_text(TEXT)
    return path


def changed(path, *pairs):
    text = TEXT
    for before, after in pairs:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text)
    return path


def test_an_automaton_has_a_seat_and_decides_nothing(path):
    game = pr.load(path, players=1)
    state = game.start().play("take(2)")
    assert (("ann", "crow"), ("ann",), ("crow",)) == (game.players, game.people, game.automata)
    assert ("ann", 3, 1) == (state.to_move, state["left"], state["own"]["crow"])


def test_with_enough_people_the_automaton_and_its_policy_stay_away(path):
    game = pr.load(path, players=2)
    assert (("ann", "ben"), ()) == (game.players, game.automata)
    assert "peck" not in {action.name for action in game.core.actions}


def test_whole_games_are_the_same_in_the_engine_and_in_bulk(path):
    game = pr.load(path, players=1)
    played = game.playouts(20, seed=3)
    assert all(each.over for each in played)
    assert {6} == {sum(int(score) for score in each.points.values()) for each in played}


def test_a_policy_that_covers_every_stage_is_proved(path):
    report = verify(read_game(path, players=1), cache=False, confirm=False, jobs=1)
    found = {record.name: record.verdict.value for record in report.records}
    assert "proved" == found["duel.policy_covers/taking"]
    assert "proved" == found["duel.policy_covers/resting"]  # no automaton ever rests
    assert "proved" == found["duel.one_auto/taking"]
    assert "duel.can_refuse/take.seat" not in found


def test_without_automata_no_policy_is_asked_for(path):
    names = {each.kind for each in obligations(read_game(path, players=2))}
    assert "policy_covers" not in names


def test_a_stage_without_a_policy_is_refuted_where_an_automaton_comes_to_it(path):
    changed(path, ("    do\n        move 1 from left", "    require left > 3\n    do\n        move 1 from left"))
    core = read_game(path, players=1)
    record = next(
        each
        for each in verify(core, cache=False, confirm=False, jobs=1).records
        if each.name == "duel.policy_covers/taking"
    )
    assert "refuted" == record.verdict.value
    assert "no policy" in {each.kind for each in explore(core).findings}
    assert {"duel.policy_covers/taking"} == {each.name for each in fuzz(core, games=20).failures}


def test_two_policies_at_once_are_found(path):
    changed(path, ("action rest\n", "auto hop during taking\n    do stage = over\n\naction rest\n"))
    core = read_game(path, players=1)
    assert "two autos" in {each.kind for each in explore(core).findings}
    assert {"duel.one_auto/taking"} == {each.name for each in fuzz(core, games=5).failures}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("when players == 1", "when left == 1", "who sits at the table is decided when the game is loaded"),
        ("crow when players == 1", "ann when players == 1", "`ann` has a seat already in a game for 1"),
        ("    automaton crow when players == 1\n", "", "`peck` is of kind `auto`, but in `taking` a player decides"),
    ],
)
def test_a_mistake_about_seats_is_reported(path, before, after, said):
    assert said in {each.message for each in check(changed(path, (before, after)))}


def test_who_joins_may_depend_on_an_option(path):
    changed(
        path,
        ("when players == 1", "when players == 1 and company == yes"),
        ("stages\n", "option company\n    choice yes default\n    choice no\n\nstages\n"),
        ("next(turn)", "next(turn)"),
    )
    alone = pr.load(path, players=1, options={"company": "no"})
    assert (("ann",), ("ann", "crow")) == (alone.players, pr.load(path, players=1).players)


def test_rules_can_count_seats_and_ask_who_is_an_automaton(path):
    changed(path, ("left : 0..6 = 6", "left : 0..6 = 2 * seats + players - 1 + (1 if automaton(next(ann)) else 0)"))
    assert [5, 5] == [pr.load(path, players=players).start()["left"] for players in (1, 2)]


def test_nobody_is_asked_to_sit_for_an_automaton(path):
    game = pr.load(path, players=1)
    assert {"ann": "human"} == parse_seats(game, [])
    with pytest.raises(Exception, match="there is no player 'crow'"):
        parse_seats(game, ["crow=random"])


def test_an_automaton_is_no_agent(path):
    zoo = pytest.importorskip("pilgrim_rules.agents.pettingzoo")
    env = zoo.env(pr.load(path, players=1))
    env.reset(seed=1)
    assert (["player_0"], "player_0") == (env.possible_agents, env.agent_selection)
    for _ in range(9):
        if env.terminations["player_0"]:
            break
        env.step(int(env.infos["player_0"]["action_mask"].argmax()))
    assert env.terminations == {"player_0": True}


def test_a_trace_says_what_the_automaton_did(path):
    trace = pr.Trace.start(pr.load(path, players=1))
    trace.play("take(1)")
    assert [("ann", "take(1)"), ("auto", "peck")] == [(step.by, str(step.move)) for step in trace.steps]
    again = pr.Record.from_json(trace.to_json()).replay()
    assert trace.state == again.state


def test_a_seat_that_is_named_twice_is_refused(path):
    changed(path, ("automaton crow when players == 1", "automaton ben"))
    with pytest.raises(RulesError, match="has a seat already"):
        read_game(path, players=2)


def test_state_that_only_the_policy_uses_is_left_out_where_nobody_needs_it(path):
    changed(
        path,
        ("turn : Player = ann\n", "turn : Player = ann\n    pecked : 0..6 = 0\n\ndef hungry() = pecked < 3\n"),
        ("auto peck during taking\n    do\n", "auto peck during taking\n    do\n        if hungry(): pecked += 1\n"),
    )
    alone, together = (pr.load(path, players=players) for players in (1, 2))
    assert (1, False) == (alone.start().play("take(2)")["pecked"], "pecked" in together.layout.by_name)
    assert "hungry" not in {definition.name for definition in together.core.defs}


def test_a_policy_asks_the_guards_of_players(path):
    """`possible` of a shared guard, in a requirement and in an effect, is the guard that actions check."""
    asked = 'require n <= left\n        else "so many are not left"\n'
    action = "action take(n: 1..2)\n    during taking\n    "
    taken = "    do\n        move 1 from left to own[turn]\n"
    greedy = "    do\n        let n = 2 if possible(enough(2)) else 1\n        move n from left to own[turn]\n"
    guard = f"guard enough(n: 1..2)\n    {asked}\n"
    changed(path, (f"{action}{asked}", f"{guard}{action}check enough(n)\n"), (taken, greedy))
    game = pr.load(path, players=1)
    assert 2 == game.start().play("take(2)")["own"]["crow"]
    assert 3 == game.start().play("take(2)").play("take(1)")["own"]["crow"]  # one was left
    found = {each.name: each.verdict.value for each in verify(game.core, cache=False, confirm=False, jobs=1).records}
    assert "proved" == found["duel.policy_covers/taking"]


def test_a_game_says_for_how_many_it_is_loaded(path):
    changed(path, ("players 1..2 named", "players 1..2 default 2 named"))
    assert (("ann", "ben"), ("ann", "crow")) == (pr.load(path).players, pr.load(path, players=1).players)
    assert [] == list(check(path))


def test_clauses_of_the_lines_of_a_game_are_checked_and_counted(tmp_path):
    (tmp_path / "c.toml").write_text(
        '[[clause]]\nid = "SEA-1"\nsection = "Seats"\nkind = "setup"\ntext = "One or two play."\n'
        '[[clause]]\nid = "SEA-2"\nsection = "Seats"\nkind = "setup"\ntext = "A crow joins."\n'
    )
    text = """\
game small
    players 1..2 named ann, ben                                 cites SEA-1
    automaton crow                                              cites SEA-2
    clauses "c.toml"

stages
    waiting by ann
    over nobody

action stop
    during waiting
    do stage = over
"""
    path = tmp_path / "small.rules"
    path.write_text(text)

    assert ("SEA-1", "SEA-2") == read_game(path).note.clauses
    path.write_text(text.replace("SEA-2", "SEA-9"))
    with pytest.raises(RulesError, match="PR601"):
        read_game(path)
