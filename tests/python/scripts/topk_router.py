# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The router of a mixture of experts in one program, tokens with padded heads into caches, and TT-NN's own examples."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT):
    return ttnn.zeros(list(shape), dtype=dtype, layout=layout, device=device)


tokens = [tensor(32, width) for width in (64, 416, 2880)]
weights = [tensor(width, 128) for width in (64, 416, 2880)]
bias = tensor(32, 128)


def users(row):
    cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, row), ttnn.CoreCoord(3, row))})
    shards = ttnn.ShardSpec(cores, [32, 64], ttnn.ShardOrientation.ROW_MAJOR)
    return ttnn.to_memory_config(
        tensor(1, 4, 32, 64), ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, shards)
    )


first, second, cache = users(0), users(1), [tensor(4, 2, 128, 64), tensor(4, 2, 128, 64)]
tiles, rows = tensor(3, 3, 40, 70), tensor(1, 1, 50, 70, layout=ttnn.ROW_MAJOR_LAYOUT)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = []
for k, (each, weight) in zip((4, 5, 32), zip(tokens, weights)):
    kept.append(ttnn.experimental.topk_router_gpt(each, weight_tensor=weight, bias_tensor=bias, k=k, num_experts=128))
ttnn.experimental.paged_fused_update_cache(cache[0], first, cache[1], second, update_idxs=[3, 0, 127, 64])
kept.append(ttnn.composite_example(tiles))
kept.append(ttnn.composite_example(rows))
kept.append(ttnn.composite_example_multiple_return(tiles))
kept.append(ttnn.composite_example_multiple_return(tiles, False, True))
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
