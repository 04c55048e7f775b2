"""Where a referee is, and how a bot gets there: in the clear on this machine, with TLS over a network."""

import ipaddress
import socket
import ssl
from typing import Final, NamedTuple

import grpc

from aluette.errors import Misuse

__all__ = ["KEEPALIVE", "Address", "is_loopback"]

KEEPALIVE: Final = {
    "grpc.keepalive_time_ms": 20_000,
    "grpc.keepalive_timeout_ms": 10_000,
    "grpc.http2.ping_timeout_ms": 10_000,  # without it, a ping has a minute
}
"""Options of either end: who is gone without a word is found within half a minute."""

_TLS: Final = "tls:"
_PROBE_SECONDS: Final = 5.0


class Address(NamedTuple):
    """`target` is gRPC's name for it; `tls` says whether to speak TLS, trusting `authorities` (PEM)."""

    target: str
    tls: bool
    authorities: bytes | None = None

    @classmethod
    def read(cls, server: str, authorities: bytes | None = None) -> "Address":
        """Read `host:port`, `unix:path` or `tls:host:port`; raises `Misuse` for authorities that are none."""
        if authorities is not None:
            try:
                ssl.create_default_context(cadata=authorities.decode() or "nothing")
            except (ssl.SSLError, UnicodeDecodeError, ValueError):
                raise Misuse("the certificates to trust (ALUETTE_CA) are no certificates in PEM") from None
        return cls(server.removeprefix(_TLS), server.startswith(_TLS), authorities)

    def __str__(self) -> str:
        """As it was written."""
        return _TLS * self.tls + self.target

    def open(self) -> grpc.Channel:
        """A channel to there."""
        if not self.tls:
            return grpc.insecure_channel(self.target, self._options())
        credentials = grpc.ssl_channel_credentials(self.authorities)
        return grpc.secure_channel(self.target, credentials, self._options())

    def problem(self) -> str:
        """Why TLS does not come about, or must, if that is why nobody answers: gRPC itself does not say."""
        host, _, port = self.target.rpartition(":")
        if not port.isdigit():
            return ""
        trusted = self.authorities.decode() if self.authorities is not None else None
        context = ssl.create_default_context(cadata=trusted)
        if not self.tls:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # nothing is said over it
        try:
            with socket.create_connection((host.strip("[]"), int(port)), timeout=_PROBE_SECONDS) as plain:
                context.wrap_socket(plain, server_hostname=host.strip("[]")).close()
        except ssl.SSLCertVerificationError as error:
            return (
                f"its certificate is not trusted ({error.verify_message}): name a PEM file with whom to trust "
                "in ALUETTE_CA, and the server by a name that its certificate has"
            )
        except ssl.SSLError:
            return "it does not speak TLS: leave the tls: out" if self.tls else ""
        except OSError:
            return ""  # it is not there at all
        return "" if self.tls else f"it speaks TLS: write tls:{self.target}"

    def _options(self) -> list[tuple[str, int]]:
        local = is_loopback(self.target.rpartition(":")[0].strip("[]"))
        return [
            # A batch may be as large as it is.
            ("grpc.max_receive_message_length", -1),
            # No proxy is asked the way to this machine.
            ("grpc.enable_http_proxy", int(not local)),
            # Each stream gets a connection of its own: not one that waits to be tried again.
            ("grpc.use_local_subchannel_pool", 1),
            *KEEPALIVE.items(),
        ]


def is_loopback(host: str) -> bool:
    """Whether a host, an address without brackets or a name, is this machine and cannot be reached from others."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
