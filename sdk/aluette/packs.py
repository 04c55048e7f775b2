"""Everything left to chance, derived from a key: packs, cuts, noticed signals, bots' seeds.

A contest has a 32-byte key K. A block - the same packs played twice, teams exchanged - has the key
k = HMAC-SHA256(K, "block/<pairing>/<index>"), where the pairing is a digest of the two team names:
adding teams or blocks moves no pack. SHA-256(k) is the block's commitment.

The stream of a label is HMAC-SHA256(k, "<label>/0"), HMAC-SHA256(k, "<label>/1"), ... one after the
other. A number below n is the next two bytes of it, big-endian, modulo n; values at or above the
largest multiple of n are skipped, so that every number is equally likely. A pack is the 48 cards by
number, shuffled by Fisher-Yates from the top: for i = 47, 46, ... 1 swap card i with card `below(i + 1)`.
This is frozen (a golden file pins it), and it is the only place in the project that makes random things.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator
from typing import Final

from aluette.cards import CARDS, PACK_SIZE, Card
from aluette.rules.ruleset import NOTICE_SCALE
from aluette.seats import Seat

__all__ = ["KEY_SIZE", "BlockKey", "block_key", "open_contest_key", "pairing_id"]

KEY_SIZE: Final = 32
_NUMBERS: Final = struct.Struct(">16H")
_LIMITS: Final = (0, *(65536 - 65536 % n for n in range(1, PACK_SIZE + 1)))
"""The largest multiple of n that two bytes can reach."""


def open_contest_key(seed: int | str) -> bytes:
    """The contest key of a seed in a file. It is *open*: who has the file can compute every pack."""
    return hashlib.sha256(f"aluette/seed/{seed}".encode()).digest()


def pairing_id(one: str, other: str) -> str:
    """A digest of two team names, the same in either order; 32 hexadecimal digits."""
    first, second = sorted((one, other))
    size = len(first.encode())
    return hashlib.sha256(f"aluette/pairing/{size}/{first}/{second}".encode()).hexdigest()[:32]


def block_key(contest_key: bytes, pairing: str, index: int) -> "BlockKey":
    """The key of block `index` (from 0) of a pairing."""
    return BlockKey(_digest(contest_key, f"block/{pairing}/{index}"))


class BlockKey:
    """The luck of one block, a `aluette.rules.Luck`: the same key, the same luck, in either leg."""

    __slots__ = ("secret",)

    def __init__(self, secret: bytes) -> None:
        """Take a secret of 32 bytes; whoever knows it knows every card."""
        if len(secret) != KEY_SIZE:
            raise ValueError(f"a block key has {KEY_SIZE} bytes, not {len(secret)}")
        self.secret = secret

    @property
    def commitment(self) -> str:
        """SHA-256 of the secret, hexadecimal: published before the first card, checked afterwards."""
        return hashlib.sha256(self.secret).hexdigest()

    def pack(self, deal: int) -> tuple[Card, ...]:
        """The shuffled pack of a deal (from 1), top first, before the cut."""
        return self._shuffled(f"pack/{deal}")

    def cut(self, deal: int) -> int:
        """The referee's cut, 1 to 47."""
        return 1 + _below(PACK_SIZE - 1, self._stream(f"cut/{deal}"))

    def notice(self, deal: int, sender: Seat, accepted: int, observer: Seat) -> int:
        """A number from 0 to 9999 for whether `observer` notices `sender`'s next signal."""
        relative = "left" if observer is sender.left else "right"
        return _below(NOTICE_SCALE, self._stream(f"notice/{deal}/{sender}/{accepted}/{relative}"))

    def draw_pack(self) -> tuple[Card, ...]:
        """The pack for the partner draw."""
        return self._shuffled("draw")

    def bot_seed(self, seat: Seat) -> int:
        """The seed of the `rng` of the bot at `seat`, 64 bits; no two seats share one."""
        return int.from_bytes(_digest(self.secret, f"bot/{seat}")[:8])

    def _shuffled(self, label: str) -> tuple[Card, ...]:
        pack = list(CARDS)
        left = PACK_SIZE
        for number in self._stream(label):
            if number < _LIMITS[left]:
                other = number % left
                left -= 1
                pack[left], pack[other] = pack[other], pack[left]
                if left == 1:
                    break
        return tuple(pack)

    def _stream(self, label: str) -> Iterator[int]:
        """The label's stream as 16-bit numbers."""
        counter = 0
        while True:
            yield from _NUMBERS.unpack(_digest(self.secret, f"{label}/{counter}"))
            counter += 1


def _digest(key: bytes, label: str) -> bytes:
    return hmac.digest(key, label.encode(), "sha256")


def _below(n: int, stream: Iterator[int]) -> int:
    limit = 65536 - 65536 % n
    value = next(stream)
    while value >= limit:
        value = next(stream)
    return value % n
