"""Changes to the tree that make turbohtml's Markdown right: what goes, and what is put in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from turbohtml import Element, Text

NOISE: Final = (
    "script", "style", "noscript", "template", "iframe", "noembed", "noframes", "svg", "rustdoc-topbar",
    "rustdoc-toolbar",
)  # fmt: skip
# Blocks to browsers, and words of a line to turbohtml.
APART: Final = ("center", "dialog", "fieldset", "form", "hgroup", "legend", "search")
CONTROLS: Final = ("button", "summary")
_FOLDED: Final = "hideme"
_CONTROL_NAMES: Final = ("id", "class", "title", "aria-label")
_COPY: Final = re.compile(r"\bcop(?:y|ied)\b|clipboard|copy-?(?:btn|button|icon)|🔗", re.IGNORECASE)
IDLE_BUTTON: Final = re.compile(
    r"(?:(?:click|tap) to (?:expand|collapse|shrink)|(?:expand|collapse|hide|show)(?: all)?|"
    r"(?:read|see|show) (?:less|more))[. …]*+",
    re.IGNORECASE,
)
# Haddock's, pdoc3's.
_IDLE_SUMMARY: Final = re.compile(r"expand(?: source code(?:\s++browse git)?+)?+|instances? details", re.IGNORECASE)
# pdoc.
_SOURCE_SWITCH: Final = "view-source-toggle-state"
_SOURCE_LABEL: Final = "label.view-source-button"
_INLINE: Final = frozenset(["a", "b", "em", "i", "small", "span", "strong", "time"])
_VERBATIM: Final = "code,pre"
_TASK: Final = re.compile("task|to-?do|check-?list", re.IGNORECASE)
INVISIBLE: Final = " \t\n\r\f\u00a0\u200b\u2060\ufeff"


def drop(elements: Iterable[Element]) -> None:
    """Remove what is not for readers; drawings keep the words in them."""
    lengths: dict[Element, int] = {}
    for element in elements:
        if element.tag == "svg" and element.find("text"):
            element.remove("title,desc,defs,metadata")
            for words in element.find_all("text")[1:]:
                # Each stands where the drawing says.
                words.insert_before(Text(" "))
        elif element.tag == "svg" and (name := _icon_name(element, lengths)):
            element.replace_with(Text(name))
        else:
            if element.tag == "svg":
                _part_words(element)
            element.extract()


def _part_words(drawing: Element) -> None:
    """Leave a space where a drawing is all that parts two words."""
    behind = drawing.next_sibling
    if not isinstance(behind, Text) or not behind.data[:1].isalnum():
        return
    begun: Element = drawing
    if drawing.previous_sibling is None and isinstance(around := drawing.parent, Element) and around.tag in _INLINE:
        begun = around
    before = begun.previous_sibling
    if before is not None and before.text[-1:].isalnum() and drawing.closest(_VERBATIM) is None:
        begun.insert_before(Text(" "))


def _icon_name(icon: Element, lengths: dict[Element, int]) -> str:
    """Return what a drawing is called that is all there is of a link; links are read once, for how much is in them."""
    title = icon.find("title")
    link = icon.closest("a") if title else None
    if title is None or link is None or link.attr("aria-label") or (link.attr("href") or "").startswith("#"):
        return ""
    if link not in lengths:
        lengths[link] = _length(link)
    is_all = lengths[link] == _length(title)
    lengths[link] -= _length(icon)
    return title.text.strip() if is_all else ""


def _length(element: Element) -> int:
    return len("".join(element.text.split()))


def drop_source_switches(inputs: Iterable[Element], page: Element) -> None:
    """Remove the labels of what unfolds source, which is on the page."""
    if any(each.has_class(_SOURCE_SWITCH) for each in inputs):
        page.remove(_SOURCE_LABEL)


def leave_gap(element: Element) -> None:
    """Take a block out that holds nothing, and leave another: what stands before it and behind it are not one."""
    if element.parent is not None:
        element.replace_with(Element("div", children=[Element("p")]))


def free_checkboxes(inputs: Iterable[Element]) -> None:
    """Take the check boxes of task lists out of their labels, where turbohtml does not see them; those of forms go."""
    for box in inputs:
        if box.attr("type") != "checkbox":
            continue
        label = box.parent
        if not _is_of_task(box):
            box.extract()
        elif isinstance(label, Element) and label.tag == "label" and label.parent:
            label.unwrap()


def _is_of_task(box: Element) -> bool:
    """Return whether a check box says that something is done: it, its item or its list is called so, or nobody uses it.

    What a form sends has a name or a value, and what folds something has an id or a label.
    """
    item = box.closest("li")
    around = item.parent if item is not None else None
    named = [each for each in (box, item, around) if isinstance(each, Element)]
    if _TASK.search(" ".join([each.attr("class") or "" for each in named])):
        return True
    if box.attr("name") or box.attr("value") or box.closest("form") is not None:
        return False
    return box.attr("disabled") is not None or not (box.attr("id") or box.closest("label") is not None)


def set_apart(blocks: Iterable[Element]) -> None:
    """Make blocks of what browsers show as such: what stands before and behind them would be one word with them.

    A form without a word stays: as a block it would be an item of its list.
    """
    for block in blocks:
        if block.text.strip() or block.find("img"):
            block.tag = "div"


def read_aloud(readings: Iterable[Element]) -> None:
    """Put brackets around how characters are read, which stands above them on the page."""
    for reading in readings:
        reading.insert(0, Text("("))
        reading.append(Text(")"))


def _is_in_sentence(control: Element) -> bool:
    """Return whether words stand on both sides of a button: they may tell what it is for."""
    beside = (control.previous_sibling, control.next_sibling)
    return all(isinstance(each, Text) and each.data.strip() for each in beside)


def drop_controls(controls: Iterable[Element]) -> None:
    """Remove buttons that copy something, and what rustdoc has in place of text that is folded away."""
    for control in controls:
        if control.tag == "summary":
            is_idle = control.has_class(_FOLDED) or _IDLE_SUMMARY.fullmatch(control.text.strip()) is not None
        else:
            names = [control.attr(name) or "" for name in _CONTROL_NAMES]
            text = control.text.strip()
            is_idle = not text.endswith("?") and _COPY.search(" ".join((text, *names))) is not None
            is_idle = is_idle or (IDLE_BUTTON.fullmatch(text) is not None and not _is_in_sentence(control))
        if is_idle:
            control.extract()
