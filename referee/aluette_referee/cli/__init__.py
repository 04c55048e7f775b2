"""The command line: one file a verb. A shell: it turns mistakes into sentences and exit codes.

0 done; 1 a record does not hold; 2 a person's mistake, in one sentence on stderr; 130 interrupted.
"""

import sys

__all__ = ["main"]


def main() -> None:
    """The `aluette` command. With the SDK alone, it says how to install the rest."""
    try:
        from aluette_referee.cli.app import cli  # noqa: PLC0415 - what the SDK alone does not have
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] in ("aluette", "aluette_referee"):
            raise
        sys.exit(
            f"aluette: only the SDK is installed (there is no {error.name}); "
            "for the referee and its commands: pip install 'aluette[referee]'"
        )
    cli(prog_name="aluette")


if __name__ == "__main__":
    main()
