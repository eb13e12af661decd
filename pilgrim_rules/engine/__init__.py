"""The engine: a core game, played. The reference evaluator, the compiler, and the library people import."""
