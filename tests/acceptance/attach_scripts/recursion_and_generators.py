# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations from generators, callbacks, properties and a deep recursion, with a capture that begins and ends inside."""

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
a = tiles(1, 1, 32, 32, device=device)


@ttnn.register_python_operation(name="ttnn.own_tree")
def tree(x, depth):
    if depth == 0:
        return ttnn.relu(x, memory_config=L1)
    left = tree(x, depth - 1)
    right = tree(left, depth - 1)
    return ttnn.add(left, right, memory_config=L1)


def stream(x):
    for number in range(4):
        x = ttnn.multiply(x, float(number), memory_config=L1)
        yield x


@ttnn.register_python_operation(name="ttnn.own_captured")
def captured(x):
    begin()
    made = ttnn.exp(x, memory_config=L1)
    made = tree(made, 3)
    end("inside.json")
    return made


captured(a)
begin()
generator = stream(a)
next(generator)
tree(next(generator), 4)
next(generator)
generator.close()
sum_of_all = sum((each for each in stream(a)), start=a)
results = list(map(lambda each: ttnn.exp(each, memory_config=L1), [a, a]))
results.sort(key=id)
captured_lambda = sorted([3, 1, 2], key=lambda number: tree(a, number) is None)
end()
ttnn.close_device(device)
