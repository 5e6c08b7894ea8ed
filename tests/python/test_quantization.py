# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Scales and zero points that are tensors, of the whole tensor or of each channel, beside the same as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tilemeter as ttnn


@pytest.fixture(name="device", scope="module")
def _device() -> Iterator[Any]:
    opened = ttnn.open_device(device_id=0)
    yield opened
    ttnn.close_device(opened)


def put(device: Any, values: Any, dtype: Any) -> Any:
    array = np.asarray(values, np.int32 if dtype == ttnn.int32 else np.float32)
    return ttnn.from_numpy(array, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


def numbers(shape: tuple[int, ...], seed: int) -> Any:
    return (np.random.default_rng(seed).integers(-256, 256, shape) / 16).astype(np.float32)


def either(device: Any, scale: float, point: int) -> Iterator[tuple[Any, Any]]:
    """All ways to say them."""
    for first in (scale, put(device, [scale], ttnn.float32), put(device, [[scale]], ttnn.bfloat16)):
        for second in (point, put(device, [point], ttnn.int32)):
            yield first, second


@pytest.mark.parametrize("dtype", (ttnn.float32, ttnn.bfloat16))
def test_one_scale_may_be_a_tensor(device: Any, dtype: Any) -> None:
    x = numbers((2, 40, 50), 1)
    wanted = np.round(x / 0.25) + 3
    for scale, point in either(device, 0.25, 3):
        whole = ttnn.to_numpy(ttnn.quantize(put(device, x, dtype), scale, point))
        assert np.abs(whole - wanted).max() <= 1  # sums in bfloat16, which are then cut off
        back = ttnn.to_numpy(ttnn.dequantize(put(device, wanted, ttnn.int32), scale, point, dtype=dtype))
        assert np.abs(back - (wanted - 3) * 0.25).max() <= (0 if dtype == ttnn.float32 else 0.25)
        for other, plus in either(device, 0.5, -2):
            again = ttnn.to_numpy(ttnn.requantize(put(device, wanted, ttnn.int32), scale, point, other, plus))
            assert np.abs(again - ((wanted - 3) * 0.25 / 0.5 - 2)).max() <= 1


@pytest.mark.parametrize("axis", (0, 1, -1))
def test_each_channel_may_have_its_own(device: Any, axis: int) -> None:
    x = numbers((3, 40, 50), 2)
    channels = x.shape[axis]
    scales, points = np.tile([0.25, 0.5, 0.125, 1.0], channels)[:channels], np.arange(channels) % 7 - 3
    spread = [1, 1, 1]
    spread[axis] = channels
    s, z = scales.reshape(spread), points.reshape(spread)
    of_scales, of_points = put(device, scales, ttnn.float32), put(device, points, ttnn.int32)
    wanted = np.round(x / s) + z
    given = put(device, x, ttnn.float32)
    assert np.abs(ttnn.to_numpy(ttnn.quantize(given, of_scales, of_points, axis=axis)) - wanted).max() <= 1
    assert np.abs(ttnn.to_numpy(ttnn.quantize(given, of_scales, 2, axis=axis)) - np.round(x / s) - 2).max() == 0
    q = put(device, wanted, ttnn.int32)
    back = ttnn.to_numpy(ttnn.dequantize(q, of_scales, of_points, axis=axis, dtype=ttnn.float32))
    assert np.abs(back - (wanted - z) * s).max() == 0
    again = ttnn.to_numpy(ttnn.requantize(q, of_scales, of_points, put(device, scales * 2, ttnn.float32), of_points, axis=axis))
    assert np.abs(again - ((wanted - z) / 2 + z)).max() <= 1


@pytest.mark.parametrize(
    ("scale", "point", "axis", "words"),
    (
        (0.5, 0, 1, "Per-channel quantization expects 1D scale tensors"),
        (([0.5] * 3, ttnn.float32), 0, 1, "Size of the scale tensor doesn't match the size of the input tensor along the given axis"),
        (([0.5] * 40, ttnn.float32), ([0] * 3, ttnn.int32), 1, "Size of the zero-point tensor doesn't match"),
        (([0.5] * 40, ttnn.float32), 0, 3, r"Axis 3 is outside the range \[-3, 2\]"),
        (([0.5] * 2, ttnn.float32), 0, None, "Per-tensor quantization only takes scalar-tensor scales"),
        (([1], ttnn.int32), 0, None, "Quantization only takes floating-point number scales"),
        (0.5, ([1.0], ttnn.float32), None, "Quantization only takes int32 zero-points for now"),
    ),
)
def test_what_does_not_fit_is_refused(device: Any, scale: Any, point: Any, axis: Any, words: str) -> None:
    said = [put(device, *each) if isinstance(each, tuple) else each for each in (scale, point)]
    with pytest.raises(RuntimeError, match=words):
        ttnn.quantize(put(device, numbers((3, 40, 50), 3), ttnn.float32), *said, axis=axis)
