"""Formulas as TeX between dollar signs: MathML, its annotation, KaTeX, MathJax, MediaWiki."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, cast

from turbohtml import Element

from .mathml import tex_of
from .verbatim import Verbatim

TAGS: Final = ("math", "math-renderer")
_TEX: Final = 'annotation[encoding="application/x-tex"]'
_DRAWN: Final = "span.katex,.mwe-math-element:not(body),mjx-container"
_BLOCK: Final = "span.katex-display"
_PREVIEWS: Final = ("MathJax_Preview", "MathJax", "MathJax_Display", "MathJax_CHTML", "MathJax_SVG")
CELL: Final = "td,th"
# R's help, whose pages give it to KaTeX.
_R_FORMULA: Final = "reqn"
_CENTERED: Final = "text-align: center"
_STYLE: Final = re.compile(r"\{\\(?:displaystyle|textstyle) (.*)\}", re.DOTALL)
_BARS: Final = re.compile(r"(\\?)\|")
# Signs that a reader who knows no TeX would take for HTML or a link; a space in between means nothing in TeX.
_MISLEADING: Final = re.compile(r"<(?=[A-Za-z/!?])|\](?=[(\[])")
# To the end of its line, where LaTeXML breaks long formulas.
_COMMENT: Final = re.compile(r"%(?<!\\%)[^\n]*+(\n?)")
# These number themselves, and have it inside.
_NUMBERING_END: Final = re.compile(r"\\end\{(?:equation|align|alignat|flalign|gather|multline|eqnarray)\*?\}\s*\Z|\Z")
_NUMBER: Final = re.compile(r"\s*+\(([\w.\-′']++)\)\s*+")
_TAG: Final = r"\tag"


def write_formulas(formulas: Iterable[Element], verbatim: Verbatim) -> None:
    """Replace MathML, and what a page has drawn from it, by its TeX; a row of signs stays text."""
    for formula in formulas:
        if formula.tag == "math-renderer":
            formula.replace_with(verbatim.stand_in(_plain(formula.text)))
            continue
        tex = tex_in(formula)
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


def write_code(code: Iterable[Element], verbatim: Verbatim) -> None:
    """Replace TeX that R's help has as code, drawn or not, by it; what is a line by itself is in the middle of that."""
    for formula in [each for each in code if each.attr("class") == _R_FORMULA]:
        drawn = formula.find("math")
        tex = (tex_in(drawn) if drawn else formula.text) or ""
        if tex.strip():
            line = formula.parent
            is_block = isinstance(line, Element) and _CENTERED in (line.attr("style") or "")
            _replace(formula, tex, verbatim, is_block=is_block)


def tex_in(formula: Element) -> str | None:
    """Return the TeX that MathML has in it, or is drawn as; None if it is a row of signs."""
    annotation = formula.select_one(_TEX)
    return (annotation.text if annotation else formula.attr("alttext") or "").strip() or tex_of(formula)


def written(tex: str, *, is_block: bool, is_cell: bool) -> str:
    """Return TeX between dollar signs, on one line."""
    tex = _plain(tex)
    if styled := _STYLE.fullmatch(tex):
        tex = styled[1].strip()
    if is_cell:
        tex = _BARS.sub(lambda bar: r"\Vert " if bar[1] else r"\vert ", tex).strip()
    sign = "$$" if is_block else "$"
    return f"{sign}{tex}{sign}"


def numbered(tex: str, number: str) -> str | None:
    """Return TeX with the number of its equation; None if that is no number, or it has one."""
    found = _NUMBER.fullmatch(number)
    if found is None or _TAG in tex:
        return None
    tex = tex.strip()
    end = cast("re.Match[str]", _NUMBERING_END.search(tex)).start()
    return " ".join(filter(None, (tex[:end].rstrip(), rf"{_TAG}{{{found[1]}}}", tex[end:])))


def _drop_previews(script: Element) -> None:
    while isinstance(before := script.previous_sibling, Element) and any(map(before.has_class, _PREVIEWS)):
        before.extract()


def _replace(drawn: Element, tex: str, verbatim: Verbatim, *, is_block: bool) -> None:
    # Of several formulas in one drawing the first has taken its place.
    if drawn.parent is not None:
        is_cell = drawn.closest(CELL) is not None
        drawn.replace_with(verbatim.stand_in(written(tex, is_block=is_block, is_cell=is_cell)))


def _plain(tex: str) -> str:
    return _MISLEADING.sub(r"\g<0> ", " ".join(_COMMENT.sub(_unless_last, tex).split()))


def _unless_last(comment: re.Match[str]) -> str:
    return "" if comment[1] else comment[0]
