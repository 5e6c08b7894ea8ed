# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Metal traces, captured and released within captures of the graph. The mock device neither launches in a trace nor replays
one: what is traced is planned only."""

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


device = ttnn.open_device(device_id=0, trace_region_size=1 << 20)
a, w = tiles(1, 1, 64, 64, device=device, memory_config=DRAM), tiles(1, 1, 64, 64, device=device, memory_config=DRAM)


def model(x):
    hidden = ttnn.gelu(ttnn.linear(x, w, memory_config=L1), memory_config=L1)
    return ttnn.add(hidden, x, memory_config=DRAM)


ttnn.deallocate(model(a))  # programs
begin()
trace = ttnn.begin_trace_capture(device, cq_id=0)
ttnn.end_trace_capture(device, trace, cq_id=0)
ttnn.deallocate(model(a))
ttnn.release_trace(device, trace)
kept = model(a)
end()
begin("NO_DISPATCH")
trace = ttnn.begin_trace_capture(device, cq_id=0)
out = model(a)
ttnn.end_trace_capture(device, trace, cq_id=0)
ttnn.deallocate(model(kept))
end("planned.json")
ttnn.close_device(device)
