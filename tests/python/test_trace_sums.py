# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Sums of many floats, in whatever adds them, held to sums in float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilemeter.trace as tp

COUNT = 200_000
# Rounded once: half a unit in the last place, and a little for what is multiplied before.
EPS = {"float32": 2.0**-22, "float16": 2.0**-10}


def tenths(*shape: int) -> Any:
    return np.full(shape, 0.1, np.float32)


def wide(x: Any) -> Any:
    return x.astype(np.float64)


SUMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any], tuple[int, ...]]] = {
    "sum": (tp.sum, np.sum, (COUNT,)),
    "mean": (tp.mean, np.mean, (COUNT,)),
    "var": (np.var, np.var, (COUNT,)),
    "of rows": (lambda x: tp.sum(x, 1), lambda x: x.sum(1), (3, COUNT)),
    "of columns": (lambda x: tp.sum(x, 0), lambda x: x.sum(0), (COUNT, 3)),
    "of both ends": (lambda x: tp.sum(x, (0, 2)), lambda x: x.sum((0, 2)), (300, 2, 300)),
    "cumsum": (lambda x: tp.cumsum(x), np.cumsum, (COUNT,)),
    "dot": (lambda x: tp.matmul(x, x), lambda x: x @ x, (COUNT,)),
    "matmul": (lambda x: tp.matmul(tp.transpose(x), x), lambda x: x.T @ x, (COUNT, 3)),
    "norm": (lambda x: tp.sqrt(tp.sum(x * x)), np.linalg.norm, (COUNT,)),
    "segments": (lambda x: tp.grad(lambda t: tp.sum(tp.gather(t, np.arange(COUNT) % 2) * x))(np.zeros(2, np.float32)),
                 lambda x: np.array([x[0::2].sum(), x[1::2].sum()]), (COUNT,)),
    "spread": (lambda x: tp.grad(lambda b: tp.sum(tp.broadcast_to(b, (COUNT, 2)) * x))(np.zeros(2, np.float32)), lambda x: x.sum(0), (COUNT, 2)),
    "softmax": (lambda x: tp.softmax(x), lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(), (COUNT,)),
}


@pytest.mark.parametrize("name", SUMS)
def test_floats_are_added_without_losing_them(name: str) -> None:
    ours, judge, shape = SUMS[name]
    rng = np.random.default_rng(len(name))
    factor = {"var": 64.0, "softmax": 16.0}.get(name, 4.0)
    for x in (tenths(*shape) if name != "var" else 1 + tenths(*shape) * np.arange(COUNT, dtype=np.float32), rng.uniform(0, 1, shape).astype(np.float32), rng.lognormal(0, 2, shape).astype(np.float32)):
        expected = judge(wide(x))
        found = np.asarray(ours(x))
        np.testing.assert_allclose(found, expected, rtol=factor * EPS["float32"], atol=1e-30)
        np.testing.assert_allclose(np.asarray(tp.jit(ours)(x)), expected, rtol=factor * EPS["float32"], atol=1e-30)


def test_floats_of_16_bits_are_added_in_wider_ones() -> None:
    large = np.full(3, 60000, np.float16)
    assert np.asarray(tp.mean(large)) == 60000 and np.isinf(np.asarray(tp.sum(large)))
    rows = np.random.default_rng(1).uniform(-200, 200, (4, 4096)).astype(np.float16)
    expected = (wide(rows) - wide(rows).mean(1, keepdims=True)) / np.sqrt(wide(rows).var(1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(np.asarray(tp.layer_norm(rows)), expected, rtol=4e-3, atol=1e-3)
    many = np.zeros(70_000, np.float16)
    np.testing.assert_allclose(np.asarray(tp.softmax(many))[:2], 1 / 70_000, rtol=2e-2)
    ones = np.ones((1, 4000), np.float16)
    assert np.asarray(tp.matmul(ones, ones.T))[0, 0] == 4000 and np.asarray(tp.sum(ones)) == 4000


def test_sums_of_doubles_are_added_in_pairs() -> None:
    import math

    x = np.random.default_rng(2).lognormal(0, 3, 300_001)
    for found in (tp.sum(x), tp.matmul(x, np.ones_like(x)), tp.sum(np.stack([x, x], 1), 0)[0]):
        assert abs(float(found) - math.fsum(x)) <= 1e-15 * math.fsum(x)


def test_windows_and_convolutions_add_as_sums_do() -> None:
    x = np.random.default_rng(3).uniform(0, 1, COUNT).astype(np.float32)
    total = wide(x).sum()
    made = {
        "reduce_window_sum": tp.apply("flat.reduce_window_sum", [x], {"window": (COUNT,)}),
        "convolution": tp.apply("flat.convolution", [x.reshape(1, 1, -1), np.ones((1, 1, COUNT), np.float32)]),
        "scatter_add": tp.grad(lambda t: tp.sum(tp.gather(t, np.zeros(COUNT, np.int32)) * x))(np.zeros(1, np.float32)),
    }
    for name, found in made.items():
        np.testing.assert_allclose(np.asarray(found).ravel(), [total], rtol=1e-6, err_msg=name)


def test_sums_of_integers_wrap() -> None:
    with np.errstate(over="ignore"):
        for dtype in (np.int64, np.uint64, np.int32, np.int8):
            x = np.random.default_rng(4).integers(np.iinfo(dtype).min, np.iinfo(dtype).max, (500, 3), dtype)
            for axis in (None, 0, 1):
                np.testing.assert_array_equal(np.asarray(tp.sum(x, axis)), np.sum(x, axis))
            np.testing.assert_array_equal(np.asarray(tp.matmul(x.T, x)), x.T @ x)
            np.testing.assert_array_equal(np.asarray(tp.cumsum(x, 0)).astype(dtype), np.cumsum(x, 0, dtype=dtype))
