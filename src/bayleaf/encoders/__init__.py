"""Encoders: from documents to rows or keys, with frozen settings."""
