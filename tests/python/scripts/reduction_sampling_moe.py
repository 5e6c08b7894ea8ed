# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""After the logits: sampling, seeds, weights of experts, moving averages, sums over what is outside of tiles."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.zeros(list(shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def row(*shape, dtype=ttnn.bfloat16):
    return tensor(*shape, dtype=dtype, layout=ttnn.ROW_MAJOR_LAYOUT)


cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(1, 0), ttnn.CoreCoord(4, 7))])
values, indices = tensor(1, 1, 32, 256), row(1, 1, 32, 256, dtype=ttnn.int32)
k, p, temp = row(32, dtype=ttnn.uint32), row(32), row(32)
given = row(1, 1, 1, 32, dtype=ttnn.uint32)
seeds, users = row(32, dtype=ttnn.uint32), row(32, dtype=ttnn.uint32)
logits, expert_mask, topk_mask = tensor(1, 1, 32, 64), tensor(1, 1, 1, 64), tensor(1, 1, 1, 32)
line = row(1, 1, 1, 100)
series = tensor(1, 2, 64, 96)
batch = tensor(2, 6, 64, 64)
broken = tensor(2, 3, 60, 50, memory_config=ttnn.L1_MEMORY_CONFIG)
image = tensor(1, 40, 50, 64)
product = tensor(1, 1, 64, 64)
numbers = tensor(2, 3, 32, 64, dtype=ttnn.float32)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = [
    ttnn.sampling(values, indices, k=k, p=p, temp=temp, seed=7),
    ttnn.sampling(values, indices, k=k, p=p, temp=temp, sub_core_grids=cores, output_tensor=given),
    ttnn.manual_seed(seeds=42, device=device, sub_core_grids=cores),
    ttnn.manual_seed(seeds=seeds, user_ids=users),
    ttnn.moe(logits, expert_mask, topk_mask, 32),
    ttnn.nonzero(line),
    ttnn.ema(series, 0.5),
    ttnn.ema(series, 0.5, core_grid=ttnn.CoreGrid(x=4, y=2), memory_config=ttnn.L1_MEMORY_CONFIG),
    ttnn.experimental.fast_reduce_nc(batch, dims=[0, 1]),
    ttnn.experimental.fast_reduce_nc(batch, dims=[1], sub_core_grids=cores),
    ttnn.experimental.fast_reduce_nc(broken, dims=[1]),
    ttnn.experimental.intimg(image),
    ttnn.prod(batch, product, dims=[0, 1]),
    ttnn.prod(batch, keepdim=True),
    ttnn.cumsum(numbers, dim=1, disable_compensated_sum=True),
]
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
del kept
ttnn.close_device(device)
