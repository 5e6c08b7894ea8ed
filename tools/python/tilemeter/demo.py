# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""`python -m tilemeter demo [FOLDER]`: a capture that fits and one that does not, their answers and their pages.

Nothing is downloaded, and no device is needed: both run on a modelled n150.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys

import tilemeter as ttnn

_WHAT = "four activations of [{rows}, 4096] in L1, kept for skips, and a product with [4096, 1024]"


def workload(device: ttnn.MeshDevice, rows: int) -> None:
    """A block of a network whose activations stay in L1 until its end. Raises RuntimeError where they leave no room."""
    x = ttnn.ones([1, 1, rows, 4096], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    weight = ttnn.ones([1, 1, 4096, 1024], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    kept = []
    for _ in range(4):
        x = ttnn.relu(x, memory_config=ttnn.L1_MEMORY_CONFIG)
        kept.append(x)
    ttnn.matmul(x, weight, memory_config=ttnn.L1_MEMORY_CONFIG)


def captured(rows: int, report: pathlib.Path) -> None:
    device = ttnn.open_device(device_id=0)
    try:
        with ttnn.graph.capture(report):
            workload(device, rows)
    except RuntimeError:
        pass  # what the report is for
    finally:
        ttnn.close_device(device)


def main(arguments: list[str]) -> int:
    """The exit status: 0, or 2 for wrong usage."""
    if len(arguments) > 1 or any(each.startswith("-") for each in arguments):
        wrong = [each for each in arguments if each not in ("-h", "--help")]
        print("usage: python -m tilemeter demo [FOLDER]   (default: tilemeter-demo)", file=sys.stderr if wrong else sys.stdout)
        return 2 if wrong else 0
    folder = pathlib.Path(arguments[0] if arguments else "tilemeter-demo")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"tilemeter: {folder}: expected a folder to write to, found: {error.strerror}", file=sys.stderr)
        return 1
    program = [sys.executable, "-m", "tilemeter"]
    for name, rows, verb in (("fits", 1024, ["peak", "--top", "3"]), ("clashes", 2560, ["explain"])):
        report = folder / f"{name}.json"
        captured(rows, report)
        print(f"{_WHAT.format(rows=rows)}:\n", flush=True)
        for command in ([*verb, str(report)], ["html", str(report), "--output", str(folder / f"{name}.html")]):
            subprocess.run([*program, *command], check=True)
        print(flush=True)
    print(f"Your own report:\n"
          f"    tilemeter explain REPORT    # what filled the core, what would have to go\n"
          f"    tilemeter fit REPORT        # will it fit, exit status 3 if not\n"
          f"    tilemeter open REPORT       # its page in the browser\n"
          f"The page of the failure, to open in a browser:\n"
          f"    {(folder / 'clashes.html').resolve()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
