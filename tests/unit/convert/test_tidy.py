"""The last look at a page's Markdown."""

import time

import pytest

from quire.convert.tidy import tidied


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u200bb\ufeffc\u2060d\u00ade", "abcde\n"),
        ("a\x00b\x9fc", "abc\n"),
        ("one\u2028two", "one two\n"),
        ("a\n\n\u200d\n\nb", "a\n\nb\n"),
        ("a\n\n\u200b\n\nb", "a\n\nb\n"),
        ("\u200b\n\na", "a\n"),
        ("a&#160;\n\nb&#160;&#160; \n\nc&#8239;&#160;", "a\n\nb\n\nc\n"),
        ("| a&#160; &#160;| b |", "| a | b |\n"),
        ("| \u00a0a | [b](x)\u00a0 \u00a0 |\n| \u00a0 | c \\| \u00a0d |", "| a | [b](x) |\n|  | c \\| \u00a0d |\n"),
        ("> | a\u00a0 |\n\n  | b\u00a0c\u00a0 |", "> | a |\n\n  | b\u00a0c |\n"),
        ("excluded\\_\u200b\u200bplace", "excluded\\_place\n"),
        ("&#160;*“No*\n\n&#160;***a***\n\n&#160;» b", "*“No*\n\n***a***\n\n» b\n"),
        ("&#160;word\n\n  &#160; &#160;**strong** &#160;[a](x)", "word\n\n  **strong** &#160;[a](x)\n"),
        ("&#160; 2 minute read &#160;\n\n&#160;\\[a\\]\n\n&#160;![b](x)", "2 minute read\n\n\\[a\\]\n\n![b](x)\n"),
        ("&#160; #1\n\n&#160;*“a”* b\n\n&#160;***» c***", "#1\n\n*“a”* b\n\n***» c***\n"),
        ("- &#160;[a](x)\n  1. &#160;b\n\n> &#160;(c)\n\n&#160;`d`", "- [a](x)\n  1. b\n\n> (c)\n\n`d`\n"),
        ("a \n\n\n\nb  \n", "a\n\nb\n"),
        ("one&#8232;two", "one two\n"),
        ("## 1&#8195;Title\n\n*a*&#8196;=&#8196;*b* &#8195;c&#8195;", "## 1 Title\n\n*a* = *b* c\n"),
        ("a\\\n\nb\\\n", "a\n\nb\n"),
    ],
)
def test_what_nobody_sees_is_gone(text: str, expected: str) -> None:
    """M1"""
    assert tidied(text) == (expected, expected.encode())


@pytest.mark.parametrize(
    "text",
    [
        "👨\u200d👩\u200d👧 می\u200cخواهم \u200fעברית\n",
        "ภาษา\u200bไทย ភាសា\u200bខ្មែរ\n",
        "`\u200b` is a space without width, `\u00ad` a hyphen\n",
        "```\na\u200b\u00adb \n\n\n\nc&#160;\n```\n",
        "&#160;# no heading\n\n&#160;- no item\n\n&#160;1. no item either\n\n&#160;12) nor this\n",
        "10&#160;km and &#169;\n",
        "a\u00a0 | b | \u00a0c\n\n```\n| a\u00a0 |\n```\n",
        "&#160;* no item\n\n&#160;***\n\n&#160;** *\n",
        "10&#8201;000&#8239;km\n\n## C&#8195;#\n\n&#8195;- no item\n",
        "&#160;* no item\n\n&#160;***\n\n&#160;#\n\n&#160;###### a\n",
        "- &#160;# a\n\n&#160;```\n\na - &#160;b\n",
        "\u200b# no heading\n\n\u200b- no item\n\nfoo\\\n\u200b===\n",
        "Hello *\u200b* and [\u200b](x)\n",
        "Use `&#8232;` or \\&#160;\n\n| \\&#160; | \\&#8194; |\n",
        "one\\\ntwo\\\\\n\nthree\n",
    ],
)
def test_what_says_something_stays(text: str) -> None:
    """M1"""
    assert tidied(text) == (text, text.encode())


@pytest.mark.parametrize(
    "text",
    [
        *("&#160;", "&#160; ", " ", "\u200b", "\u200d", "\n\u200d", " \n", "\n \n", "\\\n", "a\u200b", "\u200ba"),
        *("| \u00a0", "| a\u00a0 |\n"),
    ],
)
def test_a_million_of_one_sign_take_one_look_each(text: str) -> None:
    """U10"""
    begun = time.process_time()
    tidied(text * 1_000_000 + "x")
    assert time.process_time() - begun < 20
