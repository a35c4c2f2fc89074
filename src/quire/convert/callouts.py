"""Notes that have no title, and that nothing but classes tell from other blocks."""

from __future__ import annotations

from typing import Final

from turbohtml import Element

# Bootstrap's, but for those of its colours that mean nothing.
_COLORS: Final = frozenset(f"alert-{kind}" for kind in ("primary", "info", "success", "warning", "danger"))
# What a form says, or a script: it can be closed, or is read aloud when it comes.
_CLOSED: Final = "alert-dismissible"
_FORM: Final = "form"


def is_colored(alert: Element) -> bool:
    """Return whether one of Bootstrap's alerts is a part of the text: it says what kind it is, and is no message."""
    names = (alert.attr("class") or "").split()
    is_message = _CLOSED in names or alert.attr("role") is not None
    return not is_message and not _COLORS.isdisjoint(names) and alert.closest(_FORM) is None
