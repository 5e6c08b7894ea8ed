# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilemeter as ttnn
from conftest import tiles


@pytest.mark.parametrize("dtype", [numpy.float32, numpy.int32, numpy.uint8, numpy.uint16, numpy.uint32])
def test_numpy_values_come_back_unchanged(device: Any, dtype: Any) -> None:
    values = numpy.arange(24, dtype=dtype).reshape(2, 3, 4)
    tensor = ttnn.from_numpy(values, device=device)
    assert tuple(tensor.shape) == (2, 3, 4)
    back = tensor.to_numpy()
    assert back.dtype == dtype and (back == values).all()


def test_bfloat16_rounds_to_nearest_even(device: Any) -> None:
    tensor = ttnn.from_numpy([1.00390625, 1.01171875], dtype=ttnn.bfloat16)
    assert tensor.to_numpy().tolist() == [1.0, 1.015625]


def test_half_precision_arrays_are_read() -> None:
    values = numpy.array([1.5, -0.0, 65504.0, 6e-8, numpy.inf], dtype=numpy.float16)
    assert ttnn.from_numpy(values, dtype=ttnn.float32).to_numpy().tolist() == values.astype(numpy.float32).tolist()


def test_arrays_of_text_are_refused() -> None:
    with pytest.raises((TypeError, ValueError)):
        ttnn.from_numpy(numpy.array(["a"]))


def test_dlpack_shares_values_with_numpy() -> None:
    tensor = ttnn.from_numpy(numpy.arange(6, dtype=numpy.float32).reshape(2, 3))
    assert numpy.from_dlpack(tensor).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_torch_tensors_go_in_and_out_where_torch_is_installed(device: Any) -> None:
    torch = pytest.importorskip("torch")
    values = torch.randn(1, 1, 32, 32).to(torch.bfloat16)
    tensor = ttnn.from_torch(values, layout=ttnn.TILE_LAYOUT, device=device)
    assert tensor.dtype == ttnn.bfloat16
    assert torch.equal(ttnn.to_torch(tensor), values)


def test_operators_are_the_operations(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    assert ((a + a) * 3.0 - 1.0).to_numpy()[0, 0, 0, 0] == 5.0
    assert (a / 2.0).to_numpy().max() == 0.5


def test_views_of_the_tensor_tell_what_it_is(device: Any) -> None:
    a = tiles(device, 1, 1, 30, 30)
    assert (a.dtype, a.layout, a.storage_type()) == (ttnn.bfloat16, ttnn.TILE_LAYOUT, ttnn.StorageType.DEVICE)
    assert tuple(a.padded_shape) == (1, 1, 32, 32) and a.logical_volume() == 900 and a.volume() == 1024
    assert a.device() is device and a.memory_config() == ttnn.L1_MEMORY_CONFIG
    assert ttnn.has_tile_padding(a) and a.buffer_address() > 0
    assert repr(a).startswith("ttnn.Tensor([[[[ 1.0000,  1.0000,  ...,") and "Layout::TILE" in repr(a)
    ttnn.deallocate(a)
    assert "<buffer is not allocated>" in repr(a)


def test_device_out_of_memory_is_an_exception_with_figures(device: Any) -> None:
    kept = []
    with pytest.raises(ttnn.OutOfMemoryError) as raised:
        for _ in range(100):
            kept.append(tiles(device, 1, 1, 2048, 2048))
    error = raised.value
    assert isinstance(error, RuntimeError) and isinstance(error, MemoryError)
    assert error.size_bytes == 2048 * 2048 * 2 and error.buffer_type == "L1" and "8388608" in str(error)


def test_errors_of_memory_carry_who_holds_it(device: Any) -> None:
    kept = [tiles(device, 1, 1, 2048, 2048)]
    with pytest.raises(ttnn.OutOfMemoryError) as raised:
        while True:
            kept.append(ttnn.relu(kept[0], memory_config=ttnn.L1_MEMORY_CONFIG))
    error = raised.value
    assert (error.device, error.operation, len(error.owners)) == (kept[0].device().id(), "ttnn.relu", len(kept))
    assert [owner.address for owner in error.owners] == sorted((t.buffer_address() for t in kept), reverse=True)
    assert {owner.operation for owner in error.owners} == {"ttnn.ones", "ttnn.relu"}
    assert all(owner.shape == (1, 1, 2048, 2048) and owner.dtype == "DataType::BFLOAT16" for owner in error.owners)
    assert error.bank.allocated == sum(owner.size_per_bank_bytes for owner in error.owners)
    assert error.bank.largest_free_block < error.size_per_bank_bytes
    assert "ttnn.relu" in error.explanation and f"{kept[0].buffer_address():,}" in error.explanation


def test_a_clash_says_which_program_where_and_with_what(device: Any) -> None:
    kept = [tiles(device, 1, 1, 2048, 2048) for _ in range(10)]
    wide = tiles(device, 1, 1, 32, 8192, memory_config=ttnn.DRAM_MEMORY_CONFIG)
    with pytest.raises(ttnn.ProgramMemoryClashError) as raised:
        ttnn.softmax(wide, dim=-1, memory_config=ttnn.DRAM_MEMORY_CONFIG)
    error = raised.value
    assert error.kind in ("circular_buffer", "dataflow_buffer") and error.program > 0
    assert error.cores.start == ttnn.CoreCoord(0, 0) and str(error.cores) in str(error)
    assert error.region_end > error.lowest_buffer_address == min(each.buffer_address() for each in kept)
    assert error.lowest_buffer_address == min(owner.address for owner in error.owners)
    assert error.operation == "ttnn.softmax" and "ttnn.softmax" in error.explanation


def test_a_deallocated_tensor_and_a_closed_device_are_refused(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    a.deallocate(True)
    with pytest.raises(RuntimeError, match="dealloc"):
        ttnn.relu(a)


def test_device_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "p150")
    device = ttnn.open_device(device_id=0)
    try:
        assert device.description == "p150" and device.arch() is ttnn.Arch.BLACKHOLE
    finally:
        ttnn.close_device(device)
    monkeypatch.setenv("TILEMETER_DEVICE", "no such device")
    with pytest.raises(ValueError, match="no such device"):
        ttnn.open_device(device_id=0)


def test_a_mesh_holds_parts_of_a_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "n300")
    mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    try:
        values = numpy.arange(64, dtype=numpy.float32).reshape(1, 64)
        mapper = ttnn.ShardTensorToMesh(mesh, dim=1)
        tensor = ttnn.from_torch(values, device=mesh, mesh_mapper=mapper)
        assert tuple(tensor.shape) == (1, 32)
        composed = ttnn.to_numpy(tensor, mesh_composer=ttnn.ConcatMeshToTensor(mesh, dim=1))
        assert (composed == values).all()
    finally:
        ttnn.close_mesh_device(mesh)


