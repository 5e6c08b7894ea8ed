# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values of elementwise functions where formulas go wrong, held to NumPy's: zeros, infinities, nan, powers, extremes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilemeter.trace as tp
from tilemeter.trace._library import ufuncs

UNARY = ("exp exp2 expm1 log log2 log10 log1p sqrt cbrt sin cos tan sinh cosh tanh arctan floor ceil trunc rint sign square absolute negative isnan "
         "isfinite reciprocal fabs").split()
BINARY = ("add subtract multiply divide floor_divide remainder power arctan2 maximum minimum fmax fmin logaddexp equal not_equal less less_equal greater "
          "greater_equal").split()
FLOATS = ("float64", "float32", "float16")
INTEGERS = ("int8", "int32", "int64", "uint8", "uint64", "bool")


def floats(dtype: str) -> Any:
    info = np.finfo(dtype)
    powers = np.concatenate([10.0 ** np.arange(-4, 5), 2.0 ** np.arange(-14, 16, 3)])
    plain = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 7.0, 11.0, 80.0, -80.0, 0.1, 1e-3, -1e-3, np.inf, -np.inf, np.nan, float(info.max), float(info.tiny)]
    more = [710.0, -710.0, 1e15, 1000.0, 1024.0, 2.0**29, 1e22, 1e-20, 709.9] if dtype == "float64" else [89.0, -89.0, 88.9] if dtype == "float32" else [11.1]
    with np.errstate(all="ignore"):
        return np.array([*plain, *more, *powers], dtype)


def integers(dtype: str) -> Any:
    if dtype == "bool":
        return np.array([False, True])
    info = np.iinfo(dtype)
    return np.unique(np.array([0, 1, 2, 3, 5, 7, 100, info.max, info.max - 1, info.min, info.min + 1, *([-1, -2, -3, -7] if info.min else [])], dtype))


def differences(found: Any, expected: Any) -> list[int]:
    found, expected = np.asarray(found), np.asarray(expected)
    if found.dtype.kind != "f" or expected.dtype.kind != "f":
        return [int(i) for i in np.flatnonzero(found != expected)]
    near = np.abs(found.astype(np.float64) - expected.astype(np.float64)) <= 8 * np.finfo(expected.dtype).eps * np.abs(expected.astype(np.float64)) + float(
        np.finfo(expected.dtype).tiny)
    same = (found == expected) | (np.isnan(found) & np.isnan(expected)) | near
    return [int(i) for i in np.flatnonzero(~same)]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_float(name: str, dtype: str) -> None:
    x, function = floats(dtype), getattr(np, name)
    with np.errstate(all="ignore"):
        expected = function(x)
        found = np.asarray(function(tp.array(x)))
        bad = differences(found, expected)
    assert found.dtype == expected.dtype and not [(float(x[i]), found[i], expected[i]) for i in bad]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_floats(name: str, dtype: str) -> None:
    function, each = getattr(np, name), floats(dtype)
    x, y = (grid.ravel() for grid in np.meshgrid(each, each, indexing="ij"))
    with np.errstate(all="ignore"):
        expected = function(x, y)
        found = np.asarray(function(tp.array(x), tp.array(y)))
        bad = differences(found, expected)
    assert found.dtype == expected.dtype and not [(float(x[i]), float(y[i]), found[i], expected[i]) for i in bad[:20]]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmax", "fmin", "maximum", "minimum", "logaddexp", "trunc", "isnan", "isfinite", "sinh", "log2"])
def test_functions_of_integers(name: str, dtype: str) -> None:
    function, each = getattr(np, name), integers(dtype)
    if dtype == "bool" and name in ("floor_divide", "remainder"):
        return  # NumPy makes int8 of them
    x, y = (grid.ravel() for grid in np.meshgrid(each, each, indexing="ij"))
    given = (x, y) if function.nin == 2 else (each,)
    with np.errstate(all="ignore"):
        expected = function(*given)
        found = np.asarray(function(*(tp.array(part) for part in given)))
        if expected.dtype.kind == "f":
            found = found.astype(expected.dtype)
        bad = differences(found, expected)
    assert not [([int(part[i]) for part in given], found[i], expected[i]) for i in bad]


def test_whole_powers_have_whole_logarithms() -> None:
    tens, twos = 10.0 ** np.arange(-22, 23), 2.0 ** np.arange(-60, 61)
    np.testing.assert_array_equal(np.asarray(np.log10(tp.array(tens))), np.arange(-22.0, 23.0))
    np.testing.assert_array_equal(np.asarray(np.log2(tp.array(twos))), np.arange(-60.0, 61.0))
    np.testing.assert_array_equal(np.asarray(np.exp2(tp.array(np.arange(-60.0, 61.0)))), twos)
    np.testing.assert_array_equal(np.asarray(np.log2(tp.array(twos.astype(np.float32)))), np.arange(-60.0, 61.0))


