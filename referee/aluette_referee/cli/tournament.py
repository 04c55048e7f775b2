import click


@click.command("tournament")
def command() -> None: ...


group = command
