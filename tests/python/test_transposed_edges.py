# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Transposed convolutions whose padding repeats the edges, against sums written out with NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilemeter as ttnn


def expected(image: Any, weights: Any, stride: int, padding: int, more: int) -> Any:
    """The image [batch, height, width, channels] with zeros between its pixels, its edges repeated outwards, times the
    turned weights [channels, out_channels, kernel, kernel]."""
    batch, height, width, channels = image.shape
    kernel = weights.shape[2]
    spread = numpy.zeros((batch, (height - 1) * stride + 1, (width - 1) * stride + 1, channels))
    spread[:, ::stride, ::stride] = image
    before, after = kernel - 1 - padding, kernel - 1 - padding + more
    padded = numpy.pad(spread, ((0, 0), (before, after), (before, after), (0, 0)), mode="edge")
    turned = weights[:, :, ::-1, ::-1]
    rows, columns = padded.shape[1] - kernel + 1, padded.shape[2] - kernel + 1
    result = numpy.zeros((batch, rows, columns, weights.shape[1]))
    for y in range(kernel):
        for x in range(kernel):
            result += padded[:, y : y + rows, x : x + columns] @ turned[:, :, y, x]
    return result


@pytest.mark.parametrize("kernel, stride, padding, more", [(3, 2, 1, 0), (3, 1, 1, 0), (5, 2, 2, 0), (3, 2, 1, 1), (4, 3, 0, 2)])
def test_repeated_edges_are_what_numpy_pads(kernel: int, stride: int, padding: int, more: int) -> None:
    random = numpy.random.default_rng(kernel * stride)
    image = random.integers(-4, 5, (2, 6, 7, 32)).astype(numpy.float32)
    weights = random.integers(-2, 3, (32, 32, kernel, kernel)).astype(numpy.float32)
    device = ttnn.open_device(device_id=0, l1_small_size=16384)
    try:
        found = ttnn.conv_transpose2d(
            input_tensor=ttnn.from_numpy(image, layout=ttnn.ROW_MAJOR_LAYOUT, device=device, dtype=ttnn.bfloat16),
            weight_tensor=ttnn.from_numpy(weights, dtype=ttnn.bfloat16), in_channels=32, out_channels=32, device=device,
            kernel_size=(kernel, kernel), stride=(stride, stride), padding=(padding, padding), output_padding=(more, more),
            dilation=(1, 1), batch_size=2, input_height=6, input_width=7, dtype=ttnn.float32,
            conv_config=ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16, padding_mode=ttnn.PaddingMode.Replicate),
        )
        wanted = expected(image, weights, stride, padding, more)
        assert numpy.allclose(found.to_numpy().reshape(wanted.shape), wanted, atol=1e-2)
    finally:
        ttnn.close_device(device)
