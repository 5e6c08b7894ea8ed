# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The parts of TT-NN that scripts and tests written for it use beside operations: specs, configs, modules, golden
functions."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import Any

import numpy
import pytest

import tilemeter as ttnn
from conftest import scopes, tiles
from tilemeter._tilemeter import recording


def _cores(columns: int, rows: int) -> Any:
    return ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(columns - 1, rows - 1))})


# Shape, layout, type, method, orientation; the shard and the layout that TT-NN 0.81.1 makes on 4 cores, blocks on 4 x 3.
@pytest.mark.parametrize(
    ("shape", "rows", "dtype", "method", "by_rows", "shard", "layout"),
    [
        ((2, 3, 100, 200), False, "bfloat16", "height_sharded", True, [192, 224], "HEIGHT_SHARDED"),
        ((2, 3, 100, 200), False, "bfloat16", "width_sharded", False, [768, 64], "WIDTH_SHARDED"),
        ((2, 3, 100, 200), False, "float32", "block_sharded", True, [256, 64], "BLOCK_SHARDED"),
        ((2, 3, 100, 200), False, "float32", "block_sharded", False, [192, 96], "BLOCK_SHARDED"),
        ((2, 3, 100, 200), True, "bfloat16", "height_sharded", True, [150, 200], "HEIGHT_SHARDED"),
        ((2, 3, 100, 200), True, "bfloat16", "width_sharded", True, [600, 50], "WIDTH_SHARDED"),
        ((2, 3, 100, 200), True, "bfloat16", "block_sharded", False, [150, 96], "BLOCK_SHARDED"),
        ((2, 3, 100, 200), True, "float32", "block_sharded", False, [150, 80], "BLOCK_SHARDED"),
        ((1, 1, 32, 64), False, "bfloat16", "height_sharded", True, [32, 64], "WIDTH_SHARDED"),
        ((5, 7), True, "float32", "block_sharded", True, [2, 16], "BLOCK_SHARDED"),
        ((5, 7), True, "float32", "width_sharded", True, [5, 2], "WIDTH_SHARDED"),
        ((256, 512), False, "float32", "block_sharded", True, [96, 128], "BLOCK_SHARDED"),
    ],
)
def test_a_spec_is_cut_into_the_shards_that_ttnn_makes(
    shape: Any, rows: bool, dtype: str, method: str, by_rows: bool, shard: list[int], layout: str
) -> None:
    spec = ttnn.TensorSpec(
        shape, getattr(ttnn, dtype), ttnn.ROW_MAJOR_LAYOUT if rows else ttnn.TILE_LAYOUT, buffer_type=ttnn.BufferType.L1
    )
    orientation = ttnn.ShardOrientation.ROW_MAJOR if by_rows else ttnn.ShardOrientation.COL_MAJOR
    grid = _cores(4, 3) if method == "block_sharded" else _cores(4, 1)
    config = getattr(spec, method)(grid, orientation).memory_config
    assert config.shard_spec is not None
    assert (list(config.shard_spec.shape), config.memory_layout.name) == (shard, layout)
    assert config.buffer_type == ttnn.BufferType.L1


# As TT-NN 0.81.1 answers for both families of boards.
@pytest.mark.parametrize(("norm", "approximates", "in_fp32"), [("layernorm", False, True), ("rmsnorm", True, False)])
def test_norms_say_how_they_compute_by_default(norm: str, approximates: bool, in_fp32: bool) -> None:
    default = getattr(ttnn, norm + "_default_compute_config")
    for arch in (ttnn.device.Arch.WORMHOLE_B0, ttnn.device.Arch.BLACKHOLE):
        config = default(arch=arch)
        assert (config.math_fidelity, config.math_approx_mode, config.fp32_dest_acc_en) == (
            ttnn.MathFidelity.HiFi4, approximates, in_fp32)
        assert not config.packer_l1_acc and not config.dst_full_sync_en
    with pytest.raises(TypeError, match="arch: expected one of"):
        default(None)


