import click


@click.command("verify")
def command() -> None: ...


group = command
