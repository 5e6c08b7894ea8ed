# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The cost of the attached recorder per operation of the real TT-NN, beside TT-NN's own recorder.

    usage: PYTHONPATH=tools/python ../shared/ttnn-mock/run.sh VENV n150 tests/bench/attached_to_ttnn.py [ROUNDS]

One process, one device, a warm program cache: an add and a deallocate again and again. Every round runs each variant once, in
random order, for half a millisecond: short enough that most turns are not interrupted on a busy machine. CPU time of the thread,
what a variant adds to a thread that is not attached, per operation (two operations a step): the median of the rounds, and the
difference of the first quartiles. Begins and ends of captures and the first steps in one are not counted.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from typing import Any, Callable

import ttnn
import tilemeter_attach
from tilemeter_attach import _captures

STEPS = 25
WARM_STEPS = 5


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    device = ttnn.open_device(device_id=0)
    a = ttnn.zeros([1, 1, 32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

    def run(count: int) -> None:
        for _ in range(count):
            ttnn.deallocate(ttnn.add(a, a))

    def steps() -> float:
        run(WARM_STEPS)
        begin = time.thread_time_ns()
        run(STEPS)
        return (time.thread_time_ns() - begin) / 1000 / (2 * STEPS)

    observer = tilemeter_attach.attach()
    run(300)
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
    for _ in range(rounds):
        for name in random.sample(list(variants), len(variants)):
            times[name].append(variants[name]())
    base = times["not attached"]

    def quartile(taken: list[float]) -> float:
        return statistics.quantiles(taken, n=4)[0]

    print(f"not attached {statistics.median(base):.2f} us an operation, first quartile {quartile(base):.2f}")
    for name, taken in times.items():
        extra = [each - quiet for each, quiet in zip(taken, base)]
        print(f"{name:28} {statistics.median(extra):+8.2f} us an operation, first quartile {quartile(taken) - quartile(base):+8.2f}")
    print(tilemeter_attach.status())


main()
