"""The bill of materials: one CycloneDX file for the crates and the Python packages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from release.fault import Fault
from release.parts import Part, crates, packages
from release.versions import workspace


def write(root: Path, python: Path, dist: Path) -> str:
    """Written beside what is shipped, and valid."""
    version = workspace(root)
    parts = [*crates(root), *packages(python)]
    text = json.dumps(bill(version, parts), indent=1) + "\n"
    if (fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)) is not None:
        raise Fault(f"the bill of materials is not valid CycloneDX 1.6: {fault}")
    path = dist / f"bayleaf-{version}.cdx.json"
    path.write_text(text, encoding="utf-8")
    return f"{path.name}, {len(parts)} parts"


def bill(version: str, parts: list[Part]) -> dict[str, Any]:
    """As CycloneDX 1.6 has it."""
    ours = {"type": "library", "name": "bayleaf", "version": version, "bom-ref": f"pkg:pypi/bayleaf@{version}"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**ours, "licenses": [{"license": {"id": "MIT"}}]}},
        "components": [component(part) for part in parts],
        "dependencies": [{"ref": ours["bom-ref"], "dependsOn": [part.purl for part in parts]}],
    }


def component(part: Part) -> dict[str, Any]:
    name = {"license": {"name": part.licence}}
    return {
        "type": "library",
        "bom-ref": part.purl,
        "name": part.name,
        "version": part.version,
        "purl": part.purl,
        "licenses": [name],
    }
