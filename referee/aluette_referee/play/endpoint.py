"""Where a referee listens for bots that others start: on this machine in the clear, anywhere else with TLS.

It decides what is safe to listen on. How, is for gRPC's side (`service`).
"""

import re
import shlex
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aluette.address import is_loopback
from aluette.errors import Misuse

__all__ = ["LOOPBACK", "Endpoint", "Tls", "read_endpoint"]

_ADDRESS: Final = re.compile(r"(?P<host>[^\s:/\[\]]+|\[[0-9A-Fa-f:.]+\]):(?P<port>\d{1,5})")


@dataclass(frozen=True, slots=True)
class Tls:
    """A server's certificate chain and its key, both PEM; `path` is where the chain was read."""

    chain: bytes
    key: bytes
    path: Path


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address as gRPC has it, `host:port` (port 0: a free one) or `unix:PATH`, and TLS or none."""

    address: str
    tls: Tls | None = None

    def as_told(self, bound: str) -> str:
        """The environment of a bot that is to come to `bound`, the address that came of this one."""
        host, _, port = bound.rpartition(":")
        if host in ("0.0.0.0", "[::]"):  # noqa: S104 - nobody can go to "everywhere"
            bound = f"{socket.gethostname()}:{port}"
        if self.tls is None:
            return f"ALUETTE_SERVER={bound}"
        return f"ALUETTE_SERVER=tls:{bound} ALUETTE_CA={shlex.quote(str(self.tls.path))}"


LOOPBACK: Final = Endpoint("127.0.0.1:0")


def read_endpoint(
    listen: str | None, certificate: Path | None, key: Path | None, *, insecure: bool = False
) -> Endpoint:
    """What a person asked for; raises `Misuse` when it is no address, not safe, or the files do not fit.

    Every stream needs a token there as everywhere. `insecure` allows to send them in the clear.
    """
    address = listen or LOOPBACK.address
    host = _host(address)
    if (certificate is None) != (key is None):
        raise Misuse("--tls-cert and --tls-key go together: a certificate chain and its key, both PEM")
    if certificate is not None and key is not None:
        if host is None:
            raise Misuse(f"--listen {address}: a Unix socket is on this machine, and takes no TLS")
        return Endpoint(address, _read_tls(certificate, key))
    if host is not None and not is_loopback(host) and not insecure:
        raise Misuse(
            f"--listen {address} can be reached from other machines: give --tls-cert and --tls-key, "
            "or --insecure to send tokens and cards in the clear"
        )
    return Endpoint(address)


def _host(address: str) -> str | None:
    """The host of an address, None of a Unix socket's."""
    if address.startswith("unix:") and address != "unix:":
        return None
    parts = _ADDRESS.fullmatch(address)
    if parts is None or int(parts["port"]) > 65535:
        raise Misuse(f"--listen {address}: write HOST:PORT, such as 0.0.0.0:7000 or [::1]:7000, or unix:PATH")
    return parts["host"].strip("[]")


def _read_tls(certificate: Path, key: Path) -> Tls:
    try:
        tls = Tls(certificate.read_bytes(), key.read_bytes(), certificate)
    except OSError as error:
        raise Misuse(f"{error.filename}: {error.strerror}") from None
    try:
        # gRPC would take anything, and then no bot could come.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=_no_password)
    except (ssl.SSLError, OSError, _Encrypted) as error:
        reason = str(error) if isinstance(error, _Encrypted) else _reason(error)
        raise Misuse(f"{certificate} and {key} are no certificate chain and its key: {reason}") from None
    return tls


class _Encrypted(Exception):  # noqa: N818
    """The key has a password."""


def _no_password() -> str:
    raise _Encrypted("the key is encrypted, and nobody is there to ask")


def _reason(error: OSError) -> str:
    reason = getattr(error, "reason", None) or error.strerror or str(error)
    return str(reason).replace("_", " ").lower()
