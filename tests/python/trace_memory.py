# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Resident memory over many traces: shapes through one function, traces that are dropped, steps of pending arrays.

    trace_memory.py [--count N] [--only PART]

Each part runs N times (100,000); what it grows by in its last nine tenths is printed and held to what the caches say that they
hold more, which has an end. So is the memory of the device that is allocated when all is gone. Exit status 1: something grows.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tilemeter as ttnn
import tilemeter.trace as tp

# Growth over the last nine tenths: allocators keep some of what was freed, and a quarter as much as caches hold, which
# is in pieces.
KEPT_BYTES = 8 << 20


def resident() -> int:
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def held() -> int:
    """Bytes that caches say they hold."""
    statistics = tp.cache_statistics()
    return int(statistics["held_bytes"] + statistics["on_device"]["held_bytes"] + tp.lazy_statistics()["held_bytes"])


def shapes(count: int) -> Iterator[None]:
    f = tp.jit(lambda x: np.tanh(x * 2.0) + x)
    for i in range(count):
        f(np.zeros((1 + i % 350, 1 + i // 350)))
        yield
    assert tp.cache_statistics()["misses"] >= count


def traces(count: int) -> Iterator[None]:
    x = np.zeros((4, 4))
    for i in range(count):
        graph = tp.trace_graph(lambda x, i=i: np.tanh(x * float(i)) + x, args=(x,))
        assert len(graph) == 3
        yield


def lazy(count: int) -> Iterator[None]:
    state = tp.full((4, 4), value=1.0)
    for i in range(count):
        state = state * 0.5 + float(i % 7)
        if i % 100 == 99:
            state.eval()
        yield
    assert np.isfinite(np.asarray(state)).all()


def pending(count: int) -> Iterator[None]:
    """One long chain, which nobody asks for until its end."""
    for start in range(0, count, 10_000):
        state = tp.full((4,), value=1.0)
        for _ in range(min(10_000, count - start)):
            state = state * 0.5
            yield
        state.eval()


def tensor(device: Any, *shape: int) -> Any:
    return ttnn.empty(list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


def shapes_on_device(count: int, device: Any) -> Iterator[None]:
    f = tp.jit(lambda x: ttnn.relu(ttnn.add(x, 1.0)))
    for i in range(count):
        f(tensor(device, 1 + i % 350, 1 + i // 350))
        yield


def traces_on_device(count: int, device: Any) -> Iterator[None]:
    x = tensor(device, 32, 32)
    for i in range(count):
        assert len(tp.trace_graph(lambda x, i=i: ttnn.relu(ttnn.add(x, float(i % 1000))), args=(x,))) == 2
        yield


def replays_on_device(count: int, device: Any) -> Iterator[None]:
    f, x = tp.jit(lambda x: ttnn.relu(ttnn.add(x, 1.0))), tensor(device, 32, 32)
    for _ in range(count):
        f(x)
        yield


def gradients_on_device(count: int, device: Any) -> Iterator[None]:
    """Steps of training, each recorded and run back at once."""
    x, w = tensor(device, 32, 32), tensor(device, 32, 32)
    for _ in range(count):
        with tp.record(w) as record:
            loss = ttnn.sum(ttnn.softmax(ttnn.relu(ttnn.matmul(x, w)), dim=-1))
        w = ttnn.subtract(w, ttnn.multiply(record.backward(loss), 0.1))
        assert len(record) == 0
        yield


PARTS: dict[str, tuple[Callable[..., Iterator[None]], bool]] = {
    "shapes": (shapes, False),
    "traces": (traces, False),
    "lazy": (lazy, False),
    "pending": (pending, False),
    "shapes_on_device": (shapes_on_device, True),
    "traces_on_device": (traces_on_device, True),
    "replays_on_device": (replays_on_device, True),
    "gradients_on_device": (gradients_on_device, True),
}


def allocated(device: Any) -> int:
    return sum(ttnn.get_memory_view(device, each).total_bytes_allocated_per_bank
               for each in (ttnn.BufferType.DRAM, ttnn.BufferType.L1))


def grows(name: str, count: int) -> bool:
    part, on_device = PARTS[name]
    device = ttnn.open_device(device_id=0) if on_device else None
    before = 0 if device is None else allocated(device)
    begin, start, growth, held_then, held_now = time.monotonic(), 0, 0, 0, 0
    for i, _ in enumerate(part(count, device) if on_device else part(count)):
        if i == count // 10:
            start, held_then = resident(), held()
        elif i == count - 1:
            growth, held_now = resident() - start, held()
    left = 0
    if device is not None:
        gc.collect()
        tp.cache_statistics()
        ttnn.synchronize_device(device)
        device.disable_and_clear_program_cache()
        left = allocated(device) - before
        ttnn.close_device(device)
    limit = KEPT_BYTES + max(0, held_now - held_then) + held_now // 4
    print(f"{name}: {count:,} in {time.monotonic() - begin:.1f} s, resident memory grew by {growth / 2**20:.1f} MiB of at most "
          f"{limit / 2**20:.1f}, {left} bytes per bank are left on the device", flush=True)
    return growth > limit or left != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--only", choices=sorted(PARTS))
    options = parser.parse_args()
    if options.only:
        return 1 if grows(options.only, options.count) else 0
    # Each in a process of its own: what one has freed would hide what another takes.
    command = [sys.executable, __file__, "--count", str(options.count), "--only"]
    return max(subprocess.run([*command, name]).returncode for name in PARTS)


if __name__ == "__main__":
    sys.exit(main())
