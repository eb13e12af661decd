"""The front end: rules as text go in, a checked core game comes out."""
