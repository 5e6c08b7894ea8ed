# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The words of refused calls that code matches on."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, layout=ttnn.TILE_LAYOUT, on=device):
    return ttnn.from_torch(torch.rand(*shape), dtype=ttnn.bfloat16, layout=layout, device=on)


def shards(x, y, shape, memory=ttnn.BufferType.L1):
    grid = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(x, y))})
    spec = ttnn.ShardSpec(grid, shape, ttnn.ShardOrientation.ROW_MAJOR)
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, memory, spec)


def zeros(memory_config):
    return ttnn.zeros([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config)


x, y, b, host = tensor(1, 1, 64, 96), tensor(1, 1, 64, 64), tensor(2, 3, 64, 64), tensor(1, 1, 64, 64, on=None)
rows = tensor(1, 1, 64, 64, layout=ttnn.ROW_MAJOR_LAYOUT)
sharded = ttnn.to_memory_config(x, shards(1, 0, [32, 96]))
ends = "must be less than or equal to the shape of the tensor"
for words, call in (
    ("The width of the first tensor must be equal to the height of the second tensor. Mismatch: width=96 height=64",
     lambda: ttnn.matmul(x, y)),
    ("Inputs to matmul must be tilized", lambda: ttnn.matmul(y, rows)),
    ("bmm (non-bcast matmul) expects input tensors of shapes BCMK*BCKN=BCMN", lambda: ttnn.matmul(b, tensor(3, 3, 64, 64))),
    ("Device Operations expect device tensors as inputs", lambda: ttnn.matmul(y, host)),
    ("Device Operations expect device tensors as inputs", lambda: ttnn.to_memory_config(host, ttnn.L1_MEMORY_CONFIG)),
    ("Invalid subtile broadcast type", lambda: ttnn.add(x, y)),
    ("Broadcasting rule violation at dimension index -3 (output rank 4), dim a: 3, dim b: 2",
     lambda: ttnn.add(b, tensor(2, 64, 64))),
    ("Broadcasting rule violation at dimension index -4 (output rank 4), dim a: 4, dim b: 3",
     lambda: ttnn.add(tensor(4, 1, 64, 64), tensor(3, 1, 64, 64))),
    ("All dimensions must be the same size except for the dimension along which the contenation is taking place.",
     lambda: ttnn.concat([x, y], dim=2)),
    ("ttnn.concat: expected a non-empty list of Tensors!", lambda: ttnn.concat([], dim=0)),
    ("Index is out of bounds for the rank, should be between 0 and 3 however is 9", lambda: ttnn.concat([y, y], dim=9)),
    ("Index is out of bounds for the rank, should be between 0 and 3 however is 9", lambda: ttnn.transpose(x, 1, 9)),
    ("Index is out of bounds for the rank, should be between 0 and 3 however is 7", lambda: ttnn.permute(x, (0, 1, 2, 7))),
    ("Invalid arguments to reshape", lambda: ttnn.reshape(x, (7, 7))),
    ("Invalid arguments to reshape", lambda: ttnn.reshape(x, (-1, 7))),
    ("Shape cannot have more than 1 elements that is set to -1! Shape used: (-1,-1,2,)", lambda: ttnn.reshape(x, (-1, -1, 2))),
    ("The number of dimensions in the tensor input does not match the length of the desired ordering",
     lambda: ttnn.permute(x, (0, 1))),
    (f"Ends 128 {ends} 96", lambda: ttnn.slice(x, [0, 0, 0, 0], [1, 1, 64, 97])),
    (f"Ends 65 {ends} 64", lambda: ttnn.slice(rows, [0, 0, 0, 0], [1, 1, 64, 65])),
    ("Input rank 4 and begins 2 must have the same size", lambda: ttnn.slice(x, [0, 0], [1, 1])),
    ("End 32 must be greater than or equal to start 40", lambda: ttnn.slice(x, [0, 0, 40, 0], [1, 1, 32, 96])),
    ("Unsupported dim 7 at index 0. After possible adjustment, needs to be at least 0 and less than rank 4, or exactly 0 for"
     " a rank 0 tensor.", lambda: ttnn.sum(x, dim=7)),
    ("Physical shard shape (31, 96) must be tile {32, 32} sized!",
     lambda: ttnn.to_memory_config(x, shards(1, 0, [31, 96]))),
    ("Input tensor memory layout must be INTERLEAVED, but got TensorMemoryLayout::HEIGHT_SHARDED",
     lambda: ttnn.interleaved_to_sharded(sharded, shards(1, 0, [32, 96]))),
    ("Dimension out of range (expected to be in range of [-5,4], but got 9)", lambda: ttnn.unsqueeze(x, 9)),
    ("ttnn.pad: on device tile padding does not support front padding",
     lambda: ttnn.pad(x, [(0, 0), (0, 0), (1, 0), (0, 0)], 0.0)),
    ("Only size 1 dimensions can be expanded in the output shape", lambda: ttnn.expand(x, (2, 2, 2, 2))),
    ("Invalid head size: 6. The head size must be a multiple of the tile width (32). Please adjust the dimensions accordingly.",
     lambda: ttnn.transformer.split_query_key_value_and_split_heads(tensor(1, 64, 96), num_heads=5)),
    ("Invalid shard grid: shard core (8, 0) has no L1 bank on this device, which has 64 of them.",
     lambda: zeros(shards(8, 8, [32, 64]))),
    ("Invalid shard grid: shard core (12, 0) has no DRAM bank on this device, which has 12 of them.",
     lambda: zeros(shards(12, 0, [32, 64], ttnn.BufferType.DRAM))),
    ("Invalid DRAM shard grid: shard core (0, 1) is not on row 0.",
     lambda: zeros(shards(1, 1, [32, 64], ttnn.BufferType.DRAM))),
):
    try:
        call()
    except RuntimeError as error:
        assert words in str(error), (words, str(error))
    else:
        raise AssertionError(f"expected a refusal: {words}")

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
repeated = ttnn.repeat(x, (2,))
assert list(repeated.shape) == [1, 1, 64, 192] and list(ttnn.repeat(x, (3, 1)).shape) == [1, 1, 192, 96]
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
