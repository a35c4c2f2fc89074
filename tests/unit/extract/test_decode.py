import codecs

import pytest

from quire.extract.decode import decode


def text_of(body: bytes, content_type: str = "") -> str:
    document, _ = decode(body, content_type)
    return document.root.text if document.root else ""


def encoding_of(body: bytes, content_type: str = "") -> str:
    return decode(body, content_type)[1].lower()


def test_a_byte_order_mark_wins_over_header_and_meta() -> None:
    """M2, R9"""
    body = codecs.BOM_UTF8 + "<meta charset=windows-1251><p>naïve".encode()
    assert encoding_of(body, "text/html; charset=shift_jis") == "utf-8"
    assert text_of(body, "text/html; charset=shift_jis") == "naïve"


@pytest.mark.parametrize(("codec", "mark"), [("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE)])
def test_utf_16_is_read_by_its_mark(codec: str, mark: bytes) -> None:
    """M2, R9"""
    assert text_of(mark + "<p>naïve 漢字".encode(codec), "text/html; charset=utf-8") == "naïve 漢字"


def test_the_header_wins_over_meta() -> None:
    """M2, R9"""
    body = "<meta charset=utf-8><p>Привет".encode("windows-1251")
    assert text_of(body, "text/html; charset=windows-1251") == "Привет"


@pytest.mark.parametrize(
    "content_type",
    [
        'text/html; charset="windows-1251"',
        "text/html;charset='windows-1251'",
        "TEXT/HTML; CHARSET = CP1251",
        "text/html; boundary=x; charset=windows-1251; version=1",
    ],
)
def test_a_header_may_write_its_label_in_many_ways(content_type: str) -> None:
    """M2, R9"""
    assert text_of("<p>Привет".encode("windows-1251"), content_type) == "Привет"


@pytest.mark.parametrize("label", ["klingon", "utf-7", "", "é", "\x00", "none", '"'])
def test_an_unknown_label_in_the_header_is_no_label(label: str) -> None:
    """M2, R9"""
    body = "<meta charset=windows-1251><p>Привет".encode("windows-1251")
    assert text_of(body, f"text/html; charset={label}") == "Привет"


def test_a_label_that_browsers_refuse_does_not_lose_the_page() -> None:
    """M2, R9"""
    assert text_of(b"<p>plain words", "text/html; charset=iso-2022-kr") == "plain words"
    assert text_of(b"<meta charset=hz-gb-2312><p>plain words") == "plain words"


def test_meta_wins_over_detection_even_far_down_the_page() -> None:
    """M2, R9"""
    body = "<p>{}<meta charset=windows-1251><p>Привет".format(" " * 3000).encode("windows-1251")
    assert encoding_of(body) == "windows-1251"


def test_what_is_called_utf_8_and_has_no_letter_in_it_is_read_as_what_it_is() -> None:
    """M2, R9: a server's default for all files; one letter in UTF-8 is enough to believe it"""
    utf_8 = "text/html; charset=utf-8"
    assert text_of("<p>Grüße, José".encode("latin-1"), utf_8) == "Grüße, José"
    assert text_of("<meta charset=utf-8><p>It’s".encode("windows-1252"), utf_8) == "It’s"
    assert text_of("<meta charset=windows-1251><p>Привет".encode("windows-1251"), utf_8) == "Привет"
    assert text_of("<meta charset=utf-8><p>José".encode("latin-1")) == "José"
    assert text_of("<p>José".encode() + b", Jos\xe9", utf_8) == "José, Jos�"
    assert text_of(codecs.BOM_UTF8 + b"<p>Jos\xe9", utf_8) == "Jos�"


def test_letters_in_utf_8_are_read_as_such_whatever_meta_says() -> None:
    """M2"""
    page = '<meta charset="iso-8859-1"><p>José</p>'
    assert text_of(page.encode()) == text_of(page.encode("latin-1")) == "José"
    assert text_of(page.encode(), "text/html; charset=iso-8859-1") == "JosÃ©"
    assert text_of('<meta charset="iso-8859-1"><p>José\x92s'.encode()) == "José’s"


@pytest.mark.parametrize(
    "prologue",
    [
        '<?xml version="1.0"?><html>',
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" ""><html>',
        '<html xmlns="http://www.w3.org/1999/xhtml">',
    ],
)
def test_elements_that_xhtml_closes_are_closed(prologue: str) -> None:
    """M1"""
    document, _ = decode(f'{prologue}<body><iframe src="x" /><p>One<a id="y"/>, two<br/>three'.encode(), "text/html")
    assert [element.text for element in document.select("iframe,a,p")] == ["", "One, twothree", ""]


def test_a_slash_at_the_end_of_a_value_closes_nothing() -> None:
    """M1"""
    document, _ = decode(b"<?xml version='1.0'?><p><a href=x/>one</a>", "text/html")
    assert [link.text for link in document.find_all("a")] == ["one"]


def test_an_xml_declaration_names_the_encoding_where_meta_does_not() -> None:
    """M2, R9"""
    body = '<?xml version="1.0" encoding="windows-1251"?><p>щ'.encode("windows-1251")
    assert encoding_of(body, "application/xhtml+xml") == "windows-1251"
    assert text_of(b'<?xml version="1.0" encoding="utf-16"?><p>words') == "words"
    assert text_of(b'<?xml version="1.0" encoding="klingon"?><p>words') == "words"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_seen_by_its_zero_bytes(codec: str) -> None:
    """M2, R9"""
    assert text_of("<p>words".encode(codec)) == "words"


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("utf-8", "naïve café"),
        ("windows-1252", "naïve café"),
        ("shift_jis", "これは日本語の文章です。漢字とかなが混ざっています。"),
        ("euc_kr", "한국어로 쓴 문장입니다. 글자 집합을 찾아야 합니다."),
        ("windows-1251", "Это русский текст, написанный по-русски."),
        ("gb18030", "这是一段用简体中文写成的文字，需要猜测它的编码。"),
    ],
)
def test_what_nothing_declares_is_detected(codec: str, text: str) -> None:
    """M2, R9"""
    assert text_of(f"<p>{text}".encode(codec), "text/html") == text


def twice(text: str) -> bytes:
    """What a program writes that takes UTF-8 for Latin-1."""
    return text.encode().decode("latin-1").encode()


def test_a_page_that_was_encoded_twice_is_read_as_it_was_meant() -> None:
    """M2: browsers show `itâ` and a control character there"""
    assert text_of(b"<meta charset=utf-8><p>" + twice("it’s a café in 東京 😀")) == "it’s a café in 東京 😀"
    assert text_of(twice("<p>“À la carte”"), "text/html; charset=utf-8") == "“À la carte”"


def test_characters_that_were_encoded_twice_are_read_as_they_were_meant_on_a_page_that_was_not() -> None:
    """M2"""
    body = "<p>“naïve” ".encode() + twice("it’s 😀") + b"\xff"
    assert text_of(body, "text/html; charset=utf-8") == "“naïve” it’s 😀\ufffd"


@pytest.mark.parametrize(
    "text", ["PASSÉ\u00a0» Ã© Â®", "â€™ is what becomes of ’", "ô\x90\x80\x80", "â\x85", "Spaß\x94 x", "CAFÉ\x92S"]
)
def test_what_only_looks_like_it_stays_as_it_is(text: str) -> None:
    """M2"""
    assert text_of(f"<p>{text}".encode(), "text/html; charset=utf-8") == text


@pytest.mark.parametrize("body", [b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"<", bytes(range(256)) * 4])
def test_any_bytes_are_a_page(body: bytes) -> None:
    """M2, U10"""
    document, encoding = decode(body, "text/html; charset=utf-8")
    assert document.root is not None
    assert encoding


def test_what_xhtml_declares_is_no_text() -> None:
    """R9: gitweb"""
    prologue = '<?xml version="1.0"?><!DOCTYPE html [ <!ENTITY nbsp "&#xA0;"> <!ENTITY sdot "&#x22C5;"> ]>'
    document, _ = decode(f"{prologue}<html><body><p>a&sdot;b</p></body></html>".encode(), "text/html; charset=utf-8")
    assert document.root is not None
    assert document.root.text.strip() == "a⋅b"
