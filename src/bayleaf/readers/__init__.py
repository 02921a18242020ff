"""Data files in batches: CSV, JSON Lines, JSON, Parquet, Arrow, ARFF, folders of texts and mailboxes, packed or not."""

from bayleaf.readers.batch import Batch
from bayleaf.readers.open_source import open_source
from bayleaf.readers.source import Source

__all__ = ["Batch", "Source", "open_source"]
