"""The library that people import. Names of games, moves and JSON enter; games, states, views, records and traces leave."""
