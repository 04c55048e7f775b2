"""A league's folder: `league.toml`, and `league.db` beside it unless that names a PostgreSQL database."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from aluette.errors import Misuse
from aluette_referee.contest.toml_text import FileMistakes
from aluette_referee.league.pairing import Mode
from aluette_referee.league.settings import TEMPLATE, Settings, read_settings
from aluette_referee.play.endpoint import Endpoint, read_endpoint

__all__ = ["Folder", "init_folder", "open_folder"]

_FILE: Final = "league.toml"
_KEYS: Final = {"--tls-cert": "tls_cert", "--tls-key": "tls_key", "--insecure": "insecure = true"}
"""As an option is called in the file."""
_DATABASE: Final = "league.db"


@dataclass(frozen=True, slots=True)
class Folder:
    """Where a league is, and what its file says."""

    path: Path
    settings: Settings
    database: str
    """A file, or a `postgresql://` URL."""

    def endpoint(self, which: Literal["bots", "web"]) -> Endpoint:
        """Where bots, or people, come to; raises `Misuse` when that is not safe, or the files do not fit."""
        addresses = self.settings.addresses
        address: str = getattr(addresses, which)
        files = [
            self.path / name if name and not address.startswith("unix:") else None
            for name in addresses.tls_files
        ]
        try:
            return read_endpoint(address, *files, insecure=addresses.insecure)
        except Misuse as error:
            told = str(error)
            for option, key in (("--listen", f"{which} ="), *_KEYS.items()):
                told = told.replace(option, key)
            raise Misuse(f"{self.path / _FILE}, [serve]: {told}") from error

    def way_here(self) -> dict[str, str]:
        """The environment that leads bots here, from where they are; the certificate is one that they were given."""
        endpoint, public = self.endpoint("bots"), self.settings.addresses.public
        bound = endpoint.address
        if public and not bound.startswith("unix:"):
            bound = f"{public}:{bound.rpartition(':')[2]}"
        server = endpoint.as_told(bound).split(" ", 1)[0].partition("=")[2]
        return {"ALUETTE_SERVER": server} | ({"ALUETTE_CA": "league.pem"} if endpoint.tls is not None else {})


def init_folder(path: Path, name: str, mode: Mode, database: str | None) -> None:
    """Make the folder, if need be, and its file; raises `Misuse` when there is a league already, or it cannot be made."""
    file = path / _FILE
    assert mode in get_args(Mode)
    text = TEMPLATE.format(name=json.dumps(name, ensure_ascii=False), mode=json.dumps(mode))
    if database is not None:
        # A password may be in it: nobody else may read the file.
        text += f"\n[store]\ndatabase = {json.dumps(database)}\n"
    read_settings(text)
    try:
        path.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Misuse(f"there is a league in {path} already, or something else called {file}") from None
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror}") from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.write(text)


def open_folder(path: Path, database: str | None = None) -> Folder:
    """Read the file of a league; `database` is used in the place of what it says. Raises `Misuse`."""
    file = path / _FILE
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Misuse(f"there is no league in {path}: make one with aluette league init {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Misuse(f"{file} cannot be read: {error}") from None
    try:
        settings = read_settings(text)
    except FileMistakes as error:
        raise FileMistakes(tuple(f"{file}: {mistake}" for mistake in error.mistakes)) from None
    return Folder(path, settings, database or settings.database or str(path / _DATABASE))
