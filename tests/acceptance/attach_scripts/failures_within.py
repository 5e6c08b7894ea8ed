# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations that fail deep inside others, and what the program makes of it."""

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
a, b, wrong = (tiles(1, 1, *shape, device=device) for shape in ((64, 64), (64, 64), (96, 32)))
said = []


def attempt(call):
    try:
        return call()
    except Exception as error:
        said.append(type(error).__name__)
        return None


@ttnn.register_python_operation(name="ttnn.own_inner")
def inner(x, y):
    middle = ttnn.add(x, x, memory_config=L1)
    try:
        return ttnn.matmul(middle, y, memory_config=L1)
    finally:
        ttnn.deallocate(middle)


@ttnn.register_python_operation(name="ttnn.own_outer")
def outer(x, y):
    try:
        return inner(x, y)
    except RuntimeError:
        return ttnn.multiply(x, 2.0, memory_config=L1)


@ttnn.register_python_operation(name="ttnn.own_raises")
def raises(x):
    kept = ttnn.relu(x, memory_config=L1)
    raise ValueError("no more of this")


begin()
outer(a, b)
outer(a, wrong)
attempt(lambda: inner(a, wrong))
attempt(lambda: raises(a))
ttnn.exp(a, memory_config=L1)
attempt(lambda: ttnn.concat([a, wrong], dim=3))
attempt(lambda: ttnn.reshape(a, (3, 5)))
attempt(lambda: ttnn.layer_norm(a, weight=wrong))
attempt(lambda: ttnn.add(a, wrong))
for number in range(3):
    attempt(lambda: outer(wrong, None))
    ttnn.deallocate(ttnn.softmax(a, dim=-1, memory_config=L1))
end()
assert len(said) >= 5, said
ttnn.close_device(device)
