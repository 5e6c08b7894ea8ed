# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Types and helpers of scripts; the values expected here are those that TT-NN 0.81.1 gave."""

from __future__ import annotations

import json
from typing import Any

import numpy
import pytest

import tilemeter as ttnn


def _range(x0: int, y0: int, x1: int, y1: int) -> Any:
    return ttnn.CoreRange(ttnn.CoreCoord(x0, y0), ttnn.CoreCoord(x1, y1))


_CORES = ttnn.CoreRangeSet([_range(0, 0, 3, 3), _range(4, 0, 5, 1)])


def test_sets_of_cores_are_merged_and_subtracted() -> None:
    assert str(_CORES.subtract(ttnn.CoreRangeSet([_range(0, 0, 0, 3)]))) == "{[1-0 - 5-1], [1-2 - 3-3]}"
    assert str(_CORES.merge(ttnn.CoreRangeSet([_range(6, 0, 6, 0)]))) == "{[0-0 - 6-0], [0-1 - 5-1], [0-2 - 3-3]}"
    assert _CORES.contains(_range(1, 1, 2, 2)) and not _CORES.contains(_range(3, 1, 4, 2))
    with pytest.raises(RuntimeError, match="overlap"):
        ttnn.CoreRangeSet([_range(0, 0, 3, 3), _range(2, 2, 5, 5)])
    with pytest.raises(RuntimeError, match="Invalid core range for start_coord: 3-3, end_coord: 0-0"):
        _range(3, 3, 0, 0)


@pytest.mark.parametrize(
    ("cores", "text"),
    [
        (ttnn.num_cores_to_corerangeset(10, ttnn.CoreCoord(8, 8), True), "{[0-0 - 7-0], [0-1 - 1-1]}"),
        (ttnn.num_cores_to_corerangeset(10, ttnn.CoreCoord(8, 8)), "{[0-0 - 0-7], [1-0 - 1-1]}"),
        (ttnn.num_cores_to_corerangeset(3, [8, 8], row_wise=True), "{[0-0 - 2-0]}"),
        (ttnn.num_cores_to_corerangeset_in_subcoregrids(
            ttnn.CoreCoord(1, 0), 10, ttnn.CoreRangeSet([_range(1, 0, 3, 9), _range(5, 0, 6, 9)]), row_wise=True),
         "{[1-0 - 3-2], [1-3 - 1-3]}"),
        (ttnn.num_cores_to_corerangeset_in_subcoregrids(
            ttnn.CoreCoord(1, 0), 17, ttnn.CoreRangeSet([_range(1, 0, 3, 9), _range(5, 0, 6, 9)])),
         "{[1-0 - 1-9], [2-0 - 2-6]}"),
        (ttnn.grid_to_cores(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 2), True), "[0-0, 1-0, 0-1, 1-1, 0-2, 1-2]"),
        (ttnn.grid_to_cores(start=ttnn.CoreCoord(0, 0), end=ttnn.CoreCoord(1, 1)), "[0-0, 0-1, 1-0, 1-1]"),
        (ttnn.grid_to_cores(5, 8, 8, row_wise=True), "[0-0, 1-0, 2-0, 3-0, 4-0]"),
        (ttnn.split_work_to_cores(ttnn.CoreCoord(8, 8), 100),
         "(64, {[0-0 - 7-7]}, {[0-0 - 3-7], [4-0 - 4-3]}, {[4-4 - 4-7], [5-0 - 7-7]}, 2, 1)"),
        (ttnn.split_work_to_cores(ttnn.CoreCoord(8, 8), 10, True),
         "(10, {[0-0 - 7-0], [0-1 - 1-1]}, {[0-0 - 7-0], [0-1 - 1-1]}, {}, 1, 0)"),
        (ttnn.split_work_to_cores(_CORES, 30),
         "(20, {[0-0 - 3-3], [4-0 - 5-1]}, {[0-0 - 1-3], [2-0 - 2-1]}, {[2-2 - 2-3], [3-0 - 3-3], [4-0 - 5-1]}, 2, 1)"),
        (ttnn.MeshMapperConfig([ttnn.PlacementShard(0), ttnn.PlacementReplicate()]),
         "MeshMapperConfig(placements: [PlacementShard(0), PlacementReplicate()])"),
        (ttnn.MeshComposerConfig(dims=[0, 1], mesh_shape_override=ttnn.MeshShape(1, 2)),
         "MeshComposerConfig(dims: [0, 1], mesh_shape_override=MeshShape([1, 2]))"),
        (ttnn.MeshCoordinateRange(ttnn.MeshShape([1, 2])),
         "MeshCoordinateRange(start=MeshCoordinate([0, 0]), end=MeshCoordinate([0, 1]))"),
        (ttnn.Op2DSliceConfig(slice_type=ttnn.Op2DDRAMSliceWidth, num_slices=2),
         "Op2DSliceConfig(slice_type=SliceType::DRAM_WIDTH,num_slices=2)"),
        (ttnn.SDPAProgramConfig(
            compute_with_storage_grid_size=(8, 8), q_chunk_size=32, k_chunk_size=32, exp_approx_mode=False),
         "SDPAProgramConfig(compute_with_storage_grid_size=8-8, sub_core_grids=std::nullopt, q_chunk_size=32, "
         "k_chunk_size=32, exp_approx_mode=false, max_cores_per_head_batch=16, max_k_splits=1, "
         "matmul_math_fidelity=std::nullopt, segmented_accumulation=false)"),
        (ttnn.Topology.Linear, "Topology.Linear"),
        (ttnn.BcastOpMath.MUL, "BcastOpMath.MUL"),
    ],
    ids=str,
)
def test_helpers_say_what_ttnns_say(cores: object, text: str) -> None:
    assert repr(cores) == text