@pytest.mark.parametrize("grid", [[2, 1], (2, 1), ttnn.CoreCoord(2, 1)])
def test_grids_of_program_configs_are_lists_tuples_and_coordinates(grid: Any, device: Any) -> None:
    config = ttnn.LayerNormShardedMultiCoreProgramConfig(
        compute_with_storage_grid_size=grid, subblock_w=1, block_h=1, block_w=1, inplace=False)
    shards = ttnn.create_sharded_memory_config([32, 64], core_grid=ttnn.CoreGrid(y=1, x=2), strategy=ttnn.ShardStrategy.WIDTH)
    x = ttnn.to_memory_config(ttnn.ones([1, 1, 32, 64], layout=ttnn.TILE_LAYOUT, device=device), shards)
    assert list(ttnn.rms_norm_pre_all_gather(x, program_config=config).shape) == [1, 1, 32, 32]


def test_products_in_a_ring_are_refused_by_name() -> None:
    sizes = dict(in0_block_w=1, out_subblock_h=1, out_subblock_w=1, per_core_M=1, per_core_N=1)
    config: Any = ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig
    for name, value in {"gather_in0": True, "num_global_cb_receivers": 2, "untilize_out": True, "hop_cores": _cores(1, 1)}.items():
        with pytest.raises(RuntimeError, match=name):
            config(compute_with_storage_grid_size=(8, 8), fuse_batch=True, mcast_in0=True, **sizes, **{name: value})


def test_objects_have_the_attributes_that_programs_read(device: Any) -> None:
    device.counter = 3
    assert device.counter == 3
    slow = ttnn.WormholeComputeKernelConfig(throttle_level=ttnn.ThrottleLevel.LEVEL_2)
    assert slow.throttle_level == ttnn.ThrottleLevel.LEVEL_2
    assert ttnn.WormholeComputeKernelConfig().throttle_level == ttnn.ThrottleLevel.NO_THROTTLE
    config = ttnn.MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig(in0_block_w=1, per_core_M=2, per_core_N=3)
    assert (config.in0_block_w, config.per_core_M, config.per_core_N, config.fused_activation) == (1, 2, 3, None)


def test_what_prepares_a_group_norm_is_no_operation() -> None:
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
    mask = ttnn.create_group_norm_input_mask(64, 8, 1)
    other = ttnn.create_group_norm_input_negative_mask(64, 8, 1)
    nodes = ttnn.graph.end_graph_capture()
    assert scopes(nodes) == []
    assert (mask.to_numpy() + other.to_numpy() == 1).all()


def test_a_tensor_that_shares_its_memory_is_deallocated_without_a_function(device: Any) -> None:
    a = tiles(device, 1, 1, 64, 64)
    b = ttnn.reshape(a, [1, 64, 64])
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
    ttnn.deallocate(a, False)
    nodes = ttnn.graph.end_graph_capture()
    assert scopes(nodes) == ["ttnn.deallocate"]
    assert b.is_allocated()


