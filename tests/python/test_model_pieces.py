# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values of what public models are made of, against torch."""

from __future__ import annotations

from typing import Any, Iterator

import pytest

import tilemeter as ttnn

torch = pytest.importorskip("torch")


@pytest.fixture
def device() -> Iterator[Any]:
    opened = ttnn.open_device(device_id=0, l1_small_size=16384)
    yield opened
    ttnn.close_device(opened)


def _tiled(values: Any, device: Any, **options: Any) -> Any:
    return ttnn.from_torch(values, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device, **options)


@pytest.mark.parametrize(("before", "after", "padded"), [
    ((1, 1, 32, 64), (1, 1, 3, 64), (1, 1, 32, 64)),
    ((1, 1, 64, 64), (1, 2, 3, 64), (1, 2, 32, 64)),
    ((1, 2, 32, 64), (1, 1, 33, 50), (1, 1, 64, 64)),
])
def test_a_padded_shape_takes_rows_for_padding(device: Any, before: Any, after: Any, padded: Any) -> None:
    values = torch.arange(torch.Size(before).numel(), dtype=torch.float32).reshape(before)
    source = _tiled(values, device)
    view = ttnn.reshape(source, after, padded)
    expected = values.reshape(padded)[tuple(slice(0, size) for size in after)]
    assert torch.equal(ttnn.to_torch(view), expected)
    assert torch.equal(ttnn.to_torch(ttnn.add(view, view)), 2 * expected)
    assert torch.equal(ttnn.to_torch(source), values)


def test_another_volume_needs_the_same_tiles(device: Any) -> None:
    source = _tiled(torch.zeros(1, 1, 32, 64), device)
    with pytest.raises(RuntimeError, match="different volumes"):
        ttnn.reshape(source, (1, 1, 32, 32), (1, 1, 32, 32))
    with pytest.raises(RuntimeError, match="MeshBuffer must be large enough"):
        ttnn.reshape(source, (1, 1, 33, 64), (1, 1, 64, 64))
    with pytest.raises(RuntimeError, match="volumes"):
        ttnn.reshape(source, (1, 1, 1, 64))


@pytest.mark.parametrize(("channels", "length", "kernel", "stride", "padding", "dilation"), [
    (64, 70, 4, 1, 0, 1), (48, 65, 3, 2, 1, 1), (64, 300, 3, 1, 2, 2), (2560, 35, 4, 1, 0, 1),
])
def test_filters_along_a_row(
    device: Any, channels: int, length: int, kernel: int, stride: int, padding: int, dilation: int
) -> None:
    torch.manual_seed(0)
    values, filters = torch.randn(2, length, channels), torch.randn(channels, 1, kernel)
    x = ttnn.from_torch(values.unsqueeze(2), dtype=ttnn.float32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    result, size = ttnn.conv1d(
        input_tensor=x, weight_tensor=ttnn.from_torch(filters, dtype=ttnn.float32), device=device, in_channels=channels,
        out_channels=channels, batch_size=2, input_length=length, kernel_size=kernel, stride=stride, padding=padding,
        dilation=dilation, groups=channels, dtype=ttnn.bfloat16, return_output_dim=True,
        conv_config=ttnn.Conv1dConfig(weights_dtype=ttnn.bfloat16, shard_layout=ttnn.TensorMemoryLayout.HEIGHT_SHARDED))
    expected = torch.nn.functional.conv1d(values.permute(0, 2, 1), filters, None, stride, padding, dilation, channels)
    found = ttnn.to_torch(result).to(torch.float32).reshape(2, size, channels).permute(0, 2, 1)
    assert torch.allclose(found, expected, rtol=0.03, atol=0.06)


@pytest.mark.parametrize("transpose", [True, False])
def test_heads_of_rows_that_do_not_fill_tiles(device: Any, transpose: bool) -> None:
    torch.manual_seed(0)
    batch, rows, heads, size = 2, 50, 4, 32
    values = torch.randn(batch, rows, 3, heads, size).to(torch.bfloat16)
    # Each column of cores has its heads' queries, keys and values side by side.
    side_by_side = values.permute(0, 1, 3, 2, 4).reshape(batch, rows, 3 * heads * size)
    grid = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(heads - 1, batch - 1))})
    shards = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.BLOCK_SHARDED, ttnn.BufferType.L1,
                               ttnn.ShardSpec(grid, [64, 3 * size], ttnn.ShardOrientation.ROW_MAJOR))
    x = ttnn.from_torch(side_by_side, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    found = ttnn.transformer.split_query_key_value_and_split_heads(
        ttnn.to_memory_config(x, shards), num_heads=heads, transpose_key=transpose,
        memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG)
    for which, each in enumerate(found):
        expected = values[:, :, which].permute(0, 2, 1, 3)
        if transpose and which == 1:
            expected = expected.transpose(-1, -2)
        assert torch.equal(ttnn.to_torch(each), expected)
