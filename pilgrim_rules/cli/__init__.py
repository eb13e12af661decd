"""The command `pilgrim`: one module for each group of subcommands, imported when one of them is asked for."""
