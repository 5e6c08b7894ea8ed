# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Products of batches in height shards with weights in DRAM, and transposed convolutions whose edges are repeated."""

import random
import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)
draw = random.Random(91)
banks = device.get_optimal_dram_bank_to_logical_worker_assignment(ttnn.NOC.NOC_0)
CORES = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(each.x, each.y), ttnn.CoreCoord(each.x, each.y)) for each in banks])
BANKS = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(len(banks) - 1, 0))])


def shards(cores, rows, columns, buffer_type):
    spec = ttnn.ShardSpec(cores, [rows, columns], ttnn.ShardOrientation.ROW_MAJOR)
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, buffer_type, spec)


def attempt(operation, *arguments, **keywords):
    try:
        return operation(*arguments, **keywords)
    except (RuntimeError, TypeError) as error:
        return str(error)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for _ in range(24):
    batches, rows, depth, columns = draw.choice((1, 1, 2, 4)), draw.choice((1, 1, 2)), draw.choice((1, 2, 4, 8)), draw.choice((1, 3, 4))
    height = draw.choice((32, 32, 16, 8))
    a = ttnn.from_torch(
        torch.zeros(1, batches * len(banks), rows * height, depth * 32), tile=ttnn.Tile((height, 32)),
        dtype=draw.choice((ttnn.bfloat16, ttnn.bfloat8_b)), layout=ttnn.TILE_LAYOUT, device=device,
        memory_config=shards(CORES, batches * rows * height, depth * 32, ttnn.BufferType.L1),
    )
    b = ttnn.from_torch(
        torch.zeros(1, batches * len(banks), depth * 32, columns * 32), layout=ttnn.TILE_LAYOUT, device=device,
        dtype=draw.choice((ttnn.bfloat16, ttnn.bfloat8_b, ttnn.bfloat4_b)),
        memory_config=shards(BANKS, batches * depth * 32, columns * 32, ttnn.BufferType.DRAM),
    )
    config = ttnn.MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig(
        in0_block_w=draw.choice((depth, 1, max(1, depth // 2))), per_core_M=draw.choice((rows, rows, rows, rows + 1)),
        per_core_N=draw.choice((columns, columns, columns, 1)), fused_activation=None,
    )
    product = attempt(
        ttnn.matmul, a, b, program_config=config, output_tile=ttnn.Tile((height, 32)),
        memory_config=shards(CORES, batches * rows * height, columns * 32, ttnn.BufferType.L1),
        dtype=draw.choice((ttnn.bfloat16, ttnn.float32, ttnn.bfloat8_b)),
    )
    del a, b, product
if sys.argv[2] == "NORMAL":
    for batch, channels, kernel, stride, padding, more in (
        (1, 32, 3, 2, (1, 1), 0), (1, 32, 5, 2, (2, 2), 0), (1, 32, 3, 1, (1, 2, 1, 2), 0), (2, 32, 3, 2, (1, 1), 1),
    ):
        image = ttnn.from_torch(torch.zeros(batch, 16, 16, channels), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
        weights = ttnn.from_torch(torch.zeros(channels, 64, kernel, kernel), dtype=ttnn.bfloat16)
        result = ttnn.conv_transpose2d(
            input_tensor=image, weight_tensor=weights, in_channels=channels, out_channels=64, device=device,
            kernel_size=(kernel, kernel), stride=(stride, stride), padding=padding, output_padding=(more, more), dilation=(1, 1),
            batch_size=batch, input_height=16, input_width=16, groups=1,
            conv_config=ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16, padding_mode=ttnn.PaddingMode.Replicate),
        )
        del image, weights, result
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
