"""Lowering: rules as written -> the core. Shared guards and effects are expanded, costs become tests and payments."""
