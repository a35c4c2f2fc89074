import pytest
from turbohtml import Document

from quire.extract.content import choose, content_of, valid_selector
from quire.extract.decode import decode

PROSE = "<p>" + "Some sentence of the text that a reader came for. " * 5 + "</p>"
NAVIGATION = "<nav>" + "<a href=/x>Elsewhere</a> " * 10 + "</nav>"


def page(html: str) -> Document:
    return decode(html.encode(), "text/html; charset=utf-8")[0]


def kept(html: str, part: str = "main") -> str:
    return " ".join(element.text for element in content_of(page(html), part))


@pytest.mark.parametrize(
    "opening",
    [
        "<main>",
        "<div role=main>",
        "<article>",
        "<div id=content>",
        "<div id=main-content>",
        "<div class='x markdown-body'>",
        "<div class=body>",
        "<div class=document>",
    ],
)
def test_the_pages_own_landmark_is_its_content(opening: str) -> None:
    """M3"""
    tag = opening[1:].partition(" ")[0].strip(">")
    text = kept(f"<header>Logo</header>{NAVIGATION}{opening}{PROSE}</{tag}><div>Sidebar</div><footer>Foot</footer>")
    assert text.startswith("Some sentence")
    assert "Sidebar" not in text
    assert "Elsewhere" not in text


def test_a_main_element_counts_before_an_article() -> None:
    """M3"""
    assert "Intro" in kept(f"<main>Intro<article>{PROSE}</article></main>")


def test_nested_landmarks_are_one() -> None:
    """M3"""
    assert "Sidebar" not in kept(f"<div>Sidebar</div><main><main>{PROSE}</main></main>")


def test_of_several_landmarks_none_is_chosen() -> None:
    """M3"""
    text = kept(f"<article>{PROSE}first</article><article>{PROSE}second</article>{NAVIGATION}")
    assert "first" in text
    assert "second" in text
    assert "Elsewhere" not in text


@pytest.mark.parametrize(
    "landmark", ["<main></main>", "<main>Hello.</main>", "<main><script>let x = 1</script></main>"]
)
def test_a_landmark_without_a_fair_share_of_the_text_is_not_the_content(landmark: str) -> None:
    """M3"""
    assert "came for" in kept(f"{landmark}<div>{PROSE}</div>")


def test_scripts_do_not_count_as_text() -> None:
    """M3"""
    text = kept(f"<div>Sidebar</div><main>{PROSE}</main><script>{'data' * 10_000}</script>")
    assert "Sidebar" not in text


def test_a_short_main_beside_long_navigation_is_still_the_content() -> None:
    """M3"""
    assert kept(f"{NAVIGATION * 20}<main><p>Gone. See the new page.</p></main>") == "Gone. See the new page."


@pytest.mark.parametrize("opening", ["<main>", "<div>", "<article class=bd-article>"])
def test_a_pages_own_contents_are_none_of_its_content(opening: str) -> None:
    """M3"""
    contents = "<div role=doc-toc>Table of contents: this, that, and where the oil for lamps is kept.</div>"
    text = kept(f"{opening}<h1>Lamps</h1>{contents}{PROSE * 4}")
    assert "Lamps" in text
    assert "the oil" not in text


def test_a_page_of_nothing_but_contents_keeps_them() -> None:
    """M3: never losing it"""
    assert "Wicks" in kept("<main><section role=doc-toc><h1>Contents</h1><a href=x>Wicks</a></section></main>")


@pytest.mark.parametrize("name", ["admonition note", "footnote-list", "system-message", "topic"])
def test_the_asides_of_documentation_are_parts_of_it(name: str) -> None:
    """M3"""
    content = choose(page(f"{NAVIGATION}<main>{PROSE}<aside class='{name}'>A wick</aside></main>"), "main")
    assert not content.judged
    assert "A wick" in content.elements[0].text


def test_content_named_inside_a_sidebar_is_not_the_pages() -> None:
    """M3"""
    assert "came for" in kept(f"<aside><div class=content>{PROSE[:150]}</div></aside><div>{PROSE}</div>")


def test_a_name_of_frame_in_code_does_not_speak_against_a_landmark() -> None:
    """M3"""
    code = "<pre>x = 1<div class=popup>SELECT</div></pre>"
    assert not choose(page(f"<main>{PROSE}{code}</main><div>Sidebar</div>"), "main").judged


def test_indentation_around_a_landmark_is_no_text() -> None:
    """M3"""
    blanks = "\n" + " " * 900
    text = kept(f"<main><h1>A</h1><p>Short words, and no more.</p></main><div>{blanks}Sidebar{blanks}</div>")
    assert text == "AShort words, and no more."


