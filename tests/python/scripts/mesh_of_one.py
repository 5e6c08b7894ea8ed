# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A model written for meshes, on a mesh of one chip: mappers and composers everywhere, weights that are cut and copied."""

import sys

import torch
import ttnn

device = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))


def replicated(*shape, **options):
    return ttnn.from_torch(
        torch.randn(*shape), layout=ttnn.TILE_LAYOUT, device=device, mesh_mapper=ttnn.ReplicateTensorToMesh(device), **options
    )


def cut(dim, *shape, **options):
    return ttnn.as_tensor(
        torch.randn(*shape), layout=ttnn.TILE_LAYOUT, device=device, memory_config=ttnn.DRAM_MEMORY_CONFIG,
        mesh_mapper=ttnn.ShardTensorToMesh(device, dim=dim), **options
    )


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))

x = replicated(1, 1, 64, 128, dtype=ttnn.bfloat16)
wq = cut(-1, 128, 256, dtype=ttnn.bfloat8_b)
wo = cut(0, 256, 128, dtype=ttnn.bfloat16)
norm = ttnn.from_torch(
    torch.ones(1, 1, 4, 32), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device,
    mesh_mapper=ttnn.ShardTensor2dMesh(device, dims=(None, 2), mesh_shape=tuple(device.shape)),
)
positions = ttnn.from_torch(
    torch.arange(32, dtype=torch.int32), dtype=ttnn.int32, device=device, mesh_mapper=ttnn.ReplicateTensorToMesh(device)
)
table = replicated(1, 32, dtype=ttnn.float32, memory_config=ttnn.L1_MEMORY_CONFIG)
normed = ttnn.rms_norm(x, weight=norm, epsilon=1e-5)
hidden = ttnn.linear(normed, wq, memory_config=ttnn.L1_MEMORY_CONFIG)
out = ttnn.add(x, ttnn.linear(hidden, wo, dtype=ttnn.bfloat16))
ttnn.deallocate(hidden)
parts = ttnn.get_device_tensors(out)
assert len(parts) == 1 and parts[0].shape == out.shape
values = ttnn.to_torch(out, mesh_composer=ttnn.ConcatMeshToTensor(device, dim=-1))
assert tuple(values.shape) == (1, 1, 64, 128)
with ttnn.distribute(ttnn.ShardTensorToMesh(device, dim=3)):
    again = ttnn.from_torch(values, device=device, layout=ttnn.TILE_LAYOUT)
host = ttnn.from_torch(torch.randn(2, 64), mesh_mapper=ttnn.ShardTensorToMesh(device, dim=1))
late = ttnn.to_device(host, device)
assert str(late.tensor_topology().placements()) == "[PlacementShard(1)]"

ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_mesh_device(device)
