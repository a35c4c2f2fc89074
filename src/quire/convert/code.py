"""Blocks of code: their language, and what stands beside them on the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeGuard

from turbohtml import Element, Node, Text

from .prepare import leave_gap

_NOT_CODE: Final = ".linenos,.lineno,.linenr,.linenumber,.line-number:not(code),.lnt,button"
# Pygments, highlight.js and Prism.
_NUMBER_IN_CODE: Final = re.compile(r"m[a-z]?|hljs-number|token number|number")
_LINES: Final = "span[class~=line]:not(.token),span[class$=-line]"
# Lines that mdBook has for its tests, and shows to nobody.
_HIDDEN: Final = ".boring"
# Lines of VitePress and Expressive Code, which have the signs of a comparison in their style sheets.
_COMPARED: Final = ".line.diff,.ec-line"
_COMPARED_LINES: Final = ".line,.ec-line"
_ODD_LINES: Final = f"{_HIDDEN},{_COMPARED}"
_SIGNS: Final = {"add": "+", "ins": "+", "remove": "-", "del": "-"}
_DIFF: Final = "diff"
_DRAWING: Final = "mermaid"
_RUN: Final = "test-arrow"
_NUMBERS: Final = re.compile("line-?numbers?", re.IGNORECASE)
_LEAST_LINES: Final = 2
_LONGEST_NUMBER: Final = 9
_LANGUAGE: Final = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|mw-highlight-lang-|gatsby-code-|highlight-|hl-|src-|brush:\s*+|highlight\stab\stab-|hljs\s++(?!language-|lang-)|sourceCode\s++)"
    r"([\w+#.-]{1,30})|(?:^|\s)([\w+#.-]{1,30})\s++hljs(?!\S)",
    re.ASCII,
)
_DATA_LANGUAGE: Final = re.compile(r"([\w+#.-]{1,30})()", re.ASCII)
# Three are what notebooks call output, and the last is what JavaScript calls nothing.
_NO_LANGUAGE: Final = frozenset([
    "default", "none", "text", "plain", "plaintext", "nohighlight", "no-highlight", "notranslate", "auto", "ansi",
    "myst-ansi", "ipythontb", "undefined",
])  # fmt: skip
_LANGUAGES_OF_NOTEBOOKS: Final = {"ipython": "python", "ipython2": "python", "ipython3": "python"}
# Names that stand alone in a class: rustdoc's and GeSHi's `<pre class="rust">`, Hexo's `<figure class="highlight js">`,
# and of drawings that a page makes of their source.
_KNOWN_LANGUAGE: Final = re.compile(
    r"(?:^|\s)(bash|c|cpp|csharp|css|diff|go|haskell|html|java|javascript|js|json|julia|kotlin|lua|mermaid|perl|php|"
    r"python|ruby|rust|scala|sh|shell|sql|stan|swift|toml|ts|typescript|xml|yaml)(?:-src)?(?!\S)"
)
# R Markdown's and knitr's: a letter that is all there is of a class, on code in a block or around it.
_R: Final = "r"
# MDN's, and what others call the line above code.
_LABEL: Final = re.compile("header|lang|toolbar", re.IGNORECASE)
_WRAPPERS: Final = 3
_INDENTED_END: Final = re.compile(r"\n[ \t]++\Z")
_DEEPEST_INDENT: Final = 100


def free_blocks(blocks: Iterable[Element]) -> None:
    """Take blocks out of inline code around them (Chirpy)."""
    for block in blocks:
        around = block.closest("code")
        if around is not None and around.parent is not None and around.closest("pre") is None:
            around.unwrap()


def is_count(numbers: Sequence[str]) -> bool:
    """Return whether words are numbers, each one more than that before it."""
    first = numbers[0] if numbers else ""
    if not first.isdecimal() or len(first) > _LONGEST_NUMBER:
        return False
    return list(numbers) == [str(number) for number in range(int(first), int(first) + len(numbers))]


def name_languages(blocks: Iterable[Element]) -> None:
    """Free code of line numbers and buttons, and give it the language that the page names on or around it."""
    for block, text in [(block, text) for block in blocks if (text := block.text).strip() or not _drop_empty(block)]:
        if block.parent is None:
            continue
        if block.find("pre"):
            block.strip_tags("pre")
        block.remove(_NOT_CODE)
        is_compared = _clean(block, text)
        for beside in (block.previous_sibling, block.next_sibling):
            if isinstance(beside, Element) and _is_no_code(beside):
                beside.extract()
        code = block.find("code") or block
        language = _language(code, block)
        _drop_name(block, language)
        if is_compared:
            language = _DIFF
        if language == _DRAWING:
            _align_first_line(code)
        code.attrs["class"] = None
        block.attrs["class"] = f"language-{language}" if language else None


def _clean(block: Element, text: str) -> bool:
    """Drop numbers, hidden lines and the indentation of the end tag, and write what only style makes.

    Tell whether the lines are a comparison now.
    """
    is_compared = False
    if text.lstrip()[:1].isdecimal():
        _drop_numbers(block)
    if block.select_one(_ODD_LINES):
        _drop_hidden(block)
        is_compared = _write_signs(block.select(_COMPARED_LINES))
    lines = block.select(_LINES)
    if lines and not block.find("br"):
        _break_lines(lines)
    if _INDENTED_END.search(text, max(0, len(text) - _DEEPEST_INDENT)):
        last: Node = block
        while isinstance(last, Element) and last.children:
            last = last.children[-1]
        if isinstance(last, Text):
            last.data = last.data.rstrip(" \t")
    return is_compared


def _align_first_line(code: Element) -> None:
    """Drop the indentation of the page from a drawing's first line (sphinxcontrib-mermaid)."""
    first = code.children[0] if code.children else None
    if isinstance(first, Text):
        first.data = first.data.lstrip()


