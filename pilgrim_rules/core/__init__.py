"""The core of a game: small, closed, validated; every back end reads it and nothing else."""
