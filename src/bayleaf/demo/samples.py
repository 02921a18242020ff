"""Samples: the mails and the letters that ship with the package. All of them are invented."""

import csv
import shutil
from email import message_from_bytes
from email.policy import default
from pathlib import Path

from bayleaf.mail.mailbox import mails

HERE = Path(__file__).parent
LETTERS = HERE / "letters.csv"
LABELS = ("ham", "spam")

# Left out of what is learned, and judged: the name of the file, the subject by which the mail is found.
NEW = {
    "pharmacist": "your pills, and dinner",
    "transfer": "urgent: transfer before noon",
    "boss": "Urgent wire transfer",
    "bitcoin": "Turn 250 into 9,000 in one week",
    "japanese-bank": "【重要】お客様の口座が一時停止されました",
    "reply": "Re: Question about figure 7-4",
}
NEW_LETTERS = [
    ["The courier has been here twice while I was at work", "phone", "25", "2"],
    ["My card was charged for a parcel that never came", "mail", "60", ""],
    ["It is too small and the app refuses to print a label", "form", "45", "11"],
]
CUSTOMER = "K5005"  # has written four times
PRIVATE = "Estate of your great-aunt Ottilie Lindqvist"


def sample_mails(label: str) -> list[bytes]:
    """The mails of one label, oldest first.

    >>> [len(sample_mails(label)) for label in LABELS]
    [76, 65]
    """
    return list(mails(HERE / "mails" / f"{label}.mbox"))


def subject(raw: bytes) -> str:
    r"""The subject of a mail in words.

    >>> subject(b"Subject: =?utf-8?Q?gr=C3=BCn?=\n\n")
    'grün'
    """
    return str(message_from_bytes(raw, policy=default)["Subject"])


def lay_out(folder: Path) -> Path:
    """Puts the samples where a person would have them: a table, two folders of old mail and one of new mail.

    The folder of mails comes back. It is made anew each time, because another release may have other mails.
    """
    box = folder / "demo-mail"
    shutil.rmtree(box, ignore_errors=True)
    for name in (*LABELS, "new"):
        (box / name).mkdir(parents=True)
    lay_letters(folder)
    names = {title: f"new/{name}" for name, title in NEW.items()} | {PRIVATE: "ham/private"}
    for label in LABELS:
        for at, raw in enumerate(sample_mails(label), 1):
            (box / f"{names.get(subject(raw), f'{label}/{at:03}')}.eml").write_bytes(raw)
    return box


def lay_letters(folder: Path) -> None:
    """The table, its halves, the rows of one customer, and some rows without the answer."""
    shutil.copyfile(LETTERS, folder / "letters.csv")
    with LETTERS.open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    for name, part in {
        "one-customer": [names, *(row for row in rows if row[0] == CUSTOMER)],
        "north": [names, *rows[::2]],
        "south": [names, *rows[1::2]],
        "new-letters": [names[1:-1], *NEW_LETTERS],
    }.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(part)
