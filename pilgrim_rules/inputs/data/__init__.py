"""Data of a game that is not text of its rules: TOML files, the edition."""
