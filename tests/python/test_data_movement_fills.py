# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values of counters, fills, bits, scattered sums and heads, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilemeter as ttnn

RANDOM = numpy.random.default_rng(3)


def on(device: Any, values: Any, dtype: Any = ttnn.float32, layout: Any = ttnn.TILE_LAYOUT) -> Any:
    return ttnn.from_numpy(numpy.asarray(values), dtype=dtype, layout=layout, device=device)


def random(*shape: int) -> Any:
    return RANDOM.normal(0, 1, shape).astype(numpy.float32)


@pytest.mark.parametrize("skip", [True, False])
def test_plus_one_is_in_place(device: Any, skip: bool) -> None:
    counts = numpy.array([3, -1, 0, 7], numpy.int32)
    counter = on(device, counts, ttnn.int32, ttnn.ROW_MAJOR_LAYOUT)
    assert ttnn.plus_one(counter, skip_negative_entries=skip).to_numpy().tolist() == counter.to_numpy().tolist()
    assert counter.to_numpy().tolist() == ([4, -1, 1, 8] if skip else [4, 0, 1, 8])


@pytest.mark.parametrize("layout, dim", [(ttnn.TILE_LAYOUT, 0), (ttnn.ROW_MAJOR_LAYOUT, 0), (ttnn.ROW_MAJOR_LAYOUT, 1)])
def test_slices_are_replaced(device: Any, layout: Any, dim: int) -> None:
    a = random(4, 5, 32, 40)
    b = random(2, 5, 32, 40) if dim == 0 else random(4, 2, 32, 40)
    ids = on(device, numpy.array([[[[3, 1]]]], numpy.uint32), ttnn.uint32, ttnn.ROW_MAJOR_LAYOUT)
    expected = a.copy()
    numpy.moveaxis(expected, dim, 0)[[3, 1]] = numpy.moveaxis(b, dim, 0)
    result = ttnn.indexed_fill(ids, on(device, a, layout=layout), on(device, b, layout=layout), dim=dim)
    assert (result.to_numpy() == expected).all()


def test_corners_are_filled(device: Any) -> None:
    any_tensor = on(device, random(1, 1, 32, 32), ttnn.bfloat16)
    expected = numpy.full((2, 3, 32, 40), 0.5)
    expected[..., :5, :7] = 1.5
    assert (ttnn.fill_rm(2, 3, 32, 40, 5, 7, any_tensor, 1.5, 0.5).to_numpy() == expected).all()
    assert (ttnn.fill_ones_rm(2, 3, 32, 40, 5, 7, any_tensor).to_numpy() == expected - 0.5).all()


def test_bits_stay(device: Any) -> None:
    x = random(40, 50)
    assert (ttnn.bitcast(on(device, x), ttnn.uint32).to_numpy() == x.view(numpy.uint32)).all()
    back = ttnn.bitcast(on(device, x.view(numpy.int32), ttnn.int32), ttnn.float32)
    assert (back.to_numpy() == x).all()
    with pytest.raises(RuntimeError, match="bitcast: dtype: expected one of the size of FLOAT32, got UINT16"):
        ttnn.bitcast(on(device, x), ttnn.uint16)


@pytest.mark.parametrize("dim, shape", [("H", (1, 1, 1, 50)), ("W", (2, 3, 40, 1)), ("HW", (2, 3, 1, 1))])
@pytest.mark.parametrize("math", ["ADD", "SUB", "MUL"])
def test_broadcasts_by_dimension(device: Any, dim: str, shape: tuple[int, ...], math: str) -> None:
    a, b = random(2, 3, 40, 50), random(*shape)
    kinds = {"ADD": numpy.add, "SUB": numpy.subtract, "MUL": numpy.multiply}
    result = ttnn.bcast(on(device, a), on(device, b), getattr(ttnn.BcastOpMath, math), getattr(ttnn.BcastOpDim, dim))
    assert numpy.allclose(result.to_numpy(), kinds[math](a, b), atol=1e-6)


