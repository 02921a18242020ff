"""What was seen: sums over rows, nothing else. Adding, subtracting and scaling them is all that learning is."""

from bayleaf.tally.categories import Categories
from bayleaf.tally.counts import Counts
from bayleaf.tally.keyed import KeyedCounts
from bayleaf.tally.moments import Moments

__all__ = ["Categories", "Counts", "KeyedCounts", "Moments"]
