"""`python -m pilgrim_rules` is the command `pilgrim`."""

from pilgrim_rules.cli.main import main

if __name__ == "__main__":
    main()
