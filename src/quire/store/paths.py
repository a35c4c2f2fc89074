"""Where a page's file goes: a path made from nothing but its URL, safe on every common filesystem (S1, S2, R6).

Escapes of a normal form are upper case and never stand for an unreserved character. Those added here are lower case or
do stand for one, so that what was escaped here can be told from what the site wrote, and two URLs keep two names. Where
only a hash (of a query, or of what was cut) or the case tells them apart, `collision_key` finds out who shares a file.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import md5
from itertools import accumulate
from typing import Final, Literal
from unicodedata import combining, is_normalized, normalize
from urllib.parse import unquote

from quire import urls
from quire.errors import UnsafePath

PlaceholderKind = Literal["_failed", "_skipped"]

ASSETS: Final = "_assets"
_ENDING: Final = re.compile(r"\.([A-Za-z0-9]{1,5})\Z")
_IMAGE_ENDINGS: Final = {
    "image/apng": (".apng", ".png"),
    "image/avif": (".avif",),
    "image/bmp": (".bmp",),
    "image/gif": (".gif",),
    "image/jpeg": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "image/jxl": (".jxl",),
    "image/png": (".png", ".apng"),
    "image/svg+xml": (".svg",),
    "image/tiff": (".tif", ".tiff"),
    "image/vnd.microsoft.icon": (".ico",),
    "image/webp": (".webp",),
    "image/x-icon": (".ico",),
}
DEEPEST: Final = 64  # Names in a path, the host's included: whoever walks the tree holds a handle a level.
_NAME_CHARACTERS: Final = 200
_NAME_BYTES: Final = 240  # Filesystems allow 255.
_PATH_BYTES: Final = 960  # With `_skipped/` before it and a suffix, below macOS' 1024.

# No system's file name holds these; Windows drops a dot or a space at the end, a dot at the start hides the file.
_UNSAFE: Final = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\/]|\A[. ]|[. ]\Z')
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE)
_LIKE_A_FILE: Final = re.compile(r"(?:index|.*_[0-9a-f]{8})\.md", re.IGNORECASE)
_ESCAPED_TEXT: Final = re.compile("(?:%[89A-F][0-9A-F])+")
# Characters that some filesystems ignore when they compare names: the printable ones of Default_Ignorable_Code_Point.
_IGNORABLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
# Text that turns into one of these, once simplified to ASCII on its way to another system, stays escaped.
_SPECIAL: Final = re.compile(r'[\x00-\x20./\\:*?"<>|%]')
_BROKEN_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]?\Z")
_HOST: Final = re.compile(r"(\[.*\]|[^:]*)(?::([0-9]+))?")
# A leading underscore is the mirror's own; one before digits at the end would look like a port.
_HOST_UNDERSCORE: Final = re.compile(r"\A_|_(?=[0-9]+\Z)")


def page_path(url: str) -> str:
    """Return the path of the page's file inside the mirror; raise UnsafePath if this is no absolute http(s) URL."""
    normal = urls.normalise(url)
    if normal is None:
        raise UnsafePath(f"{url!r} is not an absolute http(s) URL and has no place in the mirror")
    above, _, last = urls.path(normal).rpartition("/")
    folders = [*_folders(urls.host(normal), above)]
    stem = _name(last) if last or above else "index"
    query = urls.query(url)
    if query:
        # `/?x` is `index__q_…` already.
        file = f"{'%69ndex' if last == 'index' else stem}__q_{_hash8(query)}.md"
    elif not _fits(stem):
        file = f"{stem}.md"
    else:
        file = "index.md"
        if last or above:
            folders.append(stem)
    if not _fits(file):
        file = _cut(stem, f"_{_hash8(normal)}.md")
    return _bounded([*folders, file], normal)


def placeholder_path(kind: PlaceholderKind, url: str) -> str:
    """Return the path of the note that stands for a page which was not saved."""
    return f"{kind}/{page_path(url)}"


def asset_path(url: str, content_type: str, *, hashed: bool = False) -> str:
    """Return the path of an image's file: made from its URL, with the ending that its content type asks for.

    A name that could be another one's too, for its case, its query or its ending, has a hash of the URL in it; others
    have one only if it is asked for.
    """
    normal = urls.normalise(url)
    if normal is None:
        raise UnsafePath(f"{url!r} is not an absolute http(s) URL and has no place in the mirror")
    above, _, last = urls.path(normal).rpartition("/")
    # Files have an ending and folders have none, so that neither is in the other's way.
    host, *folders = _folders(urls.host(normal), above)
    folders = [_ENDING.sub(r"%2e\1", name) for name in folders]
    name, ending = _name(last or "index"), ""
    if own := _ENDING.search(name):
        name, ending = name[: own.start()], own[0]
    usual = _IMAGE_ENDINGS.get(content_type.partition(";")[0].strip().lower(), (ending or ".image",))
    is_own = ending.lower() in usual
    if not is_own:
        name, ending = name + ending, usual[0]
    path = "/".join([ASSETS, host, *folders, name + ending])
    is_plain = is_own and not hashed and not urls.query(normal) and normal.isascii() and normal == normal.lower()
    if len(folders) >= DEEPEST - 2 or len(path.encode()) > _PATH_BYTES:
        folders, is_plain = [], False
    if is_plain and _fits(name + ending) and all(map(_fits, folders)):
        return path
    folders = [folder if _fits(folder) else _cut(folder, f"_{_hash8(folder)}") for folder in folders]
    return "/".join([ASSETS, host, *folders, _cut(name, f"_{_hash8(normal)}{ending}")])


