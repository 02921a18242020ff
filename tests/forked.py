"""Commands that are forked from a process which has imported what most of them import.

Started anew, a command that reads a model spends nine tenths of its time importing scikit-learn: the tests of the desk
took ten times as long. Run as a program, this file is that process. Tests of imports and of starting start commands in
earnest.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock

HEAVY = ("bayleaf.cli.main", "bayleaf.face", "bayleaf.plot", "matplotlib.pyplot")
MOST = 1 << 17  # bytes of the words and the environment of a command
TURN = Lock()


def run(words: Sequence[str], stdin: bytes, env: Mapping[str, str]) -> tuple[int, bytes, bytes]:
    """Exit code, output and errors of `bayleaf WORDS`; below 0 a signal, as `subprocess` has it."""
    asked = json.dumps({"words": [*words], "env": {**env}, "folder": str(Path.cwd())}).encode()
    with TURN, TemporaryFile() as out, TemporaryFile() as err:
        process, connection = _forking()
        reading, writing = os.pipe()
        try:
            socket.send_fds(connection, [asked], [reading, out.fileno(), err.fileno()])
            os.close(reading)
            with suppress(BrokenPipeError), os.fdopen(writing, "wb") as pipe:  # it may end without reading
                pipe.write(stdin)
            code = int(connection.recv(MOST))
        except BaseException:  # a test that took too long: its answer would be taken for that of the next
            os.killpg(process.pid, signal.SIGKILL)
            end(process, connection)
            _forking.cache_clear()
            raise
        out.seek(0)
        err.seek(0)
        return code, out.read(), err.read()


@cache
def _forking() -> tuple[subprocess.Popen[bytes], socket.socket]:
    """A process of our own that forks and ends with us, and the connection to it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen([sys.executable, __file__], stdin=theirs, start_new_session=True)
    atexit.register(end, process, ours)
    return process, ours


def end(process: subprocess.Popen[bytes], connection: socket.socket) -> None:
    """Ends the process that forks, and waits for it."""
    connection.close()
    process.wait()


def serve() -> None:
    """Forks a command for each message on standard input, with the files that come along, and answers its exit code."""
    for name in HEAVY:
        import_module(name)
    connection = socket.socket(fileno=os.dup(0))
    while True:
        asked, files, _, _ = socket.recv_fds(connection, MOST, 3)
        if not asked:
            return
        child = os.fork()
        if child == 0:
            connection.close()
            become(files, **json.loads(asked))
        for file in files:
            os.close(file)
        connection.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def become(files: list[int], words: list[str], env: dict[str, str], folder: str) -> None:
    """Is the command from here on."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    sys.argv[1:] = words
    sys.path[:0] = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))
    sys.exit(import_module("bayleaf.cli.main").main())


if __name__ == "__main__":
    serve()