@pytest.mark.parametrize("layout", [ttnn.ROW_MAJOR_LAYOUT, ttnn.TILE_LAYOUT])
def test_of_a_larger_source_the_part_is_scattered_that_the_index_names(device: Any, layout: Any) -> None:
    a, source = numpy.zeros((20, 30), numpy.float32), numpy.arange(12 * 9, dtype=numpy.float32).reshape(12, 9)
    index = numpy.stack([RANDOM.permutation(30)[:7] for _ in range(10)]).astype(numpy.int32)
    inputs = [
        ttnn.from_numpy(each, dtype=dtype, layout=layout, device=device)
        for each, dtype in ((a, ttnn.bfloat16), (index, ttnn.int32), (source, ttnn.bfloat16))
    ]
    numpy.put_along_axis(a[:10], index, source[:10, :7], 1)
    assert numpy.array_equal(ttnn.scatter(inputs[0], 1, inputs[1], inputs[2]).to_numpy(), a)
    with pytest.raises(RuntimeError, match="source: expected at least"):
        ttnn.scatter(inputs[0], 1, inputs[1], ttnn.zeros([9, 9], dtype=ttnn.bfloat16, layout=layout, device=device))


@pytest.mark.parametrize("dim", [0, 1])
def test_scattered_values_are_added_and_multiplied(device: Any, dim: int) -> None:
    a, source = random(20, 30), random(10, 15)
    index = RANDOM.integers(0, a.shape[dim], source.shape).astype(numpy.int32)
    places = (index, numpy.arange(15)[None, :]) if dim == 0 else (numpy.arange(10)[:, None], index)

    def rows(values: Any) -> Any:  # TT-NN takes no tiles of float32
        return ttnn.to_layout(on(device, values), ttnn.ROW_MAJOR_LAYOUT)

    for reduce, ufunc in (("add", numpy.add), ("multiply", numpy.multiply)):
        expected = a.copy()
        ufunc.at(expected, places, source)
        result = ttnn.scatter(rows(a), dim, on(device, index, ttnn.int32), rows(source), reduce=reduce)
        assert numpy.allclose(result.to_numpy(), expected, atol=1e-5)
    summed = ttnn.scatter_add(rows(a), dim, on(device, index, ttnn.int32), rows(source))
    expected = a.copy()
    numpy.add.at(expected, places, source)
    assert numpy.allclose(summed.to_numpy(), expected, atol=1e-5)


@pytest.mark.parametrize("model, heads", [("falcon7b", (71, 1, 1)), ("vit", (12, 12, 12))])
def test_heads_of_models(device: Any, model: str, heads: tuple[int, int, int]) -> None:
    x = random(2, 1, 40, 64 * sum(heads))
    results = getattr(ttnn.experimental, f"nlp_create_qkv_heads_{model}")(on(device, x))
    parts = numpy.split(x.reshape(2, 40, -1, 64).transpose(0, 2, 1, 3), numpy.cumsum(heads)[:2], axis=1)
    assert all(result.shape[2] == 64 for result in results)
    assert all((result.to_numpy()[:, :, :40] == part).all() for result, part in zip(results, parts))


def test_halves_are_rotated(device: Any) -> None:
    x = random(1, 2, 40, 128)
    expected = numpy.concatenate([-x[..., 64:], x[..., :64]], -1)
    assert (ttnn.experimental.rotate_half(on(device, x)).to_numpy() == expected).all()


def test_typecast_copies(device: Any) -> None:
    x = numpy.array([[1.5, -2.25]], numpy.float32)
    assert ttnn.experimental.typecast(on(device, x), ttnn.bfloat16).dtype == ttnn.bfloat16
    assert (ttnn.experimental.typecast(on(device, x), ttnn.bfloat16).to_numpy() == x).all()


@pytest.mark.parametrize("dim", [-1, 2])
def test_elements_of_five_dimensions_are_gathered(device: Any, dim: int) -> None:
    x = random(2, 3, 4, 33, 40)
    at = RANDOM.integers(0, x.shape[dim], (2, 3, 4, 33, 40)).astype(numpy.uint32)
    found = ttnn.gather(on(device, x), dim, index=on(device, at, ttnn.uint32)).to_numpy()
    assert (found == numpy.take_along_axis(x, at.astype(numpy.int64), dim)).all()


@pytest.mark.parametrize("exponent, power", [(3.0, 3), (3.65, 3), (0.0, 0)])
def test_powers_by_counting_take_whole_exponents(device: Any, exponent: float, power: int) -> None:
    x = random(1, 1, 32, 32)
    counted = ttnn.UnaryWithParam(ttnn.UnaryOpType.POWER_ITERATIVE, exponent)
    result = ttnn.add(on(device, x), on(device, x), activations=[counted]).to_numpy()
    assert numpy.allclose(result, (2 * x) ** power, rtol=1e-4)