def test_without_a_landmark_what_surrounds_content_goes() -> None:
    """M3"""
    text = kept(
        f"<header>Logo</header>{NAVIGATION}<div role=search>Find</div>{PROSE}<section><header>Part</header>x</section>"
        "<aside>Also read</aside><footer>Imprint</footer>"
    )
    for gone in ("Logo", "Elsewhere", "Find", "Also read", "Imprint"):
        assert gone not in text
    assert "came for" in text
    assert "Part" in text


def test_a_header_with_the_pages_heading_stays() -> None:
    """M3"""
    assert "Heading" in kept(f"<header><h1>Heading</h1></header>{PROSE}{NAVIGATION}")


def test_where_little_would_be_left_the_whole_body_is_kept() -> None:
    """M3"""
    assert "Elsewhere" in kept(f"<p>Hello.</p>{NAVIGATION}")
    assert "Elsewhere" in kept(f"{NAVIGATION * 30}")
    assert "only" in kept("<footer>only words</footer>")


def sentences(topic: str, count: int = 8) -> str:
    return "".join(
        f"<p>This is sentence {number} about {topic}, and it says, at some length, what a reader came here for.</p>"
        for number in range(count)
    )


def links(topic: str, count: int = 20) -> str:
    items = "".join(f"<li><a href=/{topic}/{number}>{topic.title()} {number}</a></li>" for number in range(count))
    return f"<ul>{items}</ul>"


def test_lists_of_links_beside_an_article_go() -> None:
    """M3"""
    text = kept(
        f"<div class=page><div class=top>{links('section')}</div>"
        f"<div class=story><h1>Rivers</h1>{sentences('rivers')}</div>"
        f"<div class=sidebar><h3>Most read</h3>{links('other')}</div></div>"
    )
    assert text.count("about rivers") == 8
    assert "Rivers" in text
    assert "Section" not in text
    assert "Other" not in text


@pytest.mark.parametrize(
    "block",
    [
        "<div class=share-buttons>Share this on every network</div>",
        "<div class='newsletter-signup'><p>Subscribe to our newsletter, enter your email address.</p></div>",
        "<section class=related-posts><h3>Related articles</h3><p><a href=/x>Lakes and their shores</a></p></section>",
        "<div class=cookie-consent-modal><p>We use cookies to improve your privacy. Read our policy.</p></div>",
        "<form><p>Leave your name and your email address here.</p></form>",
        "<button>Listen to this page now</button>",
        "<nav><a href=/x>Back to all of the rivers</a></nav>",
    ],
)
def test_what_sits_inside_an_article_but_is_not_its_text_goes(block: str) -> None:
    """M3"""
    html = f"<div id=wrap><article><h1>Rivers</h1>{sentences('rivers', 12)}{{}}</article></div>"
    inserted = page(block).find("body")
    assert inserted is not None
    text = kept(html.format(block))
    assert text.count("about rivers") == 12
    assert inserted.text.split()[-1] not in text.split()


def test_a_page_that_is_a_list_of_items_keeps_all_of_them() -> None:
    """M3"""
    cards = "".join(
        f"<div class=card><h3><a href=/shoe/{number}>Walking shoe number {number}</a></h3>"
        f"<p>For paths of grade {number}.</p></div>"
        for number in range(30)
    )
    text = kept(
        f"<header>{links('menu')}</header><div class=grid><h1>Walking shoes</h1>{cards}</div>"
        f"<footer>{links('foot')}</footer>"
    )
    assert text.count("Walking shoe number") == 30
    assert "Foot" not in text


def test_all_posts_of_a_thread_are_kept() -> None:
    """M3"""
    posts = "".join(
        f"<div class=post><div class=userinfo>walker{number}</div>"
        f"<div class=message>{sentences(f'path {number}', 2)}</div></div>"
        for number in range(6)
    )
    text = kept(f"<div class=nav-bar>{links('board')}</div><h1>Which path?</h1><div class=thread>{posts}</div>")
    assert all(f"about path {number}" in text for number in range(6))


def test_the_heading_above_the_content_is_kept() -> None:
    """M3"""
    text = kept(
        f"<div id=head><h1>brew(1) Manual</h1></div><div id=text><h2>Synopsis</h2>{sentences('brewing', 12)}</div>"
    )
    assert text.startswith("brew(1) Manual")


def test_the_heading_is_what_the_title_says_and_not_the_name_of_the_site() -> None:
    """M3: many sites have their name in the first `h1`."""
    title = "<title>How rivers freeze | The Daily Bank</title>"
    head = f"<div class=logo><h1>The Daily Bank</h1></div>{links('section')}"
    text = kept(f"{title}{head}<h2>How rivers freeze</h2><div class=entry>{sentences('ice')}</div>")
    assert "How rivers freeze" in text
    assert "The Daily Bank" not in text


