"""Printed: whether what was printed is what is written, on whatever processor."""

import re

FRACTION = re.compile(r"\d+\.\d+(?:e[+-]\d+)?")


def alike(printed: str, written: str) -> bool:
    """Whether two texts are the same but for spaces and for what processors make of fractions."""
    pairs = zip(FRACTION.findall(printed), FRACTION.findall(written), strict=False)
    same = FRACTION.sub("#", printed).split() == FRACTION.sub("#", written).split()
    return printed == written or (same and all(_close(*pair) for pair in pairs))


def _close(printed: str, written: str) -> bool:
    """Sums are rounded in another order, which shows in the last digit, or, by a tie in a ranking, in a thousandth."""
    apart = abs(float(printed) - float(written))
    return apart < max(1e-3 * float(written), 1.1 * min(_last(printed), _last(written)))


def _last(figure: str) -> float:
    """One unit of the last digit of a fraction: 1e-3 for 2.636, 1e-9 for 8.606e-06."""
    digits, _, power = figure.partition("e")
    return 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
