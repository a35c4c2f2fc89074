"""Which pages are nothing without their scripts."""

from __future__ import annotations

import pytest
from turbohtml import parse

from quire.extract.shells import looks_like_shell

APP = "<script type=module src=/assets/index.js></script>"
WORDS = "A page that says enough to be read as it is, whatever its scripts may add to it later on."

SHELLS = {
    "vite": f"<body><div id=root></div>{APP}",
    "angular": f"<body><app-root></app-root>{APP}",
    "next to a frame": f"<body><header>{WORDS}</header><main id=app></main><footer>{WORDS}</footer>{APP}",
    "spinner": f"<body><div id=root><div class=spinner></div></div>{APP}",
    "loading": f"<body><p>Loading…</p>{APP}",
    "asks for scripts": f"<body><noscript>You need to enable JavaScript to run this app.</noscript><p>Wait</p>{APP}",
    "nothing": "<body><script>location.replace('/elsewhere')</script>",
    "script in the head": f"<head>{APP}</head><body></body>",
    "deep": f"<body>{'<div>' * 5000}{APP}",
}
PAGES = {
    "no script": "<body><div id=root></div>",
    "words": f"<body><p>{WORDS}</p>{APP}",
    "rendered on the server": f"<body><div id=root><h1>Title</h1><p>{WORDS}</p></div>{APP}",
    "data": "<body><p>Short.</p><script type=application/ld+json>{}</script>",
    "a little script": "<body><p>Short.</p><script>var x = 1</script>",
    "links": f"<body>{'<a href=/x>x</a>' * 20}{APP}",
    "picture": f"<body><div id=app><img src=/x.png></div><p>{WORDS}</p>{APP}",
    "nothing at all": "",
}


@pytest.mark.parametrize("html", SHELLS.values(), ids=SHELLS)
def test_a_shell(html: str) -> None:
    """D9"""
    assert looks_like_shell(parse(html.encode()))


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_a_page(html: str) -> None:
    """D9"""
    assert not looks_like_shell(parse(html.encode()))