def test_what_the_page_is_called_is_kept_though_no_tag_says_so() -> None:
    """M3: where there is no h1; not in an article, and not a step of the way there"""
    head = "<title>All the rivers | A site</title>"
    crumbs = "<ul class=breadcrumb><li>Home</li><li>All the rivers</li></ul>"
    html = f"{links('menu')}{crumbs}<div class=top><div>All the rivers</div></div><div>{sentences('rivers', 8)}</div>"
    assert kept(f"<head>{head}</head><body>{html}</body>").startswith("All the rivers")
    assert "All the rivers" not in kept(f"<head>{head}{ARTICLE}</head><body>{html}</body>")


def test_code_inside_the_content_is_kept() -> None:
    """M3"""
    code = "<pre><a href=/x>brew</a> --tea</pre>"
    assert "--tea" in kept(
        f"<div id=text><h1>Brewing</h1>{sentences('tea', 6)}{code}{sentences('tea', 6)}</div>{links('x')}"
    )


def test_a_name_on_a_box_that_holds_the_page_says_nothing() -> None:
    """M3"""
    text = kept(f"<div class='page has-sidebar no-comments cookie-modal'>{sentences('rivers', 12)}</div>{NAVIGATION}")
    assert text.count("about rivers") == 12


def test_text_for_browsers_without_scripts_is_the_content_where_there_is_no_other() -> None:
    """M3: of a page that a script draws."""
    content = content_of(page(f"<div id=app></div><noscript><div>{sentences('rivers')}</div></noscript>"), "main")
    assert content[0].text.count("about rivers") == 8
    assert content[0].find("noscript") is None
    other = content_of(page(f"{sentences('rivers')}<noscript><p>Please allow scripts.</p></noscript>"), "main")
    assert other[0].find("noscript") is not None


def test_a_clean_landmark_is_kept_as_it_is() -> None:
    """M3"""
    document = page(f"{NAVIGATION}<main>{sentences('rivers')}<p>Last updated: May 1, 2024</p>{links('lake', 3)}</main>")
    main = document.find("main")
    assert content_of(document, "main") == [main]


def test_a_page_on_which_nothing_looks_like_frame_is_kept_whole() -> None:
    """M3: an old manual page, say."""
    odd = "<div class=part><h2>NAME</h2><p>brew - copyright, cookies</p></div>"
    text = kept(f"{odd}<div class=part>{sentences('brewing', 12)}</div><div class=part><p>Reply 7</p></div>")
    assert text.startswith("NAME")
    assert text.endswith("Reply 7")


def test_a_page_that_declares_itself_an_article_has_no_content_beside_it() -> None:
    """M3"""
    teasers = "".join(
        f"<div class=card><p>A teaser, number {number}, of another story that is long, and is told elsewhere.</p></div>"
        for number in range(8)
    )
    html = f"<div class=a><h1>Rivers</h1>{sentences('rivers', 9)}</div><div class=b>{teasers}</div>"
    published = "<meta property=article:published_time content=2024-05-01>"
    for declared in (f"{published}{html}", f"<meta itemscope itemtype=https://schema.org/NewsArticle>{html}"):
        text = kept(declared)
        assert text.count("about rivers") == 9
        assert "teaser" not in text


ARTICLE = '<script type="application/ld+json">{"@type": "Article"}</script>'


def test_comments_on_an_article_go_however_many_there_are() -> None:
    """M3: as long as there is something that they are about."""
    comments = "".join(f"<li class=comment>{sentences(f'comment{number}', 4)}</li>" for number in range(30))
    post = f"<h1>A post</h1><div class=entry>{sentences('posted', 4)}</div>"
    text = kept(f"<head>{ARTICLE}</head><body>{post}<ul class=comments>{comments}</ul></body>")
    assert "posted" in text
    assert "comment1" not in text
    assert "comment1" in kept(f"<head>{ARTICLE}</head><body><h1>A post</h1><ul class=comments>{comments}</ul></body>")


def test_a_paragraph_in_an_article_that_leads_elsewhere_goes() -> None:
    """M3"""
    pointer = "<p>Read more: <a href=/lakes>Why the lakes of the north are late this year</a></p>"
    html = f"<h1>Rivers</h1><div class=entry>{sentences('rivers')}{pointer}{sentences('ice')}</div>{links('menu')}"
    text = kept(f"<head>{ARTICLE}</head><body>{html}</body>")
    assert "about ice" in text
    assert "lakes of the north" not in text


def test_a_hidden_copy_of_an_article_goes() -> None:
    """M3: pages keep one for search engines; what is hidden stays where little else is there."""
    seen = f"<div class=entry>{sentences('seen')}{sentences('second')}</div>"
    hidden = f"<div style='display: none'>{sentences('hidden', 12)}</div>"
    foot = f"<div class=footer>{links('foot')}</div>"
    text = kept(f"<head>{ARTICLE}</head><body><h1>News</h1>{seen}{hidden}{foot}</body>")
    assert "second" in text
    assert "hidden" not in text
    assert "hidden" in kept(f"<head>{ARTICLE}</head><body><h1>News</h1>{hidden}{foot}</body>")


