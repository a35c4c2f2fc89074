"""The test site: a real HTTP server with knobs and a log of every request, and what tests use around it."""

from .answers import Answer, Page, encoded
from .commands import Finished, Quire, environment, files_in
from .log import Hit
from .names import Names
from .site import Site

__all__ = ["Answer", "Finished", "Hit", "Names", "Page", "Quire", "Site", "encoded", "environment", "files_in"]
