"""Swapped: data where the model was expected, and the model where the data was."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager

from bayleaf.errors import BayleafError, NoFileError


@contextmanager
def model_first(options: Namespace) -> Iterator[None]:
    """Meanwhile the model is read; if it is none and the data file is one, that is what is told."""
    try:
        yield
    except NoFileError:
        raise
    except BayleafError as error:
        from bayleaf.archive import Archive  # noqa: PLC0415 - numpy, which -h need not wait for

        try:
            Archive.read(options.data)
        except BayleafError:
            raise error from None
        raise BayleafError(
            f"{options.model} is not a model file, and {options.data} is one; the model comes first: {options.data} "
            f"{options.model}"
        ) from error
