# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values of topk, argmax and sort, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilemeter as ttnn

RANDOM = numpy.random.default_rng(7)


def on(device: Any, values: Any, dtype: Any = ttnn.float32, layout: Any = ttnn.TILE_LAYOUT) -> Any:
    return ttnn.from_numpy(numpy.asarray(values), dtype=dtype, layout=layout, device=device)


def distinct(*shape: int) -> Any:
    """Values without ties."""
    return RANDOM.permutation(int(numpy.prod(shape))).astype(numpy.float32).reshape(shape)


@pytest.mark.parametrize("shape, dim, k", [((7,), 0, 3), ((5, 70), 1, 40), ((40, 3), 0, 33), ((2, 3, 4, 5, 6), 2, 2)])
@pytest.mark.parametrize("largest", [True, False])
def test_topk_of_any_rank(device: Any, shape: tuple[int, ...], dim: int, k: int, largest: bool) -> None:
    values = distinct(*shape)
    best, places = ttnn.topk(on(device, values), k, dim, largest)
    order = numpy.argsort(-values if largest else values, axis=dim, kind="stable")
    expected = numpy.take(order, numpy.arange(k), axis=dim)
    assert (places.to_numpy() == expected).all()
    assert (best.to_numpy() == numpy.take_along_axis(values, expected, axis=dim)).all()


def test_topk_gives_the_numbers_that_elements_were_given(device: Any) -> None:
    values, numbers = distinct(4, 50), RANDOM.integers(0, 1 << 20, (4, 50)).astype(numpy.uint32)
    indices = on(device, numbers, ttnn.uint32)
    _, places = ttnn.topk(on(device, values), 9, indices_tensor=indices)
    expected = numpy.take_along_axis(numbers, numpy.argsort(-values, axis=-1)[:, :9], axis=-1)
    assert (places.to_numpy() == expected).all()


@pytest.mark.parametrize("dim", [0, 1])
def test_topk_writes_into_given_tensors(device: Any, dim: int) -> None:
    values = distinct(64, 64)
    shape = [64, 64]
    shape[dim] = 20
    into = on(device, numpy.zeros(shape)), on(device, numpy.zeros(shape, numpy.uint32), ttnn.uint32)
    ttnn.topk(on(device, values), 20, dim, output_tensor=into)
    expected = numpy.take(numpy.argsort(-values, axis=dim), numpy.arange(20), axis=dim)
    assert (into[1].to_numpy() == expected).all()
    assert (into[0].to_numpy() == numpy.take_along_axis(values, expected, axis=dim)).all()


@pytest.mark.parametrize("layout", [ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT])
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_argmax_writes_into_a_given_tensor(device: Any, layout: Any, dim: int) -> None:
    values = distinct(3, 5, 40)
    expected = numpy.argmax(values, axis=dim)
    into = on(device, numpy.zeros(expected.shape, numpy.uint32), ttnn.uint32, ttnn.ROW_MAJOR_LAYOUT)
    ttnn.argmax(on(device, values, layout=layout), dim, output_tensor=into)
    assert (into.to_numpy() == expected).all()


def test_what_does_not_fit_is_said(device: Any) -> None:
    values = on(device, distinct(1, 1, 32, 64))
    with pytest.raises(RuntimeError, match="K cannot be larger than the dimension size! K=65, dimension size=64"):
        ttnn.topk(values, 65)
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(3, 9))])
    with pytest.raises(RuntimeError, match="must be contained in device compute grid"):
        ttnn.topk(values, sub_core_grids=cores)
    with pytest.raises(RuntimeError, match="Indices tensor is only supported for a reduction on the last dimension"):
        ttnn.topk(values, 8, 2, indices_tensor=on(device, numpy.zeros((1, 1, 32, 64), numpy.uint32), ttnn.uint32))


@pytest.mark.parametrize("shape, dim", [((2, 5000), -1), ((2, 2, 3, 5, 40), 2), ((2, 2, 3, 5, 40), -1)])
@pytest.mark.parametrize("descending", [True, False])
def test_long_rows_and_any_rank_are_sorted(device: Any, shape: tuple[int, ...], dim: int, descending: bool) -> None:
    values = distinct(*shape)
    result, places = ttnn.sort(on(device, values), dim, descending)
    expected = numpy.argsort(-values if descending else values, axis=dim)
    assert (places.to_numpy() == expected).all()
    assert (result.to_numpy() == numpy.take_along_axis(values, expected, axis=dim)).all()
