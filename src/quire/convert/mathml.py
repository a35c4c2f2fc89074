"""MathML as TeX, for pages that have no TeX of their formulas: as plain text a fraction would be another number."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from turbohtml import Element

from .lists import elements

# Without any of these a formula reads as text does.
_BUILT: Final = (
    "mfrac", "mover", "mroot", "msqrt", "msub", "msubsup", "msup", "mtable", "munder", "munderover"
)  # fmt: skip
_DEEPEST: Final = 40
_SPECIAL: Final = re.compile(r"([#$%&_{}])")
_UNSEEN: Final = re.compile("[\u2061-\u2064\u200b]")
_COMMAND_AT_END: Final = re.compile(r"\\[A-Za-z]++\Z")
_ONE_SIGN: Final = re.compile(r"\\?[^\\{}]|\\[A-Za-z]+")
_FUNCTIONS: Final = frozenset(
    ["arg", "cos", "cosh", "cot", "det", "dim", "exp", "gcd", "inf", "ker", "lim", "ln", "log", "max", "min", "sin",
     "sinh", "sup", "tan", "tanh"]
)  # fmt: skip
_LARGE: Final = frozenset(["∑", "∏", "∐", "⋃", "⋂", "⋁", "⋀", "∫", r"\lim", r"\max", r"\min", r"\sup", r"\inf"])
_ACCENTS: Final = {
    "¯": "overline", "‾": "overline", "_": "overline", "→": "vec", "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde",
    "˙": "dot", ".": "dot", "¨": "ddot", "⏞": "overbrace",
}  # fmt: skip
_VARIANTS: Final = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak", "normal": "mathrm",
}  # fmt: skip
_SIGNS: Final = {"−": "-", "∣": "|", "‖": r"\Vert ", "\\": r"\backslash ", "~": r"\sim "}


class _Unknown(Exception):
    """A formula has something in it that is not known here."""


def tex_of(formula: Element) -> str | None:
    """Return TeX that is drawn as a formula is; None for one that is a row of signs, or has something strange in it."""
    if next(formula.iter_elements(_BUILT), None) is None:
        return None
    try:
        return _row(elements(formula), 0)
    except _Unknown:
        return None


def _row(parts: Sequence[Element], depth: int) -> str:
    if depth > _DEEPEST:
        raise _Unknown
    row: list[str] = []
    last = ""
    for part in parts:
        tex = _tex(part, depth)
        if tex[:1].isalpha() and _COMMAND_AT_END.search(last):
            row.append(" ")
        row.append(tex)
        last = tex or last
    return "".join(row)


def _tex(part: Element, depth: int) -> str:
    tag, inner = part.tag, elements(part)
    if tag in _TOKENS:
        return _TOKENS[tag](part)
    if tag in _ROWS:
        return _row(inner, depth + 1)
    if tag == "semantics":
        return _row(inner[:1], depth + 1)
    if tag == "msqrt":
        return rf"\sqrt{{{_row(inner, depth + 1)}}}"
    if tag == "mtable":
        return _table(inner, depth + 1)
    if tag == "mfenced":
        return _fenced(part, [_row([each], depth + 1) for each in inner])
    number, written = _FIXED.get(tag, (-1, "".join))
    if len(inner) != number:
        raise _Unknown
    return written([_row([each], depth + 1) for each in inner])


def _identifier(part: Element) -> str:
    name = _escaped(part.text)
    variant = _VARIANTS.get(part.attr("mathvariant") or "")
    if name in _FUNCTIONS:
        return f"\\{name}"
    if variant and (variant != "mathrm" or len(name) > 1):
        return rf"\{variant}{{{name}}}"
    return rf"\mathrm{{{name}}}" if len(name) > 1 and name.isalpha() else name


def _operator(part: Element) -> str:
    sign = _UNSEEN.sub("", part.text.strip())
    return _SIGNS.get(sign) or (f"\\{sign}" if sign in _FUNCTIONS else _escaped(sign))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", _UNSEEN.sub("", text).strip()).replace("−", "-")


def _words(part: Element) -> str:
    text = _SPECIAL.sub(r"\\\1", " ".join(part.text.split()))
    return rf"\text{{{text}}}" if text else " "


def _group(tex: str) -> str:
    return tex if _ONE_SIGN.fullmatch(tex) else f"{{{tex}}}"


def _base(tex: str) -> str:
    return tex if _ONE_SIGN.fullmatch(tex) or tex.isalnum() or not tex else f"{{{tex}}}"


def _above(parts: Sequence[str]) -> str:
    base, over = parts
    if base.strip() in _LARGE:
        return f"{base}^{_group(over)}"
    if accent := _ACCENTS.get(over.strip()):
        return rf"\{accent}{{{base}}}"
    return rf"\overset{{{over}}}{{{base}}}"


def _below(parts: Sequence[str]) -> str:
    base, under = parts
    return f"{base}_{_group(under)}" if base.strip() in _LARGE else rf"\underset{{{under}}}{{{base}}}"


def _fenced(fence: Element, parts: Sequence[str]) -> str:
    opening, closing = fence.attr("open"), fence.attr("close")
    ends = [_escaped("(" if opening is None else opening), _escaped(")" if closing is None else closing)]
    return (fence.attr("separators") or ",").strip()[:1].join(parts).join(ends)


def _table(rows: Sequence[Element], depth: int) -> str:
    if any(row.tag not in ("mtr", "mlabeledtr") for row in rows):
        raise _Unknown
    cells = [[_row(elements(cell), depth + 1) for cell in elements(row)[row.tag == "mlabeledtr" :]] for row in rows]
    lines = r" \\ ".join(" & ".join(line) for line in cells)
    return rf"\begin{{matrix}} {lines} \end{{matrix}}"


_ROWS: Final = frozenset(["mrow", "mstyle", "mpadded", "menclose", "mtd"])
_TOKENS: Final[Mapping[str, Callable[[Element], str]]] = {
    "mi": _identifier,
    "mn": lambda part: _escaped(part.text),
    "mo": _operator,
    "mtext": _words,
    "ms": _words,
    "mspace": lambda _: " ",
    "mphantom": lambda _: "",
    "none": lambda _: "",
}
# How many parts each of these has, and how they are written.
_FIXED: Final[Mapping[str, tuple[int, Callable[[Sequence[str]], str]]]] = {
    "mfrac": (2, lambda parts: rf"\frac{{{parts[0]}}}{{{parts[1]}}}"),
    "mroot": (2, lambda parts: rf"\sqrt[{parts[1]}]{{{parts[0]}}}"),
    "msub": (2, lambda parts: f"{_base(parts[0])}_{_group(parts[1])}"),
    "msup": (2, lambda parts: f"{_base(parts[0])}^{_group(parts[1])}"),
    "msubsup": (3, lambda parts: f"{_base(parts[0])}_{_group(parts[1])}^{_group(parts[2])}"),
    "munder": (2, _below),
    "mover": (2, _above),
    "munderover": (3, lambda parts: f"{_base(parts[0])}_{_group(parts[1])}^{_group(parts[2])}"),
}