def test_panels_behind_tabs_are_kept_though_one_alone_is_shown() -> None:
    """M3"""
    start = f"<head>{ARTICLE}</head><body><h1>Setup</h1>{sentences('setup')}"
    assert "ruby" in kept(f"{start}<div role=tabpanel hidden>{sentences('ruby')}</div></body>")
    assert "ruby" not in kept(f"{start}<div class=copy hidden>{sentences('ruby')}</div></body>")


@pytest.mark.parametrize("panel", ["aria-hidden=true role=region", "hidden class=accordion__content"])
def test_what_unfolds_is_kept_though_it_is_folded(panel: str) -> None:
    """M3"""
    html = (
        f"<body>{links('before')}<div class=x>{sentences('rivers')}<div {panel}>{sentences('fish')}</div></div></body>"
    )
    assert "about fish" in kept(html)


@pytest.mark.parametrize(
    "folded",
    [
        "<h3>Which fish?</h3><div hidden>{}</div>",
        "<button>Which fish?</button><div style='display:none'>{}</div>",
        "<div onclick='open()'>Which fish?</div><div hidden>{}</div>",
        "<div class=faq><div hidden>{}</div></div>",
        "<div class='toggle__content' style='display: none'>{}</div>",
        "<p>See <a href='#fish'>below</a>.</p><div id=fish hidden>{}</div>",
        "<div class=pane><p>Birds are seen first, in spring.</p></div><div class=pane hidden>{}</div>",
        "<div aria-hidden=true>{}</div>",
    ],
)
def test_what_readers_can_unfold_is_kept(folded: str) -> None:
    """M3: a title, a name or a link leads to it, or another of its kind is seen"""
    text = sentences("fish", 2)
    assert "about fish" in kept(
        f"<body>{links('before')}<div>{sentences('rivers', 8)}{folded.format(text)}</div></body>"
    )


@pytest.mark.parametrize(
    "hidden", ["<div hidden>{}</div>", "<p>Seen.</p><section class=popup style='display:none'>{}</section>"]
)
def test_what_nobody_can_unfold_goes_where_most_is_seen(hidden: str) -> None:
    """M3"""
    fish = hidden.format(sentences("fish", 2))
    assert "about fish" not in kept(f"<body>{links('before')}<div>{sentences('rivers', 8)}{fish}</div></body>")
    most = hidden.format(sentences("fish", 12))
    assert "about fish" in kept(f"<body>{links('before')}<div>{sentences('rivers', 2)}{most}</div></body>")


def test_what_introduces_a_manual_is_kept_beside_its_longest_section() -> None:
    """M3: a page of one text has no content beside it, but the sections of a manual are all its content."""
    intro = f"<div class=header><h1>Promises</h1>{sentences('promises', 2)}</div>"
    section = f"<div class=entry>{sentences('rivers', 9)}{{}}{sentences('lakes', 9)}</div>"
    html = f"<body>{links('menu')}<div>{intro}{section}</div>{links('foot')}</body>"
    text = kept(html.format("<pre>open(river)</pre>"))
    assert "about promises" in text
    assert "about lakes" in text
    assert "Foot" not in text
    assert "about promises" not in kept(html.format(""))


def test_the_last_sections_of_a_manual_are_content_however_far_below_its_heading() -> None:
    """M3"""
    option = "<dt>--option <dd><p>Reads the words of that file before all the others, and writes them.</p>"
    sections = [
        "<h1>NAME</h1><p>barn - keeps the rain out",
        f"<h1>OPTIONS</h1><dl>{option * 20}</dl>",
        f"<h1>EXIT CODES</h1><dl>{'<dt>1<dd>Unsupported protocol.' * 5}</dl>",
    ]
    page = "".join(f"<section>{section}</section>" for section in sections)
    text = kept(f"<title>barn</title><body><div class=nav><a href=x>Home</a></div><div>{page}</div></body>")
    assert text.count("Unsupported") == 5
    assert "EXIT CODES" in text
    assert "Home" not in text


def test_scripts_inside_a_paragraph_are_none_of_its_text() -> None:
    """M3"""
    script = f"<script>{'let answer = 42; ' * 200}</script><style>{'p { color: red } ' * 200}</style>"
    text = kept(f"<body><div><p>{script}</p>{sentences('told')}</div>{links('menu')}</body>")
    assert "told" in text
    assert "answer" not in text
    assert "color" not in text


