"""All measurements one after the other, each written to its place; what bench/run calls."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

PARTS = ("crawls", "conversion", "startup", "frontier", "growth", "hosts", "rendering", "page_writes", "service_load")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench/run", description=__doc__, epilog="Other options go to the parts: see `bench/crawls.py --help`."
    )
    parser.add_argument("--quick", action="store_true", help="only Quire, wget2, wget and Scrapy, printed, not written")
    parser.add_argument("--only", action="append", choices=PARTS, help="only this part (repeatable)")
    parser.add_argument("--note", default="", help="a remark to stand above the tables")
    given, others = parser.parse_known_args()
    for part in ["crawls"] if given.quick else given.only or PARTS:
        options = ["--quick"] if given.quick else ["--write", "--note", given.note]
        options += others if part == "crawls" else []
        print(f"== {part}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, str(Path(__file__).with_name(f"{part}.py")), *options], check=True)


if __name__ == "__main__":
    main()