def test_a_part_of_a_tensors_shards_is_written(device: Any) -> None:
    config = ttnn.create_sharded_memory_config(
        [128, 64], core_grid=ttnn.CoreGrid(y=1, x=4), strategy=ttnn.ShardStrategy.HEIGHT
    )
    x = ttnn.from_numpy(numpy.zeros((128, 64), numpy.float32), layout=ttnn.TILE_LAYOUT, device=device, memory_config=config)
    ones = ttnn.from_numpy(numpy.ones((128, 64), numpy.float32), layout=ttnn.TILE_LAYOUT)
    chosen = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(1, 0), ttnn.CoreCoord(2, 0))})
    ttnn.copy_host_to_device_tensor_partial(ones, x, chosen)
    assert ttnn.to_numpy(x).mean(axis=1).reshape(4, 32).mean(axis=1).tolist() == [0, 1, 1, 0]
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NO_DISPATCH)
    empty = ttnn.allocate_tensor_on_device(ttnn.Shape([128, 64]), ttnn.float32, ttnn.TILE_LAYOUT, device, config)
    ttnn.copy_host_to_device_tensor_partial(ones, empty, chosen)
    ttnn.copy_host_to_device_tensor_partial(ones, x, ttnn.CoreRangeSet([]))
    assert scopes(ttnn.graph.end_graph_capture())[-2:] == [
        "ttnn.copy_host_to_device_tensor_partial", "  ttnn::experimental::core_subset_write::copy_to_device_filtered"]
    ttnn.copy_host_to_device_tensor_partial(ones, x, ttnn.CoreRangeSet([]))
    assert ttnn.to_numpy(x).mean() == 0.5
    interleaved = ttnn.to_memory_config(x, ttnn.DRAM_MEMORY_CONFIG)
    ttnn.copy_host_to_device_tensor_partial(ones, interleaved, chosen)
    with pytest.raises(RuntimeError, match="wrote into interleaved memory, and what TT-NN writes of that is not known"):
        ttnn.to_numpy(interleaved)


