"""Public corpora that people try first: fetched once, checked, kept in a cache."""

from bayleaf.datasets.dataset import Dataset
from bayleaf.datasets.enron_spam import load_enron_spam
from bayleaf.datasets.newsgroups import load_20newsgroups
from bayleaf.datasets.sms_spam import load_sms_spam
from bayleaf.datasets.spamassassin import load_spamassassin

__all__ = ["Dataset", "load_20newsgroups", "load_enron_spam", "load_sms_spam", "load_spamassassin"]
