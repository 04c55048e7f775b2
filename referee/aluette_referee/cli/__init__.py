"""The command line: one file a verb. A shell: it turns mistakes into sentences and exit codes.

0 done; 1 a record does not hold; 2 a person's mistake, in one sentence on stderr; 130 interrupted.
"""

import os
import sys

__all__ = ["main", "only_the_sdk"]


def main() -> None:
    """The `aluette` command. With the SDK alone, it says how to install the rest."""
    # gRPC would log every stranger's bad handshake on its own; what matters we say ourselves.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        from aluette_referee.cli.app import cli  # noqa: PLC0415 - what the SDK alone does not have
    except ModuleNotFoundError as error:
        sys.stderr.write(f"aluette: {only_the_sdk(error)}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.stderr.write("aluette: interrupted\n")
        sys.exit(130)
    cli(prog_name="aluette")


def only_the_sdk(error: ModuleNotFoundError) -> str:
    """What to say when a package of the referee is missing; raises the error again when it is one of ours."""
    if error.name is None or error.name.startswith("aluette"):
        raise error
    return (
        f"only the SDK is installed (there is no {error.name}); "
        "for the referee and its commands: pip install 'aluette[referee]'"
    )


if __name__ == "__main__":
    main()
