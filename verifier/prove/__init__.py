"""Every obligation of a game settled: cache, workers, strategy, verdicts."""
