"""Makes docs/img/page.png: the page Try of `bayleaf serve`, by day. Needs playwright and a chromium."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from bayleaf.demo.samples import LABELS, NEW, sample_mails, subject
from bayleaf.mail import Filter

PICTURE = Path(__file__).parent / "img" / "page.png"
SHOWN = "Turn 250 into 9,000 in one week"


def main() -> None:
    """Teaches a store the sample mails, serves it, judges a mail and takes the picture."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "mail.db"
        with Filter.open(store) as learner:
            for label in LABELS:
                learner.train_many([(raw, label) for raw in sample_mails(label) if subject(raw) not in NEW.values()])
        command = [sys.executable, "-m", "bayleaf", "serve", "--store", store, "--http", "127.0.0.1:0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
            try:
                assert daemon.stdout is not None
                shot(daemon.stdout.readline().strip())
            finally:
                daemon.terminate()


def shot(address: str) -> None:
    """The picture of a verdict, in 256 colours."""
    mail = next(raw for raw in sample_mails("spam") if subject(raw) == SHOWN)
    with sync_playwright() as play:
        program = os.environ.get("BAYLEAF_BROWSER") or shutil.which("chromium")
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1080, "height": 760}, color_scheme="light")
        page.goto(address)
        page.fill("#text", mail.decode())
        page.click("text=Judge")
        page.wait_for_selector(".verdict")
        page.wait_for_load_state()
        picture = Image.open(io.BytesIO(page.screenshot()))
        browser.close()
    picture.convert("RGB").quantize(256).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
