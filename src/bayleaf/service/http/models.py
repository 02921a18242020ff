"""Models: a folder of model files, and the routes that ask them."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path as File
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypeVar

from fastapi import APIRouter, Path, Request, Response

from bayleaf.errors import BayleafError
from bayleaf.service.http import answers
from bayleaf.service.http.problem import Problem, problems
from bayleaf.service.http.room import JSON, as_json, json_of
from bayleaf.service.http.settings import Settings

if TYPE_CHECKING:
    from bayleaf.face import Face

P = ParamSpec("P")
T = TypeVar("T")
OPEN = 8  # models held in memory
CELLS = 5_000_000  # of a question, those that are not there included: 40 MB of pointers
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@ -]{0,99}")
Name = Annotated[str, Path(min_length=1, max_length=100, description="A file of the folder of models.")]
ASKED: dict[str, Any] = {
    "requestBody": {
        "description": "Either texts or records.",
        "required": True,
        "content": {JSON: {"schema": answers.Question.model_json_schema()}},
    }
}


class Models:
    """The models of a folder, loaded when first asked and again when their file changes. One thread asks them."""

    def __init__(self, folder: File | None) -> None:
        self.folder = folder
        self._held: OrderedDict[str, tuple[tuple[int, int], Face]] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "models")

    def files(self) -> list[dict[str, Any]]:
        """The files there are."""
        if self.folder is None:
            return []
        try:
            files = sorted(file for file in self.folder.iterdir() if NAME.fullmatch(file.name) and file.is_file())
        except OSError as error:
            raise BayleafError(f"{self.folder} cannot be read: {error.strerror}") from None
        stats = [(file.name, file.stat()) for file in files]
        return [{"name": name, "bytes": stat.st_size, "changed": stat.st_mtime} for name, stat in stats]

    def face(self, name: str) -> Face:
        """The model of this name. Only names of files in the folder are looked at, so no path leads out of it."""
        if self.folder is None or name not in {each["name"] for each in self.files()}:
            raise Problem(404, "found no model of this name, expected one that /v1/models lists")
        stat = (self.folder / name).stat()
        stamp = (stat.st_mtime_ns, stat.st_size)
        if name not in self._held or self._held[name][0] != stamp:
            from bayleaf.face import faced  # noqa: PLC0415 - numpy and more, for those who ask a model

            self._held[name] = stamp, faced(self.folder / name)
        self._held.move_to_end(name)
        if len(self._held) > OPEN:
            self._held.popitem(last=False)
        return self._held[name][1]

    def facts(self, name: str) -> dict[str, Any]:
        """What a model is."""
        face = self.face(name)
        columns = {str(column): str(kind) for column, kind in getattr(face.model, "columns_", {}).items()}
        kind = type(face.model).__name__
        return {"name": name, "kind": kind, "labels": face.labels, "columns": columns}

    def predict(self, name: str, question: answers.Question) -> dict[str, Any]:
        """A label for each text or record."""
        face = self.face(name)
        columns = face.lines([*question.texts]) if question.texts is not None else turned(question.records or [])
        rows = len(question.texts or question.records or [])
        try:
            shares = face.probabilities(columns) if rows else []
        except (TypeError, ValueError, OverflowError) as error:
            raise Problem(422, f"the model refuses these rows: {error}") from None
        best = [face.labels[max(range(len(row)), key=row.__getitem__)] for row in shares]
        return {"labels": best, "probabilities": [dict(zip(face.labels, row, strict=True)) for row in shares]}

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does work in the thread of the models."""
        return await asyncio.wrap_future(self._thread.submit(work, *args, **kwargs))

    def close(self) -> None:
        """Ends the thread."""
        self._thread.shutdown()


def turned(records: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Records as columns; a cell that a record does not have is None.

    >>> turned([{"a": 1}, {"b": 2}])
    {'a': [1, None], 'b': [None, 2]}
    """
    names = dict.fromkeys(name for record in records for name in record)
    if len(names) * len(records) > CELLS:
        raise Problem(
            422, f"found {len(records)} records with {len(names)} different names, expected a table of {CELLS:,} cells"
        )
    return {name: [record.get(name) for record in records] for name in names}


def routes(models: Models, settings: Settings) -> APIRouter:
    """What can be asked of model files."""
    router = APIRouter(tags=["models"])

    @router.get("/v1/models", response_model=answers.ModelFiles, responses=problems(422))
    async def files() -> Response:
        """The model files that can be asked."""
        return as_json({"models": await models.run(models.files)})

    @router.get("/v1/models/{name}", response_model=answers.ModelFacts, responses=problems(404, 422))
    async def facts(name: Name) -> Response:
        """What a model is."""
        return as_json(await models.run(models.facts, name))

    @router.post(
        "/v1/models/{name}/predict",
        response_model=answers.Predicted,
        responses=problems(404, 415, 422),
        openapi_extra=ASKED,
    )
    async def predict(name: Name, request: Request) -> Response:
        """Labels texts or records with any model file that bayleaf wrote."""
        question = await json_of(request, answers.Question)
        if (question.texts is None) == (question.records is None):
            raise Problem(422, "found both or neither of texts and records, expected one of them")
        if len(question.texts or question.records or []) > settings.rows:
            raise Problem(422, f"found more than {settings.rows} rows, expected at most that many; ask several times")
        return as_json(await models.run(models.predict, name, question))

    return router
