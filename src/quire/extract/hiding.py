"""Pages that ask to be left alone: `noindex` together with `nofollow`, in their head or in their answer's (P7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

# What is meant for one crawler has its name and a colon in front; the largest one's name stands for all.
_DIRECTIVE: Final = re.compile(r"(?:^|,)\s*+(?:googlebot\s*+:\s*+)?([a-z]++)\s*+(?=,|$)")


def is_hidden(metas: Mapping[str, str], robots_tag: str | None) -> bool:
    """Tell whether a page asks not to be indexed, and its links not to be followed."""
    said = [text for text in (metas.get("robots"), metas.get("googlebot"), robots_tag) if text]
    if not said:
        return False
    directives = set(_DIRECTIVE.findall(",".join(said).lower()))
    return "none" in directives or {"noindex", "nofollow"} <= directives
