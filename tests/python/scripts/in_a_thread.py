# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A capture in a thread of its own."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


import threading

x = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


def work():
    begin()
    y = ttnn.matmul(x, x, memory_config=L1)
    z = ttnn.softmax(y, dim=-1)
    del y
    w = ttnn.add(z, 1.0)
    end()


thread = threading.Thread(target=work)
thread.start()
thread.join()

ttnn.close_device(device)
