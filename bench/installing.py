"""The peers and the sites, installed: Debian packages when this is root, others in environments of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

CACHE = Path(__file__).parent / ".peers"
LOCK = Path(__file__).parents[1] / "requirements.lock"

PACKAGES = ("nginx-light", "python3-doc", "openjdk-17-doc", "wget2", "wget", "httrack")
# What Quire runs on, as its users have it: the environment of its developers has more to import.
QUIRE = "quire"
ENVIRONMENTS: dict[str, tuple[str, ...]] = {
    QUIRE: tuple(line for line in LOCK.read_text("utf-8").splitlines() if not line.startswith("#")),
    "scrapy": ("Scrapy==2.19.0", "markdownify==1.2.3", "html2text==2025.4.15"),
    "crawlee": ("crawlee[parsel]==1.11.0", "markdownify==1.2.3"),
    "crawl4ai": ("crawl4ai==0.9.5",),
    "converters": (
        "markdownify==1.2.3",
        "html2text==2025.4.15",
        "trafilatura==2.3.1",
        "html-to-markdown==3.19.0",
        # trafilatura 2.3.1 imports it without asking for it.
        "lxml_html_clean",
    ),
}
# Its Python package has no wheel, and would be built from crates; Node's has the program ready-made.
NODE_ENVIRONMENTS: dict[str, tuple[str, ...]] = {
    "spider_rs": ("@spider-rs/spider-rs@0.0.157", "@spider-rs/spider-rs-linux-x64-gnu@0.0.157"),
}


def debian_version(package: str) -> str | None:
    """The version of an installed Debian package."""
    query = ["dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}", package]
    found = subprocess.run(query, capture_output=True, text=True, check=False).stdout.split()
    return found[1] if found[:1] == ["ii"] else None


def install_packages() -> None:
    """Install the Debian packages that are missing, or say how."""
    missing = [package for package in PACKAGES if debian_version(package) is None]
    if not missing:
        return
    # Container images leave documentation out; here it is what is crawled.
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends",
               "-o", "Dpkg::Options::=--path-include=/usr/share/doc/*", *missing]  # fmt: skip
    if os.geteuid() != 0:
        raise SystemExit(f"bench: these Debian packages are missing: apt-get install {' '.join(missing)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment, stdout=sys.stderr)
    subprocess.run(command, check=True, env=environment, stdout=sys.stderr)


def install_environment(name: str) -> str | None:
    """Make an environment ready; returns why it cannot be had, None when it can."""
    CACHE.mkdir(exist_ok=True)
    (CACHE / ".gitignore").write_text("*\n")
    packages = ENVIRONMENTS.get(name) or NODE_ENVIRONMENTS[name]
    if name in NODE_ENVIRONMENTS and shutil.which("node") is None:
        return "there is no node"
    stamp = CACHE / f"{name}.ready"
    if stamp.exists() and stamp.read_text() == "\n".join(packages):
        return None
    print(f"Installing {', '.join(packages)}", file=sys.stderr)
    if name in NODE_ENVIRONMENTS:
        command = ["npm", "install", "--silent", "--prefix", str(CACHE / name), *packages]
    else:
        subprocess.run([sys.executable, "-m", "venv", "--clear", CACHE / name], check=True)
        command = [str(python_of(name)), "-m", "pip", "install", "--quiet", *packages]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return f"there is no {command[0]}"
    if done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        return reasons[0].strip()[:200] if reasons else f"{command[0]} ended with {done.returncode}"
    stamp.write_text("\n".join(packages))
    return None


def python_of(name: str) -> Path:
    return CACHE / name / "bin" / "python"


def node_modules_of(name: str) -> Path:
    return CACHE / name / "node_modules"


def versions() -> dict[str, str]:
    """What is installed of everything that is measured."""
    found = {package: debian_version(package) for package in PACKAGES}
    for name, requirements in ENVIRONMENTS.items():
        wanted = {requirement.partition("==")[0].partition("[")[0].lower() for requirement in requirements}
        folder = CACHE / name / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
        found |= {each.name: each.version for each in distributions(path=[str(folder)]) if each.name.lower() in wanted}
    for requirements in NODE_ENVIRONMENTS.values():
        package, _, version = requirements[0].rpartition("@")
        found[package] = version
    return {name: version for name, version in sorted(found.items()) if version}
