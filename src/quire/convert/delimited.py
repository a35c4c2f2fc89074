r"""TeX that pages leave to a script: between its brackets or dollar signs, in its environments, or by class alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, cast

from turbohtml import Element, Text, XPath

from .formulas import CELL, numbered, written
from .inline_code import VERBATIM
from .verbatim import Verbatim

# Sphinx, MkDocs, Haddock and Doxygen.
_DELIMITED: Final = ".math,.arithmatex,.mathjax,.formulaDsp"
_HAS_SIGNS: Final = XPath(r"descendant-or-self::*[text()[contains(., '\') or contains(., '$')]]")
_BRACKETS: Final = r"\\\(((?:[^\\]|\\[^()])++)\\\)|\\\[((?:[^\\]|\\[^\[\]])++)\\\]"
# Almost as Pandoc has it: no blank inside either sign, and no word behind the last, where another `$name` would begin,
# but `$n$th`. `US$` and `\$` begin nothing.
_END: Final = r"(?!\$|(?!(?:st|nd|rd|s|th)\b)\w)"
_DOLLARS: Final = rf"(?<![\w\\$])\$(?:\$((?:[^$\\`]|\\.)++)\$\$|(?=[^\s$])((?:[^$\\`]|\\.)++)(?<![\s(\[{{])\$){_END}"
_NAMES: Final = r"(?:equation|align|alignat|flalign|gather|multline|eqnarray)\*?\}"
_ENVIRONMENT: Final = rf"(\\begin\{{(?={_NAMES})(?:[^\\]|\\(?!(?:begin|end)\{{{_NAMES}))*+\\end\{{{_NAMES})"
_FORMULA: Final = re.compile(f"{_BRACKETS}|{_DOLLARS}|{_ENVIRONMENT}", re.DOTALL)
# Which of its groups are what.
_INLINE: Final = (1, 4)
_BRACKETED: Final = (1, 2)
_NAMED: Final = 5
# A command, or something raised or lowered; not `\bword`, `\a\+` and `[^a]`, which are in the groups of patterns.
_TEX_SIGN: Final = re.compile(r"\\(?!b)[A-Za-z]{2}|\\b[aeiomu]|[\w)}\]|'][_^](?:[{\\*]|[A-Za-z0-9](?![A-Za-z0-9]))")
_PATTERN_SIGN: Final = re.compile(r"\\[+?*<>=]")
# How `\(`, `\[` and `\begin{`, and anything between dollar signs that is not as the page has it, look in Markdown.
_BACKSLASH: Final = "\\\\"
_BRACKET: Final = re.compile(r"\\(?=\\(?:[\\(]|begin\{))")
_BETWEEN_DOLLARS: Final = re.compile(r"\$[^$\\\n]*+\\[^$\n]*+\$")
# How a command, and something raised, look in Markdown.
_COMMAND: Final = re.compile(r"\\(?=\\[A-Za-z]{2})")
_RAISED: Final = re.compile(r"\^(?<=[\w)}\]]\^)[{\w\\]")
_SET: Final = "span.math"
_DISPLAY: Final = "display"
_INLINE_NAME: Final = "inline"
# Sphinx has it before the formula.
_NUMBER: Final = "eqno"
_OPENINGS: Final = (r"\(", r"\[", "$")


class _Formula(NamedTuple):
    start: int
    end: int
    tex: str
    is_block: bool
    is_bracketed: bool
    is_named: bool


def write_delimited(markdown: str, page: Element, verbatim: Verbatim) -> bool:
    """Replace TeX that a script would set, if it surely is TeX; tell whether there was any."""
    # To look for the sign itself first is many times faster.
    is_any_command = "\\" in markdown and _BACKSLASH in markdown
    is_any_raised = "^" in markdown and _RAISED.search(markdown) is not None
    is_any_written = False
    if is_any_raised or (is_any_command and _COMMAND.search(markdown)):
        is_any_written = _write_named(page, verbatim)
    is_any_bracket = is_any_command and _BRACKET.search(markdown) is not None
    if not is_any_bracket and not ("$" in markdown and _BETWEEN_DOLLARS.search(markdown)):
        return is_any_written
    found = [(text, formulas) for text in _texts(page) if (formulas := list(_formulas(text.data)))]
    # One that is surely TeX shows that brackets mean formulas on its page; dollar signs may mean money everywhere.
    is_bracketed = any(_is_tex(each, text) for text, formulas in found for each in formulas if each.is_bracketed)
    for text, formulas in found:
        sure = [each for each in formulas if (is_bracketed if each.is_bracketed else _is_tex(each, text))]
        if sure:
            # One by one: as many that are in no tree yet would take much memory.
            for part in _parts(text, sure, verbatim):
                text.insert_before(part)
            text.extract()
            is_any_written = True
    return is_any_written


def _write_named(page: Element, verbatim: Verbatim) -> bool:
    """Replace TeX that only its class says is some (Pandoc, for KaTeX); tell whether there was any."""
    named = [span for span in page.select(_SET) if _is_bare(span)]
    # Without any option Pandoc writes letters and numbers of formulas that need no TeX in such elements.
    if not any(_TEX_SIGN.search(span.text) for span in named):
        return False
    for span in named:
        is_cell = span.closest(CELL) is not None
        tex = written(span.text, is_block=span.has_class(_DISPLAY), is_cell=is_cell)
        span.replace_with(verbatim.stand_in(tex))
    return True


def _is_bare(span: Element) -> bool:
    match span.children:
        case [Text(data=tex)] if tex.strip() and (span.has_class(_DISPLAY) or span.has_class(_INLINE_NAME)):
            return not tex.lstrip().startswith(_OPENINGS)
    return False


def _texts(page: Element) -> Iterator[Text]:
    """Yield the texts with signs of TeX in them that are no code."""
    for each in cast("list[Element]", _HAS_SIGNS(page)):
        if each.closest(VERBATIM) is None:
            yield from [child for child in each.children if isinstance(child, Text)]


def _formulas(text: str) -> Iterator[_Formula]:
    for found in _FORMULA.finditer(text):
        kind = cast("int", found.lastindex)
        is_block = kind not in _INLINE
        yield _Formula(*found.span(), found[kind], is_block, is_bracketed=kind in _BRACKETED, is_named=kind == _NAMED)


def _is_tex(formula: _Formula, text: Text) -> bool:
    """Tell whether a formula surely is one: it is TeX, or is said to be."""
    around = text.parent
    if formula.is_named or (isinstance(around, Element) and around.closest(_DELIMITED) is not None):
        return True
    return _TEX_SIGN.search(formula.tex) is not None and _PATTERN_SIGN.search(formula.tex) is None


def _parts(text: Text, formulas: Iterable[_Formula], verbatim: Verbatim) -> Iterator[Text]:
    around = text.parent
    is_cell = isinstance(around, Element) and around.closest(CELL) is not None
    # Every look at it makes another string.
    data = text.data
    position = 0
    for formula in formulas:
        tex = _take_number(text, formula) if position == 0 and formula.is_block else formula.tex
        yield Text(data[position : formula.start])
        yield verbatim.stand_in(written(tex, is_block=formula.is_block, is_cell=is_cell))
        position = formula.end
    yield Text(data[position:])


def _take_number(text: Text, formula: _Formula) -> str:
    """Return a formula's TeX, with the number of the equation that stands before it."""
    number = text.previous_sibling
    if not isinstance(number, Element) or not number.has_class(_NUMBER) or text.data[: formula.start].strip():
        return formula.tex
    tex = numbered(formula.tex, number.text)
    if tex is None:
        return formula.tex
    number.extract()
    return tex
