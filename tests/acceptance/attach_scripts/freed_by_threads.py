# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors that other threads free, while the thread that captures works on."""

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


import gc
import threading

device = ttnn.open_device(device_id=0)
a = tiles(1, 1, 64, 64, device=device)


def in_a_thread(work, *arguments):
    thread = threading.Thread(target=work, args=arguments)
    thread.start()
    thread.join()


def drop(tensors):
    tensors.pop()
    tensors.clear()
    gc.collect()


# Tensors that are as old as the capture or older: neither recorder is told what other threads free.
older = [ttnn.add(a, a, memory_config=L1) for _ in range(3)]
begin()
made = [ttnn.exp(a, memory_config=L1)]
in_a_thread(drop, older)
made.append(ttnn.matmul(a, made[0], memory_config=L1))
made.pop(0)
in_a_thread(drop, [ttnn.zeros([1, 1, 32, 32], layout=ttnn.TILE_LAYOUT) for _ in range(2)])
local = threading.local()
local.kept = ttnn.relu(made[0], memory_config=L1)
del local
end()
ttnn.close_device(device)
