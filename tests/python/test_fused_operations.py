# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values of operations that do the work of many in one program, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilemeter as ttnn

RANDOM = numpy.random.default_rng(5)
KEPT = (True, True, True)


def rounded(*shape: int) -> Any:
    """Random numbers that bfloat16 holds."""
    bits = RANDOM.normal(0, 1, shape).astype(numpy.float32).view(numpy.uint32)
    return (bits & 0xFFFF0000).view(numpy.float32)


def on(device: Any, values: Any, dtype: Any = ttnn.bfloat16) -> Any:
    return ttnn.from_numpy(values, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


def near(tensor: Any, expected: Any, tolerance: float = 0.03) -> bool:
    return bool(numpy.allclose(tensor.to_numpy(), expected, rtol=tolerance, atol=tolerance))


def in_groups(values: Any, groups: int) -> Any:
    return values.reshape(values.shape[0], groups, -1)


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_groups_of_channels(device: Any, groups: int) -> None:
    x, grad, gamma, beta = rounded(2, 4, 35, 40), rounded(2, 4, 35, 40), rounded(1, 1, 1, 4), rounded(1, 1, 1, 4)
    mean = in_groups(x, groups).mean(-1)
    rstd = 1 / numpy.sqrt(in_groups(x, groups).var(-1) + 1e-5)
    scale, shift = gamma.reshape(1, 4, 1, 1), beta.reshape(1, 4, 1, 1)
    normal = ((in_groups(x, groups) - mean[..., None]) * rstd[..., None]).reshape(x.shape)
    made = ttnn.moreh_group_norm(
        on(device, x), groups, 1e-5, on(device, gamma), on(device, beta), are_required_outputs=KEPT
    )
    shape = (1, 1, 2, groups)
    assert near(made[0], normal * scale + shift)
    assert near(made[1], mean.reshape(shape)) and near(made[2], rstd.reshape(shape))
    assert ttnn.moreh_group_norm(on(device, x), groups)[1:] == [None, None]
    gradients = ttnn.moreh_group_norm_backward(
        on(device, grad), on(device, x), on(device, mean.reshape(shape)), on(device, rstd.reshape(shape)), groups,
        are_required_outputs=KEPT, gamma=on(device, gamma),
    )
    scaled = in_groups(grad * scale, groups)
    along = (scaled * in_groups(normal, groups)).mean(-1)[..., None]
    expected = (scaled - scaled.mean(-1)[..., None] - in_groups(normal, groups) * along) * rstd[..., None]
    assert near(gradients[0], expected.reshape(x.shape))
    assert near(gradients[1], (grad * normal).sum((0, 2, 3)), 0.3)
    assert near(gradients[2], grad.sum((0, 2, 3)), 0.3)


def test_tensors_are_given_for_all_results_of_a_program_or_for_none(device: Any) -> None:
    x, mean = on(device, rounded(2, 4, 32, 32)), on(device, rounded(1, 1, 2, 2))
    with pytest.raises(RuntimeError, match="expected tensors for all of 3 results or for none, got 1"):
        ttnn.moreh_group_norm(x, 2, mean=mean, are_required_outputs=KEPT)
    with pytest.raises(RuntimeError, match=r"input_shape\[1\] must be divisible by num_groups"):
        ttnn.moreh_group_norm(x, 3)


@pytest.mark.parametrize("heads", [1, 3])
def test_norms_over_chips_with_heads_that_turn(device: Any, heads: int) -> None:
    x, weight = rounded(1, 1, 40, 192), rounded(1, 192)
    halves = [x[..., :96], x[..., 96:]]
    sums = [ttnn.experimental.wan_fused_rmsnorm_pre_allgather(on(device, each), dtype=ttnn.float32) for each in halves]
    for each, half in zip(sums, halves):
        assert numpy.allclose(each.to_numpy()[..., 0], (half**2).sum(-1), rtol=1e-5)
    stats = ttnn.concat(sums, -1)
    turn = numpy.zeros((1, 1, 32, 32), numpy.float32)
    for i in range(0, 32, 2):
        turn[0, 0, i, i + 1], turn[0, 0, i + 1, i] = 1, -1
    width = 96 // heads
    cosines, sines = rounded(1, 1, 40, width), rounded(1, 1, 40, width)
    made = ttnn.experimental.wan_fused_rmsnorm_post_allgather(
        on(device, halves[1]), stats, epsilon=1e-5, num_heads_per_device=heads, weight=on(device, weight[:, 96:]),
        transformation_mat=on(device, turn), rope_cos=on(device, cosines), rope_sin=on(device, sines),
    )
    whole = x / numpy.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * weight
    part = whole[..., 96:].reshape(1, 40, heads, width).transpose(0, 2, 1, 3)
    turned = numpy.stack([-part[..., 1::2], part[..., 0::2]], -1).reshape(part.shape)
    assert near(made, part * cosines + turned * sines)
    with pytest.raises(RuntimeError, match="expected all of transformation_mat, rope_cos and rope_sin, or none"):
        ttnn.experimental.wan_fused_rmsnorm_post_allgather(on(device, x), stats, rope_cos=on(device, cosines))


def test_a_ring_attends_to_two_parts_each(device: Any) -> None:
    q, k, v = rounded(1, 4, 512, 32), rounded(1, 2, 512, 32), rounded(1, 2, 512, 32)
    on_device = [on(device, each) for each in (q, k, v)]
    whole = ttnn.transformer.scaled_dot_product_attention(*on_device, is_causal=True).to_numpy()
    for part in range(2):
        made = ttnn.transformer.ring_distributed_scaled_dot_product_attention(*on_device, 2, part)
        first, second = part * 128, (3 - part) * 128
        expected = numpy.concatenate([whole[:, :, first : first + 128], whole[:, :, second : second + 128]], 2)
        assert near(made, expected, 0.01)
    with pytest.raises(RuntimeError, match="ring_size must be even for balanced distribution, got 3"):
        ttnn.transformer.ring_distributed_scaled_dot_product_attention(*on_device, 3, 0)


def test_a_ring_attends_to_blocks(device: Any) -> None:
    q, k, v = rounded(1, 2, 256, 32), rounded(8, 2, 64, 32), rounded(8, 2, 64, 32)
    order = numpy.array([[3, 1, 7, 0, 2, 6, 5, 4]], numpy.int32)
    table = ttnn.from_numpy(order, dtype=ttnn.int32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    tensors = [on(device, each) for each in (q, k, v)]
    whole = ttnn.transformer.chunked_scaled_dot_product_attention(*tensors, table, 256).to_numpy()
    made = ttnn.transformer.ring_distributed_scaled_dot_product_attention(
        *tensors, 2, 1, page_table=table, chunk_start_idx=256
    )
    assert near(made, whole[:, :, 64:192], 0.01)
    with pytest.raises(RuntimeError, match="page_table must be provided when chunk_start_idx is set"):
        ttnn.transformer.ring_distributed_scaled_dot_product_attention(*tensors, 2, 1, chunk_start_idx=256)


def test_the_router_of_experts(device: Any) -> None:
    x, weight, bias = rounded(32, 96), rounded(96, 128), rounded(32, 128)
    indices, weights = ttnn.experimental.topk_router_gpt(
        on(device, x), weight_tensor=on(device, weight), bias_tensor=on(device, bias), k=5
    )
    logits = x.astype(numpy.float64) @ weight + bias
    order = numpy.argsort(-logits, -1, kind="stable")[:, :5]
    exponents = numpy.exp(numpy.take_along_axis(logits, order, -1))
    assert numpy.array_equal(indices.to_numpy(), order)
    assert near(weights, exponents / exponents.sum(-1, keepdims=True), 0.01)
    with pytest.raises(RuntimeError, match=r"requires k in range \[1, 32\], got 33"):
        ttnn.experimental.topk_router_gpt(
            on(device, x), weight_tensor=on(device, weight), bias_tensor=on(device, bias), k=33
        )


def test_examples_copy(device: Any) -> None:
    x = rounded(3, 40, 70)
    assert numpy.array_equal(ttnn.composite_example(on(device, x)).to_numpy(), x)
    first, second = ttnn.composite_example_multiple_return(on(device, x), True, False)
    assert numpy.array_equal(first.to_numpy(), x) and second is None
    with pytest.raises(RuntimeError, match="At least one output must be returned"):
        ttnn.composite_example_multiple_return(on(device, x), False, False)


def test_tokens_may_have_more_heads_than_a_cache(device: Any) -> None:
    cores = [ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, row), ttnn.CoreCoord(1, row))}) for row in range(2)]
    tokens, caches, inputs = [rounded(1, 2, 32, 64) for _ in cores], [], []
    for values, grid in zip(tokens, cores):
        shards = ttnn.ShardSpec(grid, [32, 64], ttnn.ShardOrientation.ROW_MAJOR)
        config = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, shards)
        inputs.append(ttnn.to_memory_config(on(device, values), config))
        caches.append(on(device, numpy.zeros((2, 3, 64, 64), numpy.float32)))
    ttnn.experimental.paged_fused_update_cache(caches[0], inputs[0], caches[1], inputs[1], update_idxs=[5, 40])
    for values, cache in zip(tokens, caches):
        expected = numpy.zeros((2, 3, 64, 64), numpy.float32)
        for user, position in enumerate((5, 40)):
            expected[user, :, position] = values[0, user, :3]
        assert numpy.array_equal(cache.to_numpy(), expected)