def test_packages_beside_ttnn_are_found(tmp_path: Any) -> None:
    (tmp_path / "script.py").write_text(
        "import tracy\nfrom tracy import signpost\nsignpost('a', 'b')\nprint(tracy.__name__)\n"
        "from tt_lib.utils import roundup32, find_closest_largest_divisor\nprint(roundup32(33), find_closest_largest_divisor(12, 5))\n"
    )
    command = [sys.executable, "-m", "tilemeter.as_ttnn", str(tmp_path / "script.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "tilemeter.tracy\n64 4\n"


def test_fallback_functions_compute_in_torch(device: Any) -> None:
    torch = pytest.importorskip("torch")
    from tilemeter.tt_lib import fallback_ops

    x = torch.rand(1, 1, 32, 64).bfloat16()
    on_device = ttnn.from_torch(x, layout=ttnn.TILE_LAYOUT, device=device)
    turned = fallback_ops.reshape(on_device, 1, 1, 64, 32)
    assert turned.layout == ttnn.TILE_LAYOUT and turned.storage_type() == ttnn.StorageType.DEVICE
    assert torch.equal(ttnn.to_torch(turned), x.reshape(1, 1, 64, 32))
    narrow = fallback_ops.reshape(on_device, 1, 2, 32, 32, output_on_device=False)
    assert narrow.storage_type() == ttnn.StorageType.HOST
    weight = ttnn.from_torch(torch.rand(8, 1, 3, 3).bfloat16())
    made = fallback_ops.Conv2d(weight, None, 1, 8, 3, padding=1, bias=False)(on_device)
    expected = torch.nn.functional.conv2d(x.float(), ttnn.to_torch(weight).float(), padding=1)
    assert torch.allclose(ttnn.to_torch(made).float(), expected, rtol=2e-2, atol=2e-2)


def test_golden_functions_of_gradients_and_windows() -> None:
    torch = pytest.importorskip("torch")
    x, grad = torch.rand(4, 4), torch.ones(4, 4)
    (found,) = ttnn.get_golden_function(ttnn.exp_bw)(grad, x)
    assert torch.allclose(found, torch.exp(x))
    a, b = ttnn.get_golden_function(ttnn.mul_bw)(grad, x, x + 1)
    assert torch.allclose(a, x + 1) and torch.allclose(b, x)
    values = torch.arange(16.0).reshape(1, 1, 16, 1)
    largest = ttnn.operations.pool.golden_maxpool2d(values, 1, 4, 4, 1, (2, 2), (2, 2), (0, 0), (1, 1))
    assert largest.reshape(-1).tolist() == [5, 7, 13, 15]
    means = ttnn.get_golden_function(ttnn.avg_pool2d)(values, 1, 4, 4, 1, (2, 2), (2, 2), (0, 0))
    assert means.reshape(-1).tolist() == [2.5, 4.5, 10.5, 12.5]
    parts = [torch.tensor([[0, 1]]), torch.tensor([[2, 3]])]
    assert ttnn.get_golden_function(ttnn.concat)(parts, 1, 2).tolist() == [[0, 2, 1, 3]]
    assert ttnn.get_golden_function(ttnn.rms_norm)(torch.ones(1, 4), torch.full((4,), 2.0)).mean() == pytest.approx(2.0)


# Angle, center, fill, mode; what torchvision.transforms.functional.rotate gives for 0 to 11 in three rows of four.
@pytest.mark.parametrize(
    ("angle", "center", "fill", "mode", "expected"),
    [
        (30, None, -1.0, "bilinear",
         [-0.5127, 1.1084, 3.9689, 2.9124, 1.201, 4.067, 6.933, 9.799, 1.8944, 7.0311, 7.255, 0.9024]),
        (-45, (1.0, 2.0), 0.5, "nearest", [0.5, 0, 0.5, 0.5, 4, 4, 1, 0.5, 8, 5, 6, 3]),
        (-45, (1.0, 2.0), 0.5, "bilinear",
         [0.4804, 0.3193, 0.3824, 0.5, 3.8756, 3.6716, 1.5503, 0.5852, 5.4473, 7.2071, 5.0858, 2.9645]),
    ],
)
def test_the_golden_function_of_rotate_is_torchvisions(
    angle: float, center: Any, fill: float, mode: str, expected: list[float]
) -> None:
    torch = pytest.importorskip("torch")
    golden = ttnn.get_golden_function(ttnn.rotate)
    found = golden(torch.arange(12.0).reshape(1, 3, 4, 1), angle, center=center, fill=fill, interpolation_mode=mode)
    assert found.shape == (1, 3, 4, 1) and found.reshape(-1).tolist() == pytest.approx(expected, abs=1e-3)
    with pytest.raises(ValueError, match="Unsupported interpolation mode: cubic"):
        golden(torch.rand(1, 2, 2, 1), angle, interpolation_mode="cubic")


@pytest.mark.parametrize("center", [None, (4.0, 4.0)])
def test_images_turn_as_the_golden_function_says(center: Any, device: Any) -> None:
    torch = pytest.importorskip("torch")
    images = torch.rand(2, 9, 12, 32)
    turned = ttnn.rotate(ttnn.from_torch(images, device=device), 30.0, center=center, fill=0.25)
    expected = ttnn.get_golden_function(ttnn.rotate)(images, 30.0, center=center, fill=0.25)
    assert torch.allclose(ttnn.to_torch(turned), expected)


@pytest.mark.parametrize("padding", [(1, 2), (0, 1, 2, 1)])
def test_convolutions_have_a_golden_function(device: Any, padding: Any) -> None:
    torch = pytest.importorskip("torch")
    images, weight, bias = torch.rand(2, 6, 8, 16), torch.rand(32, 16, 3, 3) - 0.5, torch.rand(1, 1, 1, 32)
    named = dict(in_channels=16, out_channels=32, batch_size=2, input_height=6, input_width=8, kernel_size=(3, 3),
                 stride=(1, 1), padding=padding, dilation=(1, 1), groups=1,
                 conv_config=ttnn.Conv2dConfig(activation=ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU), config_tensors_in_dram=True))
    found = ttnn.get_golden_function(ttnn.conv2d)(images, weight, bias_tensor=bias, **named)
    ours = ttnn.conv2d(input_tensor=ttnn.from_torch(images, ttnn.float32, device=device), device=device,
                       weight_tensor=ttnn.from_torch(weight, ttnn.float32), bias_tensor=ttnn.from_torch(bias, ttnn.float32),
                       **named)
    assert torch.allclose(found, ttnn.to_torch(ours), atol=1e-4)
    if len(padding) == 2:
        again = torch.nn.functional.conv2d(images.permute(0, 3, 1, 2), weight, bias.flatten(), 1, padding)
        assert torch.allclose(found, torch.relu(again).permute(0, 2, 3, 1).reshape(1, 1, -1, 32), atol=1e-4)


@pytest.mark.parametrize("padding", [(1, 2), (2, 0, 1, 1)])
def test_padding_can_repeat_the_edges_of_images(device: Any, padding: Any) -> None:
    torch = pytest.importorskip("torch")
    images, weight = torch.rand(2, 7, 9, 16), torch.rand(32, 16, 3, 3) - 0.5
    config = ttnn.Conv2dConfig(padding_mode=ttnn.PaddingMode.Replicate, config_tensors_in_dram=True)
    assert config.padding_mode == ttnn.PaddingMode.Replicate
    found = ttnn.conv2d(
        input_tensor=ttnn.from_torch(images, ttnn.float32, device=device), weight_tensor=ttnn.from_torch(weight, ttnn.float32),
        device=device, in_channels=16, out_channels=32, batch_size=2, input_height=7, input_width=9, kernel_size=(3, 3),
        padding=padding, conv_config=config)
    top, bottom, left, right = padding if len(padding) == 4 else [padding[0]] * 2 + [padding[1]] * 2
    padded = torch.nn.functional.pad(images.permute(0, 3, 1, 2), (left, right, top, bottom), mode="replicate")
    expected = torch.nn.functional.conv2d(padded, weight).permute(0, 2, 3, 1).reshape(1, 1, -1, 32)
    assert torch.allclose(ttnn.to_torch(found), expected, atol=1e-4)
    with pytest.raises(RuntimeError, match="padding_mode: expected PaddingMode.Zeros or PaddingMode.Replicate"):
        ttnn.Conv2dConfig(padding_mode="mirror")


@pytest.mark.parametrize("layout", ["TILE_LAYOUT", "ROW_MAJOR_LAYOUT"])
def test_values_stay_when_shards_of_many_dimensions_become_others(device: Any, layout: str) -> None:
    torch = pytest.importorskip("torch")
    values = torch.rand(2, 4, 64, 64)
    cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(3, 1))})
    configs = [ttnn.MemoryConfig(ttnn.BufferType.L1, ttnn.NdShardSpec(ttnn.Shape(shape), cores))
               for shape in ((1, 2, 64, 64), (1, 4, 32, 64), (2, 1, 64, 32))]
    x = ttnn.from_torch(values, ttnn.float32, layout=getattr(ttnn, layout), device=device)
    for config in (*configs, *reversed(configs), ttnn.DRAM_MEMORY_CONFIG):
        x = ttnn.to_memory_config(x, config)
        assert torch.equal(ttnn.to_torch(x), values)