def test_text_that_a_page_has_twice_is_kept_once() -> None:
    """M3: for small screens and for large ones, say; a manual repeats what holds twice."""
    twice = "<p>The river is closed to boats of every kind from the first day of May, and it is opened to them again "
    twice += "when the ice has gone in spring.</p>"
    html = f"{NAVIGATION}<div><h1>Rivers</h1>{twice}{sentences('rivers', 9)}<div class=mobile>{twice}</div>"
    assert kept(html).count("closed to boats") == 1
    assert kept(f"{html}<pre>open(river)</pre>").count("closed to boats") == 2


CARD = "<a href=/rivers/{}><h3>The longest rivers</h3></a><p>Today, at four</p><p>Free</p>"


@pytest.mark.parametrize("end", [" ... more", "…", "... Read more", "[...]"])
def test_a_text_is_kept_as_a_whole_where_its_beginning_stands_beside_it(end: str) -> None:
    """M3: until somebody asks for more"""
    whole = "The river is closed to boats of every kind from the first day of May, and opened again in October."
    other = f"{whole[:70]}June on{end}"
    html = f"{NAVIGATION}<div><h1>Rivers</h1>{{}}{sentences('rivers', 9)}</div>"
    assert kept(html.format(f"<p>{whole}</p><p>{whole[:80]}{end}</p>")).count("closed to boats") == 1
    assert kept(html.format(f"<p>{whole}</p><p>{other}</p>")).count("closed to boats") == 2
    assert kept(html.format(f"<p>{whole[:80]}{end}</p><p>{whole[:80]}... less</p>")).count("closed to boats") == 2


def test_a_box_that_a_page_has_twice_is_kept_once() -> None:
    """M3: but not where it leads elsewhere, nor what answers a quote."""
    items = "<h1>Events</h1>" + "".join(f"<div class=card>{sentences(f'event {n}', 1)}</div>" for n in range(5))
    desktop = f"<div class=wide>{CARD.format(1)}<p>By the Society</p></div>"
    twice = f"<div class=event>{desktop}<div class=narrow>{CARD.format(1)}</div></div>"
    assert kept(f"<body>{items}{twice}</body>").count("The longest rivers") == 1
    assert "By the Society" in kept(f"<body>{items}{twice}</body>")
    other = f"<div class=event>{desktop}<div class=narrow>{CARD.format(2)}</div></div>"
    assert kept(f"<body>{items}{other}</body>").count("The longest rivers") == 2
    quote = "<p>Why would it close?</p>"
    thread = (
        f"<div class=post><div>{quote}</div><div><blockquote>{quote}</blockquote>{sentences('closing', 2)}</div></div>"
    )
    assert kept(f"<body>{items}{thread}</body>").count("Why would it close?") == 2


def test_the_heading_is_said_once() -> None:
    """M3"""
    html = f"<div><h1>Rivers of Europe</h1><h2>Rivers of Europe</h2>{sentences('rivers', 9)}</div>"
    assert kept(f"<body>{links('menu')}{html}</body>").count("Rivers of Europe") == 1


def test_an_icon_in_a_link_does_not_split_its_sentence() -> None:
    """M3"""
    icon = "<svg><title>(leads elsewhere)</title><path d=M0></path></svg>"
    item = f"<li>Then download <a href=/studio>the studio<span>{icon}</span></a>, which builds what you set up.</li>"
    text = kept(f"<body>{links('menu')}<div><h1>Setup</h1>{sentences('setup', 9)}<ul>{item}</ul></div></body>")
    assert "download the studio(leads elsewhere), which builds" in text
    assert "Menu" not in text


@pytest.mark.parametrize(
    ("row", "panels"),
    [
        (
            "<ul class='nav nav-tabs' role=tablist><li><button role=tab>Python</button></li>"
            "<li><button role=tab>Ruby</button></li></ul>",
            "<div><div role=tabpanel><p>{0}</p></div><div role=tabpanel><p>{0}</p></div></div>",
        ),
        (
            "<div class=nav-tabs><button class=tab>Python</button><button class=tab>Ruby</button></div>",
            "<div><div class=tab-item-content><p>{0}</p></div><div class=tab-item-content><p>{0}</p></div></div>",
        ),
        (
            "<nav><div class='nav nav-tabs' role=tablist><button role=tab>Python</button>"
            "<button role=tab>Ruby</button></div></nav>",
            "<div><div role=tabpanel><p>{0}</p></div><div role=tabpanel><p>{0}</p></div></div>",
        ),
        (
            "<ul class=nav-tabs><li class=tab><a href=#p>Python</a><li class=tab><a href=#r>Ruby</a></ul>",
            "<div><div class=tab-pane id=p><p>{0}</p></div><div class=tab-pane id=r><p>{0}</p></div></div>",
        ),
    ],
)
def test_each_of_several_rows_of_tabs_is_content_with_its_panels(row: str, panels: str) -> None:
    """M3"""
    text = "A sentence, long enough, that says how the lamp is lit with this language, and why. " * 3
    html = f"<body><main><article><h1>T</h1><p>{text}</p>{(row + panels.format(text)) * 2}</article></main></body>"
    shown = "".join(element.text for element in content_of(decode(html.encode(), "text/html")[0], "main"))
    assert shown.count("Python") == shown.count("Ruby") == 2


