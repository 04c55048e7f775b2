"""`aluette league`: its verbs are in files of their own."""

from typing import Final

import click

from aluette_referee.cli.verbs import Verbs

__all__ = ["command"]

_HERE: Final = "aluette_referee.cli.league"

VERBS: Final = {
    "init": (f"{_HERE}.serving:init", "Make a league in the folder DIR."),
    "serve": (f"{_HERE}.serving:serve", "Serve the league in the folder DIR."),
    "backup": (f"{_HERE}.serving:backup", "Copy the database, also while it is served."),
    "recompute": (f"{_HERE}.serving:recompute", "Count all matches again, by their records."),
    "register": (f"{_HERE}.owners:register", "Register an owner, and print its token."),
    "add": (f"{_HERE}.owners:add", "Add a bot with its first version."),
    "version": (f"{_HERE}.owners:version", "Add the next version of a bot."),
    "retire": (f"{_HERE}.owners:retire", "Have a bot or a version play no more."),
    "reactivate": (f"{_HERE}.owners:reactivate", "Have a version play again."),
    "rename": (f"{_HERE}.owners:rename", "Change what a bot is displayed as."),
    "token": (f"{_HERE}.owners:token", "Print one more token of an owner or a version."),
    "tokens": (f"{_HERE}.owners:tokens", "List an owner's tokens."),
    "revoke": (f"{_HERE}.owners:revoke", "Make a token good for nothing."),
    "request": (f"{_HERE}.owners:request", "Ask for unrated matches of two bots."),
    "pause": (f"{_HERE}.operating:pause", "Have no match begin until resume."),
    "resume": (f"{_HERE}.operating:resume", "Have matches begin again."),
    "drain": (f"{_HERE}.operating:drain", "End the service when the last match is over."),
    "season": (f"{_HERE}.operating:season", "End the season and begin another."),
    "bench": (f"{_HERE}.operating:bench", "Have a bot or a version pause, and say why."),
    "ban": (f"{_HERE}.operating:ban", "Shut an owner out, and say why."),
    "unban": (f"{_HERE}.operating:unban", "Let an owner in again."),
    "void": (f"{_HERE}.operating:void", "Have a match count for nobody, and say why."),
    "audit": (f"{_HERE}.operating:audit", "List who decided what."),
    "ladder": (f"{_HERE}.showing:ladder", "Print the ladder."),
    "seasons": (f"{_HERE}.showing:seasons", "List the seasons."),
    "show": (f"{_HERE}.showing:show", "Print a bot and its versions."),
    "matches": (f"{_HERE}.showing:matches", "List matches, the newest first."),
    "replay": (f"{_HERE}.showing:replay", "Print a match trick by trick."),
}


@click.group("league", cls=Verbs, verbs=VERBS)
def command() -> None:
    """Serve a league, where bots come and go."""
