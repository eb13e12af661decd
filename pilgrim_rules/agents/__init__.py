"""Games for learning agents: adapters to PettingZoo and OpenSpiel, each imported only by whoever asks for it.

`pilgrim_rules.agents.pettingzoo.env("nim")` needs `pip install pilgrim-rules[agents]`;
`pilgrim_rules.agents.openspiel.game("nim")` needs `pip install open_spiel` besides.
"""
