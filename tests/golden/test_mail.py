"""Mails written by us and the tokens they must give. `python tests/golden/test_mail.py` writes the tokens again."""

import hashlib
from pathlib import Path

import pytest

from bayleaf._core import MailFeatures

MAILS = Path(__file__).parent / "mails"
SECRET = b"0123456789abcdef"


def tokens(raw: bytes) -> str:
    """Everything a mail gives, one line each; the many raw keys as one checksum."""
    mail = MailFeatures.read(raw, SECRET, True)
    names = sorted(mail.name(i) for i, group in enumerate(mail.groups) if group)
    lines = [
        f"subject {mail.subject}",
        f"sender {mail.sender}",
        *(f"note {note}" for note in mail.notes),
        *(f"{family} keys {size}" for family, size in zip(mail.families, mail.sizes, strict=True)),
        f"identity {mail.identity.hex()}",
        f"all keys {hashlib.sha256(mail.keys).hexdigest()}",
        *(name.replace("\n", "\\n") for name in names),
    ]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("path", sorted(MAILS.glob("*.eml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("twin", ["lf", "crlf"])
def test_gives_the_expected_tokens(path: Path, twin: str) -> None:
    raw = path.read_bytes()
    assert b"\r" not in raw
    if twin == "crlf":
        raw = raw.replace(b"\n", b"\r\n")
    assert tokens(raw) == path.with_suffix(".txt").read_bytes().decode()


def words(stem: str) -> set[str]:
    mail = MailFeatures.read((MAILS / f"{stem}.eml").read_bytes(), SECRET, True)
    return {mail.name(i).removeprefix("word:") for i, group in enumerate(mail.groups) if group == 1}


@pytest.mark.parametrize(
    ("stem", "there", "absent"),
    [
        ("plain", {"it's", "100%", "$25", "on_monday!!!", "minutes"}, {"score", "no"}),
        ("multipart", {"agenda", "link example.co.uk"}, {"preamble", "epilogue", "agen"}),
        ("nested", {"picture", "forwarded"}, {"ivborw0kggo"}),
        ("quoted-printable", {"café", "für", "zwei", "zz"}, {"caf", "zw"}),
        ("base64", {"grüße", "köln", "swordfish"}, set()),
        ("encoded-words", {"angebot", "für", "dich", "€5", "now"}, {"utf-8"}),
        ("html-only", {"free", "€9", "abc", "link example.com", "link 198.51.100.7"}, {"color", "var", "no"}),
        (
            "hidden-text",
            {"buy", "visible", "hidden agenda", "hidden minutes", "hidden report", "hidden lunch"},
            {"agenda"},
        ),
        ("chinese", {"特价", "价优", "您好", "欢迎", "shop", "网店"}, {"优惠您"}),
        ("japanese", {"こん", "世界", "カタ"}, set()),
        ("thai", {"ok", "สว"}, set()),
        ("cyrillic", {"скидки", "добрый", "звоните"}, {"ЗВОНИТЕ"}),
        ("cyrillic-undeclared", {"здравствуйте", "коллеги"}, set()),
        ("right-to-left", {"שלום", "مرحبا"}, set()),
        ("winmail", {"attached"}, {"ej8"}),
        ("calendar", {"invited", "planning", "vevent"}, set()),
        ("smime", {"signed"}, {"miigjqyjkozihvcnaqcc"}),
        ("smime-encrypted", {"minutes"}, {"miigjqyjkozihvcnaqcd"}),
        ("pgp", {"minutes"}, {"begin"}),
        ("pgp-inline", {"clear", "pgp"}, set()),
        (
            "newsletter",
            {"opening", "reserve", "swipe", "🍵", "hidden fresh", "link shop.example", "link mailer.example"},
            {"hidden opening", "hidden reserve", "carousel", "amp-img"},
        ),
        ("gateway", {"minutes", "viagra"}, {"ia", "gra"}),
    ],
)
def test_words_that_matter(stem: str, there: set[str], absent: set[str]) -> None:
    found = words(stem)
    assert there <= found
    assert not absent & found


def test_verdicts_of_others_are_no_features() -> None:
    """Nor is what never comes again: of a gateway's header the way of the mail is left."""
    mail = MailFeatures.read((MAILS / "gateway.eml").read_bytes(), SECRET, True)
    names = [mail.name(i) for i, group in enumerate(mail.groups) if group == 3]
    ours = {name.split(":")[0] for name in names if name.startswith("x-") or "spam" in name}
    assert ours == {"x-barracuda-connect", "x-ms-exchange-organization-network-message-id", "x-proofpoint-guid"}
    assert "thread-index:is *" in names
    assert not [name for name in names if "57804c55" in name or "804ea402" in name]
    assert "references:caf8zq2xwlhvtz8cbnaoju0yxqdku4sjr2m@mail.example.org" in names


def test_people_see_no_direction_marks() -> None:
    mail = MailFeatures.read((MAILS / "right-to-left.eml").read_bytes(), SECRET, False)
    assert mail.subject.startswith("\ufffd")
    assert "\u202e" not in mail.subject


if __name__ == "__main__":
    for path in sorted(MAILS.glob("*.eml")):
        path.with_suffix(".txt").write_bytes(tokens(path.read_bytes()).encode())
