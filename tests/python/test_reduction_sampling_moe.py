# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values of sampling, experts' weights, moving averages, sums and products outside of tiles, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilemeter as ttnn
from conftest import scopes

RANDOM = numpy.random.default_rng(5)
USERS = 32


def on(device: Any, values: Any, dtype: Any = ttnn.float32, layout: Any = ttnn.TILE_LAYOUT) -> Any:
    return ttnn.from_numpy(numpy.asarray(values), dtype=dtype, layout=layout, device=device)


def rows(device: Any, values: Any, dtype: Any) -> Any:
    return on(device, values, dtype, ttnn.ROW_MAJOR_LAYOUT)


def sample(device: Any, logits: Any, indices: Any, k: int, p: float, temp: float = 1.0, seed: int = 3) -> Any:
    return ttnn.sampling(
        on(device, logits, ttnn.bfloat16), rows(device, indices, ttnn.uint32),
        k=rows(device, numpy.full(USERS, k, numpy.uint32), ttnn.uint32),
        p=rows(device, numpy.full(USERS, p, numpy.float32), ttnn.bfloat16),
        temp=rows(device, numpy.full(USERS, temp, numpy.float32), ttnn.bfloat16), seed=seed,
    ).to_numpy().reshape(-1)


def test_sampling_of_one_is_the_argmax(device: Any) -> None:
    logits = RANDOM.permuted(numpy.tile(numpy.arange(64, dtype=numpy.float32), (1, 1, USERS, 1)), axis=-1)
    indices = RANDOM.integers(0, 1 << 20, logits.shape).astype(numpy.uint32)
    expected = numpy.take_along_axis(indices, logits.argmax(-1, keepdims=True), -1).reshape(-1)
    assert (sample(device, logits, indices, k=1, p=0.0) == expected).all()
    assert (sample(device, logits, indices, k=32, p=0.0) == expected).all()
    assert (sample(device, logits, indices, k=32, p=1.0, temp=50.0) == expected).all()


def test_sampling_draws_with_the_probabilities_of_the_best(device: Any) -> None:
    probabilities = numpy.array([0.5, 0.3, 0.15, 0.05])
    logits = numpy.full((1, 1, USERS, 64), -100, numpy.float32)
    logits[..., :4] = numpy.log(probabilities)
    indices = numpy.broadcast_to(numpy.arange(64, dtype=numpy.uint32), logits.shape)
    drawn = numpy.concatenate([sample(device, logits, indices, k=3, p=1.0, seed=seed) for seed in range(1, 61)])
    shares = numpy.bincount(drawn, minlength=4)[:4] / len(drawn)
    assert numpy.allclose(shares, [0.5 / 0.95, 0.3 / 0.95, 0.15 / 0.95, 0], atol=0.05)
    nucleus = numpy.concatenate([sample(device, logits, indices, k=32, p=0.6, seed=seed) for seed in range(1, 31)])
    assert set(nucleus) == {0, 1}


def test_one_seed_draws_the_same(device: Any) -> None:
    logits = RANDOM.normal(0, 1, (1, 1, USERS, 64)).astype(numpy.float32)
    indices = numpy.broadcast_to(numpy.arange(64, dtype=numpy.uint32), logits.shape)
    first, second, other = (sample(device, logits, indices, k=32, p=1.0, seed=seed) for seed in (9, 9, 10))
    assert (first == second).all() and (first != other).any()


def test_the_weight_of_the_first_expert(device: Any) -> None:
    x = RANDOM.normal(0, 1, (1, 1, 32, 64)).astype(numpy.float32)
    expert_mask = numpy.zeros((1, 1, 1, 64), numpy.float32)
    expert_mask[..., 8:] = -numpy.inf
    topk_mask = numpy.zeros((1, 1, 1, 32), numpy.float32)
    topk_mask[..., 2:] = -numpy.inf
    result = ttnn.moe(on(device, x), on(device, expert_mask), on(device, topk_mask), 32).to_numpy()
    best = numpy.sort(x[..., :8], -1)[..., -2:]
    weights = numpy.exp(x[..., :1]) / numpy.exp(best).sum(-1, keepdims=True)
    assert numpy.allclose(result, numpy.where(x[..., :1] >= best[..., :1], weights, 0), atol=1e-6)


