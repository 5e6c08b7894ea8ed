# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Numbers brought between limits of every kind, and rows, columns and elements repeated of whole tiles."""

import itertools
import random
import sys

import ttnn

device = ttnn.open_device(device_id=0)
draw = random.Random(61)
MEMORY = (ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG)


def zeros(shape, dtype, memory_config=ttnn.DRAM_MEMORY_CONFIG, layout=ttnn.TILE_LAYOUT):
    return ttnn.zeros(shape, dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def attempt(operation, *arguments, **keywords):
    try:
        return operation(*arguments, **keywords)
    except (RuntimeError, TypeError) as error:
        return str(error)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
LIMITS = (None, -4, 4, 0.5, 4.0, float("inf"))
for dtype in (ttnn.int32, ttnn.bfloat16, ttnn.uint32):
    x = zeros((2, 33, 70), dtype)
    pairs = list(itertools.product(LIMITS, LIMITS))
    for low, high in pairs if dtype == ttnn.int32 else draw.sample(pairs, 9):
        for operation in (ttnn.clamp, ttnn.clip):
            result = attempt(operation, x, min=low, max=high, memory_config=draw.choice((None, *MEMORY)))
            if dtype == ttnn.int32 and hasattr(result, "dtype"):
                stays = operation is ttnn.clamp and all(isinstance(each, (int, type(None))) for each in (low, high))
                assert result.dtype == (ttnn.int32 if stays else ttnn.float32), (low, high)
            del result
    for low, high in ((x, None), (None, x), (x, x)):
        result = attempt(ttnn.clamp, x, min=low, max=high)
        del result
    del x, low, high
for _ in range(60):
    rank = draw.choice((2, 3, 4, 4, 4))
    shape = [draw.choice((1, 2)), draw.choice((1, 3)), draw.choice((7, 32, 40, 64)), draw.choice((32, 50, 64, 96))][-rank:]
    dim = draw.choice((ttnn.BcastOpDim.H, ttnn.BcastOpDim.W, ttnn.BcastOpDim.HW))
    other = ([1] * (rank - 2) if draw.random() < 0.5 else shape[:-2]) + shape[-2:]
    if dim != ttnn.BcastOpDim.W:
        other[-2] = draw.choice((1, 5, 20, 32, 32, 33))
    if dim != ttnn.BcastOpDim.H:
        other[-1] = draw.choice((1, 17, 32, 64))
    dtypes = [draw.choice((ttnn.bfloat16, ttnn.float32, ttnn.bfloat8_b)) for _ in range(2)]
    a, b = zeros(shape, dtypes[0], draw.choice(MEMORY)), zeros(other, dtypes[1], draw.choice(MEMORY))
    result = attempt(ttnn.bcast, a, b, draw.choice((ttnn.BcastOpMath.ADD, ttnn.BcastOpMath.MUL)), dim)
    del a, b, result
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
