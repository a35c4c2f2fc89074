"""Where the next part of a list begins, as an opaque string."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from typing import Any, TypeVar

from quire.service.problems import ApiProblem

T = TypeVar("T")


def encode(*parts: Any) -> str:
    text = json.dumps(parts, separators=(",", ":"), default=str)
    return base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode().rstrip("=")


def decode(cursor: str | None, read: Callable[..., T]) -> T | None:
    """Read a cursor's parts; one that was made up, or made for another list, is a problem of the field `cursor`."""
    if cursor is None:
        return None
    try:
        parts = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True))
        return read(*parts)
    except (binascii.Error, ValueError, TypeError, OverflowError, RecursionError):
        raise ApiProblem(422, "not a cursor of this list; begin without one", "cursor") from None
