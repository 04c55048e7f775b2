"""Clients that mean harm. `PROGRAMS` have a seat and sin at it; `STRANGERS` have none, and try the port."""

import random
import socket
import struct
from collections.abc import Callable
from contextlib import suppress

import h2.config
import h2.connection
import h2.settings

__all__ = ["PROGRAMS", "STRANGERS", "Raw", "headers"]

SECONDS = 30.0
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

_SIN = """
stream = Stream(hello())
for turn in stream.turns():
    if len(turn.deal.cards) >= 4:
        {sin}
        time.sleep(1000)
    stream.answer(turn)
"""

PROGRAMS = {
    "says_no_hello": ("not connected", "Stream()\ntime.sleep(1000)"),
    "says_another_thing_first": ("refused", "Stream(wire.PlayRequest(moves=wire.Moves())).run()"),
    "speaks_another_protocol": ("refused", "Stream(hello(protocol=9)).run()"),
    "says_hello_twice": ("malformed", _SIN.format(sin="stream.out.put(hello())")),
    "sends_random_bytes": ("malformed", _SIN.format(sin="stream.out.put(os.urandom(1000) + b'\\xff')")),
    "names_a_million_cards": (
        "malformed",
        _SIN.format(
            sin="move = wire.Move(table=turn.table, number=turn.number)\n"
            "        move.discard.cards.extend([turn.hand[0]] * 1_000_000)\n"
            "        stream.send(move)"
        ),
    ),
    "sends_a_hundred_megabytes": ("disconnected", _SIN.format(sin="stream.out.put(bytes(100_000_000))")),
    "plays_at_other_tables": (
        "flooding",
        _SIN.format(sin="for n in range(1000): stream.send(wire.Move(table=turn.table ^ n + 1, play=1))"),
    ),
    "plays_ten_thousand_times_at_once": (
        "flooding",
        _SIN.format(sin="stream.send(*[wire.Move(table=turn.table, number=9999, play=1)] * 10_000)"),
    ),
    "never_reads": (
        "late",
        (
            "import sys\n"
            "sys.path.insert(0, {tests!r})\n"
            "from referee.hostile import Raw, headers\n"
            "raw = Raw(server)\n"
            "raw.open(window=0)\n"
            "raw.send(headers(token), hello().SerializeToString())\n"
            "raw.stay()"
        ),
    ),
}
"""By name: the fault that it is, and the program, to come after `sinners.PRELUDE`."""


class Raw:
    """A connection below gRPC: `host:port` or `unix:path`. It reads nothing that comes, and answers no ping."""

    def __init__(self, server: str) -> None:
        kind, _, place = server.rpartition(":")
        if kind == "unix":
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(place)
        else:
            self.socket = socket.create_connection((kind, int(place)), timeout=SECONDS)
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding=None))

    def open(self, window: int = 65_535) -> None:
        """Begin HTTP/2, as one that can take so many bytes of each stream."""
        codes = h2.settings.SettingCodes
        self.http.local_settings = h2.settings.Settings(initial_values={codes.INITIAL_WINDOW_SIZE: window})
        self.http.initiate_connection()
        self.flush()

    def send(self, head: list[tuple[str, str]], *messages: bytes, end: bool = False) -> int:
        """Open a stream with these messages; its number."""
        stream = self.http.get_next_available_stream_id()
        self.http.send_headers(stream, head)
        for message in messages:
            self.http.send_data(stream, struct.pack(">BI", 0, len(message)) + message)
        if end:
            self.http.end_stream(stream)
        self.flush()
        return stream

    def flush(self) -> None:
        self.socket.sendall(self.http.data_to_send())

    def stay(self) -> None:
        """Answer what keeps a connection alive, for as long as the other side likes."""
        while data := self.socket.recv(65_536):
            self.http.receive_data(data)
            self.flush()

    def is_closed(self) -> bool:
        """Whether the other side ends the connection, in time."""
        with suppress(ConnectionError), self.socket:
            self.socket.settimeout(SECONDS)
            while self.socket.recv(65_536):
                pass
        return True