def test_shards_of_a_config_can_be_changed() -> None:
    grid = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 1))})
    one = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))})
    config = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1,
                               ttnn.ShardSpec(grid, [32, 32], ttnn.ShardOrientation.ROW_MAJOR))
    config.shard_spec.shape = [96, 32]
    config.shard_spec.grid = one
    config.shard_spec.orientation = ttnn.ShardOrientation.COL_MAJOR
    assert config.shard_spec == ttnn.ShardSpec(one, [96, 32], ttnn.ShardOrientation.COL_MAJOR)


def test_elements_of_block_formats_have_no_size() -> None:
    assert [ttnn.element_size(dtype) for dtype in (ttnn.bfloat16, ttnn.float32, ttnn.uint8)] == [2, 4, 1]
    for dtype in (ttnn.bfloat8_b, ttnn.bfloat4_b):
        with pytest.raises(ValueError, match="datum for bfp2, bfp4, bfp8 is invalid"):
            ttnn.element_size(dtype)


def test_conv_configs_say_all_they_hold() -> None:
    assert repr(ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat8_b)) == (
        "Conv2dConfig(weights_dtype=DataType::BFLOAT8_B,activation=std::nullopt,deallocate_activation=0,"
        "reallocate_halo_output=1,config_tensors_in_dram=0,act_block_h_override=0,act_block_w_div=1,reshard_if_not_optimal=0,"
        "override_sharding_config=0,shard_layout=std::nullopt,core_grid=std::nullopt,transpose_shards=0,"
        "output_layout=Layout::TILE,enable_act_double_buffer=0,enable_weights_double_buffer=0,full_inner_dim=0,"
        "enable_kernel_stride_folding=std::nullopt,enable_activation_reuse=0,force_split_reader=std::nullopt,"
        "override_output_sharding_config=0,padding_mode=PaddingMode::Zeros)"
    )


