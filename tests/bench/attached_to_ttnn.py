# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What the attached recorder costs per operation of the real TT-NN, beside TT-NN's own recorder.

    usage: PYTHONPATH=tools/python ../shared/ttnn-mock/run.sh VENV n150 tests/bench/attached_to_ttnn.py [ROUNDS]

One process, one device, a warm program cache: an add and a deallocate again and again. Every round runs each variant once,
every other round in reverse order; CPU time of the thread, medians of what a variant adds to a thread that is not attached, per operation
(two operations a step). Ends of captures are not counted.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any, Callable

import ttnn
import tilemeter_attach
from tilemeter_attach import _captures

STEPS = 400


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    device = ttnn.open_device(device_id=0)
    a = ttnn.zeros([1, 1, 32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

    def steps() -> float:
        begin = time.thread_time_ns()
        for _ in range(STEPS):
            ttnn.deallocate(ttnn.add(a, a))
        return (time.thread_time_ns() - begin) / 1000 / (2 * STEPS)

    observer = tilemeter_attach.attach()
    steps()
    native = ttnn._ttnn.graph

    def attached(flags: int, alone: bool) -> float:
        capture = observer.begin(0, None, flags, alone)
        try:
            return steps()
        finally:
            observer.end(capture, None)

    def without_scopes() -> float:
        capture = observer.library.begin(0, None, 0, True)
        try:
            return steps()
        finally:
            observer.library.end(capture, None)

    def without() -> float:
        observer.library.leave()
        try:
            return steps()
        finally:
            observer.library.join()

    def theirs_native() -> float:
        native.begin_graph_capture()
        try:
            return steps()
        finally:
            native.end_graph_capture()

    def theirs() -> float:
        ttnn.graph.begin_graph_capture()
        try:
            return steps()
        finally:
            ttnn.graph.end_graph_capture()

    variants: dict[str, Callable[[], float]] = {
        "not attached": without,
        "attached, nothing captured": steps,
        "attached, without scopes": without_scopes,
        "attached": lambda: attached(0, True),
        "attached, stacks": lambda: attached(_captures.STACKS, True),
        "attached, texts": lambda: attached(_captures.TEXTS, True),
        "attached, texts and stacks": lambda: attached(_captures.TEXTS | _captures.STACKS, True),
        "TT-NN's C++ recorder": theirs_native,
        "TT-NN from Python": theirs,
    }
    times: dict[str, list[float]] = {name: [] for name in variants}
    for index in range(rounds):
        order: list[Any] = list(variants.items())
        for name, variant in reversed(order) if index % 2 else order:
            times[name].append(variant())
    base = times["not attached"]
    print(f"not attached {statistics.median(base):.2f} us an operation")
    for name, taken in times.items():
        extra = [each - quiet for each, quiet in zip(taken, base)]
        print(f"{name:28} {statistics.median(extra):+8.2f} us an operation")
    print(tilemeter_attach.status())


main()
