"""Games for learning agents. Games and action numbers enter; environments of PettingZoo and games of OpenSpiel leave.

`pilgrim_rules.agents.pettingzoo.env("nim")` needs `pip install pilgrim-rules[agents]`;
`pilgrim_rules.agents.openspiel.game("nim")` needs `pip install open_spiel` as well. Each is imported only on request.
"""
