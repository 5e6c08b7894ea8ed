# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Masks of one row for each batch, in ROW_MAJOR pieces as wide as a tile: shards take them as they are."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def softmax(shape, cores=None, dtype=ttnn.bfloat16, mask_dtype=ttnn.bfloat16, **options):
    batch, heads, rows, width = shape
    x = ttnn.from_torch(torch.ones(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)
    mask = ttnn.from_torch(
        torch.ones(batch, 1, width // 32, 32), dtype=mask_dtype, layout=ttnn.ROW_MAJOR_LAYOUT, device=device
    )
    if cores:
        across, down = cores
        height = batch * heads * rows // (across * down)
        shards = ttnn.create_sharded_memory_config(
            (height, width), ttnn.CoreGrid(x=across, y=down), ttnn.ShardStrategy.HEIGHT, use_height_and_width_as_shard_shape=True
        )
        x = ttnn.to_memory_config(x, shards)
        options["program_config"] = ttnn.SoftmaxShardedMultiCoreProgramConfig(
            compute_with_storage_grid_size=(across, down), subblock_w=width // 32, block_h=height // 32, block_w=width // 32
        )
    ttnn.scale_mask_softmax_in_place(x, 0.5, mask, **options)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
softmax((2, 4, 64, 128))
softmax((1, 4, 32, 64), numeric_stable=True)
softmax((3, 2, 33, 64), mask_dtype=ttnn.float32)
softmax((2, 8, 32, 64), (8, 2))
softmax((32, 1, 96, 128), (8, 4), dtype=ttnn.bfloat8_b)
softmax((8, 1, 128, 256), (8, 1), is_causal_mask=True)
softmax((8, 4, 64, 64), (8, 2), mask_dtype=ttnn.float32, numeric_stable=True)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
