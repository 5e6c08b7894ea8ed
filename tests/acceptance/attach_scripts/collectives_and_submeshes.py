# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A mesh of all chips, opened by its shape: collectives, whose workloads have a program for each chip, and submeshes."""

import os
import sys

import ttnn

L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin(mode=None):
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, mode or sys.argv[2]))


def end(name=None):
    ttnn.graph.end_graph_capture_to_file(os.path.join(os.path.dirname(sys.argv[1]), name) if name else sys.argv[1])


def tiles(*shape, device, dtype=ttnn.bfloat16, memory_config=L1):
    return ttnn.ones(list(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config)


chips = ttnn.get_num_devices()
if chips > 1:
    ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D)
mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, chips))
a = tiles(1, 1, 64, 64, device=mesh)


def work(x):
    total = ttnn.add(x, x, memory_config=L1)
    if chips > 1:
        gathered = ttnn.all_gather(total, dim=3)
        total = ttnn.reduce_scatter(gathered, dim=3)
        total = ttnn.all_reduce(total)
    return ttnn.softmax(total, dim=-1, memory_config=L1)


begin()
work(a)
end()
begin()
kept = work(a)  # programs are there
end("warm.json")
del a, kept
ttnn.close_mesh_device(mesh)
# Only one of a mesh and its submeshes may have launched when they are closed.
mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, chips))
submeshes = [mesh.create_submesh(ttnn.MeshShape(1, 1), ttnn.MeshCoordinate(0, chip)) for chip in range(chips)]
begin()
parts = [tiles(1, 1, 32, 64, device=submesh) for submesh in submeshes]
for part in reversed(parts):
    ttnn.matmul(part, ttnn.transpose(part, 2, 3), memory_config=L1)
end("submeshes.json")
del parts, part
for submesh in submeshes:
    ttnn.close_mesh_device(submesh)
ttnn.close_mesh_device(mesh)
