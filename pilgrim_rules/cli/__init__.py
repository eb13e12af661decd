"""The command `pilgrim`, one module a subcommand. Words of a command line enter; text or JSON and an exit code leave."""
