"""The YAML block above a page's Markdown (M5), written and read back; its values are JSON strings, which are YAML."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Final

from quire.records import Facts

_FENCE: Final = "---\n"
_JSON: Final = json.JSONEncoder(ensure_ascii=False)
_FIELD: Final = re.compile(r"([A-Za-z_][\w-]*+):(?:[ \t]++(.*+))?+")
# JSON may hold these as they are; to YAML they are line breaks or no characters at all.
_NOT_YAML: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def front_matter(url: str, facts: Facts, fetched_at: str, lastmod: str | None, content_hash: str) -> str:
    """Return the block and the empty line below it; what is not known is left out, but for the title."""
    fields = {
        "url": url,
        "title": facts.name,
        "description": facts.description,
        "author": facts.author,
        "fetched_at": fetched_at,
        "lastmod": lastmod,
        "content_hash": content_hash,
    }
    lines = (f"{name}: {_quoted(value)}\n" for name, value in fields.items() if value is not None)
    return f"{_FENCE}{''.join(lines)}{_FENCE}\n"


def body_hash(markdown: bytes) -> str:
    """Return the hash of a page's Markdown, which its front matter is no part of (R7)."""
    return "sha256:" + hashlib.sha256(markdown).hexdigest()


def split(text: str) -> tuple[dict[str, str], str]:
    """Return the front matter's fields and the Markdown below it; no fields if the text does not begin with them."""
    end = text.find("\n" + _FENCE, len(_FENCE) - 1)
    if not text.startswith(_FENCE) or end < 0:
        return {}, text
    fields: dict[str, str] = {}
    for line in text[len(_FENCE) : end].split("\n"):
        field = _FIELD.fullmatch(line)
        if field is None:
            return {}, text
        fields[field[1]] = _unquoted(field[2] or "")
    return fields, text[end + 1 + len(_FENCE) :].removeprefix("\n")


def parts(data: bytes) -> tuple[str, str, str]:
    """Return a file's front matter, its Markdown, and the hash that the front matter names."""
    text = data.decode("utf-8", "replace")
    fields, body = split(text)
    return text[: len(text) - len(body)], body, fields.get("content_hash", "")


def joined(head: str, body: str, old_hash: str) -> str:
    """Return a file with a front matter that names the hash of this Markdown, not the old one."""
    return (head.replace(old_hash, body_hash(body.encode())) if old_hash else head) + body


def _quoted(text: str) -> str:
    return _NOT_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", _JSON.encode(text))


def _unquoted(text: str) -> str:
    text = text.strip()
    try:
        value = json.loads(text) if text.startswith('"') else text
    except ValueError:
        return text
    return value if isinstance(value, str) else text
