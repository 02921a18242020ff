"""NaiveBayes: the classifier for records as a stage of a Spark ML pipeline."""

from __future__ import annotations

from typing import Any

from pyspark import keyword_only
from pyspark.ml import Estimator
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable
from pyspark.sql import DataFrame

from bayleaf.spark.fit import fit
from bayleaf.spark.named import selected
from bayleaf.spark.stage import Columns, StageModel


class NaiveBayes(Estimator, Columns, DefaultParamsWritable, DefaultParamsReadable):
    """Learns numbers, categories and texts, each column as it is: no indexers or assemblers before it.

    Parameters
    ----------
    featureCols : list of str, optional
        The columns to learn from; by default all but the label.
    columns : dict, optional
        What they hold, "number", "category" or "text", by name; others are guessed, as by `RecordClassifier`.
    labelCol, predictionCol, probabilityCol : str, default "label", "prediction" and "probability"
        As in `TextNB`.
    """

    featureCols: Param[Any] = Param(  # noqa: N815
        Params._dummy(), "featureCols", "columns to learn from", TypeConverters.toListString
    )
    columns: Param[Any] = Param(Params._dummy(), "columns", "kinds of columns, by name")

    @keyword_only
    def __init__(
        self,
        *,
        featureCols: list[str] | None = None,
        columns: dict[str, str] | None = None,
        labelCol: str = "label",
        predictionCol: str = "prediction",
        probabilityCol: str = "probability",
    ) -> None:
        super().__init__()
        self._setDefault(featureCols=None, columns=None, labelCol="label")
        self._set(**self._input_kwargs)

    def _fit(self, dataset: DataFrame) -> NaiveBayesModel:
        names = self.getOrDefault(self.featureCols)
        rows = dataset if names is None else selected(dataset, [self.getLabelCol(), *names])
        model = fit(rows, label=self.getLabelCol(), columns=self.getOrDefault(self.columns))
        return self._copyValues(NaiveBayesModel(model))


class NaiveBayesModel(StageModel):
    """A fitted `NaiveBayes`; `model` is the `RecordClassifier`."""
