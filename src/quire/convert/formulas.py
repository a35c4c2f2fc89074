"""Formulas as TeX between dollar signs: MathML, its annotation, KaTeX, MathJax, MediaWiki."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, cast

from turbohtml import Element, Text, XPath

from .inline_code import VERBATIM
from .mathml import tex_of
from .verbatim import Verbatim

TAGS: Final = ("math", "math-renderer")
_TEX: Final = 'annotation[encoding="application/x-tex"]'
_DRAWN: Final = "span.katex,.mwe-math-element:not(body),mjx-container"
_BLOCK: Final = "span.katex-display"
_PREVIEWS: Final = ("MathJax_Preview", "MathJax", "MathJax_Display", "MathJax_CHTML", "MathJax_SVG")
_CELL: Final = "td,th"
_STYLE: Final = re.compile(r"\{\\(?:displaystyle|textstyle) (.*)\}", re.DOTALL)
_BARS: Final = re.compile(r"(\\?)\|")
# Sphinx, MkDocs, Haddock and Doxygen.
_DELIMITED: Final = ".math,.arithmatex,.mathjax,.formulaDsp"
_BRACKETED: Final = XPath(r"descendant-or-self::*[text()[contains(., '\(') or contains(., '\[')]]")
_FORMULA: Final = re.compile(r"\\\(((?:[^\\]|\\[^()])++)\\\)|\\\[((?:[^\\]|\\[^\[\]])++)\\\]")
# A command, or something raised or lowered; not `\bword`, `\a\+` and `[^a]`, which are in the groups of patterns.
_TEX_SIGN: Final = re.compile(r"\\(?!b)[A-Za-z]{2}|\\b[aeiomu]|[\w)}\]|'][_^](?:[{\\*]|[A-Za-z0-9](?![A-Za-z0-9]))")
_PATTERN_SIGN: Final = re.compile(r"\\[+?*<>=]")
# How `\(` and `\[` look in Markdown.
_BRACKET: Final = re.compile(r"\\(?=\\[\\(])")
# Signs that a reader who knows no TeX would take for HTML or a link; a space in between means nothing in TeX.
_MISLEADING: Final = re.compile(r"<(?=[A-Za-z/!?])|\](?=[(\[])")


def write_formulas(formulas: Iterable[Element], verbatim: Verbatim) -> None:
    """Replace MathML, and what a page has drawn from it, by its TeX; a row of signs stays text."""
    for formula in formulas:
        if formula.tag == "math-renderer":
            formula.replace_with(verbatim.stand_in(_plain(formula.text)))
            continue
        annotation = formula.select_one(_TEX)
        tex = (annotation.text if annotation else formula.attr("alttext") or "").strip() or tex_of(formula)
        if not tex:
            formula.remove("annotation,annotation-xml")
            continue
        block = formula.closest(_BLOCK)
        drawn = block or formula.closest(_DRAWN) or formula
        _replace(drawn, tex, verbatim, is_block=block is not None or formula.attr("display") == "block")


def write_scripts(scripts: Iterable[Element], verbatim: Verbatim) -> None:
    """Replace MathJax's scripts, which hold the TeX of a formula, by it."""
    for script in scripts:
        kind = script.attr("type") or ""
        if kind.startswith("math/tex"):
            _drop_previews(script)
            _replace(script, script.text, verbatim, is_block="mode=display" in kind)


def write_delimited(markdown: str, page: Element, verbatim: Verbatim) -> bool:
    """Replace TeX between its own brackets, which pages leave to a script; tell whether there was any."""
    if not _BRACKET.search(markdown):
        return False
    texts = [text for text in _texts(page) if _FORMULA.search(text.data)]
    if not any(map(_is_surely_tex, texts)):
        return False
    for text in texts:
        around = text.parent
        is_cell = isinstance(around, Element) and around.closest(_CELL) is not None
        text.replace_with(*_parts(text.data, verbatim, is_cell=is_cell))
    return True


def _texts(page: Element) -> Iterator[Text]:
    """Yield the texts with brackets of TeX in them that are no code."""
    for each in cast("list[Element]", _BRACKETED(page)):
        if each.closest(VERBATIM) is None:
            yield from (child for child in each.children if isinstance(child, Text))


def _is_surely_tex(text: Text) -> bool:
    """Tell whether a text shows that a script sets formulas on its page: only one that is TeX, or is said to be."""
    around = text.parent
    if isinstance(around, Element) and around.closest(_DELIMITED) is not None:
        return True
    found = [formula[1] or formula[2] for formula in _FORMULA.finditer(text.data)]
    return any(_TEX_SIGN.search(tex) and not _PATTERN_SIGN.search(tex) for tex in found)


def _drop_previews(script: Element) -> None:
    while isinstance(before := script.previous_sibling, Element) and any(map(before.has_class, _PREVIEWS)):
        before.extract()


def _replace(drawn: Element, tex: str, verbatim: Verbatim, *, is_block: bool) -> None:
    # Of several formulas in one drawing the first has taken its place.
    if drawn.parent is not None:
        is_cell = drawn.closest(_CELL) is not None
        drawn.replace_with(verbatim.stand_in(_written(tex, is_block=is_block, is_cell=is_cell)))


def _parts(text: str, verbatim: Verbatim, *, is_cell: bool) -> Iterator[Text]:
    position = 0
    for formula in _FORMULA.finditer(text):
        yield Text(text[position : formula.start()])
        tex, is_block = formula[1] or formula[2], formula[1] is None
        yield verbatim.stand_in(_written(tex, is_block=is_block, is_cell=is_cell))
        position = formula.end()
    yield Text(text[position:])


def _written(tex: str, *, is_block: bool, is_cell: bool) -> str:
    tex = _plain(tex)
    if styled := _STYLE.fullmatch(tex):
        tex = styled[1].strip()
    if is_cell:
        tex = _BARS.sub(lambda bar: r"\Vert " if bar[1] else r"\vert ", tex).strip()
    sign = "$$" if is_block else "$"
    return f"{sign}{tex}{sign}"


def _plain(tex: str) -> str:
    return _MISLEADING.sub(r"\g<0> ", " ".join(tex.split()))
