"""A small process between the referee and one bot: it ends the bot and everything the bot started.

    python -I -S warden.py own|shared STDOUT MEMORY CPU PROCESSES FILES ARGV...

It starts ARGV, and reports how it ended as one line on its stdout: `exit 1`, `signal 9`, `error TEXT` when
it could not be started, or `memory 123`, `cpu 123`, `processes 123` when it took more than it may (bytes,
seconds, a number; 0 for no bound) and was ended for that. When its stdin closes - the referee says so, or is gone, however it died - it
kills the bot and all its descendants, also those that left its session: it is their subreaper. The
bot writes to the descriptor STDOUT and to the warden's stderr, its input is empty. `shared` leaves the bot in the
terminal's foreground group, for a person; `own` gives it a session, out of reach of Ctrl-C.

Where the kernel lets it, the bot lives in a control group of its own, which keeps it below MEMORY whatever it keeps
there, files of memory included. Else, and for the other bounds, what its processes take is looked at ten times a second.

It runs alone, without the packages of the project: standard library only, no threads.
"""

import ctypes
import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LOOK_SECONDS = 0.1
"""How often what the bot takes is looked at."""


def main() -> None:
    """Start the bot, wait for its end or ours, leave nothing behind."""
    group, (stdout, memory, cpu, processes, files) = sys.argv[1], map(int, sys.argv[2:7])
    bounds = {"memory": memory, "cpu": cpu, "processes": processes}
    pause = LOOK_SECONDS if any(bounds.values()) else None
    control(PR_SET_CHILD_SUBREAPER, 1)
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    signal.signal(signal.SIGCHLD, wake)
    box = enclosure(memory)
    bot = start(sys.argv[7:], stdout, files, box, own_session=group == "own")
    how = None
    while not how:
        ready, _, _ = select.select([0, wake_read], [], [], pause)
        if wake_read in ready:
            os.read(wake_read, 4096)
        ended = reap(bot)
        if not ended and 0 in ready and not os.read(0, 4096):
            break
        # Of several processes the kernel ends one: all the others are to go with it.
        how = f"memory {memory}" if burst(box) else ended or (excess(bounds) if pause else None)
    if how:
        report(how)
    end_all(bot)
    remove(box)