@pytest.mark.parametrize("dims", [(0, 1), (None, 1), (0, None)])
def test_a_mesh_mapper_of_two_dimensions_and_its_composer_are_inverse(monkeypatch: pytest.MonkeyPatch, dims: Any) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "n300")
    mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    try:
        values = numpy.arange(24, dtype=numpy.float32).reshape(4, 6)
        mapper = ttnn.ShardTensor2dMesh(mesh, mesh_shape=(1, 2), dims=dims)
        tensor = ttnn.from_torch(values, device=mesh, mesh_mapper=mapper)
        assert tuple(tensor.shape) == ((4, 3) if dims[1] == 1 else (4, 6))
        if None not in dims:
            composer = ttnn.ConcatMesh2dToTensor(mesh, mesh_shape=(1, 2), dims=dims)
            assert (ttnn.to_numpy(tensor, mesh_composer=composer) == values).all()
        chips = [each._values(0) for each in ttnn.get_device_tensors(tensor)]
        assert (numpy.concatenate(chips, axis=1)[:, :6] == values).all()
    finally:
        ttnn.close_mesh_device(mesh)


def test_tensors_are_made_as_ttnns_constructor_makes_them(device: Any) -> None:
    values = numpy.arange(64, dtype=numpy.float32).reshape(1, 1, 8, 8)
    on_device = ttnn.Tensor(values, ttnn.bfloat16, device, ttnn.TILE_LAYOUT)
    assert on_device.layout == ttnn.TILE_LAYOUT and on_device.device() is device
    listed = ttnn.Tensor([1.0, 2.0, 3.0, 4.0], [1, 1, 2, 2], ttnn.float32, ttnn.ROW_MAJOR_LAYOUT)
    assert listed.to_list() == [[[[1.0, 2.0], [3.0, 4.0]]]]
    moved = ttnn.Tensor(values, ttnn.bfloat16).to(ttnn.TILE_LAYOUT).to(device, ttnn.L1_MEMORY_CONFIG)
    assert moved.memory_config() == ttnn.L1_MEMORY_CONFIG and (moved.cpu().to_numpy() == values).all()
    assert tuple(moved.reshape(1, 1, 4, 16).shape) == (1, 1, 4, 16)


