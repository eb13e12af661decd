"""What playing shows: visited states, replay by the reference, worked examples."""