def test_more_cores_than_there_are_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="100 is greater than total number of available cores 64"):
        ttnn.num_cores_to_corerangeset(100, ttnn.CoreCoord(8, 8))
    grids = ttnn.CoreRangeSet([_range(1, 0, 3, 9)])
    with pytest.raises(RuntimeError, match="Start core must be inside sub_core_grids"):
        ttnn.num_cores_to_corerangeset_in_subcoregrids(ttnn.CoreCoord(0, 0), 2, grids)


_SPEC = ttnn.ShardSpec(_CORES, [32, 64], ttnn.ShardOrientation.ROW_MAJOR)
_GRID_TEXT = '[{"end":{"x":3,"y":3},"start":{"x":0,"y":0}},{"end":{"x":5,"y":1},"start":{"x":4,"y":0}}]'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (ttnn.CoreCoord(1, 2), '{"x":1,"y":2}'),
        (_range(0, 0, 3, 3), '{"end":{"x":3,"y":3},"start":{"x":0,"y":0}}'),
        (_CORES, _GRID_TEXT),
        (_SPEC, f'{{"grid":{_GRID_TEXT},"orientation":0,"shape":[32,64]}}'),
        (ttnn.L1_MEMORY_CONFIG,
         '{"buffer_type":1,"created_with_nd_shard_spec":false,"memory_layout":0,"per_core_allocation":false}'),
        (ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, _SPEC),
         '{"buffer_type":1,"created_with_nd_shard_spec":false,"memory_layout":2,"per_core_allocation":false,"shard_spec":'
         f'{{"grid":{_GRID_TEXT},"orientation":0,"shape":[32,64]}}}}'),
        (ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig(
            compute_with_storage_grid_size=(8, 8), in0_block_w=2, out_subblock_h=1, out_subblock_w=1, per_core_M=1,
            per_core_N=1, fuse_batch=True, fused_activation=None, mcast_in0=True),
         '{"allowed_worker_cores":null,"compute_with_storage_grid_size":{"x":8,"y":8},"fuse_batch":true,'
         '"fused_activation":null,"gather_in0":false,"hop_cores":[],"in0_block_w":2,"mcast_in0":true,'
         '"num_global_cb_receivers":1,"out_block_h":1,"out_block_w":1,"out_subblock_h":1,"out_subblock_w":1,"per_core_M":1,'
         '"per_core_N":1,"stream_in1":false,"untilize_out":false}'),
    ],
    ids=lambda value: type(value).__name__,
)
def test_json_texts_are_ttnns_and_come_back(value: Any, text: str) -> None:
    assert value.to_json() == text
    again = type(value).from_json(text)
    assert again.to_json() == text and str(again) == str(value)


def test_what_is_no_json_of_a_value_is_refused() -> None:
    for text in ("", "[]", '{"x":1}', json.dumps({"x": "a", "y": 1})):
        with pytest.raises(RuntimeError, match="CoreCoord.from_json: expected a text of to_json"):
            ttnn.CoreCoord.from_json(text)


def test_program_configs_can_be_read_and_changed() -> None:
    config = ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(
        compute_with_storage_grid_size=(8, 8), in0_block_w=1, out_subblock_h=1, out_subblock_w=1, per_core_M=4, per_core_N=2,
        transpose_mcast=False, fused_activation=(ttnn.UnaryOpType.GELU, True))
    assert (config.out_block_h, config.per_core_N, config.fused_activation.params) == (4, 2, [1.0])
    config.in0_block_w, config.out_block_h, config.fused_activation = 2, 2, None
    assert "in0_block_w=2" in str(config) and "out_block_h=2" in str(config) and config.fused_activation is None
    with pytest.raises(RuntimeError, match="allowed_worker_cores: expected None"):
        ttnn.MatmulMultiCoreReuseProgramConfig(
            compute_with_storage_grid_size=(8, 8), in0_block_w=1, out_subblock_h=1, out_subblock_w=1, per_core_M=1,
            per_core_N=1, allowed_worker_cores=_CORES)


