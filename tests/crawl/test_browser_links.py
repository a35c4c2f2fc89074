"""Where rendered pages lead: what scripts make late, shadow trees, frames, routes, long lists, and clicks (D7, D8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quire_test_site import Answer, Hit, Page, Site

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

WORDS = "<p>Words enough for a page, so that it stands for itself and for nothing else.</p>"


def test_links_that_scripts_make(site: Site, mirror: Mirror) -> None:
    """D7: at once, after a request, after a while, in open and closed shadow trees, in frames"""
    site.page(
        "/",
        WORDS
        + """<div id=a></div><div id=b></div><div id=c></div><iframe srcdoc='<a href="/framed">x</a>'></iframe>
        <script>
        const link = (path) => Object.assign(document.createElement('a'), {href: path, textContent: path})
        document.body.append(link('/now'))
        setTimeout(() => document.body.append(link('/late')), 900)
        fetch('/data').then((answer) => answer.json()).then((paths) => document.body.append(...paths.map(link)))
        a.attachShadow({mode: 'open'}).append(link('/open'))
        b.attachShadow({mode: 'closed'}).append(link('/closed'))
        history.pushState({}, '', '/'); history.replaceState({}, '', '/?utm_source=x')
        </script>""",
    )
    site.raw("/data", b'["/data/1", "/data/2"]', "application/json")
    site.delay("/data", 0.3)
    found = {"/now", "/late", "/data/1", "/data/2", "/open", "/closed", "/framed"}
    for path in found:
        site.page(path, WORDS)
    mirror.crawl(render="always")
    assert set(mirror.pages) == found | {"/"}


def test_shadow_trees_are_content(site: Site, mirror: Mirror) -> None:
    """D7, M1: what a reader sees, where it is seen"""
    site.page(
        "/",
        """<h1>Outside</h1><x-box>Slotted words.</x-box><p>After.</p><script>
        customElements.define('x-box', class extends HTMLElement {
            connectedCallback() {
                this.attachShadow({mode: 'closed'}).innerHTML =
                    '<style>p {color: red}</style><h2>Inside</h2><p><slot></slot></p>' } })
        </script>""",
    )
    mirror.crawl(render="always", content="full")
    assert mirror.body("/").split() == ["#", "Outside", "##", "Inside", "Slotted", "words.", "After."]


def test_a_long_list_is_scrolled_and_not_for_ever(site: Site, mirror: Mirror) -> None:
    """D7: lazy lists by scrolling, bounded"""
    site.page(
        "/",
        """<div id=list></div><i>end</i><script>
        let number = 0
        const add = () => { for (let n = 0; n < 5; n++) list.insertAdjacentHTML('beforeend',
            `<p style='height: 300px'><a href='/item/${++number}'>Item ${number}</a></p>`) }
        add(); new IntersectionObserver(([seen]) => seen.isIntersecting && add()).observe(document.querySelector('i'))
        </script>""",
    )

    async def item(hit: Hit) -> Answer:
        return Page(f"<h1>{hit.path}</h1>{WORDS}").answer()

    site.on("/item/", item)
    mirror.crawl(render="always", scrolls=4, max_depth=1)
    assert 20 <= len(mirror.pages) - 1 <= 40


def test_hash_routes_are_pages_and_anchors_are_not(site: Site, mirror: Mirror) -> None:
    """D7, U1: a route shows something of its own"""
    site.page(
        "/",
        WORDS
        + """<a href='#/one'>1</a> <a href='#!/two'>2</a> <a href='#part'>part</a> <a href='/plain#/three'>plain</a>
        <div id=app></div>
        <script>
        const show = () => (app.innerHTML = `<h2>Route ${location.hash}</h2>`)
        addEventListener('hashchange', show); show()
        </script>""",
    )
    site.page("/plain", WORDS)
    mirror.crawl(render="always")
    assert set(mirror.pages) == {"/", "/#/one", "/#!/two", "/plain"}
    assert mirror.listed("duplicates") == {"/plain#/three": "redirect"}
    assert "Route #/one" in mirror.body("/#/one")
    assert 'url: "' + site.url + '/#/one"' in mirror.text("/#/one")


def test_places_on_a_route_are_one_page(site: Site, mirror: Mirror) -> None:
    """D7, U5, S9: docsify names its headings in the route, and links lead to other routes of the document"""
    site.page(
        "/",
        """<div id=app></div>
        <script>
        const show = () => (app.innerHTML = `<h2>${location.hash.split('?')[0] || 'Start'}</h2>"""
        + WORDS
        + """<p><a href='#/guide'>guide</a> <a href='#/guide?id=part'>part</a> <a href='#/other'>other</a></p>`)
        addEventListener('hashchange', show); show()
        </script>""",
    )
    mirror.crawl(render="always")
    assert set(mirror.pages) == {"/", "/#/guide", "/#/other"}
    assert mirror.listed("duplicates") == {"/#/guide?id=part": "same-content"}
    assert f"[part]({site.url}/#/guide?id=part) [other]({site.url}/#/other)" in mirror.body("/#/guide")


def test_headings_of_the_route_that_is_shown_are_not_asked_for(site: Site, mirror: Mirror) -> None:
    """D7: docsify's addresses of them; and no heading is a link to itself"""
    site.page(
        "/",
        """<div id=app></div>
        <script>
        const show = () => {
            const route = location.hash.split('?')[0] || '#/'
            app.innerHTML = `<h1 id=top><a href='${route}?id=top'>Title of ${route}</a></h1>"""
        + WORDS
        + """<p><a href='${route}?id=top'>Top</a> <a href='#/guide'>Guide</a></p>`
        }
        addEventListener('hashchange', show); show()
        </script>""",
        raw=True,
    )
    mirror.crawl(render="always")
    assert set(mirror.pages) == {"/", "/#/guide"}
    assert mirror.listed("duplicates") == {}
    assert "# Title of #/guide\n" in mirror.body("/#/guide")


