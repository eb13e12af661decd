"""Cross-checks: two accounts of the same game must say the same of the same states."""