def test_divisions_of_a_device_are_checked(device: Any) -> None:
    parts = [ttnn.SubDevice([_CORES]), ttnn.SubDevice([ttnn.CoreRangeSet([_range(6, 0, 7, 7)])])]
    manager = device.create_sub_device_manager(parts, 3200)
    device.load_sub_device_manager(manager)
    device.set_sub_device_stall_group([ttnn.SubDeviceId(1)])
    with pytest.raises(RuntimeError, match="expected one of 2 sub-devices"):
        device.set_sub_device_stall_group([ttnn.SubDeviceId(2)])
    with pytest.raises(RuntimeError, match="active"):
        device.remove_sub_device_manager(manager)
    device.reset_sub_device_stall_group()
    device.clear_loaded_sub_device_manager()
    device.remove_sub_device_manager(manager)
    with pytest.raises(RuntimeError, match="Sub device manager does not exist"):
        device.load_sub_device_manager(manager)
    with pytest.raises(RuntimeError, match="intersect"):
        device.create_sub_device_manager([parts[0], parts[0]], 0)
    outside = ttnn.SubDevice([ttnn.CoreRangeSet([_range(0, 0, 20, 20)])])
    with pytest.raises(RuntimeError, match=r"Tensix cores \{\[0-0 - 20-20\]\} .* must be within device grid \[0-0 - 7-7\]"):
        device.create_sub_device_manager([outside], 0)
    with pytest.raises(RuntimeError, match="must not be empty"):
        device.create_sub_device_manager([], 0)
    with pytest.raises(RuntimeError, match=r"L1 region \[105824, 2105824\) exceeds"):
        device.create_sub_device_manager(parts, 2000000)


def test_hooks_see_what_the_user_calls_in_slow_mode(device: Any) -> None:
    a = ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    seen: list[Any] = []

    def before(operation: Any, args: Any, kwargs: Any) -> None:
        seen.append((operation.python_fully_qualified_name, len(args), sorted(kwargs)))
        ttnn.relu(a)  # a hook's own call is not seen

    def after(operation: Any, args: Any, kwargs: Any, output: Any) -> None:
        seen.append((operation.python_fully_qualified_name, tuple(output.shape)))

    with ttnn.register_pre_operation_hook(before), ttnn.register_post_operation_hook(after):
        ttnn.add(a, a)
        assert seen == []  # fast mode, as in TT-NN
        with ttnn.manage_config("enable_fast_runtime_mode", False):
            ttnn.add(a, a, memory_config=ttnn.L1_MEMORY_CONFIG)
            ttnn.graph.begin_graph_capture()
            ttnn.mean(a, dim=-1)
            nodes = ttnn.graph.end_graph_capture()
    assert seen == [("ttnn.add", 2, ["memory_config"]), ("ttnn.add", (32, 32)), ("ttnn.mean", 1, ["dim"]), ("ttnn.mean", (32,))]
    assert any(node["node_type"] == "function_start" and node["params"]["name"] == "ttnn.mean" for node in nodes)
    with ttnn.manage_config("enable_fast_runtime_mode", False):
        with ttnn.register_pre_operation_hook(lambda *_: 1), pytest.raises(RuntimeError, match="must return None"):
            ttnn.add(a, a)
        ttnn.add(a, a)


def test_tensors_are_kept_in_files(device: Any, tmp_path: Any) -> None:
    values = numpy.ones((32, 32), numpy.float32)
    options = {"dtype": ttnn.bfloat16, "layout": ttnn.TILE_LAYOUT, "device": device, "memory_config": ttnn.L1_MEMORY_CONFIG}
    first = ttnn.as_tensor(values, cache_file_name=tmp_path / "sub" / "weight", **options)
    assert [path.name for path in (tmp_path / "sub").iterdir()] == ["weight_dtype_BFLOAT16_layout_TILE.tensorbin"]
    again = ttnn.as_tensor(values * 2, cache_file_name=tmp_path / "sub" / "weight", **options)
    assert (again.to_numpy() == first.to_numpy()).all() and again.memory_config() == ttnn.L1_MEMORY_CONFIG
    assert ttnn.as_tensor(values, dtype=ttnn.float32, preprocess=lambda each: each * 3).to_numpy().max() == 3
    with pytest.raises(RuntimeError, match="memory_config must be specified when device is specified"):
        ttnn.as_tensor(values, device=device)


