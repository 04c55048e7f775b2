"""Bots that misbehave, as files: each sin a class in `sinners.py`, or a program that speaks the raw wire.

write(folder)      writes them all; `CLASSES` and `RAW` say what there is
"""

from pathlib import Path

__all__ = ["CLASSES", "PRELUDE", "RAW", "write"]

CLASSES = '''
import os, signal, subprocess, sys, time
import aluette
from aluette.cards import CARDS

class Lowest(aluette.Bot):
    """Honest until its second trick; then it sins."""
    def play(self, view):
        if len(view.deal.cards) >= 4:
            return self.sin(view)
        return view.hand[-1]

class Illegal(Lowest):
    def sin(self, view):
        return next(card for card in CARDS if card not in view.hand)

class NoCard(Lowest):
    def sin(self, view):
        return str(view.hand[0])

class Raises(Lowest):
    def sin(self, view):
        raise ValueError("no card is good enough")

class RaisesAtTheEndOfADeal(aluette.Bot):
    def play(self, view):
        return view.hand[-1]
    def on_deal_end(self, ended):
        raise ValueError("no deal is good enough")

class RaisesInInit(Lowest):
    def __init__(self):
        raise ValueError("it cannot be made")

class Exits(Lowest):
    def sin(self, view):
        sys.exit(6)

class Vanishes(Lowest):
    def sin(self, view):
        print("I vanish", flush=True)
        os._exit(3)

class Dies(Lowest):
    def sin(self, view):
        os.kill(os.getpid(), signal.SIGKILL)

class Hangs(Lowest):
    def sin(self, view):
        while True:
            pass

class HangsInInit(Lowest):
    def __init__(self):
        while True:
            time.sleep(1000)

class Stops(Lowest):
    def sin(self, view):
        os.kill(os.getpid(), signal.SIGSTOP)

class LeavesOthers(Lowest):
    """Starts a process that leaves the session, and hangs."""
    def sin(self, view):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
        while True:
            time.sleep(1000)
'''

PRELUDE = """
import os, queue, sys, time
import grpc
from aluette.v1 import referee_pb2 as wire

server, token = os.environ["ALUETTE_SERVER"], os.environ["ALUETTE_TOKEN"]
channel = grpc.insecure_channel(server)

def hello(**changes):
    given = {"protocol": 1, "bot_name": "raw", "capacity": 10, **changes}
    return wire.PlayRequest(hello=wire.Hello(**given))

class Stream:
    def __init__(self, *first, token=token):
        self.out = queue.SimpleQueue()
        for request in first:
            self.out.put(request)
        play = channel.stream_stream(
            "/aluette.v1.RefereeService/Play",
            request_serializer=lambda request: request if isinstance(request, bytes) else request.SerializeToString(),
            response_deserializer=wire.PlayResponse.FromString,
        )
        self.call = play(iter(self.out.get, None), metadata=[("authorization", f"Bearer {token}")])
    def answer(self, turn):
        move = wire.Move(table=turn.table, number=turn.number)
        if turn.asked == 6:
            move.ready.SetInParent()
        elif turn.asked == 2:
            move.look.SetInParent()
        elif turn.asked == 3:
            move.chant = False
        elif turn.asked == 1:
            move.cut = 24
        elif turn.asked == 4:
            move.discard.cards.extend(turn.hand[-6:])
        else:
            move.play = turn.hand[-1]
        self.send(move)
    def send(self, *moves):
        self.out.put(wire.PlayRequest(moves=wire.Moves(moves=moves)))
    def turns(self):
        for response in self.call:
            kind = response.WhichOneof("body")
            if kind == "welcome":
                self.secret = response.welcome.resume or getattr(self, "secret", "")
            if kind == "refused":
                print("refused:", response.refused.message, flush=True)
            if kind in ("refused", "goodbye"):
                sys.exit(0)
            yield from response.batch.turns
    def run(self):
        for turn in self.turns(): self.answer(turn)
"""