def test_signs_of_zeros() -> None:
    zeros = tp.array([0.0, -0.0])
    for function in (np.sinh, np.trunc, np.tanh, np.cbrt, np.expm1, np.log1p, np.arcsinh, np.arctanh):
        np.testing.assert_array_equal(np.signbit(np.asarray(function(zeros))), [False, True])
    found = np.asarray(np.floor_divide(tp.array([1.0, -1.0, 0.0, -0.0]), 2.0))
    np.testing.assert_array_equal(np.signbit(found), [False, True, False, True])


def test_variances_beyond_the_count_and_rounded_integers() -> None:
    x = np.array([1.0, 3.0])
    with np.errstate(all="ignore"):
        for ddof in (0, 1):
            assert float(np.var(tp.array(x), ddof=ddof)) == np.var(x, ddof=ddof)
        assert np.isinf(float(np.var(tp.array(x), ddof=2))) and np.isinf(float(np.var(tp.array(x), ddof=5)))
    integers_ = np.array([15, 25, 149, -15])
    for decimals in (-2, -1, 0, 1, 3):
        found = np.asarray(np.round(tp.array(integers_), decimals))
        assert found.dtype == np.int64 and (found == np.round(integers_, decimals)).all()
    fractions = np.array([1.25, 2.675, 0.5, 1234.5678])
    for decimals in (-2, 0, 1, 2, 3):
        np.testing.assert_array_equal(np.asarray(np.round(tp.array(fractions), decimals)), np.round(fractions, decimals))


def test_products_of_many_dimensions_are_numpys() -> None:
    rng = np.random.default_rng(5)
    for left, right in (((2, 3, 4), (5, 4, 6)), ((4,), (5, 4, 6)), ((2, 4), (3, 5, 4, 2)), ((2, 3, 4), (4,)), ((3, 4), (4, 2)), ((), (2, 3))):
        a, b = rng.normal(size=left), rng.normal(size=right)
        np.testing.assert_allclose(np.asarray(np.dot(tp.array(a), tp.array(b))), np.dot(a, b), rtol=1e-12)


# Universal functions of the tables that are walked elsewhere or in part.
EXCEPTED = {
    "matmul": "products have tests of their own", "vecdot": "products have tests of their own", "matvec": "products have tests of their own",
    "vecmat": "products have tests of their own", "clip": "numpy.clip is no universal function",
}
EVERY = [name for name in sorted({*ufuncs.OPERATIONS, *ufuncs.COMPOSED} - {*EXCEPTED}) if hasattr(np, name)]


def operands(function: Any, dtype: str) -> Any:
    x = floats(dtype) if dtype.startswith("float") else integers(dtype)
    if function.nin == 1:
        return (x,)
    other = {"ldexp": np.array([0, 1, 5, -3, 2000, -2000], "int32"), "left_shift": np.arange(8), "right_shift": np.arange(8)}
    y = other.get(function.__name__, x)
    x, y = np.meshgrid(x, y if function.__name__ == "ldexp" else y.astype(dtype))
    return x.ravel(), y.ravel()


@pytest.mark.parametrize("name", EVERY)
def test_every_universal_function_is_numpys(name: str) -> None:
    function, wrong = getattr(np, name), []
    for dtype in (*FLOATS, *INTEGERS, "int16", "uint16", "uint32"):
        inputs = operands(function, dtype)
        with np.errstate(all="ignore"):
            try:
                expected = function(*inputs)
            except (TypeError, ValueError) as error:  # no loop for these, or integers to negative powers
                with pytest.raises(TypeError if isinstance(error, TypeError) else ValueError):
                    function(*map(tp.array, inputs))
                continue
            found = function(*map(tp.array, inputs))
            for mine, own in zip(found, expected) if function.nout > 1 else [(np.asarray(found), expected)]:
                mine = np.asarray(mine)
                wrong += [(dtype, mine.dtype, own.dtype)] if mine.dtype != own.dtype else [
                    (dtype, [x[i] for x in inputs], mine[i], own[i]) for i in differences(mine, own)]
    assert not wrong


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_sign_of_a_zero_is_zero_without_one(dtype: str) -> None:
    assert not np.signbit(np.asarray(np.sign(tp.array(np.array([0.0, -0.0], dtype))))).any()


def test_names_of_calls_are_functions_of_numpy_and_torch() -> None:
    """A name that NumPy or torch don't know would be left out without a word."""
    rows = ufuncs._trace._functions()
    newer = {"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_count"}  # of NumPy 2
    for call, operands, is_reduction, _, numpy_names, _ in rows:
        assert callable(getattr(ufuncs._trace, call)) and callable(getattr(tp.Array, call))
        for name in (each.partition("/")[0] for each in numpy_names.split()):
            function = getattr(np, name, None)
            assert function is None and name in newer or function.nin == operands and not is_reduction, name
    torch = pytest.importorskip("torch")
    for name in (each for row in rows for each in row[5].split()):
        root = torch
        for part in name.split("."):
            root = getattr(root, part)
        assert callable(root), name
