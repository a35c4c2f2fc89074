"""Lists, tables and figures of an article are whole."""

from __future__ import annotations

import time

import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode

LINKS = "<ul>{}</ul>".format("".join(f"<li><a href=/x/{number}>Elsewhere {number}</a></li>" for number in range(20)))
ARTICLE = '<script type="application/ld+json">{"@type": "Article"}</script>'


def sentences(topic: str, count: int = 4) -> str:
    return "".join(
        f"<p>This is sentence {number} about {topic}, and it says, at some length, what a reader came here for.</p>"
        for number in range(count)
    )


def markdown(middle: str, head: str = "") -> str:
    html = (
        f"{head}<body>{LINKS}<div class=text><h1>Rivers</h1>{sentences('springs')}{middle}{sentences('deltas')}"
        f"</div>{LINKS}<footer>Imprint</footer></body>"
    )
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "main"), "https://example.org/")


def test_no_step_is_cut_out_of_a_list() -> None:
    """M3"""
    steps = (
        "<ol><li>Find the spring of the river, which is where all of it begins, and follow it downhill.</li>"
        "<li><a href=/login>Log in</a></li><li>Subscribe</li>"
        "<li>At the delta, count the arms of the river, and write down the longest of them.</li></ol>"
    )
    text = markdown(steps)
    assert "2. [Log in](https://example.org/login)\n3. Subscribe\n4. At the delta" in text


def test_a_plain_list_is_whole() -> None:
    """M3"""
    items = (
        "<li>Rivers that are longer than any other river of the country they are in</li>",
        "<li><a href=/login>Sign in</a></li><li><a href=/s>Subscribe to our newsletter</a></li>",
        "<li>Rivers that are shorter than any other river of the country they are in</li>",
    )
    assert "\n- [Sign in](https://example.org/login)\n- [Subscribe" in markdown(f"<ul>{''.join(items)}</ul>")


def test_a_list_is_whole_though_something_in_it_is_hidden() -> None:
    """M3: what a tip says when somebody points at it"""
    about = "Some packing is weighed with it, and some is not. " * 8
    tip = f"<div style='display:none'><h3>Weight</h3><div>{about}</div></div>"
    items = [
        f"<li>The {name} of it, as they say: {number} feet</li>"
        for number, name in enumerate(["length", "width", "depth"])
    ]
    items.insert(1, f"<li><a href=/login>Sign in</a>{tip}</li>")
    text = markdown(f"<ul>{''.join(items)}</ul>")
    assert "\n- [Sign in](https://example.org/login)\n" in text
    assert "packing" not in text


def test_cells_stay_in_their_columns() -> None:
    """M3"""
    rows = "".join(
        f"<tr><td><div>{name}</div></td><td><div>{count}</div></td><td><div>{about}</div></td></tr>"
        for name, count, about in [
            ("Rhine", 5, "Twelve hundred kilometres from its spring to the sea, by ship."),
            ("Login", 4, "Some twelve hundred kilometres, of which most are open to ships."),
        ]
    )
    heads = "".join(f"<th><div>{head}</div></th>" for head in ("River", "Ports", "Length"))
    text = markdown(f"<table><tr>{heads}</tr>{rows}</table>")
    assert "| River | Ports | Length |" in text
    assert "| Login | 4 | Some twelve hundred" in text


def test_cells_over_columns_and_long_ones_do_not_unmake_a_table() -> None:
    """M3: its short labels, its caption and single values stay beside its sentences"""
    about = "From its spring down to the sea it bends, and most of its bends are open to large ships. " * 4
    rows = "".join(
        f"<tr><td><div>{name}</div></td><td><div>{count}</div></td>"
        f"<td><div>It runs {count}00 kilometres. {about}</div></td></tr>"
        for name, count in (("Login", 4), ("Share", 5), ("Menu", 6))
    )
    group = "<tr><td colspan=3><div class=share><a href=/a>Of the north</a></div></td></tr>"
    text = markdown(f"<table><caption><div class=share>Login</div></caption>{group}{rows}</table>")
    assert "Login\n\n" in text
    assert "Of the north" in text
    assert all(f"| {label} | It runs" in text for label in ("Login | 4", "Share | 5", "Menu | 6"))


def test_the_caption_of_a_table_stays_with_it() -> None:
    """M3: also where it is a figure's"""
    rows = "".join(f"<tr><td>{number}</td><td>port {number}</td></tr>" for number in range(10))
    table = f"<figure><table><tr><th>River<th>Port</tr>{rows}</table><figcaption>Share</figcaption></figure>"
    assert "\n\nShare\n" in markdown(table)


