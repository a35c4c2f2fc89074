"""The dashboard's scripts and styles as one text each, for a page that has to be one file.

The modules in `dashboard/` are served as they are where there is a server. Here each becomes a function that returns
what the module exports. That is a matter of their first words, as long as they keep to two forms: `import { a, b } from
"./name.js";` on one line, and `export` before a function, a class or a constant.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import (\{[^}\n]*\}) from "\./([\w.-]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_STYLE = "dashboard.css"


@cache
def script(entry: str) -> str:
    """The entry module with everything it imports, each before what needs it."""
    texts: dict[str, str] = {}
    _collect(entry, texts)
    return "\nconst modules = {};\n" + "".join(texts.values())


@cache
def style() -> str:
    return "\n" + _read(_STYLE)


def policy(program: str, looks: str) -> str:
    """The content security policy under which these two run, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_hash(program)}'; style-src '{_hash(looks)}'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )


def _collect(name: str, texts: dict[str, str]) -> None:
    if name in texts:
        return
    text = _read(name)
    for _, imported in _IMPORT.findall(text):
        _collect(imported, texts)
    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r'const \1 = modules["\2"];', text))
    texts[name] = f'modules["{name}"] = (() => {{\n{body}return {{ {exported} }};\n}})();\n'


def _read(name: str) -> str:
    return files(__package__).joinpath("dashboard", name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
