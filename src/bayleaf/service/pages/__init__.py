"""The pages of `bayleaf serve`: drawn by the server, without a build step, for people with a browser."""

from bayleaf.service.pages.desk import Desk
from bayleaf.service.pages.router import router

__all__ = ["Desk", "router"]
