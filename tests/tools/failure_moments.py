#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the memory that tilemeter shows of a refused request have the figures of the request's own message?

    usage: failure_moments.py PROGRAM_FOLDER REPORTS_FOLDER... [--verbose]

Of each report below the folders (report.json, X.report.json) whose Python records, or whose own nodes, say "Out of Memory" with what
was allocated and free: `explain` has that many bytes free, in the map as well where it knows where all lies; what is alive adds up to
what was allocated; and the page opens at that node. Of a clash the lowest tensor of the map lies where the message says.

Last line `N passed, N failed`; exit status 1 if any failed.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import subprocess
import sys
from typing import Any

_FULL = re.compile(r"Out of Memory.*?allocated: (\d+) B, free: (\d+) B, largest free block: (\d+) B", re.DOTALL)
_CLASH = re.compile(r"clash with L1 buffers.*?L1 buffer allocated at (\d+)", re.DOTALL)


def messages_of(path: pathlib.Path) -> list[str]:
    report = json.loads(path.read_text())
    found = [str((node.get("params") or {}).get("error_message", "")) for node in report.get("graph") or []
             if node["node_type"] == "error"]
    sidecar = path.with_name(path.name.removesuffix(".json") + ".python_io.json")
    if sidecar.exists():
        found += [str((record.get("error") or {}).get("message", "")) for record in json.loads(sidecar.read_text())]
    return [message for message in found if _FULL.search(message) or _CLASH.search(message)]


def figures_of(message: str) -> list[str]:
    return re.findall(r"\d+(?= B\b)|(?<=allocated at )\d+|(?<=ends at )\d+", message)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    passed = failed = 0

    def note(right: bool, what: str) -> None:
        nonlocal passed, failed
        passed, failed = passed + right, failed + (not right)
        if not right or options.verbose:
            print(f"{'passed' if right else 'FAILED'}  {what}")

    def call(*words: Any) -> str:
        command = [str(options.programs / "tilemeter"), *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    for path in sorted({path for folder in options.folders for name in ("report.json", "*.report.json") for path in folder.rglob(name)}):
        wanted = messages_of(path)
        if not wanted:
            continue
        where = f"{path.parent.name}/{path.name}"
        answer = json.loads(call("explain", path, "--json"))
        told = answer["explanations"]
        for message in dict.fromkeys(wanted):
            it = next((each for each in told if figures_of(each["message"]) == figures_of(message)), None)
            note(it is not None, f"{where}: explained: {[each['message'] for each in told]}"[:300])
            if it is None:
                continue
            unit = "per_bank" if it["memory"] == "DRAM" else "per_core"
            if full := _FULL.search(message):
                allocated, free, largest = map(int, full.groups())
                found = (it[f"free_bytes_{unit}"], it[f"largest_hole_bytes_{unit}"])
                note(found == (free, largest), f"{where}: free {free}, {largest}; found {found} at node {it['node']}")
                parts = sum(part["end"] - part["begin"] for part in it["map"] if part["kind"] == "free")
                exact = not any("not in the list" in text for text in it["notes"])
                note(parts == free or (not exact and parts > free), f"{where}: in the map {parts} of {free} free")
                note(it[f"tensor_bytes_{unit}"] == allocated or not exact,
                     f"{where}: allocated {allocated}; found {it[f'tensor_bytes_{unit}']}")
            if clash := _CLASH.search(message):
                lowest = min((part["begin"] for part in it["map"] if part["kind"] == "tensor"), default=0)
                older = any("is not in the list" in text for text in it["notes"])
                note(lowest == int(clash[1]) or older, f"{where}: lowest tensor at {clash[1]}; found {lowest}")
        nodes = {it["node"] for it in told}
        opening = re.search(r'"opening":\s*\{[^}]*"node":\s*(\d+)', call("html", path))
        note(opening is not None and int(opening[1]) in nodes, f"{where}: the page opens at {opening and opening[1]}, failed at {nodes}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
