# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors on several chips: how from_torch brings them there, their parts, submeshes, drawings; as TT-NN 0.81.1 has them.

data/mesh/from_torch.json: random calls of from_torch on n150 and n300 (1 x 2), with the functions and buffers that TT-NN
recorded of each.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any, Iterator

import numpy
import pytest

import tilemeter as ttnn

torch: Any
try:
    import torch
except ImportError:  # NumPy has no bfloat16: rows with such arrays are left out
    torch = None

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "mesh"
ROWS = json.loads((DATA / "from_torch.json").read_text())
_DTYPES = {"bf16": ttnn.bfloat16, "f32": ttnn.float32, "b8": ttnn.bfloat8_b, "u32": ttnn.uint32, "i32": ttnn.int32}
_ARRAYS = {"f32": numpy.float32, "i64": numpy.int64, "i32": numpy.int32, "u8": numpy.uint8, "bf16": numpy.float32}
_LAYOUTS = {"T": ttnn.TILE_LAYOUT, "R": ttnn.ROW_MAJOR_LAYOUT}


@pytest.fixture
def mesh(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("TILEMETER_DEVICE", "n300")
    opened = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    yield opened
    ttnn.close_mesh_device(opened)


def _mapper(row: dict[str, Any], device: Any) -> Any:
    kind, dims = row["mapper"], row["dims"]
    if kind == "rep":
        return ttnn.ReplicateTensorToMesh(device)
    if kind == "shard":
        return ttnn.ShardTensorToMesh(device, dim=dims[0])
    if kind == "2d":
        return ttnn.ShardTensor2dMesh(device, dims=tuple(dims), mesh_shape=tuple(device.shape))
    if kind == "mapper":
        along = ttnn.PlacementReplicate() if dims[1] is None else ttnn.PlacementShard(dims[1])
        return ttnn.create_mesh_mapper(device, ttnn.MeshMapperConfig([ttnn.PlacementReplicate(), along]))
    return None


def _memory(row: dict[str, Any], device: Any) -> Any:
    if row["memory"] in (None, "L1"):
        return None if row["memory"] is None else ttnn.L1_MEMORY_CONFIG
    shape = list(row["shape"])
    if row["dims"] and row["dims"][-1] is not None:
        shape[row["dims"][-1]] //= device.get_num_devices()
    grid = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0))})
    shards = ttnn.ShardSpec(grid, [int(numpy.prod(shape[:-1])) // 2, shape[-1]], ttnn.ShardOrientation.ROW_MAJOR)
    memory = ttnn.BufferType.L1 if row["memory"] == "H" else ttnn.BufferType.DRAM
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, memory, shards)


@pytest.mark.parametrize("board", ["n150", "n300"])
def test_from_torch_converts_where_ttnn_does(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", board)
    device = ttnn.open_mesh_device(ttnn.MeshShape(1, 1 if board == "n150" else 2))
    try:
        for row in (row for row in ROWS if row["board"] == board):
            array: Any = numpy.ones(row["shape"], _ARRAYS[row["array"]])
            if row["array"] == "bf16":
                if torch is None:
                    continue
                array = torch.from_numpy(array).bfloat16()
            with ttnn.graph.capture() as taken:
                made = ttnn.from_torch(
                    array, dtype=_DTYPES.get(row["dtype"]), layout=_LAYOUTS.get(row["layout"]),
                    device=None if row["host"] else device, mesh_mapper=_mapper(row, device),
                    memory_config=_memory(row, device),
                )
            nodes = taken.nodes
            names = [node["params"]["name"] for node in nodes if node["node_type"] == "function_start"]
            around = ("ttnn.from_torch", "ttnn::convert_python_tensor_to_tt_tensor")
            assert [name for name in names if name not in around] == row["functions"], row
            buffers = [
                [node["node_type"][7:], *(node["params"][key] for key in ("size", "type", "address"))]
                for node in nodes
                if node["node_type"].startswith("buffer_")
            ]
            assert [[kind, int(size), memory, int(address)] for kind, size, memory, address in buffers] == row["buffers"], row
            assert numpy.all(made.to_numpy() == 1)
            del made  # outside of captures
    finally:
        ttnn.close_mesh_device(device)


def _two(mesh: Any) -> tuple[Any, Any]:
    values = numpy.arange(2 * 32 * 32, dtype=numpy.float32).reshape(2, 1, 32, 32) / 8
    mapper = ttnn.ShardTensorToMesh(mesh, dim=0)
    return values, ttnn.from_torch(values, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=mesh, mesh_mapper=mapper)


def test_a_chip_has_its_part_in_the_same_memory(mesh: Any) -> None:
    values, x = _two(mesh)
    parts = ttnn.get_device_tensors(x)
    assert [part.device_coords() for part in parts] == [[ttnn.MeshCoordinate(0, 0)], [ttnn.MeshCoordinate(0, 1)]]
    assert [part.buffer_address() for part in parts] == [x.buffer_address()] * 2
    assert parts[1].device() is mesh and list(parts[1].shape) == [1, 1, 32, 32] and parts[1].tensor_id != x.tensor_id
    for index, part in enumerate(parts):
        assert numpy.array_equal(part.to_numpy(), values[index : index + 1])
        assert numpy.array_equal(ttnn.to_numpy(ttnn.relu(part)), values[index : index + 1])
        assert numpy.array_equal(ttnn.from_device(ttnn.reshape(part, (1, 1, 1, 1024))).to_numpy().ravel(), values[index].ravel())
    assert ttnn.relu(parts[1]).device_coords() == [ttnn.MeshCoordinate(0, 1)]
    whole = ttnn.combine_device_tensors(tensors=parts)
    assert whole.device_coords() == x.device_coords() and whole.buffer_address() == x.buffer_address()
    composer = ttnn.ConcatMeshToTensor(mesh, dim=0)
    assert numpy.array_equal(whole.to_numpy(mesh_composer=composer), values)
    ttnn.deallocate(parts[0])
    assert not x.is_allocated() and not parts[1].is_allocated()


def test_parts_that_do_not_fit_together_are_refused(mesh: Any) -> None:
    _, x = _two(mesh)
    parts = ttnn.get_device_tensors(x)
    others = ttnn.get_device_tensors(ttnn.relu(x))
    for tensors, message in (
        ([], "At least one tensor shard must be provided"),
        ([parts[0], parts[0]], r"Found a tensor shard at duplicate coordinate MeshCoordinate\(\[0, 0\]\)"),
        ([parts[0], others[1]], "tensor shards must be allocated on the same mesh buffer."),
        (ttnn.get_device_tensors(ttnn.from_device(x)), "All tensor shards must be on device"),
    ):
        with pytest.raises(RuntimeError, match=message):
            ttnn.combine_device_tensors(tensors=tensors)
    with pytest.raises(RuntimeError, match="Number of tensor shards must match mesh size"):
        ttnn.from_host_shards(ttnn.get_device_tensors(ttnn.from_device(x)), ttnn.MeshShape(1, 1))


def test_a_tensor_knows_how_it_is_spread(mesh: Any) -> None:
    coords = "mesh_coords=MeshCoordinate([0, 0]), MeshCoordinate([0, 1])"
    cut = f"TensorTopology(distribution_shape=MeshShape([2]), placements=SmallVector([PlacementShard(0)]), {coords})"
    _, x = _two(mesh)
    again = ttnn.add(ttnn.ones([1, 1, 32, 32], dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=mesh), x)
    for tensor in (x, ttnn.relu(x), ttnn.reshape(x, (1, 1, 1, 1024)), again, ttnn.from_device(x)):
        assert str(tensor.tensor_topology()) == cut
    mapper = ttnn.ShardTensor2dMesh(mesh, dims=(None, 1), mesh_shape=(1, 2))
    both = ttnn.from_torch(numpy.ones((64, 64), numpy.float32), layout=ttnn.TILE_LAYOUT, device=mesh, mesh_mapper=mapper)
    assert str(both.tensor_topology()) == (
        "TensorTopology(distribution_shape=MeshShape([1, 2]), placements=SmallVector([PlacementReplicate(), PlacementShard(1)]),"
        f" {coords})"
    )
    shape = both.tensor_topology().distribution_shape()
    assert (shape.dims(), shape.mesh_size()) == (2, 2)
    alike = ttnn.from_torch(numpy.ones((64, 64), numpy.float32), device=mesh)
    assert "MeshShape([2]), placements=SmallVector([PlacementReplicate()])" in str(alike.tensor_topology())


def test_submeshes_have_memory_of_their_own(mesh: Any) -> None:
    first, second = mesh.create_submeshes(ttnn.MeshShape(1, 1))
    assert [each.get_device_ids() for each in (first, second)] == [[0], [1]] and mesh.get_submeshes() == [first, second]
    assert len({mesh.id(), first.id(), second.id()}) == 3

    def ones(device: Any, rows: int) -> Any:
        return ttnn.ones([rows, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                         memory_config=ttnn.L1_MEMORY_CONFIG)

    kept = [ones(first, 32), ones(second, 64), ones(mesh, 64), ones(first, 64)]
    assert [each.buffer_address() for each in kept] == [1497088, 1497088, 1497088, 1495040]
    assert numpy.all(ttnn.relu(kept[1]).to_numpy() == 1)
    with pytest.raises(RuntimeError, match=r"Submesh shape MeshShape\(\[1, 2\]\) and offset MeshCoordinate\(\[0, 1\]\) does not fit"):
        mesh.create_submesh(ttnn.MeshShape(1, 2), ttnn.MeshCoordinate(0, 1))
    with pytest.raises(RuntimeError, match=r"is not divisible by submesh shape MeshShape\(\[1, 3\]\) along dimension 1"):
        mesh.create_submeshes(ttnn.MeshShape(1, 3))
    mesh.reshape(ttnn.MeshShape(2, 1))
    assert mesh.shape == ttnn.MeshShape(2, 1) and mesh.get_view().shape() == mesh.shape
    with pytest.raises(RuntimeError, match="New shape must have the same number of devices as current shape"):
        mesh.reshape(ttnn.MeshShape(2, 2))
    ttnn.close_mesh_device(mesh)
    assert not first.is_open() and not second.is_open()


_DRAWN = """
╭────────────────────────── Placement Configuration ───────────────────────────╮
│ [PlacementShard(0)]                                                          │
╰──────────────────────────────────────────────────────────────────────────────╯
              Tensor(storage: StorageType.DEVICE)
┌──────────────────────────────┬──────────────────────────────┐
│         Dev. ID: 0           │         Dev. ID: 1           │
│           (0, 0)             │           (0, 1)             │
│       [0:1, :, :, :]         │       [1:2, :, :, :]         │
│    Shape: [1, 1, 32, 32]     │    Shape: [1, 1, 32, 32]     │
│       Dtype: FLOAT32         │       Dtype: FLOAT32         │
│        Layout: TILE          │        Layout: TILE          │
└──────────────────────────────┴──────────────────────────────┘
                  MeshDevice(rows=1, cols=2)
┌──────────────────────────────┬──────────────────────────────┐
│          Dev. ID: 0          │          Dev. ID: 1          │
│            (0, 0)            │            (0, 1)            │
│                              │                              │
└──────────────────────────────┴──────────────────────────────┘
"""


def test_meshes_are_drawn_as_ttnn_draws_them(mesh: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, x = _two(mesh)
    ttnn.visualize_tensor(x)
    ttnn.visualize_mesh_device(mesh)
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == _DRAWN[1:].splitlines()


def test_the_systems_mesh_is_drawn(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "n300")
    ttnn.visualize_system_mesh()
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "SystemMesh Global Shape: MeshShape([2, 1])" and lines[5] == "SystemMesh Global Shape: (2, 1) "
    assert lines[7:9] == ["┌──────────────────────────────┐", "│          Dev. ID: 0          │"]


def test_a_mesh_without_a_shape_has_all_chips() -> None:
    script = "import tilemeter as ttnn; print(ttnn.open_mesh_device().shape)"
    environment = {**os.environ, "TILEMETER_DEVICE": "n300"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "MeshShape([2, 1])\n"


def test_files_keep_what_each_chip_has(mesh: Any, tmp_path: pathlib.Path) -> None:
    values, x = _two(mesh)
    ttnn.dump_tensor(tmp_path / "x.tensorbin", x)
    host, again = ttnn.load_tensor(tmp_path / "x.tensorbin"), ttnn.load_tensor(tmp_path / "x.tensorbin", device=mesh)
    composer = ttnn.ConcatMeshToTensor(mesh, dim=0)
    for tensor in (host, again):
        assert numpy.array_equal(tensor.to_numpy(mesh_composer=composer), values)
        assert str(tensor.tensor_topology()) == str(x.tensor_topology())
    made = [
        ttnn.as_tensor(
            array, layout=ttnn.TILE_LAYOUT, device=mesh, memory_config=ttnn.DRAM_MEMORY_CONFIG,
            mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0), cache_file_name=tmp_path / "kept",
        )
        for array in (values, numpy.zeros_like(values))
    ]
    assert numpy.array_equal(made[1].to_numpy(mesh_composer=composer), values)
