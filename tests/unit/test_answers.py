"""What an answer means for its URL (P4-P6, R4, S13, M6)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from quire.answers import is_fresh, kind_of, outcome_of_error, outcome_of_status, seconds_to_wait
from quire.config import build
from quire.errors import BadResponse, FetchError, TimedOut, Unreachable
from quire.records import Failed, Lease, Link, Response, Retry, Skipped
from quire.settings import Settings

URL = "http://127.0.0.1/page"
NOW = datetime(2024, 5, 6, 12, 0, 0, tzinfo=UTC)


def settings(**values: object) -> Settings:
    return build([URL], values)


def lease(attempts: int = 0) -> Lease:
    return Lease(1, 1, Link(URL, 1, "a"), attempts)


def answer(status: int, retry_after: str | None = None) -> Response:
    return Response(URL, status, "text/html", retry_after=retry_after)


@pytest.mark.parametrize("status", [200, 203, 226])
def test_a_good_status_leaves_the_decision_to_the_body(status: int) -> None:
    """P6"""
    assert outcome_of_status(answer(status), lease(), settings()) is None


@pytest.mark.parametrize(("status", "reason"), [(404, "not-found"), (410, "gone"), (204, "no-content")])
def test_a_page_that_is_not_there_is_skipped(status: int, reason: str) -> None:
    """P6"""
    outcome = outcome_of_status(answer(status), lease(), settings(on_error="retry"))
    assert isinstance(outcome, Skipped)
    assert outcome.reason == reason


@pytest.mark.parametrize("status", [206, 400, 401, 403, 418, 451, 500, 502, 503, 504, 599])
def test_other_statuses_fail_at_once(status: int) -> None:
    """P6, R4"""
    outcome = outcome_of_status(answer(status), lease(), settings())
    assert outcome == Failed(f"http-{status}", f"the server answered {status}")


def test_a_5xx_gets_three_later_tries_in_retry_mode() -> None:
    """S7, R4"""
    retry = settings(on_error="retry")
    for attempts in range(3):
        outcome = outcome_of_status(answer(500), lease(attempts), retry)
        assert isinstance(outcome, Retry)
        assert outcome.later
        assert not outcome.pause
    assert isinstance(outcome_of_status(answer(500), lease(3), retry), Failed)
    assert isinstance(outcome_of_status(answer(403), lease(), retry), Failed)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("retry_after", "after"), [("7", 7.0), (" 7 ", 7.0)])
def test_retry_after_pauses_the_host(status: int, retry_after: str, after: float) -> None:
    """P4"""
    outcome = outcome_of_status(answer(status, retry_after), lease(), settings())
    assert isinstance(outcome, Retry)
    assert (outcome.pause, outcome.after) == (True, after)


def test_a_429_without_retry_after_leaves_the_pause_to_the_back_off() -> None:
    """P4"""
    outcome = outcome_of_status(answer(429), lease(), settings())
    assert isinstance(outcome, Retry)
    assert (outcome.pause, outcome.after) == (True, 0.0)


def test_a_server_that_never_has_time_fails_in_the_end() -> None:
    """P4"""
    assert isinstance(outcome_of_status(answer(429), lease(50), settings()), Failed)
    assert isinstance(outcome_of_status(answer(429, "601"), lease(), settings()), Failed)
    assert isinstance(outcome_of_status(answer(429, "600"), lease(), settings()), Retry)
    assert isinstance(outcome_of_status(answer(429, "2"), lease(), settings(max_wait=1)), Failed)


def test_no_answer_is_tried_again_with_growing_waits() -> None:
    """P5"""
    for error in (TimedOut("slow"), Unreachable("refused")):
        waits = []
        for attempts in range(3):
            outcome = outcome_of_error(error, lease(attempts), settings(retry_delay=0.5))
            assert isinstance(outcome, Retry)
            assert outcome.reason == error.reason
            waits.append(outcome.after)
        assert waits == [0.5, 1.0, 2.0]
        assert outcome_of_error(error, lease(3), settings()) == Failed(error.reason, str(error))


@pytest.mark.parametrize(
    "error", [Unreachable("no such host", permanent=True), BadResponse("not HTTP"), BadResponse("big", "too-large")]
)
def test_what_asking_again_cannot_help_fails_at_once(error: FetchError) -> None:
    """P5"""
    assert outcome_of_error(error, lease(), settings(on_error="retry")) == Failed(error.reason, str(error))


def test_no_answer_gets_three_more_tries_in_retry_mode() -> None:
    """S7, P5"""
    retry = settings(on_error="retry", retries=1)
    later = [outcome_of_error(TimedOut("slow"), lease(attempts), retry) for attempts in range(5)]
    assert [isinstance(each, Retry) and each.later for each in later] == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (None, 0.0),
        ("", 0.0),
        ("0", 0.0),
        ("120", 120.0),
        ("-5", 0.0),
        ("1.5", 0.0),
        ("soon", 0.0),
        ("９", 0.0),
        ("9" * 5000, 1e9),
        ("Mon, 06 May 2024 12:00:30 GMT", 30.0),
        ("Mon, 06 May 2024 12:00:30 -0000", 30.0),
        ("Mon, 06 May 2024 14:00:30 +0200", 30.0),
        ("Monday, 06-May-24 12:00:30 GMT", 30.0),
        ("Mon May  6 12:00:30 2024", 30.0),
        ("Mon, 06 May 2024 11:59:00 GMT", 0.0),
        ("Mon, 99 May 2024 11:59:00 GMT", 0.0),
        ("Mon, 06 May 99999 11:59:00 GMT", 0.0),
        ("\x00", 0.0),
        ("Mon, 01 Jan 2024 00:00:00 +99999999999999999", 0.0),
    ],
)
def test_retry_after_is_read_in_either_form(text: str | None, seconds: float) -> None:
    """P4, U10"""
    assert seconds_to_wait(text, NOW) == seconds


@pytest.mark.parametrize(
    ("content_type", "body", "kind"),
    [
        ("text/html", b"", None),
        ("TEXT/HTML; charset=utf-8", b"", None),
        ("application/xhtml+xml", b"", None),
        ("text/plain", b"<html>", "text/plain"),
        ("application/pdf", b"", "application/pdf"),
        ("image/svg+xml", b"<svg>", "image/svg+xml"),
        ("", b"<!DOCTYPE html><p>", None),
        ("", b"  \n<html>", None),
        ("", b"%PDF-1.7", "application/pdf"),
        ("", b"", ""),
        ("", b'<?xml version="1.0"?><rss>', ""),
        ("", b'{"json": 1}', ""),
        ("text/html", b"%PDF-1.7", "application/pdf"),
        ("text/html; charset=utf-8", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("text/html", b"PK\x03\x04", "application/zip"),
        ("text/html", b"PK is a code", None),
        ("text/html", b"<p>%PDF-1.7", None),
    ],
)
def test_a_page_is_told_by_its_type_or_its_beginning(content_type: str, body: bytes, kind: str | None) -> None:
    """M6: programs that hand out a file often call it a page"""
    assert kind_of(Response(URL, 200, content_type, body)) == kind


@pytest.mark.parametrize(
    ("lastmod", "fresh"),
    [
        (None, False),
        ("", False),
        ("2024-05-06T11:59:59Z", True),
        ("2024-05-06T11:59:59+00:00", True),
        ("2024-05-06T13:59:59+02:00", True),
        ("2024-05-06T12:00:01Z", False),
        ("2024-05-06T12:00:00Z", False),
        ("2024-05-06T11:59", True),
        ("2024-05-06T11:59:59.123456Z", True),
        ("2024-05-05", True),
        ("2024-05-06", False),
        ("2024-05", False),
        ("yesterday", False),
        ("9999-12-31", False),
        ("0001-01-01", True),
        ("0001-01-01T00:00:00+14:00", True),
    ],
)
def test_a_lastmod_before_the_file_is_fresh(lastmod: str | None, fresh: bool) -> None:
    """S13: a date alone may mean any hour of that day"""
    assert is_fresh(lastmod, NOW.timestamp()) is fresh
    assert is_fresh(lastmod, None) is False


@pytest.mark.parametrize(
    ("fetched_at", "fresh"),
    [("2024-05-06T11:30:00Z", True), ("2024-05-06T10:30:00Z", False), ("", True), ("lunch", True)],
)
def test_a_file_that_was_written_again_is_as_old_as_its_page(fetched_at: str, fresh: bool) -> None:
    """S13, M7: links may be made anew at any time"""
    assert is_fresh("2024-05-06T11:00:00Z", NOW.timestamp(), fetched_at) is fresh


def test_a_file_from_the_future_is_not_fresh() -> None:
    """S13: a clock that was wrong when the page was fetched hides no change"""
    now = datetime.now(UTC)
    tomorrow, hour = now + timedelta(days=1), now - timedelta(hours=1)
    assert not is_fresh(hour.isoformat(), tomorrow.timestamp(), tomorrow.isoformat())
    assert not is_fresh(hour.isoformat(), tomorrow.timestamp())
    assert is_fresh(hour.isoformat(), tomorrow.timestamp(), now.isoformat())


def test_a_later_file_is_fresh() -> None:
    """S13"""
    assert is_fresh("2024-05-06", (NOW + timedelta(days=1)).timestamp())