def test_the_correlation_of_a_tensor_with_torchs_is_an_operation(device: Any) -> None:
    torch = pytest.importorskip("torch")
    x = torch.rand(32, 32)
    assert ttnn.pearson_correlation_coefficient(x, ttnn.from_torch(x, device=device)) == pytest.approx(1.0)
    y = torch.rand(32, 32)
    expected = torch.corrcoef(torch.stack([x.flatten(), y.flatten()]))[0, 1].item()
    assert ttnn.get_golden_function(ttnn.pearson_correlation_coefficient)(x, y) == pytest.approx(expected, abs=1e-5)
    with pytest.raises(ValueError, match="not a torch.Tensor"):
        ttnn.pearson_correlation_coefficient(ttnn.from_torch(x), x)


def test_parts_of_the_native_module_have_what_ttnn_keeps_there() -> None:
    native: Any = ttnn._ttnn
    assert native.multi_device.MeshDevice is ttnn.MeshDevice
    assert native.tensor.MemoryConfig is ttnn.MemoryConfig
    assert native.tensor.Tensor is ttnn.Tensor
    assert native.operations.ccl.Topology is ttnn.Topology
    operations: Any = ttnn.operations
    assert operations.moreh.sum is ttnn.moreh_sum and operations.moreh.dot is ttnn.moreh_dot
    only_there = ("SystemMeshDescriptor", "dump_overlapped_tensors", "load_overlapped_tensors")
    missing = [name for part in (native.multi_device, native.tensor) for name in vars(part)
               if not name.startswith("_") and name not in only_there
               if getattr(ttnn, name) is not getattr(part, name)]
    assert missing == []


