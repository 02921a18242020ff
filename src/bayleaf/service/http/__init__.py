"""The HTTP face: an API over a live filter. Nothing else in the service knows FastAPI."""
