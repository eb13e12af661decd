"""The encoder: core expressions and statements as terms."""
