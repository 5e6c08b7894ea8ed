# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations of ROW_MAJOR tensors out of shards: sorted, multiplied up, chosen by conditions, and written to given tensors."""

import random
import sys

import ttnn

device = ttnn.open_device(device_id=0)
draw = random.Random(83)
MEMORY = (ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG)
SHAPES = ((33, 34), (32, 64), (2, 33, 100), (2, 3, 33, 64), (1, 40), (2, 1, 3, 33, 34), (1, 1, 32, 64))


def zeros(shape, dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.zeros(shape, dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def attempt(operation, *arguments, **keywords):
    try:
        return operation(*arguments, **keywords)
    except (RuntimeError, TypeError) as error:
        return str(error)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for shape in SHAPES:
    for _ in range(3):
        x = zeros(shape, draw.choice((ttnn.bfloat16, ttnn.float32, ttnn.uint16)), memory_config=draw.choice(MEMORY))
        dim = draw.randrange(-len(shape), len(shape))
        result = attempt(ttnn.sort, x, dim, draw.random() < 0.5)
        del result, x
        x = zeros(shape, draw.choice((ttnn.bfloat16, ttnn.float32, ttnn.int32)), memory_config=draw.choice(MEMORY))
        result = attempt(ttnn.prod, x, dim, keepdim=draw.random() < 0.5)
        del result, x
    x, tiles = zeros(shape), zeros(shape, layout=ttnn.TILE_LAYOUT)
    for call in (
        lambda: ttnn.where(x, 1.0, 0.0), lambda: ttnn.where(x, x, 0.0), lambda: ttnn.where(x, 1.0, tiles),
        lambda: ttnn.where(tiles, x, 0.5), lambda: ttnn.gelu_bw(x, x), lambda: ttnn.tanh_bw(x, x), lambda: ttnn.relu_bw(x, x),
        lambda: ttnn.gelu_bw(x, tiles), lambda: ttnn.exp_bw(x, x), lambda: ttnn.add(x, x, output_tensor=x),
        lambda: ttnn.multiply_(x, 2.0), lambda: ttnn.add(x, tiles), lambda: ttnn.tril(x), lambda: ttnn.triu(tiles, 1),
        lambda: ttnn.glu(x, -1), lambda: ttnn.geglu(tiles, -1), lambda: ttnn.fill_implicit_tile_padding(x, 1.0),
        lambda: ttnn.softmax(x, -1), lambda: ttnn.prod(x),
    ):
        result = attempt(call)
        del result
    del tiles, x
x = zeros((33, 34), ttnn.int32)
for call in (
    lambda: ttnn.where(x, 1, 0), lambda: ttnn.where(x, 1.0, 0), lambda: ttnn.add(x, x, output_tensor=x),
    lambda: ttnn.sort(x, -1),
):
    result = attempt(call)
    del result
del x
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
