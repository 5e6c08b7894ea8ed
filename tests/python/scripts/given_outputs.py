# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Memory given for results of fewer dimensions than four, along other dimensions than the last, of tiles that are not full."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16):
    return ttnn.zeros(list(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


picks = [(tensor(*shape), dim, tensor(*shape, dtype=ttnn.uint16), tensor(*shape))
         for shape, dim in (((32, 64), 1), ((32, 64), 0), ((2, 32, 64), 2), ((1, 2, 32, 64), 2), ((1, 1, 2, 32, 64), 4), ((40, 64), 1))]
products = [(tensor(*a), tensor(*b), tensor(*into)) for a, b, into in (
    ((32, 64), (64,), (32,)), ((2, 20, 64), (64,), (2, 20)), ((64,), (64, 32), (32,)), ((20, 64), (64, 40), (20, 40)),
    ((32, 64), (64, 32), (32, 32)))]
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = [ttnn.gather(x, dim, index=index, out=out) for x, dim, index, out in picks]
kept += [ttnn.matmul(a, b, optional_output_tensor=out) for a, b, out in products]
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
del kept
ttnn.close_device(device)
