"""What the end of a path says about the file behind it (U9).

Only certain extensions are listed: `/jQuery.map`, `/docker.ps` and `/2.7` are pages.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DOWNLOADS: Final = frozenset[str]().union(
    # documents
    _words("pdf doc docx docm dotx xls xlsx xlsm xlsb xlt xltx ppt pptx pptm pps ppsx odt ods odp odg rtf"),
    _words("eps epub mobi azw azw3 djvu xps ics vcf"),
    # images
    _words("jpg jpeg jpe jfif png apng gif svg svgz webp avif bmp tif tiff ico heic heif jxl psd xcf"),
    # styles, scripts and fonts
    _words("css scss js mjs cjs wasm woff woff2 ttf ttc otf eot"),
    # archives
    _words("zip tar gz tgz bz2 tbz tbz2 xz txz 7z rar zst tzst lz lzma cab iso jar whl nupkg"),
    # media
    _words("mp4 m4v m4a m4b mp3 wav avi mov mkv webm ogg oga ogv opus flac aac wma wmv flv mpg mpeg 3gp aif aiff"),
    _words("midi m3u m3u8 swf"),
    # executables
    _words("exe msi msix dmg apk aab ipa deb rpm appimage dll torrent"),
    # data
    _words("csv tsv xml json jsonl ndjson geojson sql sqlite yaml yml rss atom rdf xsd xsl xslt dtd parquet"),
)

_PAGES: Final = _words("html htm xhtml xht shtml php php3 php4 php5 phtml asp aspx jsp jspx jsf cfm cgi pl do md")
_SITEMAPS: Final = (".xml", ".xml.gz", ".txt", ".txt.gz", ".rss", ".atom")


def extension(path: str) -> str:
    """Return the extension of the path's last segment, in lower case and without its dot; empty if it has none."""
    name = path.rpartition("/")[2]
    if ";" in name:
        name = name.partition(";")[0]
    return name.rpartition(".")[2].lower() if "." in name else ""


def is_page_file(path: str) -> bool:
    """Tell whether the path names a web page as a file, such as `/docs/index.html`."""
    return extension(path) in _PAGES


def is_sitemap_file(path: str) -> bool:
    """Tell whether the path names a list of URLs, such as `/sitemap.xml.gz`."""
    return path.lower().endswith(_SITEMAPS)
