"""Pages over real HTTP for tests that need a browser: in a thread, until the block ends."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

import hypercorn.trio
import trio
from hypercorn.config import Config

__all__ = ["running"]


@contextmanager
def running(app: Any) -> Iterator[str]:
    """The address that answers."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        config = Config()
        config.bind = [f"fd://{os.dup(listening.fileno())}"]
        config.errorlog = None
        config.graceful_timeout = 0.1
        ended = trio.Event()
        begun = threading.Event()
        tokens: list[trio.lowlevel.TrioToken] = []

        async def main() -> None:
            tokens.append(trio.lowlevel.current_trio_token())
            begun.set()
            await hypercorn.trio.serve(app, config, shutdown_trigger=ended.wait)

        thread = threading.Thread(target=partial(trio.run, main))
        thread.start()
        begun.wait()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            tokens[0].run_sync_soon(ended.set)
            thread.join()