@pytest.mark.parametrize("shape", [(1, 1, 1, 100), (2, 3, 5, 40)])
@pytest.mark.parametrize("layout", [ttnn.ROW_MAJOR_LAYOUT, ttnn.TILE_LAYOUT])
def test_nonzero_counts_and_names_the_places(device: Any, shape: tuple[int, ...], layout: Any) -> None:
    x = (RANDOM.integers(0, 3, shape) - 1).astype(numpy.float32)
    count, places = (each.to_numpy() for each in ttnn.nonzero(ttnn.to_layout(rows(device, x, ttnn.bfloat16), layout)))
    expected = numpy.argwhere(x)
    assert count.flat[0] == len(expected) and (places.reshape(-1, 4)[: len(expected)] == expected).all()


def test_moving_average(device: Any) -> None:
    x = RANDOM.normal(0, 1, (1, 2, 5, 70)).astype(numpy.float32)
    expected = 0.25 * x  # as TT-NN's own test has it: before the first there was 0
    for t in range(1, 70):
        expected[..., t] += 0.75 * expected[..., t - 1]
    assert numpy.allclose(ttnn.ema(on(device, x, ttnn.bfloat16), 0.75).to_numpy(), expected, atol=0.03)


@pytest.mark.parametrize("dims", [[0], [1], [0, 1], [-3]])
def test_sums_outside_of_tiles(device: Any, dims: list[int]) -> None:
    x = RANDOM.normal(0, 1, (3, 5, 60, 50)).astype(numpy.float32)
    result = ttnn.experimental.fast_reduce_nc(on(device, x), dims=dims).to_numpy()
    expected = x.sum(tuple(dims), keepdims=True)
    assert result.shape[-2:] == (64, 64)
    assert numpy.allclose(result[..., :60, :50], expected, atol=1e-5)


def test_integral_images(device: Any) -> None:
    x = RANDOM.normal(0, 1, (1, 7, 9, 40)).astype(numpy.float32)
    expected = x.cumsum(1).cumsum(2)
    assert numpy.allclose(ttnn.experimental.intimg(on(device, x)).to_numpy(), expected, atol=1e-4)


@pytest.mark.parametrize("dims", [[0], [1], [1, 0]])
def test_products_into_a_given_tensor(device: Any, dims: list[int]) -> None:
    x = RANDOM.uniform(0.5, 1.5, (3, 4, 32, 32)).astype(numpy.float32)
    expected = x.prod(tuple(dims), keepdims=True)
    into = on(device, numpy.zeros_like(expected))
    ttnn.prod(on(device, x), into, dims=dims)
    assert numpy.allclose(into.to_numpy(), expected, rtol=1e-5)


def test_what_does_not_fit_is_said(device: Any) -> None:
    x = on(device, numpy.zeros((2, 3, 32, 64)), ttnn.bfloat16)
    with pytest.raises(RuntimeError, match="EMA expects leading dimension to be 1, got 2"):
        ttnn.ema(x, 0.5)
    with pytest.raises(RuntimeError, match="FastReduceNC reduces only outer dims: dim must be between 0 and 1, but has 2"):
        ttnn.experimental.fast_reduce_nc(x, dims=[2])
    with pytest.raises(RuntimeError, match="Device must be provided when seeds is a uint32_t value."):
        ttnn.manual_seed(3)
    seeds, users = (on(device, numpy.zeros(size), ttnn.uint32, ttnn.ROW_MAJOR_LAYOUT) for size in (1, 2))
    with pytest.raises(RuntimeError, match="Seeds were provided as a tensor, so user_ids must not be provided as a scalar."):
        ttnn.manual_seed(seeds, user_ids=7)
    with pytest.raises(RuntimeError, match="Got seeds volume: 1 and user_ids volume: 2"):
        ttnn.manual_seed(seeds, user_ids=users)
    with pytest.raises(RuntimeError, match="User IDs scalar must be in the range"):
        ttnn.manual_seed(5, device=device, user_ids=300)


