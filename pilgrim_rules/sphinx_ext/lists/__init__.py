"""Lists and tables about a whole game. A game's rulebook data enters; docutils nodes leave."""