# As TT-NN 0.81.1: padding that the shape does not count, in whole pages of the buffer; tiles have theirs.
def test_a_tensor_on_the_host_is_padded_without_another_shape(device: Any) -> None:
    rows = ttnn.Tensor(numpy.arange(24, dtype="float32").reshape(1, 2, 4, 3), ttnn.float32)
    padded = ttnn.pad(rows, [1, 2, 4, 8], [0, 0, 0, 0], 0)
    assert (tuple(padded.shape), tuple(padded.padded_shape)) == ((1, 2, 4, 3), (1, 2, 4, 8))
    assert tuple(ttnn.pad(rows, [(0, 6), (0, 5)], 0.0).padded_shape) == (1, 2, 10, 8)
    moved = ttnn.to_device(padded, device)
    assert (moved.buffer_aligned_page_size(), tuple(moved.padded_shape)) == (32, (1, 2, 4, 8))
    assert (moved.to_numpy() == rows.to_numpy()).all()
    tiled = ttnn.to_layout(rows, ttnn.TILE_LAYOUT)
    assert tuple(ttnn.pad(tiled, [1, 2, 96, 64], [0, 0, 0, 0], 0).padded_shape) == (1, 2, 32, 32)
    with pytest.raises(RuntimeError, match="behind the last two dimensions only, got .* and padding in front"):
        ttnn.pad(rows, [1, 2, 4, 8], [0, 0, 0, 1], 0)
    with pytest.raises(RuntimeError, match="behind the last two dimensions only"):
        ttnn.pad(rows, [1, 3, 4, 3], [0, 0, 0, 0], 0)


# TT-NN 0.81.1's report of the same tensors on n150: bank, core, page and its address.
def test_buffers_and_pages_in_memory_are_those_that_ttnn_reports(device: Any) -> None:
    reports: Any = ttnn._ttnn.reports
    made = {"dtype": ttnn.bfloat16, "device": device}
    shards = ttnn.MemoryConfig(
        ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1,
        ttnn.ShardSpec(ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(1, 0), ttnn.CoreCoord(2, 0))}), [32, 64],
                       ttnn.ShardOrientation.ROW_MAJOR))
    assert reports.get_buffers(device) == reports.get_buffer_pages([device]) == []
    tiled = ttnn.zeros([1, 1, 64, 64], layout=ttnn.TILE_LAYOUT, memory_config=ttnn.L1_MEMORY_CONFIG, **made)
    in_dram = ttnn.zeros([1, 1, 32, 64], layout=ttnn.TILE_LAYOUT, **made)
    sharded = ttnn.zeros([1, 1, 64, 64], layout=ttnn.TILE_LAYOUT, memory_config=shards, **made)
    by_rows = ttnn.zeros([1, 1, 3, 100], layout=ttnn.ROW_MAJOR_LAYOUT, memory_config=ttnn.L1_MEMORY_CONFIG, **made)
    pages = sorted((page.address, page.bank_id, page.core_x, page.core_y, page.page_index, page.page_address, page.page_size)
                   for page in reports.get_buffer_pages(device))
    assert pages == [
        (1492768, 1, 1, 4, 0, 1492768, 200), (1492768, 2, 4, 4, 1, 1492768, 200), (1492768, 3, 4, 1, 2, 1492768, 200),
        (1492992, 38, 2, 0, 2, 1492992, 2048), (1492992, 38, 2, 0, 3, 1495040, 2048),
        (1492992, 63, 1, 0, 0, 1492992, 2048), (1492992, 63, 1, 0, 1, 1495040, 2048),
        (1497088, 1, 1, 4, 0, 1497088, 2048), (1497088, 2, 4, 4, 1, 1497088, 2048), (1497088, 3, 4, 1, 2, 1497088, 2048),
        (1497088, 4, 2, 2, 3, 1497088, 2048),
    ]
    assert {page.buffer_type for page in reports.get_buffer_pages(device)} == {ttnn.BufferType.L1}
    interleaved = ttnn.TensorMemoryLayout.INTERLEAVED
    buffers = sorted((buffer.address, buffer.max_size_per_bank, buffer.buffer_type.value, buffer.buffer_layout)
                     for buffer in reports.get_buffers([device]))
    assert buffers == [
        (1048640, 2048, ttnn.BufferType.DRAM.value, interleaved), (1492768, 200, ttnn.BufferType.L1.value, interleaved),
        (1492992, 4096, ttnn.BufferType.L1.value, ttnn.TensorMemoryLayout.HEIGHT_SHARDED),
        (1497088, 2048, ttnn.BufferType.L1.value, interleaved),
    ]
    for tensor in (tiled, in_dram, sharded, by_rows):
        ttnn.deallocate(tensor)
    assert reports.get_buffers(device) == reports.get_buffer_pages(device) == []
    info = reports.get_device_info(device)
    assert (info.l1_num_banks, info.l1_bank_size, info.cb_limit, info.worker_l1_size) == (64, 1393312, 1393312, 1499136)


