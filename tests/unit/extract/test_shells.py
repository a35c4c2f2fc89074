"""Which pages are nothing without their scripts."""

from __future__ import annotations

import pytest
from turbohtml import parse

from quire.extract.shells import lack_of

APP = "<script type=module src=/assets/index.js></script>"
LINKS = "<a href=/x>x</a>" * 20
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
    "splash": f"<body><div id=app><div class=logo></div><p>The application is starting. {WORDS}</p></div>{APP}",
    "nothing but a frame": f"<body><nav>{LINKS}</nav><main><h1>News</h1><i></i></main><footer>{WORDS}</footer>{APP}",
}
PARTS = {
    "fetched by htmx": "<div hx-get=/part hx-trigger='load delay:1s'></div>",
    "fetched by htmx in data": "<div data-hx-get=/part data-hx-trigger=revealed>Wait</div>",
    "a frame of Turbo": "<turbo-frame id=list src=/list></turbo-frame>",
    "a fragment to include": "<include-fragment src=/list><p>Wait</p></include-fragment>",
    "an island without a server": "<astro-island client=only></astro-island>",
    "left to the browser by React": "<!--$!--><template data-dgst=BAILOUT></template><p>Wait</p><!--/$-->",
    "busy": "<section aria-busy=true><p>Wait</p></section>",
    "skeleton": "<ul class='MuiSkeleton-root skeleton'><li></li><li></li></ul>",
    "pulse": "<div class='h-4 animate-pulse bg-gray-200'></div>",
    "says so": "<p class=hint>\n Loading the news… </p>",
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
    "a small page in a mount": f"<body><div id=app><h1>Thanks</h1><p>{WORDS}</p></div>{APP}",
    "a few words below a title": f"<body><main><h1>Uses of Math</h1>None of it</main><footer>{LINKS}</footer>{APP}",
    "a main part of one picture": f"<body><main><img src=/x.png></main><footer>{LINKS}</footer>{APP}",
    "parts beside the text": f"<body><aside>{''.join(PARTS.values())}</aside><p>{WORDS}</p>{APP}",
    "parts that are hidden": f"<body><div style='display: none'>{''.join(PARTS.values())}</div><p>{WORDS}</p>{APP}",
    "a picture that is to come": f"<body><div class=skeleton><img src=/x.png></div><p>{WORDS}</p>{APP}",
    "a part that is there": f"<body><turbo-frame src=/list><p>{WORDS}</p></turbo-frame>{APP}",
    "a long page with a small part": f"<body>{f'<p>{WORDS}</p>' * 20}<p>Loading…</p>{APP}",
}


@pytest.mark.parametrize("html", SHELLS.values(), ids=SHELLS)
def test_a_shell(html: str) -> None:
    """D9"""
    assert lack_of(parse(html.encode())) == "page"


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_page_with_a_part_that_is_to_come(part: str) -> None:
    """D9: whatever else it says"""
    html = f"<body><nav>{LINKS}</nav><h1>News</h1><p>{WORDS}</p>{part}"
    assert lack_of(parse(f"{html}{APP}".encode())) == "part"
    assert not lack_of(parse(html.encode()))


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_a_page(html: str) -> None:
    """D9"""
    assert not lack_of(parse(html.encode()))
