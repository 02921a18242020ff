"""Apache Spark: learning and judging where the data is. Needs the extra ``bayleaf[spark]``.

The stages of pipelines are loaded when they are first used: workers need none, and Spark ML takes a second to import.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bayleaf.spark.fit import fit
from bayleaf.spark.transform import transform

if TYPE_CHECKING:
    from bayleaf.spark.naive_bayes import NaiveBayes, NaiveBayesModel
    from bayleaf.spark.text_nb import TextNB, TextNBModel

__all__ = ["NaiveBayes", "NaiveBayesModel", "TextNB", "TextNBModel", "fit", "transform"]

_HOMES = {"NaiveBayes": "naive_bayes", "NaiveBayesModel": "naive_bayes", "TextNB": "text_nb", "TextNBModel": "text_nb"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
