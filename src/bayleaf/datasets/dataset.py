"""Dataset: labelled texts and where they come from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bayleaf.errors import DataError


@dataclass(frozen=True, repr=False)
class Dataset:
    """Labelled texts, in the parts in which their authors published them.

    Examples
    --------
    >>> pets = Dataset(
    ...     ["meow", "woof"], ["cat", "dog"], ["train", "test"], "Pets, 2 texts", "https://example.org", "none"
    ... )
    >>> pets
    Pets, 2 texts
    >>> pets.part("test").texts
    ['woof']

    """

    texts: list[str]
    labels: list[str]
    parts: list[str]
    """The part that each text belongs to, such as train and test."""
    description: str
    source: str
    """The home page of the corpus."""
    licence: str
    mails: list[bytes] = field(default_factory=list)
    """The raw mails, where the texts come from mails; otherwise empty."""

    def part(self, *names: str) -> Dataset:
        """The texts of these parts alone."""
        unknown = sorted(set(names) - set(self.parts))
        if unknown:
            raise DataError(f"found no part {unknown[0]!r}, expected some of {', '.join(sorted(set(self.parts)))}")
        rows = [i for i, part in enumerate(self.parts) if part in names]
        return replace(
            self,
            texts=[self.texts[i] for i in rows],
            labels=[self.labels[i] for i in rows],
            parts=[self.parts[i] for i in rows],
            mails=[self.mails[i] for i in rows] if self.mails else [],
        )

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return self.description