@pytest.mark.parametrize(
    "named, program, buffers",
    [
        ("users", "ManualSeedSingleSeedSetCoresProgramFactory", 2), ("one user", "ManualSeedSingleSeedSingleCoreProgramFactory", 0),
        ("both", "ManualSeedSetSeedsSetCoresProgramFactory", 3), ("none", "ManualSeedSingleSeedToAllCoresProgramFactory", 0),
    ],
)
def test_seeds_are_set_by_the_program_for_what_is_named(device: Any, named: str, program: str, buffers: int) -> None:
    # given
    tensor = on(device, numpy.zeros(2), ttnn.uint32, ttnn.ROW_MAJOR_LAYOUT)
    more = {"users": {"user_ids": tensor}, "one user": {"user_ids": 3}, "both": {"user_ids": tensor}, "none": {}}[named]
    # when
    with ttnn.graph.capture(run_mode=ttnn.graph.RunMode.NO_DISPATCH) as taken:
        ttnn.manual_seed(tensor if named == "both" else 5, device=device, **more)
    # then
    factories = [node["params"].get("program_factory_type", "") for node in taken.nodes if node["node_type"] == "function_start"]
    assert [name for name in factories if name.endswith(program)]
    assert sum(node["node_type"] == "dataflow_buffer_allocate" for node in taken.nodes) == buffers


@pytest.mark.parametrize(
    "name, shape, dim, more, before, after",
    [
        ("cumsum", [2, 64], 0, {}, 1050688, 1052736), ("cumsum", [2, 3, 64, 64], 1, {}, 1052736, 1056832),
        ("cumsum", [2, 3, 4, 64, 64], 1, {}, 1065024, 1081408), ("cumprod", [2, 64], 1, {}, 1050688, 1052736),
        ("cumprod", [2, 3, 64, 64], 3, {}, 1052736, 1056832),
        ("cumsum", [2, 3, 64, 64], 0, {"memory_config": ttnn.L1_MEMORY_CONFIG}, 1052736, 1497088),
    ],
)
def test_the_tensor_given_for_running_sums_becomes_the_result(
    device: Any, name: str, shape: list[int], dim: int, more: dict[str, Any], before: int, after: int
) -> None:  # at the addresses that TT-NN's captures have
    # given
    x, into = (on(device, numpy.zeros(shape), ttnn.bfloat16) for _ in range(2))
    assert into.buffer_address() == before
    # when
    with ttnn.graph.capture() as taken:
        result = getattr(ttnn, name)(x, dim, out=into, **more)
    # then
    assert into.buffer_address() == result.buffer_address() == after
    freed = [int(node["params"]["address"]) for node in taken.nodes if node["node_type"] == "buffer_deallocate"]
    assert freed[-1] == before and into.is_allocated()
    with pytest.raises(RuntimeError, match="Shape mismatch: input tensor shape"):
        getattr(ttnn, name)(x, dim, out=on(device, numpy.zeros([1, *shape[1:]]), ttnn.bfloat16))


def test_a_tensor_on_the_host_comes_from_the_device_without_a_function(device: Any) -> None:
    host = ttnn.from_device(on(device, numpy.ones((32, 32)), ttnn.bfloat16))
    with ttnn.graph.capture() as taken:
        host.cpu()
        ttnn.from_device(host)
    assert scopes(taken.nodes) == ["ttnn.from_device"]


@pytest.mark.parametrize("shape, dim", [((7,), 0), ((5, 40), 1), ((3, 5, 40), 0), ((3, 5, 40), -1), ((2, 3, 5, 40), 1)])
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_running_sums_and_products_into_a_given_tensor(device: Any, name: str, shape: tuple[int, ...], dim: int) -> None:
    x = RANDOM.uniform(0.5, 1.5, shape).astype(numpy.float32)
    expected = getattr(numpy, name)(x, axis=dim)
    into = on(device, numpy.zeros_like(x))
    result = getattr(ttnn, name)(on(device, x), dim, out=into)
    assert numpy.allclose(result.to_numpy(), expected, rtol=1e-4)
    assert numpy.allclose(into.to_numpy(), expected, rtol=1e-4)
