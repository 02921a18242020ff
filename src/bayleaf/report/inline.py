"""Inline: an SVG of matplotlib as a part of a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from bayleaf.plot.canvas import COLOURS, FAINT, INK, MUTED, PAPER

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
# The page says what these colours are by day and by night.
NAMES = {INK: "ink", MUTED: "muted", FAINT: "faint", PAPER: "paper", "#000000": "ink"} | {
    colour: f"c{place}" for place, colour in enumerate(COLOURS)
}
VARIABLES = {colour: f"var(--{name})" for colour, name in NAMES.items()}
COLOUR = re.compile("#[0-9a-f]{6}")
FAMILY = re.compile(r"font-family: [^;]*;? ?")
FONT = re.compile(r"font: ((?:[a-z0-9]+ )*?)([\d.]+)px [^;]*")
LOCAL = re.compile(r"url\(#([^)]*)\)")


def inline(svg: bytes, prefix: str, title: str, told: str) -> str:
    """The picture with names of its own (several live in one page), the page's colours and fonts, and a description."""
    root = ET.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{SVG}metadata", f"{SVG}style"):  # its style would be that of the whole page
                parent.remove(child)
    for element in root.iter():
        _adopt(element, prefix)
    for size in ("width", "height"):
        root.attrib.pop(size, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{prefix}-title {prefix}-desc")
    for place, (tag, words) in enumerate((("title", title), ("desc", told))):
        note = ET.Element(f"{SVG}{tag}", {"id": f"{prefix}-{tag}"})
        note.text = words
        root.insert(place, note)
    ET.register_namespace("", SVG[1:-1])
    return ET.tostring(root, encoding="unicode")


def _adopt(element: ET.Element, prefix: str) -> None:
    if "id" in element.attrib:
        element.set("id", f"{prefix}-{element.attrib['id']}")
    if HREF in element.attrib:
        element.set("href", "#" + f"{prefix}-{element.attrib.pop(HREF).removeprefix('#')}")
    for name in ("style", "fill", "stroke", "clip-path"):
        if name in element.attrib:
            value = LOCAL.sub(rf"url(#{prefix}-\1)", element.attrib[name])
            value = COLOUR.sub(lambda found: VARIABLES.get(found[0], found[0]), value)
            value = FAMILY.sub("", value)
            element.set(name, FONT.sub(r"font-size: \2px; \1", value).replace("bold ", "font-weight: bold"))
