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


def lay_out(folder: Path) -> None:
    """Puts the samples where a person would have them: two folders of old mail, some new mail, a table.

    One file per mail, because that is what is judged and forgotten one by one.
    """
    shutil.copyfile(LETTERS, _made(folder) / "letters.csv")
    names = {title: name for name, title in NEW.items()}
    for label in LABELS:
        for at, raw in enumerate(sample_mails(label)):
            title = subject(raw)
            if title in names:
                target = _made(folder / "mail" / "new") / f"{names[title]}.eml"
            else:
                name = "private" if title == PRIVATE else f"{at:03}"
                target = _made(folder / "mail" / label) / f"{name}.eml"
            target.write_bytes(raw)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