def control(option: int, value: int) -> None:
    """Set something about this process that only Linux knows."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def wake(_signal: int, _frame: object) -> None:
    """A child has ended: the wakeup pipe says so, but only for a signal that has a handler."""


def start(argv: list[str], stdout: int, files: int, box: str, *, own_session: bool) -> int:
    """Start the bot as a child; returns its process id."""
    report_fd = os.dup(1)
    os.set_inheritable(report_fd, False)
    pid = os.fork()
    if pid:
        os.close(report_fd)
        return pid
    try:
        if box:
            write(f"{box}/cgroup.procs", str(os.getpid()))
        control(PR_SET_PDEATHSIG, signal.SIGKILL)  # it may end its warden, but not outlive it
        if own_session:
            os.setsid()
        for default in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(default, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(stdout, 1)
        os.close(stdout)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if files:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        os.execvp(argv[0], argv)  # noqa: S606
    except (OSError, ValueError) as error:
        os.write(report_fd, f"error {argv[0]}: {getattr(error, 'strerror', error)}\n".encode())
    finally:
        os._exit(127)


def reap(bot: int) -> str | None:
    """Collect children that ended; says how the bot did, once it has."""
    said = None
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == bot:
                code = os.waitstatus_to_exitcode(status)
                said = f"exit {code}" if code >= 0 else f"signal {-code}"
    return said


def report(how: str) -> None:
    """Tell the referee, if it is still there."""
    with suppress(OSError):
        os.write(1, f"{how}\n".encode())


def excess(bounds: dict[str, int]) -> str | None:
    """What the bot and all that it started take too much of, and how much, as reported."""
    tree = descendants(os.getpid())
    taken = {"processes": len(tree), "cpu": 0, "memory": 0}
    for pid in tree:
        with suppress(OSError, ValueError, IndexError):
            # After the name, which may hold anything: fields 14 to 17 are its ticks and those of its dead children.
            fields = read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            taken["cpu"] += sum(map(int, fields[11:15])) // os.sysconf("SC_CLK_TCK")
            taken["memory"] += int(read(f"/proc/{pid}/statm").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if 0 < bounds["memory"] < taken["memory"]:
        # Pages that several share were counted more than once: now exactly, which takes longer.
        taken["memory"] = sum(map(proportional, tree))
    for what, bound in bounds.items():
        if 0 < bound < taken[what]:
            return f"{what} {taken[what]}"
    return None


def proportional(pid: int) -> int:
    """Bytes that a process has in use, shared ones by its share."""
    with suppress(OSError, ValueError, IndexError):
        for line in read(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def enclosure(memory: int) -> str:
    """The folder of a new control group for so much memory; "" where there is none to be had, or no bound."""
    for parent, bound, swap in parents() if memory else ():
        box = f"{parent}/aluette-{os.getpid()}"
        try:
            os.mkdir(box)  # noqa: PTH102
        except OSError:
            continue
        try:
            write(f"{box}/{bound}", str(memory))
            with suppress(OSError):
                write(f"{box}/{swap}", "0" if swap == "memory.swap.max" else str(memory))
        except OSError:
            os.rmdir(box)  # noqa: PTH106
        else:
            return box
    return ""


def parents() -> list[tuple[str, str, str]]:
    """Where a control group may be made, and what its bounds on memory are called: version 2, then version 1."""
    found: list[tuple[str, str, str]] = []
    with suppress(OSError):
        for line in read("/proc/self/cgroup").decode().splitlines():
            _, kinds, path = line.split(":", 2)
            if not kinds:
                # Beside us, or below: where the control of memory was handed on.
                for place in dict.fromkeys((path.rpartition("/")[0], path.rstrip("/"))):
                    folder = f"/sys/fs/cgroup{place}"
                    with suppress(OSError):
                        if b"memory" in read(f"{folder}/cgroup.subtree_control").split():
                            found.append((folder, "memory.max", "memory.swap.max"))
            elif "memory" in kinds.split(","):
                folder = f"/sys/fs/cgroup/memory{path.rstrip('/')}"
                found.append((folder, "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"))
    return found


def burst(box: str) -> bool:
    """Whether the kernel ended a process of a control group for its memory."""
    for name in ("memory.events", "memory.oom_control") if box else ():
        with suppress(OSError):
            counts = dict(line.split() for line in read(f"{box}/{name}").splitlines())
            return int(counts.get(b"oom_kill", b"0")) > 0
    return False


def remove(box: str) -> None:
    """Remove a control group whose processes have ended; the kernel may take a moment to see that."""
    for _ in range(100):
        with suppress(OSError):
            os.rmdir(box)  # noqa: PTH106
        if not os.path.exists(box):  # noqa: PTH110
            break
        select.select([], [], [], 0.01)


def write(path: str, text: str) -> None:
    """Set a value of a control group."""
    with open(path, "w") as file:  # noqa: PTH123
        file.write(text)


def read(path: str) -> bytes:
    """A file of /proc, or of a control group."""
    with open(path, "rb") as file:  # noqa: PTH123
        return file.read()


def end_all(bot: int) -> None:
    """Kill every descendant until none is left."""
    while True:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(bot, signal.SIGKILL)
        for pid in descendants(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def with_token(token: str) -> list[int]:
    """All processes that were started with this token in their environment, wherever they are."""
    found: list[int] = []
    with suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208
            with suppress(OSError, ValueError):
                if f"ALUETTE_TOKEN={token}\0".encode() in read(f"/proc/{int(name)}/environ"):
                    found.append(int(name))
    return found


def descendants(root: int) -> list[int]:
    """All processes below `root`, by /proc; empty where there is none."""
    below = listed if os.path.exists("/proc/thread-self/children") else scanned()  # noqa: PTH110
    found: list[int] = []
    ahead = [root]
    while ahead:
        children = below(ahead.pop())
        found += children
        ahead += children
    return found


def listed(pid: int) -> list[int]:
    """The children of a process, as the kernel lists them; none of one that has ended meanwhile."""
    children: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
            with suppress(OSError):
                children += map(int, read(f"/proc/{pid}/task/{task}/children").split())
    return children


def scanned() -> Callable[[int], list[int]]:
    """The same, slower, where the kernel does not list children: from the parents of all processes."""
    children: dict[int, list[int]] = {}
    with suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208
            with suppress(OSError, ValueError, IndexError):
                # The second field, the name, may hold anything: the parent comes after its last bracket.
                parent = int(read(f"/proc/{int(name)}/stat").rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(name))
    return lambda pid: children.get(pid, [])


if __name__ == "__main__":
    main()
