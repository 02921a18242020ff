"""A real Spark Connect server on loopback; the client is a process of its own, as no process can be both."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed; `make test-spark` installs it")
pytest.importorskip("grpc", reason="grpcio is not installed; `make test-spark` installs it")

from bayleaf import TextClassifier
from bayleaf.archive import Archive

pytestmark = [pytest.mark.spark, pytest.mark.slow]

BODY = ["win money now", "cheap money offer", "lunch at noon?", "see you at lunch"] * 10
KIND = ["spam", "spam", "ham", "ham"] * 10
CLIENT = """
import json, sys
from pyspark.sql import SparkSession
from bayleaf.spark import TextNB, fit, transform

address, path, body, kind = json.loads(sys.argv[1])
spark = SparkSession.builder.remote(address).getOrCreate()
mails = spark.createDataFrame(list(zip(body, kind)), "body string, kind string").repartition(3)
fit(mails, text="body", label="kind", shards=2, path=path)
judged = [row.prediction == row.kind for row in transform(mails, path, text="body").collect()]
stage = TextNB(textCol="body", labelCol="kind").fit(mails)
vector = stage.transform(mails).first().probability.toArray().tolist()
print(json.dumps({"judged": judged, "vector": vector}))
"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    import pyspark

    home = Path(pyspark.__file__).parent
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": "0",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
    }
    confs = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    words = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "--master", "local[2]"]
    here = {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    with subprocess.Popen(
        [str(home / "bin" / "spark-submit"), *words, "--driver-memory", "1g", *confs],
        env={**os.environ, **here, "SPARK_CONNECT_MODE": "0"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        said: list[str] = []
        for line in running.stderr:
            said.append(line)
            if found := re.search(r"server started at: 127\.0\.0\.1(?:%\w+)?:(\d+)", line):
                break
        else:
            pytest.fail("the server did not start:\n" + "".join(said))
        drain = subprocess.Popen(["cat"], stdin=running.stderr, stdout=subprocess.DEVNULL)  # or its pipe fills
        yield f"sc://127.0.0.1:{found[1]}"
        running.terminate()
        drain.wait()


def test_a_client_learns_and_judges(server: str, tmp_path: Path) -> None:
    words = json.dumps([server, str(tmp_path / "model"), BODY, KIND])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CLIENT, words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    one = TextClassifier().fit(BODY, KIND)
    assert Archive.read(tmp_path / "model").hash == one._archive().hash
    found = json.loads(done.stdout)
    assert all(found["judged"])
    assert sum(found["vector"]) == pytest.approx(1.0)
