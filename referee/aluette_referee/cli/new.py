"""`aluette new mybot.py`: a commented bot to start from."""

import sys
from pathlib import Path

import click

from aluette.errors import Misuse

__all__ = ["command"]


@click.command("new")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> None:
    """Write a commented bot to start from.

    FILE is its name, such as mybot.py; a file that is there is left as it is.
    """
    if (problem := _problem(file)) is not None:
        raise Misuse(problem)
    text = (Path(__file__).parent / "starter.py").read_text(encoding="utf-8").replace("mybot.py", file.name)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise Misuse(f"{file} is already there; choose another name") from None
    except OSError as error:
        raise Misuse(f"{file} cannot be written: {error.strerror}") from None
    click.echo(f"Wrote {file}. Play it:  aluette match {file}:MyBot careful --blocks 10")


def _problem(file: Path) -> str | None:
    """What is wrong with the name of a bot file, or None."""
    if not file.name.isprintable():
        return f"{file.name!r} cannot be the name of a bot file; choose another name"
    if file.suffix != ".py":
        return f"a bot file ends in .py: aluette new {file}.py"
    # Python looks for modules beside the bot first.
    if file.stem == "aluette":
        return f"{file.name} would hide the SDK; choose another name"
    if file.stem in sys.stdlib_module_names:
        return f"{file.name} would hide Python's own module of that name; choose another name"
    return None
