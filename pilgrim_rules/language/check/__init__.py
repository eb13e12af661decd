"""Types: every expression gets a finite type, every name its meaning; the result is core expressions."""
