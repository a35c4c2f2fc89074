"""Formulas as TeX between dollar signs, where the page has the TeX: MathML's annotation, KaTeX, MathJax, MediaWiki."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from turbohtml import Element

from .verbatim import Verbatim

TAGS: Final = ("math", "math-renderer")
_TEX: Final = 'annotation[encoding="application/x-tex"]'
_DRAWN: Final = ".katex-display,.katex,.mwe-math-element,mjx-container"
_DISPLAYED: Final = ".katex-display,mjx-container[display=true]"
_PREVIEWS: Final = ("MathJax_Preview", "MathJax", "MathJax_Display", "MathJax_CHTML", "MathJax_SVG")
_CELL: Final = "td,th"
_STYLE: Final = re.compile(r"\{\\(?:displaystyle|textstyle) (.*)\}", re.DOTALL)
_BARS: Final = re.compile(r"(\\?)\|")
_DELIMITED: Final = ".math,.arithmatex"
# `\(x\)` and `\[x\]`, as turbohtml escapes them.
_ESCAPED_FORMULA: Final = re.compile(
    r"\\\\\((?P<line>(?:[^\n\\]|\n(?!\s*+\n)|\\(?!\\\)).){0,2000}+)\\\\\)|"
    r"\\\\\\\[(?P<block>(?:[^\n\\]|\n(?!\s*+\n)|\\(?!\\\\\]).){0,2000}+)\\\\\\\]"
)
# Signs that a reader who knows no TeX would take for HTML or a link; a space in between means nothing in TeX.
_MISLEADING: Final = re.compile(r"<(?=[A-Za-z/!?])|\](?=[(\[])")
_BRACKET: Final = re.compile(r"\\(?=\\[\\(])")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def write_formulas(formulas: Iterable[Element], verbatim: Verbatim) -> None:
    """Replace MathML, and what a page has drawn from it, by its TeX; without any it stays text."""
    for formula in formulas:
        if formula.tag == "math-renderer":
            formula.replace_with(verbatim.stand_in(_plain(formula.text)))
            continue
        annotation = formula.select_one(_TEX)
        tex = annotation.text if annotation else formula.attr("alttext")
        if not tex or not tex.strip():
            formula.remove("annotation,annotation-xml")
            continue
        drawn = formula.closest(_DRAWN) or formula
        drawn = drawn.closest(".katex-display") or drawn
        is_block = formula.attr("display") == "block" or drawn.matches(_DISPLAYED)
        _replace(drawn, tex, verbatim, is_block=is_block)


def write_scripts(scripts: Iterable[Element], verbatim: Verbatim) -> None:
    """Replace MathJax's scripts, which hold the TeX of a formula, by it."""
    for script in scripts:
        kind = script.attr("type") or ""
        if kind.startswith("math/tex"):
            _drop_previews(script)
            _replace(script, script.text, verbatim, is_block="mode=display" in kind)


def write_delimited(markdown: str, page: Element) -> str:
    """Put dollar signs in place of TeX's own brackets, in which Sphinx and MkDocs leave formulas to a script."""
    if not _BRACKET.search(markdown) or not page.select_one(_DELIMITED):
        return markdown
    return _ESCAPED_FORMULA.sub(_unescaped, markdown)


def _unescaped(formula: re.Match[str]) -> str:
    sign = "$" if formula["line"] is not None else "$$"
    escaped = (formula["line"] or formula["block"] or "").replace(r"\|", r"\\vert ")
    return sign + _plain(_ESCAPE.sub(r"\1", escaped)) + sign


def _drop_previews(script: Element) -> None:
    while isinstance(before := script.previous_sibling, Element) and any(map(before.has_class, _PREVIEWS)):
        before.extract()


def _replace(drawn: Element, tex: str, verbatim: Verbatim, *, is_block: bool) -> None:
    tex = _plain(tex)
    if styled := _STYLE.fullmatch(tex):
        tex = styled[1].strip()
    if drawn.closest(_CELL):
        tex = _BARS.sub(lambda bar: r"\Vert " if bar[1] else r"\vert ", tex).strip()
    sign = "$$" if is_block else "$"
    drawn.replace_with(verbatim.stand_in(f"{sign}{tex}{sign}"))


def _plain(tex: str) -> str:
    return _MISLEADING.sub(r"\g<0> ", " ".join(tex.split()))
