"""`aluette bots`: the bots that are installed, one line each."""

import inspect
from importlib.metadata import EntryPoint

import click

from aluette.loading import built_in_bots

__all__ = ["command"]


@click.command("bots")
def command() -> None:
    """List the built-in bots."""
    points = built_in_bots()
    width = max(map(len, points), default=0)
    for name, point in points.items():
        click.echo(f"{name:{width}}  {_about(point)}")


def _about(point: EntryPoint) -> str:
    try:
        return (inspect.getdoc(point.load()) or "").partition("\n")[0]
    except Exception as error:  # noqa: BLE001 - any package may offer bots, and one that is broken hides no other
        return f"(cannot be loaded: {type(error).__name__}: {error})"
