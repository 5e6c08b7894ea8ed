# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations of the program's own, in each other, that fail at some depth: caught outside, half-way, by a context manager, or in
the middle of a generator; with captures of the graph begun and ended in what handles the failure."""

import contextlib
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
a, wide = tiles(1, 1, 64, 64, device=device), tiles(1, 1, 96, 64, device=device)


@ttnn.register_python_operation(name="ttnn.own_inner")
def inner(x, y):
    return ttnn.matmul(ttnn.exp(x, memory_config=L1), y, memory_config=L1)


@ttnn.register_python_operation(name="ttnn.own_middle")
def middle(x, y, *, catches=False):
    x = ttnn.relu(x, memory_config=L1)
    if not catches:
        return inner(x, y)
    try:
        return inner(x, y)
    except RuntimeError:
        return inner(x, x)


@ttnn.register_python_operation(name="ttnn.own_outer")
def outer(x, y, **options):
    return ttnn.add(middle(x, y, **options), x, memory_config=L1)


@contextlib.contextmanager
def freed(*shape):
    made = tiles(*shape, device=device)
    try:
        yield made
    finally:
        ttnn.deallocate(made)


def layers():
    x = a
    while True:
        x = ttnn.gelu(x, memory_config=L1)
        x = yield inner(x, a)


begin()
outer(a, a)
with contextlib.suppress(RuntimeError):
    outer(a, wide)
outer(a, wide, catches=True)
with contextlib.suppress(RuntimeError), freed(1, 1, 96, 64) as other:
    middle(a, other)
model = layers()
x = next(model)
with contextlib.suppress(RuntimeError):
    model.send(wide)
ttnn.add(x, a, memory_config=L1)
end()
begin()
try:
    outer(a, wide)
except RuntimeError:
    end("until_it_failed.json")
    begin()
    outer(a, a)
    end("while_handled.json")
try:
    begin()
    outer(a, wide)
except RuntimeError:
    ttnn.relu(a, memory_config=L1)
finally:
    end("around_the_handler.json")
ttnn.close_device(device)
