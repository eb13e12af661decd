"""The verifier's subcommands of `pilgrim`; `pilgrim_rules/cli/commands.py` names them, and imports them when asked for."""
