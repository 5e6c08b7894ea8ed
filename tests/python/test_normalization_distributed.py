# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Norms in two steps give what the norm of the whole rows gives."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilemeter as ttnn

RANDOM = numpy.random.default_rng(11)
CHIPS, WIDTH, ROWS = 3, 100, 40
KERNELS = ttnn.WormholeComputeKernelConfig(fp32_dest_acc_en=True)


def on(device: Any, values: Any, layout: Any = ttnn.TILE_LAYOUT) -> Any:
    return ttnn.from_numpy(values.astype(numpy.float32), dtype=ttnn.float32, layout=layout, device=device)


@pytest.mark.parametrize("name", ["layer_norm", "rms_norm"])
@pytest.mark.parametrize("affine", [False, True])
def test_two_steps_are_the_norm_of_whole_rows(device: Any, name: str, affine: bool) -> None:
    whole = RANDOM.normal(0.5, 2, (1, 2, ROWS, CHIPS * WIDTH))
    weight, bias = RANDOM.normal(0, 1, (2, CHIPS * WIDTH)) if affine else (1.0, 0.0)
    centred = whole - whole.mean(-1, keepdims=True) if name == "layer_norm" else whole
    expected = centred / numpy.sqrt((centred**2).mean(-1, keepdims=True) + 1e-3) * weight + bias
    parts = [on(device, part) for part in numpy.split(whole, CHIPS, -1)]
    sums = [getattr(ttnn, f"{name}_pre_all_gather")(part, dtype=ttnn.float32, compute_kernel_config=KERNELS) for part in parts]
    stats = ttnn.concat(sums, dim=-1)
    for chip, part in enumerate(parts):
        mine = slice(chip * WIDTH, (chip + 1) * WIDTH)
        more = {}
        if affine:
            more = {key: on(device, numpy.asarray(each)[mine].reshape(1, 1, 1, WIDTH)) for key, each in (("weight", weight), ("bias", bias))}
        result = getattr(ttnn, f"{name}_post_all_gather")(part, stats, epsilon=1e-3, compute_kernel_config=KERNELS, **more)
        assert numpy.allclose(result.to_numpy(), expected[..., mine], atol=2e-5)


def test_sums_take_the_residual_in(device: Any) -> None:
    x, residual = RANDOM.normal(0, 1, (2, 1, 1, 32, 64))
    sums = ttnn.layer_norm_pre_all_gather(
        on(device, x), residual_input_tensor=on(device, residual), dtype=ttnn.float32, compute_kernel_config=KERNELS
    ).to_numpy()
    assert numpy.allclose(sums[0, 0, :, 0], ((x + residual) ** 2).sum(-1)[0, 0], rtol=1e-5)
    assert numpy.allclose(sums[0, 0, :, 32], (x + residual).sum(-1)[0, 0], atol=1e-4)
    assert not sums[..., 1:32].any() and not sums[..., 33:].any()


def test_what_does_not_fit_is_said(device: Any) -> None:
    x = on(device, numpy.zeros((1, 1, 32, 64)))
    with pytest.raises(RuntimeError, match="Float32 input requires fp32_dest_acc_en=true"):
        ttnn.rms_norm_pre_all_gather(x)
    with pytest.raises(RuntimeError, match="stats: expected 32 rows of a multiple of 64 elements"):
        ttnn.layer_norm_post_all_gather(x, on(device, numpy.zeros((1, 1, 32, 32))), compute_kernel_config=KERNELS)