def test_what_lies_over_a_page_is_none_of_it(site: Site, mirror: Mirror) -> None:
    """D7, M3: banners and boxes by their styles, not the page itself; where they lead counts"""
    banner = "<div style='position: fixed; bottom: 0'><p>Take a biscuit. <a href=/terms>Terms</a></p></div>"
    whole = "<div style='position: fixed; inset: 0; overflow: auto'>{}</div>"
    site.page("/", f"<h1>Start</h1>{WORDS}{banner}<a href=/all>All</a>", raw=True)
    site.page("/terms", f"<h1>Terms</h1>{WORDS}{banner}", raw=True)
    site.page(
        "/all", whole.format(f"<h2>All</h2>{WORDS * 5}") + f"<script>const data = '{'x' * 2000}'</script>", raw=True
    )
    mirror.crawl(render="always")
    assert set(mirror.pages) == {"/", "/terms", "/all"}
    assert "biscuit" not in mirror.body("/") + mirror.body("/terms")
    assert mirror.body("/all").count("Words enough") == 5


def test_a_diagram_that_a_script_draws_is_kept_as_it_was_written(site: Site, mirror: Mirror) -> None:
    """M1, D7: Mermaid puts a picture in the place of the text"""
    site.page(
        "/",
        f"""<h1>Flow</h1>{WORDS}<pre class=mermaid>graph TD;\n  Read --&gt; Write;</pre><p>After.</p><script>
        addEventListener('load', () => {{
            document.querySelector('.mermaid').innerHTML = '<svg><text>Read</text><text>Write</text></svg>' }})
        </script>""",
    )
    mirror.crawl(render="always")
    assert mirror.body("/").endswith("```mermaid\ngraph TD;\n  Read --> Write;\n```\n\nAfter.\n")


CONTROLS = {
    "pointer": "<div style='cursor: pointer' onclick='go(\"/pointer\")'>Somewhere</div>",
    "inner": "<div style='cursor: pointer' onclick='go(\"/inner\")'><b>Some</b><i>place</i></div>",
    "role": "<span role=link tabindex=0 onclick='go(\"/role\")'>Where</span>",
    "button": "<button onclick='go(\"/button\")'>Chapter two</button>",
    "empty": "<a href='#' onclick='go(\"/empty\")'>There</a>",
    "script": "<a href='javascript:go(\"/script\")'>Yonder</a>",
    "location": '<button onclick=\'location["href"] = "/location"\'>Elsewhere</button>',
    "late": "<button onclick='setTimeout(() => go(\"/late\"), 300)'>In a while</button>",
    "menu": "<div style='cursor: pointer' onclick='sub.hidden = false'>Open</div>"
    "<ul id=sub hidden><li role=menuitem onclick='sub.hidden = true; go(\"/menu\")'>Entry</li></ul>",
    "listener": "<div id=it style='cursor: pointer'>Onwards</div>"
    "<script>it.addEventListener('pointerup', () => go('/listener'))</script>",
}


