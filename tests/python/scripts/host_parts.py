# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Host tensors indexed and cast: what models do with weights before they go to the device."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))

rows = ttnn.from_torch(torch.rand(2, 3, 64, 40), dtype=ttnn.bfloat16)
tiles = ttnn.from_torch(torch.rand(2, 3, 64, 40), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
whole = ttnn.from_torch(torch.rand(1, 1, 64, 64), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
flat = ttnn.from_torch(torch.rand(10), dtype=ttnn.float32)
parts = [rows[0], rows[-1], rows[..., 3:9], rows[:, 1], rows[0, 1:2], rows[:], rows[0:1, 0, 5], rows[...]]
parts += [tiles[0], tiles[..., 3:9], tiles[:, 1], tiles[0:1, 0, 5], whole[:, :, :32], whole[0], flat[2:5]]
assert [list(each.shape) for each in parts[:4]] == [[3, 64, 40], [3, 64, 40], [2, 3, 64, 6], [2, 64, 40]]
assert parts[8].layout == ttnn.TILE_LAYOUT and parts[8].storage_type() == ttnn.StorageType.HOST
try:
    rows[::2]
    raise AssertionError("expected a refusal")
except RuntimeError as error:
    assert "Host tensors cannot be accessed with non-unit stride" in str(error)
casts = [ttnn.typecast(rows, ttnn.float32), ttnn.typecast(whole, ttnn.bfloat8_b), ttnn.typecast(rows, ttnn.bfloat16)]
casts.append(ttnn.typecast(ttnn.from_torch(torch.rand(32, 32), dtype=ttnn.bfloat16), ttnn.bfloat8_b))
assert [each.dtype for each in casts] == [ttnn.float32, ttnn.bfloat8_b, ttnn.bfloat16, ttnn.bfloat8_b]
on_device = ttnn.relu(ttnn.to_device(parts[12], device))

ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
