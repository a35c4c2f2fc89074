"""Take the pictures in docs/images: the Python documentation, crawled, in the report and in the service.

    .venv/bin/python scripts/screenshots.py

Needs Chromium and Debian's python3-doc. Each view is one picture of four: light and dark, desktop and phone.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
SITE = Path("/usr/share/doc/python3-doc/html")
PAGE = "library/json.html"
QUIRE = (sys.executable, "-m", "quire")
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
REPORT_VIEWS = ("overview", "pages", "tree", "graph", "problems", "charts", "page/40")
SERVICE_VIEWS = ("overview", "pages", "tree", "graph", "problems", "charts", "filters", "settings")

Act = Callable[[Page], None]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None: ...


@contextmanager
def site(folder: Path) -> Iterator[str]:
    """Serve the documentation; what is changed in the folder is changed on the site."""
    shutil.copytree(SITE, folder, copy_function=os.symlink)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def edit(folder: Path) -> None:
    """Change a page, and take another one away."""
    page = folder / PAGE
    text = page.resolve().read_text("utf-8").replace("lightweight data interchange format", "small format for data")
    page.unlink()
    page.write_text(text, "utf-8")
    (folder / "library/pickle.html").unlink()


class Service:
    """`quire serve` on a data folder."""

    def __init__(self, folder: Path) -> None:
        port = "8398"
        self.root = f"http://127.0.0.1:{port}"
        command = [*QUIRE, "serve", "--port", port, "--data-dir", str(folder), "--allow-private", "--rate-limit", "0"]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)  # noqa: S603 - our own command
        for _ in range(120):
            try:
                ask("GET", f"{self.root}/healthz")
                break
            except OSError:
                time.sleep(0.5)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


def ask(method: str, url: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - loopback
        return json.load(answer)


def contexts(browser: Browser) -> Iterator[tuple[str, BrowserContext]]:
    for device, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            yield (
                f"{device}-{theme}",
                browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme),  # type: ignore[arg-type]
            )


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("main > *")
    page.wait_for_selector("[aria-busy]", state="detached")
    page.wait_for_timeout(100)
    return page


def shoot(browser: Browser, address: str, name: str, act: Act | None = None) -> dict[str, bytes]:
    """Take a page four times, after something was done on it; the picture with all of them is `name`."""
    taken = {}
    for kind, context in contexts(browser):
        page = opened(context, address)
        if act:
            act(page)
            page.wait_for_timeout(200)
        taken[kind] = page.screenshot(animations="disabled")
        context.close()
    together(browser, taken, name)
    return taken


def together(browser: Browser, taken: dict[str, bytes], name: str) -> None:
    """Put four pictures side by side, at half their size."""
    images = "".join(f'<img src="{kind}.png" height="450">' for kind in taken)
    text = f'<body style="margin:0;padding:12px;display:flex;gap:12px;background:#999">{images}'
    picture(browser, taken, text, (1772, 474), name)


def picture(browser: Browser, taken: dict[str, bytes], text: str, size: tuple[int, int], name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for kind, data in taken.items():
            (Path(folder) / f"{kind}.png").write_bytes(data)
        sheet = Path(folder) / "sheet.html"
        sheet.write_text(text)
        page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.goto(sheet.as_uri())
        page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=80)
        page.close()
    sys.stdout.write(f"docs/images/{name}.jpg\n")


def shoot_report(browser: Browser, start: str, folder: Path) -> None:
    pace = ["--delay", "0", "--concurrency", "16", "--per-host", "16", "-q"]
    subprocess.run([*QUIRE, "mirror", start, "-o", str(folder), *pace], check=False)  # noqa: S603 - our own command
    address = (folder / "_report.html").as_uri()
    for view in REPORT_VIEWS:
        taken = shoot(browser, f"{address}#/{view}", f"report-{view.partition('/')[0]}")
        if view in ("overview", "graph"):
            theme = "light" if view == "overview" else "dark"
            text = f'<body style="margin:0"><img src="desktop-{theme}.png">'
            picture(browser, taken, text, SIZES["desktop"], f"{view}-{theme}")


def shoot_service(browser: Browser, start: str, pages: Path, folder: Path) -> None:
    service = Service(folder)
    api = f"{service.root}/api/v1/projects"
    shoot(browser, service.root, "service-empty")
    settings = {"delay_seconds": 0, "max_pages": 300, "exclude_paths": "/c-api", "include_paths": "/library,/tutorial"}
    made = ask("POST", api, {"name": "Python documentation", "website_url": start, "settings": settings})
    project, address = f"{api}/{made['id']}", f"{service.root}/projects/{made['id']}"
    crawl(project)
    edit(pages)
    ask("PATCH", project, {"settings": settings | {"delay_seconds": 0.1, "include_paths": "/library,/tutorial,/howto"}})
    ask("POST", f"{project}/phases/crawl/run", {})
    time.sleep(5)
    shoot(browser, f"{address}#/overview", "service-live")
    wait(project)
    for view in SERVICE_VIEWS:
        shoot(browser, f"{address}#/{view}", f"service-{view}")
    page = ask("GET", f"{project}/pages?limit=1&url={start}{PAGE}")["items"][0]
    shoot(browser, f"{address}#/page/{page['id']}", "service-page")
    shoot(browser, f"{address}#/page/{page['id']}", "service-history", show_history)
    shoot(browser, f"{address}#/crawls", "service-crawls", compare)
    first = ask("GET", f"{project}/crawls")["items"][-1]
    shoot(browser, f"{address}?crawl={first['id']}#/overview", "service-earlier")
    shoot(browser, service.root, "service-projects")
    shoot_disconnected(browser, service, project, address)


def shoot_disconnected(browser: Browser, service: Service, project: str, address: str) -> None:
    """The service ends while pages are open that watch a crawl."""
    ask("POST", f"{project}/phases/crawl/run", {})
    time.sleep(2)
    watching = [(kind, context, opened(context, f"{address}#/overview")) for kind, context in contexts(browser)]
    service.stop()
    taken = {}
    for kind, context, page in watching:
        page.wait_for_selector(".connection[data-state=disconnected]")
        taken[kind] = page.screenshot(animations="disabled")
        context.close()
    together(browser, taken, "service-disconnected")


def show_history(page: Page) -> None:
    page.get_by_role("heading", name="History").evaluate("heading => heading.closest('section').scrollIntoView()")


def compare(page: Page) -> None:
    page.get_by_role("button", name="Compare").click()
    page.locator(".change summary", has_text=PAGE).click()
    page.locator(".diff").first.wait_for()
    page.get_by_role("heading", name="Compare two crawls").evaluate(
        "heading => heading.closest('section').scrollIntoView()"
    )


def crawl(project: str) -> None:
    ask("POST", f"{project}/phases/crawl/run", {})
    wait(project)


def wait(project: str) -> None:
    while ask("GET", f"{project}/phases/crawl/status")["status"] in ("pending", "in_progress"):
        time.sleep(0.5)


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, site(Path(place) / "site") as start, sync_playwright() as playwright:
        folder = Path(place)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        shoot_report(browser, start, folder / "mirror")
        shoot_service(browser, start, folder / "site", folder / "data")
        browser.close()


if __name__ == "__main__":
    main()
