# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The cost that Python adds to a captured call, and that of making Python objects of a capture.

    python_call_bench.py [--cpp build-bench/bench/tilemeter_bench_call] [--module tilemeter|ttnn] [--rounds 9]

With --cpp the same calls in C++ run in between, round by round; the last column is what Python adds. The module ttnn is
TT-NN itself (on its mock device, or hardware).
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import subprocess
import time
from typing import Any, Callable

CALLS = 2000


def per_call_ns(ttnn: Any, call: Callable[[], Any]) -> tuple[float, float, int]:
    """Nanoseconds of one captured call; nanoseconds and number of the nodes that become Python objects."""
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NO_DISPATCH)
    started = time.perf_counter_ns()
    for _ in range(CALLS):
        call()
    ended = time.perf_counter_ns()
    nodes = ttnn.graph.end_graph_capture()
    return (ended - started) / CALLS, time.perf_counter_ns() - ended, len(nodes)


def cpp_ns(program: str, name: str) -> float:
    done = subprocess.run(
        [program, f"--benchmark_filter=^captured_{name}$", "--benchmark_format=json", "--benchmark_min_time=0.05"],
        check=True, capture_output=True, text=True,
    )
    return 1e9 / float(json.loads(done.stdout)["benchmarks"][0]["items_per_second"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cpp")
    parser.add_argument("--module", default="tilemeter")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    ttnn = importlib.import_module(options.module)
    device = ttnn.open_device(device_id=0)
    a = ttnn.ones(
        [1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=ttnn.L1_MEMORY_CONFIG
    )
    calls: dict[str, Callable[[], Any]] = {
        "relu": lambda: ttnn.relu(a),
        "add": lambda: ttnn.add(a, a, memory_config=ttnn.L1_MEMORY_CONFIG),
    }
    python: dict[str, list[float]] = {name: [] for name in calls}
    cpp: dict[str, list[float]] = {name: [] for name in calls}
    objects: list[float] = []
    for _ in range(options.rounds):
        for name, call in calls.items():
            call_ns, end_ns, nodes = per_call_ns(ttnn, call)
            python[name].append(call_ns)
            objects.append(end_ns / nodes)
            if options.cpp:
                cpp[name].append(cpp_ns(options.cpp, name))
    for name in calls:
        line = f"{name:6} {statistics.median(python[name]) / 1e3:8.3f} us captured from Python"
        if options.cpp:
            added = statistics.median(p - c for p, c in zip(python[name], cpp[name]))
            line += f", {statistics.median(cpp[name]) / 1e3:8.3f} us from C++, added {added / 1e3:.3f} us"
        print(line)
    print(f"end_graph_capture to Python objects: {statistics.median(objects) / 1e3:.3f} us a node")
    ttnn.close_device(device)


if __name__ == "__main__":
    main()
