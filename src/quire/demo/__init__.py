"""A small documentation site, bundled so that Quire has something to mirror without a network (C7)."""

from .server import DemoSite

__all__ = ["DemoSite"]
