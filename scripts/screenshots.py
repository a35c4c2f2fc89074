"""Take the pictures in docs/images: the Python documentation, crawled, in the report and in the service.

    .venv/bin/python scripts/screenshots.py

Needs Chromium and Debian's python3-doc. Each view is one picture of four: light and dark, desktop and phone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
SITE = "/usr/share/doc/python3-doc/html"
QUIRE = (sys.executable, "-m", "quire")
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
REPORT_VIEWS = ("overview", "pages", "tree", "graph", "problems", "charts", "page/40")
SERVICE_VIEWS = ("overview", "pages", "page/40", "filters", "crawls", "settings")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None: ...


@contextmanager
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@contextmanager
def service(folder: Path) -> Iterator[str]:
    port = "8398"
    command = [*QUIRE, "serve", "--port", port, "--data-dir", str(folder), "--allow-private", "--rate-limit", "0"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)  # noqa: S603 - our own command
    root = f"http://127.0.0.1:{port}"
    for _ in range(120):
        try:
            ask("GET", f"{root}/healthz")
            break
        except OSError:
            time.sleep(0.5)
    yield root
    process.terminate()
    process.wait()


def ask(method: str, url: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - loopback
        return json.load(answer)


def shoot(browser: Browser, address: str, view: str, name: str, *, compare: bool = False) -> dict[str, bytes]:
    """Take a view four times; the picture with all of them is `name`."""
    taken = {}
    for device, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
            page = context.new_page()
            page.goto(f"{address}#/{view}" if view else address)
            page.wait_for_selector("main > *")
            page.wait_for_selector("[aria-busy]", state="detached")
            page.wait_for_timeout(100)
            if compare:
                page.get_by_role("button", name="Compare").click()
                page.wait_for_timeout(500)
            taken[f"{device}-{theme}"] = page.screenshot(animations="disabled")
            context.close()
    _together(browser, taken, IMAGES / f"{name}.jpg")
    sys.stdout.write(f"docs/images/{name}.jpg\n")
    return taken


def _together(browser: Browser, taken: dict[str, bytes], path: Path) -> None:
    """Put four pictures side by side, at half their size."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in taken.items():
            (Path(folder) / f"{name}.png").write_bytes(data)
        images = "".join(f'<img src="{name}.png" height="450">' for name in taken)
        sheet = Path(folder) / "sheet.html"
        sheet.write_text(f'<body style="margin:0;padding:12px;display:flex;gap:12px;background:#999">{images}')
        page = browser.new_page(viewport={"width": 1772, "height": 474})
        page.goto(sheet.as_uri())
        page.screenshot(path=path, type="jpeg", quality=80)
        page.close()


def shoot_report(browser: Browser, start: str, folder: Path) -> None:
    pace = ["--delay", "0", "--concurrency", "16", "--per-host", "16", "-q"]
    subprocess.run([*QUIRE, "mirror", start, "-o", str(folder), *pace], check=False)  # noqa: S603 - our own command
    address = (folder / "_report.html").as_uri()
    for view in REPORT_VIEWS:
        taken = shoot(browser, address, view, f"report-{view.partition('/')[0]}")
        if view in ("overview", "graph"):
            theme = "light" if view == "overview" else "dark"
            (IMAGES / f"{view}-{theme}.png").write_bytes(taken[f"desktop-{theme}"])


def shoot_service(browser: Browser, start: str, folder: Path) -> None:
    with service(folder) as root:
        api = f"{root}/api/v1/projects"
        shoot(browser, root, "", "service-empty")
        settings = {"delay_seconds": 0, "max_pages": 300, "exclude_paths": "/c-api"}
        made = ask("POST", api, {"name": "Python documentation", "website_url": start, "settings": settings})
        project = f"{api}/{made['id']}"
        ask("POST", f"{project}/phases/crawl/run", {})
        _wait(project)
        settings = {"delay_seconds": 0.1, "max_pages": 400}
        ask("PATCH", project, {"settings": settings})
        ask("POST", f"{project}/phases/crawl/run", {})
        time.sleep(5)
        address = f"{root}/projects/{made['id']}"
        shoot(browser, address, "overview", "service-live")
        _wait(project)
        for view in SERVICE_VIEWS:
            shoot(browser, address, view, f"service-{view.partition('/')[0]}", compare=view == "crawls")
        shoot(browser, root, "", "service-projects")


def _wait(project: str) -> None:
    while ask("GET", f"{project}/phases/crawl/status")["status"] in ("pending", "in_progress"):
        time.sleep(0.5)


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with site() as start, tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        shoot_report(browser, start, Path(folder) / "mirror")
        shoot_service(browser, start, Path(folder) / "data")
        browser.close()


if __name__ == "__main__":
    main()
