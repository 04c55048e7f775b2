"""`aluette new mybot.py`: a commented bot to start from."""

from pathlib import Path

import click

from aluette.errors import Misuse

__all__ = ["command"]


@click.command("new")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> None:
    """Write a commented bot to start from into FILE."""
    if file.suffix != ".py":
        raise Misuse(f"a bot file ends in .py: aluette new {file.name}.py")
    text = (Path(__file__).parent / "starter.py").read_text(encoding="utf-8").replace("mybot.py", file.name)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise Misuse(f"{file} is already there; choose another name") from None
    except OSError as error:
        raise Misuse(f"{file} cannot be written: {error.strerror}") from None
    click.echo(f"Wrote {file}. Play it:  aluette match {file}:MyBot careful --blocks 10")