def _write_signs(lines: Iterable[Element]) -> bool:
    """Write before each line whether it came or went; tell whether any did."""
    signs = [(line, next((sign for name, sign in _SIGNS.items() if line.has_class(name)), " ")) for line in lines]
    is_compared = any(sign != " " for _, sign in signs)
    for line, sign in signs if is_compared else ():
        (line.select_one(".code") or line).insert(0, Text(sign))
    return is_compared


def _is_no_code(beside: Element) -> bool:
    """Return whether an element beside code is a button to run it, or the numbers of its lines."""
    if beside.has_class(_RUN):
        return True
    return _NUMBERS.search(beside.attr("class") or "") is not None and "".join(beside.text.split()).isdecimal()


def _drop_empty(block: Element) -> bool:
    """Drop a block without code, unless it is meant; Texinfo has them for empty lines between two that are one."""
    if block.find("code"):
        return False
    if block.find("img"):
        block.tag = "div"
        return True
    before, after = block.previous_sibling, block.next_sibling
    if _is_block(before) and _is_block(after):
        before.extend([Text(block.text), *after.children])
        after.extract()
        block.extract()
    else:
        leave_gap(block)
    return True


def _is_block(node: Node | None) -> TypeGuard[Element]:
    return isinstance(node, Element) and node.tag == "pre"


def _drop_name(block: Element, language: str | None) -> None:
    """Drop the name of the language that stands above code, or that there is none."""
    above = _before(block)
    if above is None and isinstance(block.parent, Element) and block.parent.tag == "div":
        above = _before(block.parent)
    is_label = isinstance(above, Element) and _LABEL.search(above.attr("class") or "") is not None
    if above is not None and is_label:
        name = above.text.strip().lower()
        if name == language or name in _NO_LANGUAGE:
            above.extract()


def _before(element: Element) -> Node | None:
    before = element.previous_sibling
    return before.previous_sibling if isinstance(before, Text) and not before.data.strip() else before


def _drop_numbers(block: Element) -> None:
    """Drop elements that count the lines, whatever they are called: each begins one, and there is code beside them."""
    first = _first_part(block)
    kind = first.attr("class") if first else None
    if first is None or (kind and _NUMBER_IN_CODE.fullmatch(kind)):
        return
    # Hugo has no classes, if not told to.
    style = first.attr("style")
    alike = (part for part in block.find_all(first.tag) if (part.attr("class"), part.attr("style")) == (kind, style))
    parts = [part for part in alike if part.text.strip().isdecimal()]
    numbers = [part.text.strip() for part in parts]
    if len(parts) < _LEAST_LINES or not is_count(numbers):
        return
    rest = len("".join(block.text.split())) - len("".join(numbers))
    if rest >= len(parts) and all(map(_begins_line, parts)):
        for part in parts:
            part.extract()


def _first_part(block: Element) -> Element | None:
    """Return the element that a block begins with, if there is nothing in it but a number."""
    part = block
    while True:
        inner = next((node for node in part.children if node.text.strip()), None)
        if not isinstance(inner, Element):
            break
        part = inner
    return part if part is not block and part.text.strip().isdecimal() else None


def _begins_line(part: Element) -> bool:
    before = part.previous_sibling
    return before is None or before.text.endswith("\n") or (isinstance(before, Element) and before.tag == "br")


def _break_lines(lines: Iterable[Element]) -> None:
    """Write the line breaks that only a style sheet makes: each of these is shown as a block."""
    for line in lines:
        before, after = line.previous_sibling, line.next_sibling
        if before is not None and before.text and not before.text.endswith("\n"):
            line.insert_before(Text("\n"))
        if after is not None and not line.text.endswith("\n") and not after.text.startswith("\n"):
            line.insert_after(Text("\n"))


def _drop_hidden(block: Element) -> None:
    block.remove(_HIDDEN)
    code = block.find("code") or block
    for place in (0, -1):
        edge = code.children[place] if code.children else None
        if isinstance(edge, Text):
            edge.data = edge.data.strip("\n")


def _language(code: Element, block: Element) -> str | None:
    """Return the language named on the code, its block, or the elements wrapped around that."""
    places = [code, block]
    for place in block.ancestors:
        if len(places) > 1 + _WRAPPERS or not isinstance(place, Element) or place.tag not in ("div", "figure", "span"):
            break
        places.append(place)
    for place in places:
        named = _LANGUAGE.search(place.attr("class") or "")
        if named or (named := _DATA_LANGUAGE.fullmatch(place.attr("data-lang") or place.attr("data-language") or "")):
            # Slate has variants of a language behind two hyphens.
            language = (named[1] or named[2]).lower().partition("--")[0]
            return None if language in _NO_LANGUAGE else _LANGUAGES_OF_NOTEBOOKS.get(language, language)
    if block is not code and _R in (code.attr("class"), block.attr("class")):
        return _R
    named_alone = [place for place in places if place.tag in ("code", "pre", "figure")]
    known = (_KNOWN_LANGUAGE.search(place.attr("class") or "") for place in named_alone)
    return next((name[1] for name in known if name), None)
