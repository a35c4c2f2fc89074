"""Regular expressions over URLs, in time linear in the URL; lists of them as the service writes them (F2, F5, F6)."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Final

import re2  # type: ignore[import-untyped]
from msgspec import Struct

from quire.errors import UsageError

_MEMORY: Final = 32 << 20
# An escaped character and a whole character class (in which the first `]` is literal) are one token each.
_TOKEN: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\^?[a-z]*:\]|[^\]\\])*+(?:\]|\\?\Z)|[(){},]", re.DOTALL)


class Patterns:
    """Some patterns searched together; those only a backtracking matcher can run are named in `warnings`."""

    def __init__(
        self, option: str, patterns: Iterable[str], *, ignore_case: bool = False, linear_only: bool = False
    ) -> None:
        self.warnings: tuple[str, ...] = ()
        self.names: tuple[str, ...] = tuple(dict.fromkeys(pattern for pattern in patterns if pattern))
        self._linear_names: list[str] = []
        self._backtracking: list[re.Pattern[str]] = []
        options = re2.Options()
        options.log_errors = False
        options.max_mem = _MEMORY
        options.case_sensitive = not ignore_case
        self._linear = re2.Set.SearchSet(options)
        for pattern in self.names:
            problem = _problem(pattern, options)
            if problem is None:
                self._linear.Add(pattern)
                self._linear_names.append(pattern)
                continue
            self._backtracking.append(_backtracking(option, pattern, ignore_case=ignore_case))
            if linear_only:
                raise UsageError(
                    f"{option}: {pattern!r} cannot be matched in linear time ({problem}); "
                    "write it without look-around, back-references and huge repetitions"
                )
            self.warnings += (
                f"{option}: {pattern!r} cannot be matched in linear time ({problem}); "
                "it runs on a matcher that some URLs can slow down without bound",
            )
        try:
            self._linear.Compile()
        except re2.error:
            raise UsageError(f"{option}: the patterns together are too large; give fewer or shorter ones") from None

    def __bool__(self) -> bool:
        return bool(self.names)

    def find(self, *texts: str) -> str | None:
        """Return the first pattern that is found in one of the texts."""
        for text in texts:
            if self._linear_names:
                found: list[int] | None = self._linear.Match(text.encode(errors="replace"))
                if found:
                    return self._linear_names[min(found)]
            for pattern in self._backtracking:
                if pattern.search(text):
                    return pattern.pattern
        return None


def _problem(pattern: str, options: object) -> str | None:
    """Return what keeps re2 from running the pattern; None if nothing does."""
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0]
        return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
    except UnicodeEncodeError:
        return "it is not valid Unicode"
    return None


def _backtracking(option: str, pattern: str, *, ignore_case: bool) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError(f"{option}: {pattern!r} is not a regular expression ({error})") from None


def split_patterns(text: str) -> tuple[str, ...]:
    """Split at commas, except those escaped or inside `{}`, `[]` or `()`; blanks around a pattern are dropped."""
    parts: list[str] = []
    begin = depth = 0
    for token in _TOKEN.finditer(text):
        match token[0]:
            case "(" | "{":
                depth += 1
            case ")" | "}":
                depth = max(0, depth - 1)
            case "," if not depth:
                parts.append(text[begin : token.start()])
                begin = token.end()
    parts.append(text[begin:])
    return tuple(part.strip() for part in parts if part.strip())


class Preset(Struct, frozen=True):
    """Patterns that suit one kind of site."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]


PRESETS: Final[Mapping[str, Preset]] = {
    "shopify": Preset(
        include=("/collections/", "/pages/"),
        exclude=("/products/", "/account/", "/cart/", "/checkout/", "/policies/", "/apps/"),
    ),
    "docs": Preset(
        include=(
            r"//(docs?|developers?|api|help|support|learn|manual|wiki)\.",
            r"\.(readthedocs|gitbook)\.(io|org)/",
            r"/(docs?|documentation|guides?|manual|reference|api|tutorials?|handbook|learn|help)([/?]|$)",
        ),
        exclude=(
            r"/(blog|news|pricing|careers|jobs|press|login|signup|account|cart)([/?]|$)",
            r"/_(sources|modules|static|images)/",
            r"/(genindex|py-modindex|search)(\.html)?([?]|$)",
        ),
    ),
}