def test_host_tensors_keep_where_they_go(device: Any) -> None:
    host = ttnn.from_numpy(numpy.ones((3, 5), numpy.float32), layout=ttnn.TILE_LAYOUT, memory_config=ttnn.L1_MEMORY_CONFIG)
    assert host.to(device).memory_config() == ttnn.L1_MEMORY_CONFIG
    assert ttnn.to_device(host, device).memory_config() == ttnn.DRAM_MEMORY_CONFIG  # unless told otherwise
    back = ttnn.from_device(host.to(device))
    assert back.memory_config() == ttnn.L1_MEMORY_CONFIG
    assert back.to(ttnn.ROW_MAJOR_LAYOUT).memory_config() == ttnn.DRAM_MEMORY_CONFIG
    rows = ttnn.from_numpy(numpy.ones((3, 5), numpy.float32))
    on_device = rows.pad_to_tile(0.0).to(ttnn.TILE_LAYOUT).to(device)
    assert list(on_device.shape) == [3, 5] and list(on_device.padded_shape) == [32, 32]
    assert list(on_device.cpu().to(ttnn.ROW_MAJOR_LAYOUT).unpad_from_tile([2, 4]).shape) == [2, 4]
    assert ttnn.get_memory_config(rows) is None


def test_values_of_the_device_come_into_a_host_tensor_that_is_there(device: Any) -> None:
    spec = ttnn.TensorSpec((32, 32), ttnn.bfloat16, ttnn.TILE_LAYOUT)
    host = ttnn.allocate_tensor_on_host(spec, device)
    ttnn.copy_device_to_host_tensor(ttnn.full((32, 32), 3.0, layout=ttnn.TILE_LAYOUT, device=device), host)
    assert host.to_numpy().min() == 3
    with pytest.raises(ValueError, match="expected a host tensor"):
        ttnn.copy_device_to_host_tensor(ttnn.ones((1, 32), layout=ttnn.TILE_LAYOUT, device=device), host)


def test_semaphores_take_memory_while_they_live(device: Any) -> None:
    def taken() -> int:
        return int(ttnn.get_memory_view(device, ttnn.BufferType.L1).total_bytes_allocated_per_bank)

    semaphore = ttnn.create_global_semaphore(device, _CORES, 0)
    assert taken() == 32 and ttnn.get_global_semaphore_address(semaphore) == 1499104
    ttnn.reset_global_semaphore_value(semaphore, 1)
    del semaphore
    assert taken() == 0


# Columns and rows of the receivers of one sender each, bytes; what TT-NN 0.81.1 allocates on an n150: size, bytes per core,
# address of the data and of the other ends' places and counters, in the order of allocation.
@pytest.mark.parametrize(
    ("receivers", "size", "recorded"),
    [
        ([(4, 4, 4, 4), (2, 3, 2, 4)], 3200, [(16000, 3200, 1495936), (560, 112, 1495808)]),
        ([(1, 0, 3, 0)], 3201, [(12804, 3216, 1495904), (640, 160, 1495744)]),
        ([(1, 0, 3, 0), (1, 1, 4, 2)], 4096, [(53248, 4096, 1495040), (4576, 352, 1494688)]),
        ([(1, 0, 3, 0)], 0, [(640, 160, 1498976)]),
    ],
)
def test_global_circular_buffers_take_memory_while_they_live(
    receivers: list[tuple[int, int, int, int]], size: int, recorded: list[tuple[int, int, int]], device: Any
) -> None:
    mapping = [
        (ttnn.CoreCoord(0, row), ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(*each[:2]), ttnn.CoreCoord(*each[2:]))}))
        for row, each in enumerate(receivers)
    ]
    with ttnn.graph.capture() as taken:
        buffer = ttnn.create_global_circular_buffer(device, mapping, size)
        assert buffer.size() == size and buffer.sender_core_type() == "worker"
        assert buffer.sender_cores().num_cores() == len(receivers)
        assert buffer.receiver_cores().num_cores() == sum(cores.num_cores() for _, cores in mapping)
        del buffer
    found: dict[str, list[tuple[int, int, int]]] = {"buffer_allocate": [], "buffer_deallocate": []}
    for node in taken.nodes:
        if node["node_type"] in found:
            numbers = [int(node["params"][name]) for name in ("size", "max_size_per_bank", "address")]
            found[node["node_type"]].append((numbers[0], numbers[1], numbers[2]))
    assert found == {"buffer_allocate": recorded, "buffer_deallocate": recorded[::-1]}


