"""The HTTP face: an API over a live filter. Besides the pages, nothing else in the service knows FastAPI."""