def test_sharded_configs_follow_from_shape_and_grid() -> None:
    config = ttnn.create_sharded_memory_config(
        (1, 1, 256, 128), ttnn.CoreGrid(y=2, x=4), ttnn.ShardStrategy.BLOCK, ttnn.ShardOrientation.ROW_MAJOR
    )
    assert config.shard_spec is not None and list(config.shard_spec.shape) == [128, 32]
    assert config.memory_layout == ttnn.TensorMemoryLayout.BLOCK_SHARDED
    with pytest.raises(RuntimeError, match="core_grid"):
        ttnn.create_sharded_memory_config((1, 1, 100, 100), ttnn.CoreGrid(y=8, x=8), ttnn.ShardStrategy.HEIGHT)


def test_values_that_describe_tensors_are_equal_hashable_and_readable() -> None:
    assert ttnn.Shape([1, 2]) == [1, 2] and hash(ttnn.Shape([1, 2])) == hash(ttnn.Shape((1, 2)))
    assert repr(ttnn.Shape([1, 2])) == "Shape([1, 2])" and ttnn.Shape([1, 2, 3])[-1] == 3
    cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(7, 3))})
    assert str(cores) == "{[0-0 - 7-3]}" and cores.num_cores() == 32
    assert ttnn.num_cores_to_corerangeset(9, ttnn.CoreCoord(8, 8), True).num_cores() == 9
    assert str(ttnn.bfloat16) == "DataType.BFLOAT16" and repr(ttnn.graph.RunMode.NORMAL) == "RunMode.NORMAL"


def test_attention_computes_what_its_formula_says(device: Any) -> None:
    generator = numpy.random.default_rng(0)
    q, k, v = (generator.standard_normal((1, 2, 64, 64)).astype(numpy.float32) for _ in range(3))
    on_device = [ttnn.from_numpy(x, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device) for x in (q, k, v)]
    found = ttnn.transformer.scaled_dot_product_attention(*on_device, is_causal=False).to_numpy()
    scores = numpy.exp(q @ k.swapaxes(-1, -2) / 8)
    expected = scores / scores.sum(axis=-1, keepdims=True) @ v
    assert numpy.abs(found - expected).max() < 0.05


def test_caches_are_written_in_place(device: Any) -> None:
    cache = ttnn.zeros([1, 2, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    part = ttnn.ones([1, 2, 32, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    ttnn.kv_cache.fill_cache_for_user_(cache, part, 0)
    assert cache.to_numpy().sum() == 2 * 32 * 64


def test_collectives_take_ttnns_words_about_links_and_refuse_lines_of_one_chip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "n300")
    ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D)
    with ttnn.create_mesh_device(ttnn.MeshShape(1, 2)) as mesh, ttnn.command_queue(1):
        x = ttnn.from_numpy(numpy.ones((1, 1, 32, 128), numpy.float32), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT,
                            device=mesh, mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=3))
        whole = ttnn.all_gather(x, dim=3, num_links=1, topology=ttnn.Topology.Ring, cluster_axis=1)
        assert tuple(whole.shape) == (1, 1, 32, 128)
        assert (ttnn.all_reduce(x, num_links=1, topology=ttnn.Topology.Linear).to_numpy() == 2).all()
        with pytest.raises(RuntimeError, match="all_gather collective will only work for num_devices > 1, got 1"):
            ttnn.all_gather(x, dim=3, cluster_axis=0)
    assert ttnn.get_fabric_config() == ttnn.FabricConfig.FABRIC_1D
    ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)


def test_slices_past_the_end_are_refused_and_show_padding_as_ttnn_does(device: ttnn.MeshDevice) -> None:
    tiled = ttnn.ones([1, 2, 30, 34], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    rows = ttnn.to_layout(tiled, ttnn.ROW_MAJOR_LAYOUT)
    assert tiled[:, :, :31].shape == [1, 2, 31, 34] and tiled[..., :64].shape == [1, 2, 30, 64]
    for tensor, index in (
        (tiled, (slice(None), slice(None), slice(33))), (tiled, (slice(None), slice(3))), (rows, (..., slice(35))),
        (rows, (slice(None), slice(None), slice(-5, 40))),
    ):
        with pytest.raises(RuntimeError, match=r"Ends \d+ must be less than or equal to the shape of the tensor"):
            tensor[index]
    with pytest.raises(RuntimeError, match="End 30 must be greater than or equal to start 40"):
        rows[:, :, 40:]
    with pytest.raises(RuntimeError, match="bounds of dimension 2: expected -30 or more, got -31"):
        rows[:, :, -31:]
    host = ttnn.from_device(rows)
    with pytest.raises(RuntimeError, match="slice: 0:31 of a host tensor: expected a part of 30"):
        host[:, :, :31]
