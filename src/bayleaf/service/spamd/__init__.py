"""The protocol of SpamAssassin's daemon, which mail servers and spamc speak."""