RAW = {
    "honest": """
stream = Stream(hello())
for turn in stream.turns():
    stream.answer(turn)
""",
    "protocol2": """
for turn in Stream(hello(protocol=2)).turns(): pass
""",
    "wrong_token": """
for turn in Stream(hello(), token="guessed").turns(): pass
""",
    "hello_twice": """
stream = Stream(hello())
for turn in stream.turns():
    if len(turn.deal.cards) >= 4:
        stream.out.put(hello())
        time.sleep(1000)
    stream.answer(turn)
""",
    "garbage": """
stream = Stream(hello())
for turn in stream.turns():
    if len(turn.deal.cards) >= 4:
        stream.out.put(b"\\xff\\xff\\xff")
        time.sleep(1000)
    stream.answer(turn)
""",
    "two_streams": """
import threading
stream = Stream(hello())
turns = stream.turns()
first = next(turns)
second = Stream(hello())
def listen():
    for turn in second.turns(): second.answer(turn)
threading.Thread(target=listen, daemon=True).start()
stream.answer(first)
for turn in turns: stream.answer(turn)
""",
    "no_hello": """
Stream()
time.sleep(1000)
""",
    "no_connection": """
time.sleep(1000)
""",
    "hangs_up": """
stream = Stream(hello())
for turn in stream.turns():
    if len(turn.deal.cards) >= 4:
        stream.call.cancel()
        time.sleep(1000)
    stream.answer(turn)
""",
    "comes_back": """
stream = Stream(hello())
for turn in stream.turns():
    if len(turn.deal.cards) in (4, 17):
        stream.call.cancel()
        break
    stream.answer(turn)
again = Stream(hello(resume=stream.secret))
for turn in again.turns():
    again.answer(turn)
""",
    "takes_over": """
stream = Stream(hello())
for turn in stream.turns():
    if len(turn.deal.cards) >= 4:
        break
    stream.answer(turn)
again = Stream(hello(resume=stream.secret))
for turn in again.turns():
    again.answer(turn)
""",
    "is_cut_off": """
# A bot of the SDK whose connection breaks again and again, before and after its answers.
import aluette
channels, open_channel = [], grpc.insecure_channel
grpc.insecure_channel = lambda *given: channels.append(open_channel(*given)) or channels[-1]
asked = []
class Bot(aluette.Bot):
    def play(self, view):
        asked.append(view)
        if len(asked) % 5 == 0:
            channels[-1].close()
        return view.hand[-1]
aluette.run(Bot)
""",
    "sends_no_more": """
stream = Stream(hello())
for turn in stream.turns():
    if len(turn.deal.cards) >= 4:
        stream.out.put(None)
        time.sleep(1000)
    stream.answer(turn)
""",
    "floods": """
stream = Stream(hello())
for turn in stream.turns():
    if len(turn.deal.cards) >= 4:
        stream.send(*[wire.Move(table=turn.table ^ 1, number=1)] * 100)
        time.sleep(1000)
    stream.answer(turn)
""",
    "floods_its_table": """
stream = Stream(hello())
for turn in stream.turns():
    if len(turn.deal.cards) >= 4:
        stream.send(*[wire.Move(table=turn.table, number=0)] * 100)
    stream.answer(turn)
""",
    "malformed": """
stream = Stream(hello())
for turn in stream.turns():
    if len(turn.deal.cards) >= 4:
        stream.send(wire.Move(table=turn.table, number=turn.number, play=77))
    else:
        stream.answer(turn)
""",
    "chatters": """
# Junk beside every honest answer, but not too much of it.
stream = Stream(hello())
for turn in stream.turns():
    junk = wire.Move(table=turn.table, number=turn.number + 1, play=turn.hand[0] if turn.hand else 1)
    stale = wire.Move(table=turn.table, number=max(0, turn.number - 1), play=1)
    stream.send(junk)
    stream.answer(turn)
    if turn.number:
        stream.send(stale)
""",
}
"""Programs by name; all but what they do differently is honest play of the last card."""


def write(folder: Path) -> None:
    """Write every bot into a folder: `sinners.py:NAME`, and `NAME.py` for the raw ones."""
    (folder / "sinners.py").write_text(CLASSES, encoding="utf-8")
    (folder / "broken.py").write_text(
        "import aluette\nraise RuntimeError('broken at once')\n", encoding="utf-8"
    )
    for name, program in RAW.items():
        (folder / f"{name}.py").write_text(PRELUDE + program, encoding="utf-8")
