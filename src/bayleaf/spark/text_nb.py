"""TextNB: the text classifier as a stage of a Spark ML pipeline."""

from __future__ import annotations

from typing import Any

from pyspark import keyword_only
from pyspark.ml import Estimator
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable
from pyspark.sql import DataFrame

from bayleaf.spark.fit import fit
from bayleaf.spark.stage import Columns, StageModel
from bayleaf.text import TextClassifier


class TextColumns(Columns):
    """The columns of a stage for texts."""

    textCol: Param[str] = Param(Params._dummy(), "textCol", "column of the texts", TypeConverters.toString)  # noqa: N815

    def getTextCol(self) -> str:  # noqa: N802
        """The column of the texts."""
        return self.getOrDefault(self.textCol)

    def setTextCol(self, value: str) -> Any:  # noqa: N802
        """Take the texts from this column."""
        return self._set(textCol=value)


class TextNB(Estimator, TextColumns, DefaultParamsWritable, DefaultParamsReadable):
    """Learns texts by `bayleaf.spark.fit`.

    Parameters
    ----------
    textCol, labelCol : str, default "text" and "label"
        Columns of the texts and of the labels, which may be text, numbers or truth values.
    predictionCol, probabilityCol : str, default "prediction" and "probability"
        Columns that the model writes: the most probable label, and a vector in the order of ``model.classes_``.
    settings : dict, optional
        Parameters of `TextClassifier`.

    Examples
    --------
    >>> from pyspark.ml import Pipeline  # doctest: +SKIP
    >>> stages = Pipeline(stages=[TextNB(textCol="body", labelCol="kind")]).fit(mails)  # doctest: +SKIP
    >>> stages.transform(mails).select("prediction", "probability")  # doctest: +SKIP
    """

    settings: Param[Any] = Param(Params._dummy(), "settings", "parameters of TextClassifier, by name")

    @keyword_only
    def __init__(
        self,
        *,
        textCol: str = "text",
        labelCol: str = "label",
        predictionCol: str = "prediction",
        probabilityCol: str = "probability",
        settings: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self._setDefault(textCol="text", labelCol="label", settings=None)
        self._set(**self._input_kwargs)

    def _fit(self, dataset: DataFrame) -> TextNBModel:
        classifier = TextClassifier(**(self.getOrDefault(self.settings) or {}))
        model = fit(dataset, text=self.getTextCol(), label=self.getLabelCol(), classifier=classifier)
        return self._copyValues(TextNBModel(model))


class TextNBModel(StageModel, TextColumns):
    """A fitted `TextNB`; `model` is the `TextClassifier`."""

    def _text(self) -> str:
        return self.getTextCol()
