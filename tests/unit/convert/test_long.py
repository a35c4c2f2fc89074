"""Pages that go on and on: with work that grows faster than they do, they would take minutes together."""

import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode

CELLS = "<table><tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td>"


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://e.org/")


@pytest.mark.parametrize(
    ("html", "ending"),
    [
        (f"{CELLS}<pre>{' ' * 100_000}x\ny</pre></table>", "x\ny</code></pre></td></tr>\n</table>"),
        (f"<p><math><msup><mi>x</mi><mn>2</mn></msup>{'<mi>sin</mi><mi>x</mi>' * 25_000}</math>", "sin x$"),
        (f"<h1><table><tr>{'<td align=right>x' * 40_000}</table></h1>", "x"),
        (f"<p>{'<a href=#x>↩</a>' * 45_000}", "[↩](https://e.org/#x)"),
        (f"<picture>{'<img src=blank.gif alt=a>' * 12_000}{'<wbr>' * 500_000}</picture>x", "ax"),
        (f"<dl><dt>{'<a href=x>y</a> ' * 20_000}- {'𝑧' * 2_000_000}<dt><a href=x>y</a></dl>", "- [y](https://e.org/x)"),
        (f"<h1 class=ltx_t>T</h1><ul><li>{'<i class=ltx_tag_item>a b</i>' * 40_000}<p>x</ul>", "*a b* x"),
        (f"<p><a href=x>{'<svg><title>a</title></svg>' * 50_000}</a>", "[a](https://e.org/x)"),
        (f"<p><code>{'𝑧' * 2_000_000}{'<i>x</i>' * 50_000}<br>y</code>", "x\ny\n```"),
        (f"<h1> {'𝑧' * 2_000_000}{'<i>x</i>' * 50_000}</h1>", "x*"),
        (f"{'<dl><dt>a<dd>' * 200}<dl>{'<dt>a<dd><dl><dt><a href=x>b</a></dl>' * 5_000}<dt>a<dd><dl><dt>a<dd>x", "x"),
        ("<div class='ulist checklist'>" * 400 + "<ul>" + "<li><p>x</p>" * 30_000, "- x"),
    ],
)
def test_a_long_page_takes_no_longer_for_each_of_its_words(html: str, ending: str) -> None:
    """M1"""
    assert markdown(html).rstrip("\n").endswith(ending)
