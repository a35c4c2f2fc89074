"""The settings as command line options; what was not given is left to the environment, the file and the defaults."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import NoReturn

from quire.config import flag, load, unknown_variables
from quire.settings import Settings, groups, options

_TITLES = {
    "scope": "what belongs to the site",
    "filters": "what is wanted",
    "pace": "politeness",
    "fetch": "requests",
    "render": "the browser",
    "sitemaps": "sitemaps",
    "content": "pages",
    "mirror": "the mirror",
}
_OWN = ("config", "quiet", "verbose", "urls")


class Parser(argparse.ArgumentParser):
    """Errors are one line that names the thing and the next step (C10)."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(prog=f"quire {command}", description=description, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"{self.prog}: {message}; see `{self.prog} --help`\n")
        sys.exit(2)


def add_settings(parser: argparse.ArgumentParser, names: Iterable[str]) -> None:
    """Add the options of these groups, and the ones every crawl has."""
    parser.add_argument("--config", metavar="FILE", help="read settings from this TOML file")
    parser.add_argument("-q", "--quiet", action="store_true", help="say only what went wrong")
    parser.add_argument("-v", "--verbose", action="store_true", help="say what happens to every URL")
    sections = {group: parser.add_argument_group(_TITLES[group]) for group, _ in groups() if group in names}
    for group, each in options():
        if group in sections:
            _add(sections[group], each.name, dict(each.metadata), str(each.type), each.default)


def _add(section: argparse._ArgumentGroup, name: str, about: dict[str, object], kind: str, default: object) -> None:
    help = str(about["help"]).replace("%", "%%")
    if about.get("negative"):
        section.add_argument(f"--{about['negative']}", dest=name, action="store_false", default=argparse.SUPPRESS,
                             help=f"do not {help}")  # fmt: skip
    elif kind == "bool":
        section.add_argument(flag(name), action="store_true", default=argparse.SUPPRESS, help=help)
    else:
        choices = about.get("choices")
        shown = "{" + ",".join(choices) + "}" if isinstance(choices, tuple) else None
        if default not in (None, "", ()) and "default" not in help:
            help += f" (default: {default})"
        flags = [f"-{about['short']}", flag(name)] if "short" in about else [flag(name)]
        section.add_argument(
            *flags, dest=name, action="append" if about.get("repeat") else "store", default=argparse.SUPPRESS,
            metavar=shown or str(about.get("metavar") or _metavar(kind)), help=help,
        )  # fmt: skip


def _metavar(kind: str) -> str:
    return "N" if kind.startswith(("int", "float")) else "TEXT"


def default_output() -> str:
    """Return the folder that a command is about which has no other settings."""
    warn_of_unknown_variables()
    return load((), {}).mirror.output


def warn_of_unknown_variables() -> None:
    """Only that: others may have variables that begin with our name."""
    for warning in unknown_variables():
        sys.stderr.write(f"quire: {warning}\n")


def settings_from(parsed: argparse.Namespace) -> Settings:
    warn_of_unknown_variables()
    given = {name: value for name, value in vars(parsed).items() if name not in _OWN}
    return load(parsed.urls, given, parsed.config)
