"""What a bot in a sandbox may not ask of the kernel, as a program for it (seccomp, in classic BPF).

Namespaces leave some doors open: keyrings are of a session and hold its user's secrets, sockets of some families pass
by every network namespace (a virtual machine's host is reached by `vsock`), and io_uring opens sockets unseen. See
seccomp(2), bpf(4).
"""

import errno
import os
import struct
from typing import Final, NamedTuple

__all__ = ["program"]


class _Machine(NamedTuple):
    """An architecture: its number in `linux/audit.h`, and its numbers of calls."""

    audit: int
    socket: int
    keys: tuple[int, ...]


_MACHINES: Final = {
    "x86_64": _Machine(0xC000003E, 41, (248, 249, 250)),
    "aarch64": _Machine(0xC00000B7, 198, (217, 218, 219)),
}
_IO_URING_SETUP: Final = 425
_X32: Final = 0x4000_0000
"""Calls of x86_64 from here on are those of another numbering."""
_FAMILIES: Final = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6; and AF_NETLINK, by which a library looks up its interfaces."""

_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
"""Offsets in `struct seccomp_data`."""
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _ERRNO = 0x7FFF_0000, 0x0005_0000


def program(machine: str = os.uname().machine) -> bytes | None:
    """The filter for an architecture (`uname -m`); None for one whose numbers are not known here."""
    if (known := _MACHINES.get(machine)) is None:
        return None
    # Each test that fails goes on with the next; jumps are filled in below.
    steps: list[tuple[int, int, str, str]] = [
        (_LOAD, _ARCHITECTURE, "", ""),
        (_EQUAL, known.audit, "", "refuse"),
        (_LOAD, _NUMBER, "", ""),
        (_AT_LEAST, _X32, "refuse", ""),
        *((_EQUAL, call, "refuse", "") for call in (*known.keys, _IO_URING_SETUP)),
        (_EQUAL, known.socket, "", "allow"),
        (_LOAD, _FIRST_ARGUMENT, "", ""),
        *((_EQUAL, family, "allow", "") for family in _FAMILIES),
    ]
    ends = {"unknown": _ERRNO | errno.EAFNOSUPPORT, "allow": _ALLOW, "refuse": _ERRNO | errno.EPERM}
    places = {name: len(steps) + number for number, name in enumerate(ends)}

    def jump(name: str, here: int) -> int:
        return places[name] - here - 1 if name else 0

    return b"".join(
        struct.pack("<HBBI", code, jump(yes, here), jump(no, here), value)
        for here, (code, value, yes, no) in enumerate(
            [
                *steps,
                *((_RETURN, value, "", "") for value in ends.values()),
            ]
        )
    )
