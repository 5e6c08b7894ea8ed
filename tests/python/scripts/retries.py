# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A call that fails, and what is tried instead."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


def tiles(*shape, memory_config=DRAM):
    return ttnn.ones(list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config)


a, b = tiles(1, 1, 512, 512), tiles(1, 1, 512, 512)
said = []


def first_that_works(*calls):
    for call in calls:
        try:
            return call()
        except RuntimeError as error:
            said.append(str(error))
    raise AssertionError(said)


begin()
x = first_that_works(lambda: ttnn.matmul(a, tiles(1, 1, 64, 64)), lambda: ttnn.matmul(a, b, memory_config=L1))
y = first_that_works(lambda: ttnn.reshape(x, (7, 3)), lambda: ttnn.reshape(x, (1, 2, 256, 512)))
try:
    ttnn.relu(x, no_such_argument=1)
except TypeError as error:
    said.append(str(error))
try:
    ttnn.from_torch([1, 2, 3])
except TypeError as error:
    said.append(str(error))
z = ttnn.softmax(y, dim=-1)
end()
assert len(said) == 4

ttnn.close_device(device)
