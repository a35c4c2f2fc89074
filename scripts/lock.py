"""Write the lock files: what pyproject.toml asks for, with all that it needs, in the versions that .venv holds."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.metadata import requires, version
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    run = pins(project["project"]["dependencies"])
    extras = project["project"]["optional-dependencies"]
    wanted = [*extras["service"], *extras["cluster"], *extras["parquet"], *extras["warc"]]
    dev = pins(wanted + project["dependency-groups"]["dev"])
    known = run | dev
    write("requirements.lock", "What Quire runs on, as tested", run)
    write(
        "requirements-dev.lock",
        "What its extras and its tests need besides, as tested",
        {name: dev[name] for name in dev.keys() - run},
    )
    # A heavy one, with a hundred packages: it need not be here.
    if find_spec("crawl4ai"):
        extra = pins(extras["crawl4ai"])
        write(
            "requirements-crawl4ai.lock",
            "What the extra crawl4ai needs besides, as tested",
            {name: extra[name] for name in extra.keys() - known},
        )


def pins(wanted: Iterable[str]) -> dict[str, str]:
    """Return a pin for each requirement and for whatever those require here, by name."""
    found: dict[str, str] = {}
    queue = [Requirement(text) for text in wanted]
    direct = len(queue)
    for number, requirement in enumerate(queue):
        name = canonicalize_name(requirement.name)
        if name in found or not applies(requirement):
            continue
        marker = f"; {requirement.marker}" if requirement.marker and number < direct else ""
        found[name] = f"{name}=={version(name)}{marker}"
        queue += [needed for text in requires(name) or () if applies(needed := Requirement(text))]
    return found


def applies(requirement: Requirement) -> bool:
    """Tell whether it is asked for on this system; what only an extra asks for is not."""
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def write(name: str, title: str, found: dict[str, str]) -> None:
    lines = [f"# {title}; made by `make lock`.", *(found[key] for key in sorted(found))]
    (ROOT / name).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
