"""Samples: the mails and the letters that ship with the package. All of them are invented."""

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
    shutil.copyfile(LETTERS, folder / "letters.csv")
    names = {title: f"new/{name}" for name, title in NEW.items()} | {PRIVATE: "ham/private"}
    for label in LABELS:
        for at, raw in enumerate(sample_mails(label), 1):
            (box / f"{names.get(subject(raw), f'{label}/{at:03}')}.eml").write_bytes(raw)
    return box