@pytest.mark.parametrize("start", ["<main>", "<div>", "<article class=bd-article>"])
def test_names_of_panels_and_questions_stay_though_they_are_buttons(start: str) -> None:
    """M1, M3"""
    tabs = "<div role=tablist><button role=tab>Python</button><button role=tab>Ruby</button></div>"
    panels = f"<div role=tabpanel>{sentences('snakes', 3)}</div><div role=tabpanel hidden>{sentences('gems', 3)}</div>"
    answer = f"<div><button>What is a river?</button>{sentences('rivers', 2)}</div>"
    opened = f"<div><button aria-expanded=false>How rivers find the sea</button>{sentences('seas', 2)}</div>"
    idle = "<button>Copy</button><button aria-expanded=false>Menu</button>"
    menu = f"<div role=tablist><button role=tab>All</button><button role=tab>Some</button></div>{idle}"
    html = f"{links('menu')}{start}<h1>Setup</h1>{sentences('setup')}<div>{tabs}{panels}</div>{answer}{opened}"
    text = kept(f"<body>{html}<section><section>{menu}</section></section>")
    for name in ("Python", "Ruby", "What is a river?", "How rivers find the sea"):
        assert name in text
    for name in ("Copy", "Menu", "Some"):
        assert name not in text.replace("Menu 0", "")


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("Please read <button>our terms</button> before you begin.", "Please read our terms before you begin."),
        ("The yearly <span><button>churn</button></span>, in per cent.", "The yearly churn, in per cent."),
        ("Switch them off in <button>settings</button>.", "Switch them off in settings."),
        ("All of it is in our <button>terms of use</button>", "All of it is in our terms of use"),
        ("<em>It is <button>worn</button> by wind.</em> So they say.", "It is worn by wind. So they say."),
    ],
)
@pytest.mark.parametrize(
    "start", ["<main>", "<main><aside>Beside</aside>", f"<div class=sidebar>Side</div>{NAVIGATION}<div>"]
)
@pytest.mark.parametrize("tag", ["p", "div", "li"])
def test_words_of_a_sentence_stay_though_they_are_a_button(sentence: str, text: str, start: str, tag: str) -> None:
    """M3: in a landmark, and where blocks are judged"""
    assert text in kept(f"{start}<h1>Title</h1>{PROSE}<{tag}>{sentence}</{tag}>{PROSE}")


@pytest.mark.parametrize(
    "text",
    [
        "Was this page of any help? <button>Yes</button> <button>No</button>",
        "The history of searches <button>Clear</button>",
        "Imprint | <button>Cookies</button> | Contact",
        "Seen by many <button>Share</button> 12 times",
    ],
)
def test_a_button_beside_a_text_is_none_of_it(text: str) -> None:
    """M3"""
    label = text.partition("<button>")[2].partition("<")[0]
    assert label not in kept(f"<main><h1>Title</h1>{PROSE}<p>{text}</p>{PROSE}</main>")


def test_choosing_content_changes_nothing_in_the_page() -> None:
    """M3, D6"""
    document = page(f"{NAVIGATION}{PROSE}<footer>Foot</footer>")
    before = document.html
    content_of(document, "main")
    assert document.html == before


def test_full_is_the_whole_body() -> None:
    """M3"""
    assert kept(f"{NAVIGATION}<main>{PROSE}</main>", "full").startswith("Elsewhere")


def test_a_selector_keeps_all_its_matches_once_and_in_order() -> None:
    """M3"""
    html = "<p class=x>1</p><div class=x>2<p class=x>3</p></div><p>4</p><p class=x>5</p>"
    assert kept(html, ".x") == "1 23 5"
    assert kept(html, "body") == "12345"


def test_a_selector_without_a_match_keeps_the_body() -> None:
    """M3"""
    assert kept("<p>text</p>", "#nothing") == "text"


@pytest.mark.parametrize("html", ["", "<frameset><frame src=x></frameset>", "<head></head>"])
def test_a_page_without_a_body_has_some_content_element(html: str) -> None:
    """M3, U10"""
    for part in ("main", "full", "p"):
        assert len(content_of(page(html), part)) == 1


def test_a_selector_is_checked_before_use() -> None:
    """M3, C10"""
    assert valid_selector("main > .content, #x:not(.y)") is None
    assert "a[" in (valid_selector("a[") or "")
    assert valid_selector("") is not None