def test_what_looks_like_navigation_is_clicked(site: Site, mirror: Mirror) -> None:
    """D7, R16"""
    controls = "".join(f"<section>{control}</section>" for control in CONTROLS.values())
    site.page("/", f"{WORDS}{controls}<script>window.go = (path) => history.pushState({{}}, '', path)</script>")
    for name in CONTROLS:
        site.page(f"/{name}", WORDS)
    mirror.crawl(render="always")
    assert set(mirror.pages) == {"/", *(f"/{name}" for name in CONTROLS)}


HARM = {
    "post": '<button onclick=\'fetch("/harm/post", {method: "POST"})\'>Details</button>',
    "put": '<button onclick=\'x = new XMLHttpRequest(); x.open("PUT", "/harm/put"); x.send()\'>Details</button>',
    "beacon": "<button onclick='navigator.sendBeacon(\"/harm/beacon\", 1)'>Details</button>",
    "form": "<form id=f action=/harm/form method=post></form><button onclick='f.submit()'>Details</button>",
    "get form": "<form id=g action=/harm/get></form><button onclick='g.requestSubmit()'>Details</button>",
    "submit": "<form action=/harm/submit><button>Details</button></form>",
    "label": "<button onclick='fetch(\"/harm/label\")'>Delete this page</button>",
    "name": "<button class=btn-logout onclick='fetch(\"/harm/name\")'><svg width=9 height=9></svg></button>",
    "german": "<button onclick='fetch(\"/harm/german\")'>Jetzt kaufen</button>",
    "preflight": '<button onclick=\'fetch(OTHER + "/harm/options", {headers: {"X-Own": 1}})\'>Details</button>',
    "download": '<button onclick=\'make("/harm/download", {download: "x"})\'>Details</button>',
    "popup": "<button onclick='open(OTHER + \"/harm/popup\")'>Details</button>",
    "blank": '<button onclick=\'make(OTHER + "/harm/blank", {target: "_blank"})\'>Details</button>',
}


def test_clicking_does_no_harm(site: Site, mirror: Mirror) -> None:
    """D8"""
    other = site.url_on("127.0.0.2")
    controls = "".join(f"<section>{name}: {control}</section>" for name, control in HARM.items())
    script = f"""window.OTHER = {other!r}
        window.make = (href, more) => Object.assign(document.createElement('a'), {{href, ...more}}).click()"""
    site.page(
        "/", f"{WORDS}{controls}<p><button onclick='fetch(\"/clicked\")'>Look</button></p><script>{script}</script>"
    )
    site.raw("/clicked", b"{}", "application/json")
    mirror.crawl(render="always")
    # What a click would have navigated to is noted, and may be asked for as a page of its own.
    assert {hit.path for hit in site.hits} - {"/harm/download"} == {
        "/",
        "/robots.txt",
        "/sitemap.xml",
        "/sitemap_index.xml",
        "/clicked",
    }
    assert {hit.method for hit in site.hits} == {"GET"}


def test_a_control_that_is_on_every_page_is_clicked_on_two(site: Site, mirror: Mirror) -> None:
    """D7: while one that leads elsewhere from each page is clicked on all"""
    controls = """<nav><button onclick='fetch("/clicked"); go("/about")'>About us</button></nav>
        <button onclick='go(location.pathname + "/more")'>Read on</button>
        <script>window.go = (path) => history.pushState({}, '', path)</script>"""
    paths = [f"/p/{number}" for number in range(6)]
    site.page("/", WORDS, links=paths)
    site.raw("/clicked", b"{}", "application/json")
    for path in [*paths, "/about", *(f"{path}/more" for path in paths)]:
        site.page(path, WORDS + (controls if path in paths else ""))
    mirror.crawl(render="always", concurrency=1)
    assert {f"{path}/more" for path in paths} | {"/about"} <= set(mirror.pages)
    assert site.count("/clicked") == 2