def test_a_table_of_one_row_is_whole() -> None:
    """M3"""
    about = "<td><div>Twelve hundred kilometres from its spring to the sea, by ship.</div></td>"
    row = f"<tr><td><div>Login</div></td>{about}<td><div class=share><a href=/a>Share</a></div></td></tr>"
    assert "| Login | Twelve hundred" in markdown(f"<table>{row}</table>")


def test_a_table_with_heads_is_kept_wherever_it_is_but_beside_an_article() -> None:
    """M3"""
    rows = "".join(f"<tr><td>{number}</td><td>port {number}</td></tr>" for number in range(10))
    table = f"<div><table><tr><th>River</th><th>Port</th></tr>{rows}</table></div>"
    html = f"<div><h1>Rivers</h1>{sentences('springs', 12)}</div>{table}{LINKS}<footer>Imprint</footer>"
    for head, is_kept in (("", True), (ARTICLE, False)):
        document, _ = decode(f"{head}<body>{LINKS}{html}</body>".encode(), "text/html; charset=utf-8")
        text = to_markdown(content_of(document, "main"), "https://example.org/")
        assert ("| River | Port |" in text) is is_kept


def test_what_is_left_of_a_table_is_not_kept() -> None:
    """M3"""
    offers = "<td><div class=share><a href=/login>Log in</a> or sign up</div></td>" * 30
    row = f"<tr><td><div>A river runs, as rivers do, down to the sea.</div></td>{offers}</tr>"
    assert "|" not in markdown(f"<table>{row * 3}</table>")


def test_a_picture_stays_in_an_article_though_its_caption_goes() -> None:
    """M3"""
    figure = "<figure class=wp-caption><img src=/delta.jpg alt=Delta><figcaption>Photo: Getty</figcaption></figure>"
    text = markdown(figure)
    assert "![Delta](https://example.org/delta.jpg)" in text


def test_a_heading_stays_between_what_is_kept_of_an_article() -> None:
    """M3"""
    assert "\n## [Related](https://example.org/rivers)\n" in markdown("<h2><a href=/rivers>Related</a></h2>", ARTICLE)


def test_what_somebody_quotes_or_lists_again_stays() -> None:
    """M3"""
    said = f"The river was {'very ' * 20}wide that day, and nobody could see the other bank; the boats stayed in port."
    answer = "<p>I was there, and it was wider still than you say it was.</p>"
    quote = f"<div class=post><div class=bbCode-quote><div>{said}</div></div>{answer}</div>"
    assert (
        markdown(f"<div class=post><p>{said}</p><p>And you? Where were you at that time?</p></div>{quote}").count(said)
        == 2
    )
    years = [f"<li>In {year} the boats left again, and came back home by way of the sea.</li>" for year in (1801, 1802)]
    assert markdown(sentences("boats", 1).join(f"<ul><li>{said}</li>{year}</ul>" for year in years)).count(said) == 2
    assert markdown(f"<p>{said}</p>{answer}<p>{said}</p>").count(said) == 1


def test_cards_of_a_row_are_cut_alike() -> None:
    """M3"""
    about = "A boat for four that takes its time, and that has room for a dog, a picnic and a rainy afternoon."
    names = ["Heron", "Kingfisher", "Sandpiper", "Log in", "Oystercatcher", "Cormorant", "Grebe", "Share"]
    cards = "".join(
        f"<div class=card><div class=name><a href=/b/{number}>{name}</a></div><div>{number}. {about}</div></div>"
        for number, name in enumerate(names)
    )
    text = markdown(f"<div class=cards>{cards}</div>")
    assert [name in text for name in names] in ([True] * 8, [False] * 8)


def test_titles_of_an_accordion_stay_with_their_text() -> None:
    """M3"""
    parts = "".join(
        f"<div><button class=accordion__button aria-expanded=false>{name}</button><div>{sentences(name, 2)}</div></div>"
        for name in ("Springs", "River beds", "Deltas")
    )
    text = markdown(f"<button class='accordion-all'>Expand all</button>{parts}")
    for name in ("Springs", "River beds", "Deltas"):
        assert f"\n{name}\n\nThis is sentence 0 about {name}" in text
    assert "Expand all" not in text


def test_a_heading_that_is_a_button_is_a_heading() -> None:
    """M3"""
    assert "\n## Springs\n" in markdown(f"<h2><button>Springs</button></h2>{sentences('water')}")