def headers(token: str, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """Those of a call of Play."""
    return [
        (":method", "POST"), (":scheme", "http"), (":path", "/aluette.v1.RefereeService/Play"),
        (":authority", "referee"), ("te", "trailers"), ("content-type", "application/grpc"),
        ("authorization", f"Bearer {token}"), *more,
    ]  # fmt: skip


# -- strangers: each takes the address of the port ------------------------------------------------


def random_bytes(server: str) -> None:
    chance = random.Random(1)
    for size in (1, 9, 24, 100, 1000, 100_000):
        raw = Raw(server)
        with suppress(OSError):
            raw.socket.sendall(chance.randbytes(size))
            raw.socket.shutdown(socket.SHUT_WR)
        assert raw.is_closed()


def random_frames(server: str) -> None:
    """HTTP/2 for as long as the beginning."""
    chance = random.Random(2)
    for kind in range(12):
        raw = Raw(server)
        raw.open()
        with suppress(OSError):
            for _ in range(20):
                body = chance.randbytes(chance.randrange(60))
                frame = struct.pack(">I", len(body))[1:] + bytes((kind, chance.randrange(256)))
                raw.socket.sendall(frame + struct.pack(">I", chance.randrange(5)) + body)
            raw.socket.shutdown(socket.SHUT_WR)
        assert raw.is_closed()


def truncated_frames(server: str) -> None:
    for length in (1, 5, 100, 16_000):
        raw = Raw(server)
        raw.open()
        stream = raw.send(headers("guessed"))
        # A frame that ends in its middle, within a message that says it is longer.
        raw.socket.sendall(struct.pack(">I", length)[1:] + b"\0\0" + struct.pack(">I", stream))
        raw.socket.sendall(b"\0\0\0")
        raw.socket.shutdown(socket.SHUT_WR)
        assert raw.is_closed()


def truncated_messages(server: str) -> None:
    raw = Raw(server)
    raw.open()
    for _ in range(100):
        stream = raw.send(headers("guessed"))
        raw.http.send_data(stream, struct.pack(">BI", 0, 1000) + b"\x0a", end_stream=True)
        raw.flush()
    raw.socket.close()


def a_thousand_connections(server: str) -> None:
    """Within about a second, and each closed without a word, with some random ones, or with a call."""
    for number in range(1000):
        raw = Raw(server)
        with suppress(OSError):
            if number % 3 == 1:
                raw.socket.sendall(b"GET / HTTP/1.1\r\n\r\n")
            if number % 3 == 2:
                raw.open()
                raw.send(headers("guessed"))
        raw.socket.close()


def many_calls_of_one_connection(server: str) -> None:
    raw = Raw(server)
    raw.open(window=0)
    with suppress(OSError, h2.exceptions.ProtocolError):
        for _ in range(5000):
            raw.send(headers("guessed"))
    raw.socket.close()


def endless_headers(server: str) -> None:
    raw = Raw(server)
    raw.open()
    with suppress(OSError, h2.exceptions.ProtocolError):
        for number in range(50):
            raw.send(headers("guessed", *((f"x-{number}-{n}", "x" * 1000) for n in range(100))))
    raw.socket.close()


def a_long_token(server: str) -> None:
    raw = Raw(server)
    raw.open()
    raw.send(headers("x" * 10_000))
    raw.socket.close()


def guesses_a_token(server: str) -> None:
    """A guess is refused, and the next one is as good."""
    raw = Raw(server)
    raw.open()
    for number in range(200):
        raw.send(headers(f"{number:032x}"), b"\x0a\x02\x08\x01", end=True)
    raw.socket.close()


def half_open(server: str) -> None:
    """Nobody is there any more, and nobody said so: a connection alone, one with HTTP/2, one with a call."""
    alone, begun, calling = Raw(server), Raw(server), Raw(server)
    begun.open()
    calling.open()
    calling.send(headers("guessed"))
    for raw in (alone, begun, calling):
        assert raw.is_closed()


STRANGERS: tuple[Callable[[str], None], ...] = (
    random_bytes, random_frames, truncated_frames, truncated_messages, a_thousand_connections,
    many_calls_of_one_connection, endless_headers, a_long_token, guesses_a_token, half_open,
)  # fmt: skip
