# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A feed-forward block of one decoding step, its weights in shards in DRAM, as the ports of Llama have it."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
DIM, HIDDEN, ROWS = 2048, 5632, 32


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


def find_grid(tiles, max_rows=8, max_cols=8):
    """Columns and rows of most cores that share the tiles equally."""
    grids = [(x, y) for y in range(1, max_rows + 1) for x in range(1, max_cols + 1) if tiles % (x * y) == 0]
    return max(grids, key=lambda grid: grid[0] * grid[1])


def find_largest_divisor(number, most=8):
    return max(n for n in range(1, most + 1) if number % n == 0)


def weights(k, n, dtype):
    banks = device.dram_grid_size().x
    padded = -(-n // (32 * banks)) * 32 * banks
    grid = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(banks - 1, 0))})
    config = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.WIDTH_SHARDED, ttnn.BufferType.DRAM,
                               ttnn.ShardSpec(grid, (k, padded // banks), ttnn.ShardOrientation.ROW_MAJOR))
    return ttnn.from_torch(torch.randn(1, 1, k, n), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device, memory_config=config)


def program(k, n, activation=None):
    x, y = find_grid(k // 32)
    return ttnn.MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig(
        in0_block_w=find_largest_divisor(k // 32 // (x * y)), per_core_M=1, per_core_N=-(-n // (32 * x * y)),
        fused_activation=activation)


def spread(width):
    x, y = find_grid(width // 32)
    return ttnn.create_sharded_memory_config((ROWS, width // (x * y)), ttnn.CoreGrid(x=x, y=y), ttnn.ShardStrategy.WIDTH,
                                             ttnn.ShardOrientation.ROW_MAJOR, use_height_and_width_as_shard_shape=True)


kernels = ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi2, math_approx_mode=False,
                                           fp32_dest_acc_en=True, packer_l1_acc=True)
w1, w3 = weights(DIM, HIDDEN, ttnn.bfloat8_b), weights(DIM, HIDDEN, ttnn.bfloat4_b)
w2 = weights(HIDDEN, DIM, ttnn.bfloat8_b)
wo, bias = weights(DIM, DIM, ttnn.bfloat16), ttnn.from_torch(torch.randn(1, 1, 1, DIM), dtype=ttnn.bfloat16,
                                                            layout=ttnn.TILE_LAYOUT, device=device)
x = ttnn.from_torch(torch.randn(1, 1, ROWS, DIM), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
begin()
x = ttnn.to_memory_config(x, spread(DIM))
gate = ttnn.linear(x, w1, program_config=program(DIM, HIDDEN), memory_config=ttnn.L1_WIDTH_SHARDED_MEMORY_CONFIG,
                   dtype=ttnn.bfloat16, compute_kernel_config=kernels)
up = ttnn.linear(x, w3, program_config=program(DIM, HIDDEN), memory_config=ttnn.L1_WIDTH_SHARDED_MEMORY_CONFIG,
                 dtype=ttnn.bfloat16, compute_kernel_config=kernels)
ttnn.deallocate(x)
hidden = ttnn.mul(gate, up, input_tensor_a_activations=[ttnn.UnaryOpType.SILU], dtype=ttnn.bfloat8_b,
                  memory_config=gate.memory_config())
ttnn.deallocate(gate)
ttnn.deallocate(up)
hidden = ttnn.to_memory_config(hidden, spread(HIDDEN))
out = ttnn.linear(hidden, w2, program_config=program(HIDDEN, DIM), memory_config=ttnn.L1_WIDTH_SHARDED_MEMORY_CONFIG,
                  dtype=ttnn.bfloat16)
ttnn.deallocate(hidden)
out = ttnn.to_memory_config(out, spread(DIM))
y = ttnn.matmul(out, wo, program_config=program(DIM, DIM, ttnn.UnaryWithParam(ttnn.UnaryOpType.SILU)),
                memory_config=ttnn.L1_WIDTH_SHARDED_MEMORY_CONFIG)
z = ttnn.linear(out, wo, bias=bias, program_config=program(DIM, DIM), memory_config=ttnn.L1_WIDTH_SHARDED_MEMORY_CONFIG)
y = ttnn.add(y, z, memory_config=ttnn.L1_MEMORY_CONFIG)
end()
ttnn.close_device(device)