def test_prices_that_nobody_sees_go() -> None:
    """M3"""
    price = (
        "<p class=price><del aria-hidden=true>39 €</del> <span class=screen-reader-text>Price was: 39 €.</span>"
        "<ins aria-hidden=true>29 €</ins><span class=screen-reader-text>Current price is: 29 €.</span></p>"
    )
    theme = (
        "<div class=price><div class=price__container>"
        "<div class=price__regular><span>Regular price</span> <span>$19.99</span></div>"
        "<div class=price__sale><span>Sale price</span> <span>$19.99</span></div></div></div>"
    )
    text = markdown(f"<p>The boat is for sale, and this is what it costs today:</p>{price}{theme}")
    assert "~~39 €~~ 29 €\n" in text
    assert "Sale price" not in text


@pytest.mark.parametrize("head", ["", "<tr><td colspan=2>Bridge Town</td></tr>"])
def test_a_table_that_lays_out_a_page_is_judged_part_by_part(head: str) -> None:
    """M3"""
    menu = "<br>".join(f"<a href=/m/{number}>Menu {number}</a>" for number in range(7))
    row = f"<tr><td>{menu}</td><td>{sentences('bridges', 3)}</td></tr>"
    html = f"<title>Bridges</title><body><table>{head}{row}</table></body>"
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    text = to_markdown(content_of(document, "main"), "https://example.org/")
    assert text.startswith("This is sentence 0 about bridges")
    assert text.count("\n\n") == 2


def test_steps_with_paragraphs_may_say_the_same() -> None:
    """M3"""
    said = f"Wait until the water is {'very ' * 20}calm, and look at the other bank; then take up the oars again."
    steps = "".join(
        f"<li><p>{text}</p></li>" for text in ("Row to the left.", said, "Row to the right.", said, "Land.")
    )
    assert markdown(f"<ol>{steps}</ol>").count(said) == 2


def test_many_labels_take_one_look_each() -> None:
    """U10"""
    begun = time.process_time()
    assert markdown("<p>Table of contents</p><p>This is a sentence of some length, and it says something.</p>" * 20_000)
    assert markdown(f"<h2>{'<button>x</button>' * 20_000}</h2>")
    assert time.process_time() - begun < 40


def test_a_term_is_not_kept_without_what_it_means() -> None:
    """M3"""
    text = markdown(
        "<dl><dt>Joined</dt><dd><a href=/d>Share</a> <a href=/e>Subscribe</a> <a href=/f>Log in</a></dd></dl>"
    )
    assert ("Joined" in text) == ("Subscribe" in text)


def test_a_paragraph_of_one_link_between_two_others_is_kept_but_in_an_article() -> None:
    """M3"""
    link = '<p><a href="/read">Read more stories about the sea here</a></p>'
    assert "[Read more stories" in markdown(link)
    assert "[Read more stories" not in markdown(link, ARTICLE)


def test_an_item_is_not_kept_without_what_it_is_called() -> None:
    """M3"""
    parts = "".join(
        f"<li><a href=/{number}>Where the river number {number} springs, and why, and how far it goes</a>.</li>"
        for number in range(4)
    )
    text = markdown(f"<ul><li><a href=/a>Share</a><ul>{parts}</ul></li></ul>")
    assert "- [Share](https://example.org/a)\n  - [Where the river number 0" in text


def test_a_table_with_heads_between_paragraphs_of_an_article_is_kept() -> None:
    """M3"""
    rows = "".join(f"<tr><td><a href=/{name}>{name}</a></td><td>km</td></tr>" for name in ("Elbe", "Oder", "Main"))
    table = f"<table><tr><th>Name</th><th>Unit</th></tr>{rows}</table>"
    row = "| [Oder](https://example.org/Oder) | km |"
    assert row in markdown(table, ARTICLE)
    assert row in markdown(f"<p>They are these:</p>{table}<h2>More</h2>", ARTICLE)


def test_a_table_of_links_with_heads_is_kept_in_the_midst_of_a_text_and_nowhere_else() -> None:
    """M3: with its own heading, and whatever is around the table alone"""
    rows = "".join(
        f"<tr><td>{9 - number}</td><td><a href=/w/{number}>keeper-{number}</a></td></tr>" for number in range(6)
    )
    table = f"<table><tr><th>Locks</th><th>Keeper</th></tr>{rows}</table>"
    text = markdown(f"<h3>Keepers</h3><figure>{table}</figure><h3>More</h3>")
    assert "### Keepers\n\n| Locks | Keeper |" in text
    assert "| 4 | [keeper-5](https://example.org/w/5) |" in text
    beside = f"<body>{LINKS}<div><h1>Rivers</h1>{sentences('springs', 12)}</div><div>{table}</div>{LINKS}</body>"
    document, _ = decode(beside.encode(), "text/html; charset=utf-8")
    assert "keeper-5" not in to_markdown(content_of(document, "main"), "https://example.org/")