def test_types_of_elements_that_no_tensor_has_can_be_named(device: Any) -> None:
    for name, value in {"FP8_E4M3": 8, "INT8": 9, "INVALID": 10}.items():
        kind: Any = getattr(ttnn.DataType, name)
        assert (str(kind), kind.value) == (f"DataType.{name}", value)
        assert {kind: 1, ttnn.bfloat16: 2}[kind] == 1
        with pytest.raises(TypeError, match=f"DataType.{name}"):
            ttnn.zeros([32, 32], dtype=kind, layout=ttnn.TILE_LAYOUT, device=device)
    assert (ttnn.fp8_e4m3, ttnn.int8) == (ttnn.DataType.FP8_E4M3, ttnn.DataType.INT8)


def test_a_copied_config_changes_nothing_but_itself() -> None:
    copied = ttnn.Config(ttnn.CONFIG)
    assert str(copied) == str(ttnn.CONFIG)
    copied.enable_comparison_mode = not copied.enable_comparison_mode
    assert copied.enable_comparison_mode != ttnn.CONFIG.enable_comparison_mode
    assert ttnn.Config(copied).enable_comparison_mode == copied.enable_comparison_mode
    assert recording.slow == (ttnn.CONFIG.enable_comparison_mode or not ttnn.CONFIG.enable_fast_runtime_mode)
    with pytest.raises(TypeError, match="expected a Config, got int"):
        ttnn.Config(1)  # type: ignore[arg-type]


# Blackhole's board too: asking opens no device, whose sizes would then hold for the program's own.
def test_asking_for_the_family_opens_no_device() -> None:
    program = """
import tilemeter as ttnn
print(ttnn.device.is_blackhole(), ttnn.device.is_wormhole_b0())
device = ttnn.CreateDevice(device_id=0, l1_small_size=16384)
print(ttnn.get_memory_view(device, ttnn.BufferType.L1_SMALL).total_bytes_per_bank, ttnn.device.is_blackhole(device))
"""
    for board, found in {"n150": "False True\n16384 False\n", "p150": "True False\n16384 True\n"}.items():
        environment = os.environ | {"TILEMETER_DEVICE": board}
        assert subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True).stdout == found


def test_golden_functions_of_pools_stand_under_their_module() -> None:
    torch = pytest.importorskip("torch")
    pool: Any = ttnn.operations.pool
    images = torch.arange(8.0).reshape(1, 2, 2, 2)
    assert pool.golden_upsample(images, [2, 1])[0, :, 0, 0].tolist() == [0, 0, 4, 4]
    corners = torch.tensor([[-1.0, -1.0, 1.0, 1.0]]).reshape(1, 1, 1, 4)
    assert pool.golden_grid_sample(images, corners, align_corners=True).flatten().tolist() == [0, 1, 6, 7]
    assert pool.golden_grid_sample(images, corners, align_corners=True, batch_output_channels=True).shape == (1, 1, 1, 4)


