# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Lifetimes of tensors in generators, closures and comprehensions."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


def tiles(size):
    return ttnn.ones([1, 1, size, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=L1)


def stages(value):
    for function in (ttnn.relu, ttnn.exp, ttnn.neg):
        value = function(value, memory_config=L1)
        yield value


def adder(amount):
    kept = tiles(32)

    def add(value):
        return ttnn.add(value, kept, memory_config=L1) if amount else value

    return add


begin()
results = list(stages(tiles(32)))
del results[1]
total = None
for each in stages(tiles(64)):
    total = each if total is None else ttnn.add(total, each, memory_config=L1)
add = adder(1)
values = [add(each) for each in results]
values = {number: ttnn.multiply(each, 2.0, memory_config=L1) for number, each in enumerate(values)}
del add
merged = ttnn.concat([values[0], values[1]], dim=2)
values.clear()
end()

ttnn.close_device(device)
