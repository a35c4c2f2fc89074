"""The dashboard's scripts and styles as one text each: one file, or one request.

Each module becomes a function that returns what the module exports. That is a matter of their first words, as long as
they keep to two forms: `import { a, b } from "./name.js";` on one line (from elsewhere `./shared/name.js`, for those
in `dashboard/`), and `export` before a function, a class or a constant.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

_IMPORT = re.compile(r'^import (\{[^}\n]*\}) from "\./(?:shared/)?([\w.-]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_STYLE = "dashboard.css"
_SHARED = Path(__file__).with_name("dashboard")


@cache
def script(entry: str, beside: Path | None = None) -> str:
    """The entry module with everything it imports, each before what needs it; some may lie in another folder."""
    texts: dict[str, str] = {}
    _collect(entry, beside, texts)
    return "\nconst modules = {};\n" + "".join(texts.values())


@cache
def style() -> str:
    return "\n" + _SHARED.joinpath(_STYLE).read_text("utf-8")


def policy(program: str, looks: str) -> str:
    """The content security policy under which these two run, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_hash(program)}'; style-src '{_hash(looks)}'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )


def _collect(name: str, beside: Path | None, texts: dict[str, str]) -> None:
    if name in texts:
        return
    text = _read(name, beside)
    for _, imported in _IMPORT.findall(text):
        _collect(imported, beside, texts)
    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r'const \1 = modules["\2"];', text))
    texts[name] = f'modules["{name}"] = (() => {{\n{body}return {{ {exported} }};\n}})();\n'


def _read(name: str, beside: Path | None) -> str:
    place = beside if beside is not None and beside.joinpath(name).is_file() else _SHARED
    return place.joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
