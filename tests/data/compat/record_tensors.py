# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Files of tensors by the real TT-NN: run by it on its mock device, with the folder to write to."""

import pathlib
import sys

import torch
import ttnn

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
counted = torch.arange(30).reshape(2, 3, 5)
shards = ttnn.create_sharded_memory_config(
    (32, 32), core_grid=ttnn.CoreGrid(y=1, x=2), strategy=ttnn.ShardStrategy.HEIGHT, use_height_and_width_as_shard_shape=True
)
ROWS, TILES = ttnn.ROW_MAJOR_LAYOUT, ttnn.TILE_LAYOUT
for name, values, dtype, layout, place in [
    ("bfloat16_rows", (counted / 4).to(torch.bfloat16), ttnn.bfloat16, ROWS, None),
    ("float32_tiles", (counted / 4).to(torch.float32), ttnn.float32, TILES, None),
    ("bfloat8_b_tiles", (counted / 4).to(torch.float32), ttnn.bfloat8_b, TILES, None),
    ("bfloat4_b_tiles", (counted / 4).to(torch.float32), ttnn.bfloat4_b, TILES, None),
    ("int32_rows", counted.to(torch.int32), ttnn.int32, ROWS, ttnn.L1_MEMORY_CONFIG),
    ("uint16_shards", counted.to(torch.uint16), ttnn.uint16, TILES, shards),
]:
    more = {} if place is None else {"memory_config": place}
    ttnn.dump_tensor(folder / f"{name}.tensorbin", ttnn.from_torch(values, dtype=dtype, layout=layout, **more))
