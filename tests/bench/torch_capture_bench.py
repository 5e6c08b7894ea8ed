# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The cost of an event of a live capture of PyTorch, beside torch.profiler and MemTracker: CPU time of the same loop with and without.

usage: torch_capture_bench.py [ROUNDS]      with an interpreter that has torch, and the package in PYTHONPATH

An event is a begin or an end of a function, or an allocation or a free: all tools see the same. Each loop runs five times in turns; the
least counts.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import sys
import tempfile
import time
from collections.abc import Callable

import torch
from torch.distributed._tools.mem_tracker import MemTracker

import tilemeter.torch

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
x = torch.ones(16, 16)


def loop() -> None:
    for _ in range(ROUNDS):
        torch.relu(x + x)


def seconds(around: Callable[[], contextlib.AbstractContextManager[object]]) -> float:
    with around():
        begin = time.process_time()
        loop()
        return time.process_time() - begin


def main() -> int:
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "r.json")
        profiler = torch.profiler
        tools: dict[str, Callable[[], contextlib.AbstractContextManager[object]]] = {
            "nothing": contextlib.nullcontext,
            "live capture": lambda: tilemeter.torch.capture(report),
            "torch.profiler": lambda: profiler.profile(activities=[profiler.ProfilerActivity.CPU]),
            "torch.profiler, memory": lambda: profiler.profile(activities=[profiler.ProfilerActivity.CPU], profile_memory=True),
            "MemTracker": MemTracker,
        }
        least = dict.fromkeys(tools, float("inf"))
        for _ in range(5):
            for name, around in tools.items():
                least[name] = min(least[name], seconds(around))
        kinds = ("function_start", "function_end", "buffer_allocate", "buffer_deallocate")
        events = sum(node["node_type"] in kinds for node in json.loads(report.read_text())["graph"])
    print(f"{events / ROUNDS:.1f} events a round, {least['nothing'] / ROUNDS * 1e6:.2f} us a round without")
    for name, took in least.items():
        if name != "nothing":
            print(f"{name:24}{(took - least['nothing']) / events * 1e6:8.3f} us an event")
    return 0


if __name__ == "__main__":
    sys.exit(main())
