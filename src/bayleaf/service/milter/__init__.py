"""The protocol by which Postfix and Sendmail ask a filter about a mail while its sender still waits."""
