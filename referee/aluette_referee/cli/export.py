import click


@click.command("export")
def command() -> None: ...


group = command
