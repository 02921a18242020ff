"""Stage: what the estimators and models of a Spark ML pipeline have in common."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pyspark.ml import Model
from pyspark.ml.functions import array_to_vector
from pyspark.ml.param.shared import HasLabelCol, HasPredictionCol, HasProbabilityCol
from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReadable, MLReader, MLWritable, MLWriter
from pyspark.sql import DataFrame

from bayleaf.loading import load
from bayleaf.spark.named import named
from bayleaf.spark.transform import transform

CHUNK = 1 << 25  # bytes of a model file in one row


class Columns(HasLabelCol, HasPredictionCol, HasProbabilityCol):
    """The columns that every stage has."""

    def setLabelCol(self, value: str) -> Any:  # noqa: N802 - Spark's way of writing, here and below
        """Take the labels from this column."""
        return self._set(labelCol=value)

    def setPredictionCol(self, value: str) -> Any:  # noqa: N802
        """Write the most probable label to this column."""
        return self._set(predictionCol=value)

    def setProbabilityCol(self, value: str) -> Any:  # noqa: N802
        """Write the probabilities, a vector in the order of `classes_`, to this column."""
        return self._set(probabilityCol=value)


class StageModel(Model, Columns, MLWritable, MLReadable):
    """A fitted stage; `model` is the classifier of bayleaf."""

    def __init__(self, model: Any = None) -> None:
        super().__init__()
        self.model = model

    def _text(self) -> str | None:
        """The column of texts, where the model does not know it by name."""
        return None

    def _transform(self, dataset: DataFrame) -> DataFrame:
        chances = self.getProbabilityCol()
        found = transform(
            dataset, self.model, text=self._text(), prediction=self.getPredictionCol(), probability=chances
        )
        return found.withColumn(chances, array_to_vector(found[named(chances)]))

    def write(self) -> MLWriter:
        """A writer of the parameters and the model file."""
        return ModelWriter(self)

    @classmethod
    def read(cls) -> MLReader[Any]:
        """A reader of what `write` wrote."""
        return ModelReader(cls)


class ModelWriter(DefaultParamsWriter):
    """Writes parameters as Spark does, and the model file in rows, to wherever Spark can write."""

    def saveImpl(self, path: str) -> None:  # noqa: N802
        """Write to a folder."""
        super().saveImpl(path)
        with TemporaryDirectory() as folder:
            self.instance.model.save(Path(folder) / "model")
            whole = (Path(folder) / "model").read_bytes()
        parts = [(start, whole[start : start + CHUNK]) for start in range(0, len(whole), CHUNK)]
        rows = self.sparkSession.createDataFrame(parts, "start bigint, bytes binary")
        rows.coalesce(1).write.parquet(f"{path}/model")


class ModelReader(DefaultParamsReader):
    """Reads what `ModelWriter` wrote."""

    def load(self, path: str) -> Any:
        """The stage in a folder."""
        stage = super().load(path)
        parts = self.sparkSession.read.parquet(f"{path}/model").orderBy("start").toLocalIterator()
        with TemporaryDirectory() as folder:
            file = Path(folder) / "model"
            file.write_bytes(b"".join(bytes(part.bytes) for part in parts))
            stage.model = load(file)
        return stage
