# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Weights of a model for meshes, kept in files: made the first time, read the second."""

import pathlib
import sys
import tempfile

import torch
import ttnn

device = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
weight = torch.randn(1, 1, 64, 128)
mappers = {
    "alike": ttnn.ReplicateTensorToMesh(device),
    "columns": ttnn.ShardTensorToMesh(device, dim=-1),
    "rows": ttnn.ShardTensor2dMesh(device, dims=(None, 2), mesh_shape=tuple(device.shape)),
    "plain": None,
}

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))

for name, mapper in mappers.items():
    for dtype, memory_config in ((ttnn.bfloat16, ttnn.DRAM_MEMORY_CONFIG), (ttnn.bfloat8_b, ttnn.L1_MEMORY_CONFIG)):
        for _ in range(2):
            made = ttnn.as_tensor(
                weight, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config, mesh_mapper=mapper,
                cache_file_name=folder / name,
            )
        out = ttnn.linear(made, ttnn.transpose(made, -2, -1))
assert sorted(each.name for each in folder.iterdir())[:2] == [
    "alike_dtype_BFLOAT16_layout_TILE.tensorbin", "alike_dtype_BFLOAT8_B_layout_TILE.tensorbin"
]
ttnn.dump_tensor(folder / "made.tensorbin", made)
back = ttnn.load_tensor(folder / "made.tensorbin", device=device)
assert back.dtype == made.dtype and str(back.tensor_topology()) == str(made.tensor_topology())

ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_mesh_device(device)
