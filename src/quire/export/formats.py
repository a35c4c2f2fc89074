"""The forms that a mirror can be exported in."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from . import jsonl, llms, parquet, single, warc
from .pages import Export


class Format(Struct, frozen=True):
    """How an export is written; `extra` names what has to be installed for it, `package` what that brings."""

    write: Export
    is_text: bool = True
    extra: str = ""
    package: str = ""


FORMATS: Final = {
    "jsonl": Format(jsonl.write),
    "markdown": Format(single.write),
    "llms": Format(llms.write),
    "parquet": Format(parquet.write, is_text=False, extra="parquet", package="pyarrow"),
    "warc": Format(warc.write, is_text=False, extra="warc", package="warcio"),
}