@pytest.mark.parametrize(
    "board, asked, small, base, most",
    [
        ("n150", 16385, 0, 1482752, 1463968), ("n150", 100000, 32768, 1399136, 1463968), ("n150", 1000032, 0, 499104, 1463968),
        ("p150", 16385, 0, 1556480, 1531776), ("p150", 100000, 0, 1472896, 1531776), ("p150", 1000032, 0, 572864, 1531776),
    ],
)
def test_programs_and_tensors_get_the_l1_that_is_asked_for(
    board: str, asked: int, small: int, base: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:  # the first addresses on TT-NN's mock boards, and their refusals
    monkeypatch.setenv("TILEMETER_DEVICE", board)
    device = ttnn.CreateDevice(0, 1, small, worker_l1_size=asked)
    try:
        assert ttnn.get_allocator_base_address(device, ttnn.BufferType.L1) == base
    finally:
        ttnn.close_device(device)
    with pytest.raises(RuntimeError, match=f"Worker L1 size 1540000 is larger than max size {most}"):
        ttnn.open_device(device_id=0, worker_l1_size=1540000)


def test_the_system_says_how_its_chips_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    # given
    monkeypatch.setenv("TILEMETER_DEVICE", "t3000")
    system = ttnn._ttnn.multi_device.SystemMeshDescriptor()
    # then
    assert list(system.shape()) == [2, 4] and system.local_shape().mesh_size() == 8 and system.all_local()
    assert system.get_device_id(ttnn.MeshCoordinate(1, 2)) == 6 and system.is_local(ttnn.MeshCoordinate(0, 3))
    with pytest.raises(RuntimeError, match="is out of bounds for shape"):
        system.is_local(ttnn.MeshCoordinate(2, 0))


def test_the_cluster_descriptor_is_written_to_a_file(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    text = pathlib.Path(ttnn.cluster.serialize_cluster_descriptor()).read_text()
    assert "wormhole_b0" in text and "board_type: n150" in text


def test_moreh_operations_stand_under_their_module(device: Any) -> None:
    assert ttnn.operations.moreh.dot is ttnn.moreh_dot and ttnn.operations.moreh.sum is ttnn.moreh_sum


def test_torch_compiles_backend_finds_the_names_that_torch_and_ttnn_no_longer_have(tmp_path: pathlib.Path) -> None:
    # Stand-ins: torch as it is since 2.15, and what torch_ttnn 0.5.6 takes at its first import and its first operation.
    module = tmp_path / "torch" / "fx" / "experimental" / "symbolic_shapes.py"
    module.parent.mkdir(parents=True)
    module.write_text("")
    (tmp_path / "torch_ttnn.py").write_text("from torch.fx.experimental.symbolic_shapes import hint_int\n")
    (tmp_path / "script.py").write_text(
        "import types\nimport torch_ttnn, ttnn\n"
        "size, unknown = (types.SimpleNamespace(node=types.SimpleNamespace(hint=hint)) for hint in (7, None))\n"
        "print(torch_ttnn.hint_int(3), torch_ttnn.hint_int(size), torch_ttnn.hint_int(unknown, fallback=5))\n"
        "device = ttnn.open_device(device_id=0)\n"
        "print(ttnn.device.is_grayskull(device), ttnn.device.is_wormhole_b0(device))\n"
    )
    for board, family in {"n150": "False True", "e75": "True False"}.items():
        done = subprocess.run(
            [sys.executable, "-m", "tilemeter.as_ttnn", "script.py"], cwd=tmp_path, env=os.environ | {"TILEMETER_DEVICE": board},
            capture_output=True, text=True,
        )
        assert done.stdout == f"3 7 5\n{family}\n", done.stderr
