"""Games for other tools. A core game enters; a model in the language of another checker, a graph or a tree as JSON leaves.

Each format is one function from a core game to a text. What a language cannot say raises `CannotExport`.
"""
