# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Norms, softmax and reductions over one dimension, several and all."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=memory_config)


x, weight, bias = tensor(1, 1, 256, 1024), tensor(1, 1024), tensor(1, 1024)
cube, residual = tensor(2, 8, 64, 128), tensor(1, 1, 256, 1024)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
a = ttnn.layer_norm(x, epsilon=1e-5, weight=weight, bias=bias, memory_config=ttnn.L1_MEMORY_CONFIG)
b = ttnn.rms_norm(x, epsilon=1e-6, weight=weight)
c = ttnn.layer_norm(x, residual_input_tensor=residual, weight=weight, bias=bias)
d = ttnn.softmax(x, dim=-1)
e = ttnn.softmax(cube, dim=2)
f = ttnn.sum(cube, dim=-1)
g = ttnn.mean(cube, dim=-1, keepdim=True)
h = ttnn.max(cube, dim=2)
i = ttnn.sum(cube, dim=1)
j = ttnn.mean(cube, dim=(2, 3))
k = ttnn.sum(x)
m = ttnn.min(cube, dim=3, keepdim=True)
config = ttnn.create_sharded_memory_config((1, 1, 256, 1024), ttnn.CoreGrid(y=8, x=8), ttnn.ShardStrategy.BLOCK)
n = ttnn.to_memory_config(x, config)
o = ttnn.layer_norm(
    n, weight=weight, bias=bias, memory_config=config,
    program_config=ttnn.LayerNormShardedMultiCoreProgramConfig(
        compute_with_storage_grid_size=(8, 8), subblock_w=4, block_h=1, block_w=4, inplace=False,
    ),
)
p = ttnn.softmax_in_place(ttnn.to_memory_config(x, ttnn.L1_MEMORY_CONFIG))
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
