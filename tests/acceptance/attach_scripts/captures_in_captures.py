# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Captures within captures, of the same mode and of the other one, and one after the other."""

import os
import sys

import ttnn

L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin(mode=None):
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, mode or sys.argv[2]))


def end(name=None):
    ttnn.graph.end_graph_capture_to_file(os.path.join(os.path.dirname(sys.argv[1]), name) if name else sys.argv[1])


def tiles(*shape, device, dtype=ttnn.bfloat16, memory_config=L1):
    return ttnn.ones(list(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config)


device = ttnn.open_device(device_id=0)
a = tiles(1, 1, 64, 64, device=device)


def work(x):
    return ttnn.softmax(ttnn.matmul(x, a, memory_config=L1), dim=-1, memory_config=L1)


begin("NO_DISPATCH")
work(a)
end("planned.json")
begin("NORMAL")
kept = work(a)
begin("NORMAL")
kept = work(kept)
end("inner.json")
work(kept)
begin("NO_DISPATCH")
ttnn.add(a, a, memory_config=L1)
end("planned_within.json")
ttnn.deallocate(kept)
end("outer.json")
begin("NO_DISPATCH")
work(a)
begin("NORMAL")
work(a)
end("within_planned.json")
work(a)
end("around.json")
begin()
nodes = ttnn.graph.end_graph_capture()
assert [node["node_type"] for node in nodes] == ["capture_start", "capture_end"], nodes
begin()
work(work(a))
end()
ttnn.close_device(device)
