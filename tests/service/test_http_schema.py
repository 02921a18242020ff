"""schemathesis against the API: no unhandled error, and no answer that its description does not promise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import requests
import schemathesis
from daemon import taught
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from web import description, serving

import bayleaf
from bayleaf.service.http.settings import Settings

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]


@schemathesis.serializer("message/rfc822")
def as_it_is(context: object, value: object) -> bytes:
    """Bytes of a mail."""
    return value if isinstance(value, bytes) else str(value).encode()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("api")
    models = folder / "models"
    models.mkdir()
    bayleaf.TextClassifier().fit(["cheap pills", "lunch at noon"], ["spam", "ham"]).save(models / "words")
    (models / "broken").write_bytes(b"no model")
    with serving(taught(folder / "mail.db", 10), Settings(models=models)) as (client, _):
        yield f"http://127.0.0.1:{client.port}"


schema = schemathesis.openapi.from_dict(description())


@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_promised(case: schemathesis.Case, address: str) -> None:
    case.call_and_validate(base_url=address, checks=CHECKS)


@schema.include(path_regex="train|correct|history/|models/").parametrize()
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_about_what_is_there_is_promised(case: schemathesis.Case, address: str) -> None:
    """Chance alone finds no label, no id and no name of a model."""
    id = requests.post(f"{address}/v1/judge", b"Subject: seen", headers={"Content-Type": "message/rfc822"}).json()["id"]
    there = {"label": "spam", "id": id, "name": "words"}
    for given in (case.query, case.path_parameters):
        given.update({name: value for name, value in there.items() if name in given})
    if "label" in (case.body if isinstance(case.body, dict) else {}):
        case.body["label"] = "ham"
    if isinstance(case.body, dict) and "records" in case.body:
        case.body["records"] = [{"text": "cheap"}]
        case.body.pop("texts", None)
    case.call_and_validate(base_url=address, checks=CHECKS)
