# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values of products beside matmul, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilemeter as ttnn

RANDOM = numpy.random.default_rng(2)
GRID = ttnn.CoreCoord(8, 8)


def random(*shape: int) -> Any:
    return RANDOM.normal(0, 1, shape).astype(numpy.float32)


def on(device: Any, values: Any) -> Any:
    return ttnn.from_numpy(values, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)


@pytest.mark.parametrize("shape", [(40, 70), (2, 3, 33, 70)])
def test_products_in_blocks(device: Any, shape: tuple[int, ...]) -> None:
    a, b, bias = random(*shape), random(70, 90), random(1, 90)
    config = ttnn.MinimalMatmulConfig(
        M_block_size=2, K_block_size=2, N_block_size=2, compute_with_storage_grid_size=GRID
    )
    product = ttnn.experimental.minimal_matmul(
        on(device, a), on(device, b), bias_tensor=on(device, bias), config=config
    )
    assert numpy.allclose(product.to_numpy(), a @ b + bias, atol=1e-4)
    relu = ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)
    parts = ttnn.experimental.minimal_matmul_split(
        on(device, a), on(device, b), chunks=3, fused_activation=relu, config=config
    )
    expected = numpy.split(numpy.maximum(a @ b, 0), 3, -1)
    assert len(parts) == 3
    assert all(numpy.allclose(part.to_numpy(), each, atol=1e-4) for part, each in zip(parts, expected))


def test_tokens_times_their_users_caches(device: Any) -> None:
    tokens, keys = random(1, 6, 32, 64), random(32, 1, 64, 96)
    expected = numpy.einsum("ahuk,uokn->ahun", tokens, keys)
    product = ttnn.experimental.attn_matmul(on(device, tokens), on(device, keys), compute_with_storage_grid_size=GRID)
    assert numpy.allclose(product.to_numpy(), expected, atol=1e-4)
    cache, scores = random(32, 1, 96, 64), random(1, 6, 32, 64)
    scored = ttnn.experimental.attn_matmul_from_cache(
        on(device, tokens), on(device, cache), num_tokens=64, transpose_hw=True, compute_with_storage_grid_size=GRID
    )
    assert numpy.allclose(scored.to_numpy(), numpy.einsum("ahuk,uonk->ahun", tokens, cache[:, :, :64]), atol=1e-4)
    mixed = ttnn.experimental.attn_matmul_from_cache(
        on(device, scores), on(device, cache), num_tokens=64, transpose_hw=False, compute_with_storage_grid_size=GRID
    )
    assert numpy.allclose(mixed.to_numpy(), numpy.einsum("ahuk,uokn->ahun", scores, cache[:, :, :64]), atol=1e-4)


def test_heads_in_groups_share_a_cache(device: Any) -> None:
    tokens, keys = random(1, 6, 32, 64), random(32, 2, 64, 96)
    product = ttnn.experimental.group_attn_matmul(
        on(device, tokens), on(device, keys), compute_with_storage_grid_size=GRID
    )
    expected = numpy.einsum("ahuk,uhkn->ahun", tokens, numpy.repeat(keys, 3, axis=1))
    assert numpy.allclose(product.to_numpy(), expected, atol=1e-4)


def test_outer_products(device: Any) -> None:
    a, b, column = random(1, 1, 1, 50), random(1, 1, 1, 70), random(1, 1, 6, 1)
    assert numpy.allclose(ttnn.outer(on(device, a), on(device, b)).to_numpy(), a[..., None] * b[..., None, :], atol=1e-5)
    broadcast = ttnn.outer(on(device, column), on(device, b)).to_numpy()
    assert numpy.allclose(broadcast, column[..., None] * b[..., None, :], atol=1e-5)


def test_what_does_not_fit_is_said(device: Any) -> None:
    a, b = on(device, random(64, 64)), on(device, random(32, 64))
    with pytest.raises(RuntimeError, match="minimal_matmul inner dimensions must match, got K=64 and K_w=32"):
        ttnn.experimental.minimal_matmul(a, b)
    with pytest.raises(RuntimeError, match="Output width N=64 must be divisible by chunks=3"):
        ttnn.experimental.minimal_matmul_split(a, a)
    with pytest.raises(RuntimeError, match="global_cb: expected None"):
        ttnn.matmul(a, a, global_cb=3)


@pytest.mark.parametrize("shapes", [(8192, 1024, 8192), (4096, 2048, 4096), (4096, 1024, 8192)])
def test_a_large_product_is_made_in_large_blocks_before_deep_ones(device: Any, shapes: tuple[int, int, int]) -> None:
    m, k, n = shapes
    with ttnn.graph.capture(run_mode=ttnn.graph.RunMode.NO_DISPATCH) as taken:
        a, b = (ttnn.empty(each, ttnn.bfloat16, ttnn.TILE_LAYOUT, device) for each in ([1, 1, m, k], [1, 1, k, n]))
        ttnn.matmul(a, b)
    sizes = [int(node["params"]["size"]) for node in taken.nodes if node["node_type"] == "dataflow_buffer_allocate"]
    assert sizes == [131072, 131072, 524288]  # as TT-NN 0.81.1 on n150


@pytest.mark.parametrize("shape, rows", [((32, 40), 32), ((2, 3, 17, 70), 17), ((2, 32, 70), 1)])
def test_a_bias_of_one_row_or_of_a_row_for_each(device: Any, shape: tuple[int, ...], rows: int) -> None:
    a, b, bias = random(*shape), random(shape[-1], 90), random(rows, 90)
    with ttnn.graph.capture() as taken:
        product = ttnn.linear(on(device, a), on(device, b), bias=on(device, bias))
    assert "BinaryNgDeviceOperation" not in ttnn.graph.extract_calltrace(taken.nodes)
    assert numpy.allclose(product.to_numpy(), a @ b + bias, atol=1e-4)
