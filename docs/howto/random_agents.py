"""Two players who choose at random among the legal moves: where every learner begins."""

from __future__ import annotations

from pilgrim_rules.agents.pettingzoo import env


def play(name: str, seed: int) -> dict[str, float]:
    """Play one game; return what it was worth to each player."""
    zoo = env(name)
    zoo.reset(seed=seed)
    worth: dict[str, float] = {}
    for at, agent in enumerate(zoo.possible_agents):
        zoo.action_space(agent).seed(seed + at)
    for agent in zoo.agent_iter():
        _, reward, terminated, truncated, info = zoo.last()
        if terminated or truncated:
            worth[agent] = reward
            zoo.step(None)
        else:
            zoo.step(zoo.action_space(agent).sample(info["action_mask"]))
    return worth


if __name__ == "__main__":
    print(play("pilgrim", seed=1))  # noqa: T201  (a program of its own)
