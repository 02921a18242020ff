"""Apache Spark: learning and judging where the data is."""

from bayleaf.spark.fit import fit
from bayleaf.spark.transform import transform

__all__ = ["fit", "transform"]
