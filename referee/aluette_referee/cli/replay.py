import click


@click.command("replay")
def command() -> None: ...


group = command
