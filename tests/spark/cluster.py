"""A standalone Spark cluster on loopback: one master, two workers, each a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

PATIENCE = 400  # seconds after which a cluster that does nothing is a failed test; on a busy machine it takes minutes
MEMORY = "1g"  # of an executor; its Python workers come on top
Found = TypeVar("Found")


def environment() -> dict[str, str]:
    """What daemons and drivers are started with: everything on loopback, and this interpreter for the workers."""
    import pyspark

    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    return {
        **clean,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": "-Dspark.master.rest.enabled=false",  # it would want port 6066
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


def eventually(look: Callable[[], Found | None], what: str) -> Found:
    """What `look` finds, asked again and again until it finds something: for programs that cannot tell anybody."""
    deadline = time.monotonic() + PATIENCE
    while (found := look()) is None:
        assert time.monotonic() < deadline, f"{what} did not happen within {PATIENCE} s"
        time.sleep(0.01)
    return found


class Daemon:
    """A master or a worker; what it does is seen in its log."""

    def __init__(self, folder: Path, kind: str, *words: str) -> None:
        self.folder, self.log = folder, folder / "log"
        folder.mkdir()
        spark_class = Path(environment()["SPARK_HOME"], "bin", "spark-class")
        command = [str(spark_class), f"org.apache.spark.deploy.{kind}", "--host", "127.0.0.1", "--webui-port", "0"]
        with self.log.open("wb") as log:  # the script becomes the JVM by exec, so that this pid is the daemon's
            self.process = subprocess.Popen([*command, *words], env=environment(), stdout=log, stderr=log, cwd=folder)

    def says(self, pattern: str) -> re.Match[str] | None:
        """Where its log has this; asked only of one that lives."""
        assert self.process.poll() is None, f"ended by itself:\n{self.log.read_text()}"
        return re.search(pattern, self.log.read_text(errors="replace"))

    def executors(self) -> set[Path]:
        """The logs of the executors that this worker has started."""
        return set(self.folder.glob("app-*/*/stderr"))

    def end(self) -> None:
        """Ends it as the out-of-memory killer would."""
        self.process.kill()
        self.process.wait(PATIENCE)


class SparkCluster:
    """One master and two workers of one core each; `url` is what drivers connect to."""

    def __init__(self, memory: str = MEMORY) -> None:
        self.memory = memory
        self._folder = tempfile.TemporaryDirectory(prefix="blspark")
        self.daemons: list[Daemon] = []
        try:
            master = self._start("master.Master", "--port", "0")
            self.url = eventually(lambda: master.says(r"spark://[\d.]+:\d+"), "the start of the master")[0]
            self.workers = [self._worker(), self._worker()]
            for worker in self.workers:
                eventually(partial(worker.says, "Successfully registered with master"), "the start of a worker")
        except BaseException:
            self.close()
            raise

    def _worker(self) -> Daemon:
        return self._start("worker.Worker", "--cores", "1", "--memory", self.memory, "--work-dir", ".", self.url)

    def _start(self, kind: str, *words: str) -> Daemon:
        self.daemons.append(Daemon(Path(self._folder.name, f"{len(self.daemons)}-{kind}"), kind, *words))
        return self.daemons[-1]

    def executors(self) -> set[Path]:
        """The logs of all executors there were."""
        return {log for worker in self.workers for log in worker.executors()}

    def close(self) -> None:
        """Ends every process and removes what they wrote."""
        for daemon in reversed(self.daemons):
            daemon.end()
        self._folder.cleanup()

    def __enter__(self) -> SparkCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
