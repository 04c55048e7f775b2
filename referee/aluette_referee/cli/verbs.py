"""A group of commands, each in a module of its own that is imported when it is asked for: help must be quick."""

import importlib
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import click

from aluette.errors import Misuse
from aluette_referee.cli import only_the_sdk

__all__ = ["Verbs"]


class Verbs(click.Group):
    """`verbs`: for each command the module whose `command` it is, or `module:name`, and its line in the help."""

    def __init__(self, *args: Any, verbs: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        """A group as click makes it."""
        super().__init__(*args, **settings)
        self._verbs = verbs

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        del ctx
        return list(self._verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of them, imported now."""
        del ctx
        if cmd_name not in self._verbs:
            return None
        try:
            module, _, name = self._verbs[cmd_name][0].partition(":")
            command: click.Command = getattr(importlib.import_module(module), name or "command")
        except ModuleNotFoundError as error:
            raise Misuse(only_the_sdk(error)) from error
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with a guess at what was meant."""
        if near := get_close_matches(args[0], [] if args[0] in self._verbs else self._verbs, n=1):
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Name and summary of each."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self._verbs.items()])