def test_a_note_in_documentation_is_content() -> None:
    """M3: Docusaurus calls its notes alerts, as others call what pops up"""
    note = '<div class="theme-admonition theme-admonition-note alert alert--secondary"><p>Mind the gap.</p></div>'
    text = kept(f"<nav>Menu</nav><main><h1>Title</h1>{sentences('brewing', 12)}{note}</main>")
    assert "Mind the gap." in text
    assert "Menu" not in text


def test_headings_stay_with_what_they_head() -> None:
    """M3: though all of one is a link to itself; a heading of nothing is not kept for that"""
    parts = "".join(
        f"<div><h3><a href=#{name}>The {name}</a></h3></div>{sentences(name, 2)}" for name in ("source", "bed", "delta")
    )
    offer = f"<div class=related><h3><a href=/x>More maps</a></h3>{links('map')}</div>"
    text = kept(f"<body>{links('menu')}<div class=text><h1>Rivers</h1>{parts}{offer}</div>{links('foot')}</body>")
    for name in ("source", "bed", "delta"):
        assert f"The {name}This is sentence 0 about {name}" in text
    assert "More maps" not in text


@pytest.mark.parametrize("tag", ["h2", "p", "div"])
@pytest.mark.parametrize("label", ["Table of Contents", "On this page:", "Jump to"])
def test_what_stands_above_contents_that_go_goes_with_them(tag: str, label: str) -> None:
    """M3"""
    above = f"{links('menu')}<h1>Rivers</h1>{sentences('water', 1)}<{tag}>{label}</{tag}>"
    below = f"{sentences('rivers')}{links('related')}<footer>Imprint</footer>"
    assert label not in kept(f"{above}<nav><a href=#a>The longest</a></nav>{below}")
    assert label in kept(f"{above}<ul><li>The longest rivers of all<li>The shortest rivers of all</ul>{below}")


def test_a_heading_goes_with_the_part_that_it_heads() -> None:
    """M3: also one above others that go; not one that has only a button below it"""
    form = f"<form>{'Your address, please. ' * 9}</form>"
    offer = f"<h2>Would you like to know more?</h2><div><h3>Read our letter</h3>{form}</div>"
    button = "<h2>Most of the water is in the south</h2><div><a href=/more>Learn more</a></div>"
    text = kept(
        f"<body>{links('menu')}<div class=text><h1>Rivers</h1>{sentences('water', 4)}{button}{sentences('fish', 4)}"
        f"{offer}<h2>Where the ships go</h2>{sentences('ships', 3)}</div>{links('foot')}</body>"
    )
    assert "Where the ships go" in text
    assert "Most of the water" in text
    assert "Would you like" not in text
    assert "our letter" not in text


def test_headings_of_cards_stay_with_them() -> None:
    """M3: on a page that is no article each card is content, with what is written above it"""
    cards = "".join(
        f"<div class='card{' active' * (number == 2)}'><h3><a href=/{number}>Number {number}</a></h3>"
        f"<p>What there is to say about number {number}, in a sentence or two, so that it is read.</p></div>"
        for number in range(6)
    )
    text = kept(f"<body>{links('before')}<div class=cards>{cards}</div>{links('behind')}</body>")
    assert [number for number in range(6) if f"Number {number}" in text] == list(range(6))


def test_a_heading_that_the_contents_list_is_no_copy_of_its_entry() -> None:
    """M3"""
    html = (
        f"<body>{links('before')}<div class=text><h1>Rivers</h1>{sentences('springs')}"
        "<ul><li>Deltas of long rivers</li><li>Fish and other things that live in them, and what they eat</li></ul>"
        "<h3>Deltas of long rivers</h3>"
        f"{sentences('deltas')}</div></body>"
    )
    assert kept(html).count("Deltas of long rivers") == 2


def test_a_question_is_kept_with_its_answer() -> None:
    """M3"""
    asked = "".join(
        f'<div itemscope itemtype="https://schema.org/Question"><div itemprop=name>Why {number}?</div>'
        f"<div itemprop=acceptedAnswer>{sentences(f'answer {number}', 2)}</div></div>"
        for number in range(3)
    )
    text = kept(f"<body>{links('before')}<div class=faq>{asked}</div>{links('behind')}</body>")
    assert [number for number in range(3) if f"Why {number}?" in text] == [0, 1, 2]


def test_of_frame_that_goes_the_words_between_its_links_are_told() -> None:
    """M3: on other pages of the site they are all that a line of navigation has in common with this one."""
    bar = '<div class="navbar">Next: <a href=b>Walls and  <b>doors</b></a>, Up: <a href=a>Barns</a> <a href=i></a>'
    dropped = choose(page(f"<body>{bar}</div><div class=text>{PROSE * 5}</div></body>"), "main").dropped
    assert {"Next: ", "[Walls and doors", ", Up: ", "[Barns", "["} <= set(dropped)