def test_a_global_circular_buffer_says_what_is_wrong_with_its_cores(device: Any) -> None:
    one = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(1, 0), ttnn.CoreCoord(3, 0))})
    first, second = ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0)
    with pytest.raises(RuntimeError, match="expected at least one sender"):
        ttnn.create_global_circular_buffer(device, [], 64)
    with pytest.raises(RuntimeError, match="expected L1 or L1_SMALL"):
        ttnn.create_global_circular_buffer(device, [(first, one)], 64, ttnn.BufferType.DRAM)
    for mapping in ([(second, one)], [(first, one), (ttnn.CoreCoord(0, 1), one)], [(first, one), (first, one)]):
        with pytest.raises((RuntimeError, ValueError), match="overlap"):
            ttnn.create_global_circular_buffer(device, mapping, 64)


def test_a_tensor_that_nobody_shares_is_freed_without_force(device: Any) -> None:
    a = ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    view = ttnn.reshape(a, (1, 32, 32))
    ttnn.deallocate(a, force=False)
    assert view.is_allocated()
    del a
    ttnn.deallocate(view, force=False)
    assert not view.is_allocated()
    with pytest.raises(RuntimeError, match="Tensor is not allocated"):
        view.buffer_address()


def test_meshes_are_spread_and_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "n300")
    mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    values = numpy.arange(2 * 32 * 32, dtype=numpy.float32).reshape(2, 32, 32)
    host = ttnn.from_numpy(values, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT)
    spread = ttnn.distribute_tensor(host, ttnn.ShardTensorToMesh(mesh, dim=0), mesh)
    assert list(spread.shape) == [1, 32, 32] and spread.storage_type() == ttnn.StorageType.DEVICE
    whole = ttnn.aggregate_tensor(spread, ttnn.ConcatMeshToTensor(mesh, dim=0))
    assert (whole.to_numpy() == values).all()
    shards = ttnn.from_host_shards([host, host], ttnn.MeshShape(1, 2))
    assert list(shards.shape) == [2, 32, 32] and len(ttnn.get_device_tensors(ttnn.to_device(shards, mesh))) == 2
    with ttnn.distribute(ttnn.ShardTensorToMesh(mesh, dim=1)):
        assert list(ttnn.from_numpy(values, layout=ttnn.TILE_LAYOUT, device=mesh).shape) == [2, 16, 32]
    with pytest.raises(RuntimeError, match="Number of tensor shards must match mesh size"):
        ttnn.from_host_shards([host], ttnn.MeshShape(1, 2))
    assert str(ttnn.ones([32, 32], device=mesh).tensor_topology()) == (
        "TensorTopology(distribution_shape=MeshShape([2]), placements=SmallVector([PlacementReplicate()]), "
        "mesh_coords=MeshCoordinate([0, 0]), MeshCoordinate([0, 1]))"
    )
    ttnn.close_mesh_device(mesh)
