"""`aluette bots`: the bots that are installed, one line each."""

import inspect

import click

from aluette.loading import built_in_bots

__all__ = ["command"]


@click.command("bots")
def command() -> None:
    """List the built-in bots."""
    points = built_in_bots()
    width = max(map(len, points), default=0)
    for name, point in points.items():
        about = (inspect.getdoc(point.load()) or "").partition("\n")[0]
        click.echo(f"{name:{width}}  {about}")