def test_a_page_of_frames_says_what_it_says_without_them() -> None:
    """M3: never losing it"""
    frames = "<frame src=toc.html name=toc><frame src=cover.html>"
    assert kept(f"<frameset>{frames}<noframes><h2>Manual</h2></noframes></frameset>") == "Manual"
    labels = "<div><a href=a>One</a><a href=b>Two</a></div>"
    assert kept(f"<frameset>{frames}<noframes>{labels}</noframes></frameset>") == "One Two"
    assert kept(f"<frameset>{frames}</frameset>") == "toccover.html"


def test_the_inner_of_two_landmarks_is_content_where_the_outer_has_frame() -> None:
    """M3"""
    crumbs = "<div class=breadcrumb><a href=/>Home</a></div>"
    html = f"<body><main>{crumbs}<article role=main>{sentences('rivers')}</article>{links('more')}</main></body>"
    content = choose(decode(html.encode(), "text/html")[0], "main")
    assert not content.judged
    assert [element.tag for element in content.elements] == ["article"]


@pytest.mark.parametrize(
    ("film", "is_judged"),
    [("https://www.youtube.com/embed/x", False), ("https://player.vimeo.com/x", False), ("https://ads.test/x", True)],
)
def test_a_film_in_a_landmark_is_no_frame(film: str, is_judged: bool) -> None:
    """M3"""
    html = f"<body><main><h1>T</h1>{sentences('rivers')}<iframe src={film}></iframe></main></body>"
    assert choose(decode(html.encode(), "text/html")[0], "main").judged == is_judged


@pytest.mark.parametrize(
    "idle",
    [
        "<form><select><option>Afrikaans<option>Zulu</select></form>",
        "<div class=comment-respond><h3>Leave a Reply</h3><form><p>Comment</p></form></div>",
    ],
)
def test_of_a_page_that_says_little_its_landmark_is_kept(idle: str) -> None:
    """M3: without the choices of a form, and without that for comments"""
    html = f"<body><nav>{links('menu')}</nav><main><p>Only a remark.</p>{idle}</main><footer>Rights</footer></body>"
    content = choose(decode(html.encode(), "text/html")[0], "main")
    assert [" ".join(element.text.split()) for element in content.elements] == ["Only a remark."]


def test_many_buttons_do_not_look_at_all_that_stands_beside_them() -> None:
    """M3; with a look for each, this page would take a minute."""
    html = f"<div>{'<b>word</b> ' * 40_000}</div><div>{'<button>a b</button><i></i>' * 15_000}</div>"
    assert kept(html).startswith("word word")


@pytest.mark.parametrize(
    ("title", "heading", "text"),
    [
        ("Rivers - The Site", "<h1>Rivers</h1>", "Rivers"),
        ("Rivers - The Site", "<h1>The Site</h1>", ""),
        ("", "<h1>Rivers</h1>", ""),
    ],
)
def test_a_landmark_without_a_heading_has_what_the_page_is_called(title: str, heading: str, text: str) -> None:
    """M3"""
    html = f"<title>{title}</title><body><header>{heading}</header><main>{sentences('rivers')}</main></body>"
    content = choose(decode(html.encode(), "text/html")[0], "main")
    assert not content.judged
    assert "".join(element.text for element in content.elements if element.tag == "h1") == text


def test_a_short_page_stands_without_its_frame() -> None:
    """M3: a title and a sentence are a page, whatever is around them"""
    links = "".join(f"<li><a href=/{number}>Chapter {number}</a></li>" for number in range(20))
    asks = (
        "<div role=dialog><p>May we keep a biscuit on your computer for the next visit?</p><button>Yes</button></div>"
    )
    html = f"<body><header>Site</header><aside><ul>{links}</ul></aside><div><h1>About us</h1>{{}}</div>{asks}"
    said = "<p>We are two who write this in the evenings.</p>"
    assert kept(html.format(said)) == "About usWe are two who write this in the evenings."
    assert "biscuit" not in kept(f"<body><div><b>Soon</b></div>{asks}")
    assert "biscuit" in kept(f"<body>{asks}")


def test_menus_do_not_outweigh_a_short_text() -> None:
    """M3: so many links are hardly content, in boxes that are called frame"""
    entries = "".join(f"<li><a href=/{number}>Office {number}</a></li>" for number in range(40))
    menus = f"<ul class=dropdown-menu>{entries}</ul>" * 4
    text = kept(f"<body>{menus}<div class=col><h3>News</h3>{sentences('rivers', 3)}</div></body>")
    assert "about rivers" in text
    assert "Office" not in text
