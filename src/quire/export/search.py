"""Full-text search over the pages of a mirror: an index beside them, which follows them when it is asked."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Final

from msgspec import Struct

from quire.errors import UsageError

from .pages import ExportedPage

_SCHEMA: Final = """
    CREATE VIRTUAL TABLE IF NOT EXISTS pages USING fts5 (
        url UNINDEXED, path UNINDEXED, hash UNINDEXED, title, text,
        tokenize = 'porter unicode61 remove_diacritics 2')"""
_FIND: Final = "SELECT url, path, title, {snippet} FROM pages WHERE {conditions} ORDER BY {order} LIMIT :most"
_BY_WORDS: Final = {"snippet": "snippet(pages, 4, '', '', '…', 24)", "order": "bm25(pages, 0, 0, 0, 5, 1), rowid"}
# As for words: pages that have it in their title first, and then those that have it most often.
_BY_SIGNS: Final = {
    "snippet": "substr(text, max(1, instr(lower(text), :sign0) - 30), 100)",
    "order": """instr(lower(title), :sign0) = 0,
                length(replace(lower(text), :sign0, '')) - length(text), rowid""",
}
_PHRASE: Final = re.compile(r'"([^"]*)"|(\S+)')
_WORD: Final = re.compile(r"\w+")
_MOST_WORDS: Final = 50
# From here on scripts have no spaces between words: an index of words would find but the beginnings of sentences.
_FIRST_WITHOUT_SPACES: Final = "\u0e00"
_TARGET: Final = re.compile(r"!?\[([^\[\]]*+)\]\([^()\s]*+(?:\([^()\s]*+\)[^()\s]*+)*+(?: \"[^\"]*+\")?+\)")
# A sign that stands for itself, or one that is none of the text's.
_SIGNS: Final = re.compile(r"\\([!-/:-@\[-`{-~])|^[#>\s|-]++|[*`|\\]++", re.MULTILINE)


class Hit(Struct, frozen=True):
    """A page that was found, and where in its text."""

    url: str
    path: str
    title: str
    snippet: str


class SearchIndex:
    """The index of one mirror; `database` may be a file beside it, or in memory."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        database.execute(_SCHEMA)

    def follow(self, versions: Mapping[str, str], read: Callable[[Container[str]], Iterable[ExportedPage]]) -> None:
        """Enter the pages that are new or have changed, by path and version, and forget those that are gone."""
        with self._database:
            rows = self._database.execute("SELECT rowid, path, hash FROM pages").fetchall()
            stale = [(id,) for id, path, version in rows if versions.get(path) != version]
            self._database.executemany("DELETE FROM pages WHERE rowid = ?", stale)
            new = versions.keys() - {path for _, path, version in rows if versions.get(path) == version}
            pages = read(new) if new else ()
            self._database.executemany(
                "INSERT INTO pages VALUES (?, ?, ?, ?, ?)",
                ((page.url, page.path, versions[page.path], page.title, _plain(page.markdown)) for page in pages),
            )

    def find(self, query: str, most: int) -> list[Hit]:
        """Return the pages with all words of a query, each as the beginning of a word, and phrases as they are.

        Raise UsageError if it has none.
        """
        words, signs = _wanted(query)
        if not words and not signs:
            raise UsageError(f"there is no word in {query!r}; give at least one to look for")
        conditions = ["pages MATCH :words"] if words else []
        conditions += [
            f"(instr(lower(title), :sign{place}) OR instr(lower(text), :sign{place}))" for place in range(len(signs))
        ]
        values: dict[str, object] = {f"sign{place}": text for place, text in enumerate(signs)}
        values |= {"words": " ".join(words), "most": most}
        statement = _FIND.format(conditions=" AND ".join(conditions), **(_BY_WORDS if words else _BY_SIGNS))
        rows = self._database.execute(statement, values)
        return [Hit(url, path, title, " ".join(snippet.split())) for url, path, title, snippet in rows]


def is_without_spaces(word: str) -> bool:
    """Say whether this may stand within what an index takes for one word, as in Chinese."""
    # Letters by themselves: those of Vietnamese with their accents are beyond those of Thai.
    return any(sign >= _FIRST_WITHOUT_SPACES for sign in unicodedata.normalize("NFKD", word))


def _wanted(query: str) -> tuple[list[str], list[str]]:
    """Return what to ask the index of words for, and what is to be looked for in the texts themselves."""
    words: list[str] = []
    signs: list[str] = []
    for found in list(_PHRASE.finditer(query))[:_MOST_WORDS]:
        text = found[1] if found[1] is not None else found[2]
        parts = _WORD.findall(text)
        if is_without_spaces("".join(parts)):
            signs.append(_ascii_lower(text.strip()))
        elif parts:
            words.append(f'"{" ".join(parts)}"' + ("" if found[1] is not None else "*"))
    return words, signs


def _ascii_lower(text: str) -> str:
    """Return what SQLite's `lower` does."""
    return "".join(sign.lower() if sign.isascii() else sign for sign in text)


def _plain(markdown: str) -> str:
    """Return the words of a page without addresses and most marks."""
    return _SIGNS.sub(lambda found: found[1] or " ", _TARGET.sub(r"\1", markdown))