def collision_key(path: str) -> str:
    """Return what equal paths have in common on a disk that ignores case or Unicode forms: equal keys, one file."""
    if path.isascii():
        return path.lower()
    return normalize("NFKD", normalize("NFKD", path).upper().casefold())


def with_suffix(path: str, url: str) -> str:
    """Return another path for the page whose `path` is taken; if that is taken too, it can be asked again with it."""
    *folders, file = path.split("/")
    # Over the path too: what is cut to the same length would otherwise come back unchanged the second time.
    suffix = f"_{_hash8(f'{path} {urls.normalise(url) or url}')}"
    own_folders = folders[2:] if folders[:1] in (["_failed"], ["_skipped"]) else folders[1:]
    if file == "index.md" and own_folders:
        folders[-1] = _cut(folders[-1], suffix)
    else:
        file = _cut(file.removesuffix(".md"), f"{suffix}.md")
    return "/".join([*folders, file])


@lru_cache(maxsize=1024)
def _folders(host: str, path: str) -> tuple[str, ...]:
    """Return the names of the folders for the host and for the path above a page, empty at the root."""
    return host_folder(host), *map(_folder, path.split("/")[1:])


def host_folder(host: str) -> str:
    """Return the name of the folder that a host's pages have (R6)."""
    match = _HOST.fullmatch(host)
    name, port = match.groups() if match else (host, None)
    name = name.replace(":", "-") if name.startswith("[") else _safe(_HOST_UNDERSCORE.sub("%5f", name))
    folder = f"{name}_{port}" if port else name
    return folder if _fits(folder) else _cut(folder, f"_{_hash8(host)}")


def _folder(segment: str) -> str:
    name = _name(segment)
    return name if _fits(name) else _cut(name, f"_{_hash8(segment)}")


def _name(segment: str) -> str:
    """Return the segment as a folder's name, which no file of the mirror has."""
    if not segment:
        return "%2f"
    name = _safe(_ESCAPED_TEXT.sub(_readable, segment) if "%" in segment else segment)
    return f"{name[:-3]}%2e{name[-2:]}" if _LIKE_A_FILE.fullmatch(name) else name


def _safe(name: str) -> str:
    name = _UNSAFE.sub(lambda character: f"%{ord(character[0]):02x}", name)
    return f"%{ord(name[0]):02x}{name[1:]}" if _DEVICE.fullmatch(name) else name


def _readable(escapes: re.Match[str]) -> str:
    """Return the letters that the escapes stand for, if every filesystem keeps them apart and as they are."""
    try:
        text = unquote(escapes[0], errors="strict")
    except UnicodeDecodeError:
        return escapes[0]
    unchanged = text.isprintable() and is_normalized("NFC", text) and not combining(text[0])
    if not unchanged or _IGNORABLE.search(text) or _SPECIAL.search(normalize("NFKC", text)):
        return escapes[0]
    return text


def _fits(name: str) -> bool:
    return len(name) <= _NAME_CHARACTERS and len(name.encode()) <= _NAME_BYTES


def _cut(name: str, suffix: str) -> str:
    """Return the name and the suffix, the name cut where both would be too long, but not inside a character."""
    head = name[: _NAME_CHARACTERS - len(suffix)].encode()[: _NAME_BYTES - len(suffix)].decode(errors="ignore")
    return _BROKEN_ESCAPE.sub("", head) + suffix


def _bounded(names: list[str], url: str) -> str:
    path = "/".join(names)
    if len(names) <= DEEPEST and len(path.encode()) <= _PATH_BYTES:
        return path
    ends = accumulate(len(name.encode()) + 1 for name in names)
    kept = sum(end <= _PATH_BYTES - _NAME_BYTES for end in ends)
    kept = min(kept, DEEPEST - 1)
    return "/".join([*names[:kept], _cut(names[kept], f"_{_hash8(url)}.md")])


def _hash8(text: str) -> str:
    return md5(text.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()[:8]
