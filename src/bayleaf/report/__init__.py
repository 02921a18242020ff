"""The report of an evaluation: one page that needs nothing else, and pictures in files."""

from bayleaf.report.mistake import Mistake
from bayleaf.report.page import write_report
from bayleaf.report.pictures import write_plots

__all__ = ["Mistake", "write_plots", "write_report"]
