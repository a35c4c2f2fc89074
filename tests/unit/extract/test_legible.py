"""What a reader sees and the markup does not say."""

from __future__ import annotations

import pytest

from quire.extract.content import content_of
from quire.extract.decode import decode


def text(html: str, part: str = "main") -> str:
    document, _ = decode(f"<body>{html}".encode(), "text/html; charset=utf-8")
    return " ".join(content_of(document, part)[0].text.split())


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        ("<h4><span>amount</span><span>integer</span></h4>", "amount integer"),
        ("<div><a href=a>Health</a><a href=b>Statistics</a></div>", "Health Statistics"),
        ("<li><span>5</span><span>stars</span><time>2026</time></li>", "5 stars 2026"),
        ("<div><span><b>Posted</b></span><a href=a>yesterday</a></div>", "Posted yesterday"),
        ("<dt><a href=a>Global</a><wbr><span class=stab>Experimental</span></dt>", "Global Experimental"),
        ("<li><b>Industry knowledge</b>Our team has it</li>", "Industry knowledge Our team has it"),
        ("<p><strong>Is it late?</strong>No.</p>", "Is it late? No."),
        ("<div><span>1h 54m</span><span>R</span></div>", "1h 54m R"),
        ("<div><span>5</span><span>USD</span></div>", "5 USD"),
        ("<div><span>Item number:</span><span>296607</span></div>", "Item number: 296607"),
        ("<div><span>15%</span><span>off</span><span>☆</span><span>12</span></div>", "15% off☆ 12"),
        ("<div><span>On-ear&#8203;</span><span>&#8203;Connection</span></div>", "On-ear\u200b \u200bConnection"),
        ("<div><span>Author</span><span>J. B. Mack</span></div>", "Author J. B. Mack"),
        ("<div><span role=tab>C</span><span role=tab>C#</span></div>", "C C#"),
        ("<h2><span>📄\ufe0f</span><span>Install</span></h2>", "📄\ufe0f Install"),
        ("<h2><span>📄\ufe0f</span><span>@kettle/lid</span></h2>", "📄\ufe0f @kettle/lid"),
        ("<li><a rel=tag href=a>Kettles<span>16</span></a></li>", "Kettles 16"),
    ],
)
def test_labels_side_by_side_are_words_apart(html: str, seen: str) -> None:
    """M1, M3"""
    assert text(html) == seen


@pytest.mark.parametrize(
    "html",
    [
        "<p><span>Hel</span><span>lo</span></p>",
        "<div>Say <span>hel</span><span>lo</span></div>",
        "<h1><span>W</span><span>hy</span></h1>",
        "<div><span>1</span><span>9</span></div>",
        "<div><span>10:</span><span>30</span></div>",
        "<div><span>20°</span><span>C</span></div>",
        "<div><span>G</span><span>M</span></div>",
        "<div><span>漢字</span><span>かな</span></div>",
        "<div><span>os.</span><span>path</span></div>",
        "<pre><span>10</span><span>px</span></pre>",
        "<code><span>10</span><span>px</span></code>",
        "<pre><div><span>10</span><span>px</span></div></pre>",
        "<div><span>H</span><sub>2</sub><span>O</span></div>",
        "<div><b>un</b><i>likely</i></div>",
        "<p><b><span>un</span><span>likely</span></b></p>",
        "<p><span>un</span><wbr><span>likely</span></p>",
        "<p><b>Java</b>Script</p>",
        "<div><a href=a>Try<wbr>Current<wbr>Error</a></div>",
        "<div><a href=a>CO<span>2</span></a></div>",
        "<div><a rel=tag href=a>Kett<span>le</span></a></div>",
        "<div><span>ann</span><span>@kettle.example</span></div>",
    ],
)
def test_parts_of_a_word_stay_together(html: str) -> None:
    """M1"""
    assert " " not in text(html).removeprefix("Say ")


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        ("<p><i class=icons aria-hidden=true>local_offer</i> Spring sale ends</p>", "Spring sale ends"),
        ("<p>Price <span aria-hidden=true>•</span><span>$42</span></p>", "Price $42"),
        ("<p>Price: <span aria-hidden=true>10</span> e</p>", "Price: e"),
        ("<p>It <span aria-hidden=true>is most of it</span></p>", "It is most of it"),
        ("<pre><i aria-hidden=true>x</i> = a long line of code</pre>", "x = a long line of code"),
        ("<h1><span aria-hidden=true>W</span><span aria-hidden=true>hy</span></h1>", "Why"),
        ("<div aria-hidden=true>A slide that is not shown yet</div>", "A slide that is not shown yet"),
    ],
)
def test_decoration_is_no_text_where_there_is_other(html: str, seen: str) -> None:
    """M1, M3"""
    assert text(html) == seen


@pytest.mark.parametrize(
    ("label", "seen"),
    [("<span>ab</span>", "ab "), ("<i aria-hidden=true>ab</i>", "ab"), ("<i aria-hidden=true>ab</i>cde", "cde")],
)
def test_a_hundred_thousand_labels_take_one_look_each(label: str, seen: str) -> None:
    """U10"""
    assert text(f"<div>{label * 100_000}</div>") == (seen * 100_000).strip()
