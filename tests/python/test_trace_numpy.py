# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions on arrays against NumPy itself: random calls (numpy_calls.py), random indices, errors, derivatives.

The tests take a sample that is the same each time; TILEMETER_CASES=50 takes 50 times as many calls of each function, and
TILEMETER_NUMPY_SEED others.
"""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import numpy_calls
from cases import cases
import tilemeter.trace as tp

needs_numpy_2 = pytest.mark.skipif(int(np.__version__.split(".")[0]) < 2 or not hasattr(np.add, "resolve_dtypes"),
                                   reason="NumPy's rules for numbers of Python are those of NumPy 2")


@needs_numpy_2
def test_random_calls_have_numpys_values_types_and_errors() -> None:
    per_name = cases(4)
    counts: Counter[str] = Counter()
    wrong, refused = [], Counter[str]()
    for call in numpy_calls.calls(int(os.environ.get("TILEMETER_NUMPY_SEED", "20261128")), per_name):
        kind, text = numpy_calls.judge(call)
        counts[kind] += 1
        if kind == "wrong":
            wrong.append(f"{call}: {text}"[:400])
        elif kind == "refused":
            refused[call.name] += 1
    shown = "\n".join(wrong[:40])
    assert not wrong, f"{len(wrong)} of {counts.total()} wrong:\n{shown}"
    assert counts["equal"] > 0.75 * counts.total(), counts
    # Functions that are refused though NumPy has them are so in some forms only.
    assert counts["refused"] < 0.05 * counts.total(), (counts, refused.most_common(10))


def random_index(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    parts: list[Any] = []
    left = list(shape)
    broadcast = [(), (2,), (1,), (3, 1), (2, 1)][rng.integers(5)]
    while left and rng.random() < 0.85:
        extent, draw = left[0], rng.random()
        if draw < 0.2:
            parts.append(int(rng.integers(-extent, extent)) if extent and rng.random() < 0.95 else extent)
        elif draw < 0.5:
            bounds = [None if rng.random() < 0.4 else int(rng.integers(-extent - 2, extent + 3)) for _ in range(2)]
            parts.append(slice(*bounds, [None, 1, 2, -1, -2][rng.integers(5)]))
        elif draw < 0.75 and extent:
            places = rng.integers(-extent, extent, broadcast)
            parts.append([places, places.astype(np.int8), places.tolist()][rng.integers(3)])
        elif draw < 0.85:
            rank = min(len(left), int(rng.integers(1, 3)))
            parts.append(rng.random(tuple(left[:rank])) < 0.5)
            left = left[rank - 1:]
        elif draw < 0.88 and extent:
            parts.append(np.int64(rng.integers(-extent, extent)))
        else:
            parts.append(slice(None))
        left = left[1:]
    for extra in (None, Ellipsis, True, False):
        if rng.random() < (0.3 if extra in (None, Ellipsis) else 0.05):
            parts.insert(int(rng.integers(len(parts) + 1)), extra)
    return tuple(parts) if len(parts) != 1 or rng.random() < 0.5 else parts[0]


def _outcome(function: Callable[[], Any]) -> tuple[Any, type | None]:
    try:
        return np.asarray(function()), None
    except Exception as error:  # noqa: BLE001
        return None, type(error)


def test_random_indices_are_numpys_in_value_and_derivative() -> None:
    rng = np.random.default_rng(20261129)
    for _ in range(cases(4) * 150):
        shape = [(4,), (3, 4), (2, 3, 4), (2, 0, 3), (1, 3, 1, 2)][rng.integers(5)]
        x = rng.standard_normal(shape)
        index = random_index(rng, shape)
        right, refused = _outcome(lambda: x[index])
        found, error = _outcome(lambda: tp.array(x)[index])
        if refused is not None:
            assert error is not None and issubclass(error, (refused, tp.TraceError)) and issubclass(error, IndexError), (shape, index, error)
            continue
        assert error is None and found.shape == right.shape and np.array_equal(found, right), (shape, index, error, found, right)
        if rng.random() < 0.3 and right.size:
            weights = rng.standard_normal(right.shape)
            expected = np.zeros(shape)
            np.add.at(expected, index, weights)
            gradient = tp.grad(lambda y: tp.sum(y[index] * weights))(x)
            np.testing.assert_allclose(np.asarray(gradient), expected, rtol=1e-12, atol=1e-12, err_msg=repr((shape, index)))
            np.testing.assert_array_equal(np.asarray(tp.jit(lambda y: y[index])(x)), right)


def test_indices_that_a_run_brings_count_from_the_end_as_well() -> None:
    x, m = np.arange(5.0), np.arange(12.0).reshape(3, 4)
    for dtype in ("int8", "int16", "int32", "int64", "uint8"):
        i = np.array([0, 2, 1] if dtype == "uint8" else [-1, 0, -2]).astype(dtype)
        for take in (lambda x, i: x[i], lambda x, i: np.take(x, i), lambda x, i: tp.gather(x, i, 0)):
            np.testing.assert_array_equal(np.asarray(tp.jit(take)(x, i)), x[i])
        np.testing.assert_array_equal(np.asarray(tp.vmap(lambda i: tp.array(x)[i])(i)), x[i])
        np.testing.assert_array_equal(np.asarray(tp.jit(lambda m, i: m[i, i])(m, i)), m[i, i])
        expected = np.zeros(5)
        np.add.at(expected, i, 1.0)
        np.testing.assert_array_equal(np.asarray(tp.jit(tp.grad(lambda x, i: tp.sum(x[i])))(x, i)), expected)
        np.testing.assert_array_equal(np.asarray(tp.jit(lambda m, i: np.take_along_axis(m, tp.expand_dims(i, 1), 1))(m, i)),
                                      np.take_along_axis(m, i.astype(np.int64)[:, None], 1))


REFUSED: list[tuple[str, type]] = [
    ("tp.argmax(m, ())", TypeError), ("tp.argmin(m, [])", TypeError), ("np.argmax(m, axis=(0, 1))", TypeError), ("tp.cumsum(m, ())", TypeError),
    ("tp.arange(())", TypeError), ("tp.arange([2, 3])", TypeError), ("tp.one_hot(i, ())", TypeError), ("x[():1]", TypeError),
    ("x[[1, 2]:]", TypeError), ("x[::1.5]", TypeError), ("tp.sum(m, 2)", np.exceptions.AxisError if hasattr(np, "exceptions") else ValueError),
    ("tp.sum(m, (0, 0))", ValueError), ("tp.sum(m, 'a')", TypeError), ("tp.softmax(m, ())", TypeError), ("tp.sort(m, None)", TypeError),
    ("tp.expand_dims(x, 5)", ValueError), ("tp.stack([x, x], axis=())", TypeError), ("tp.concat(5)", TypeError), ("tp.full((), None)", TypeError),
    ("x[7]", IndexError), ("x[[7]]", IndexError), ("x[tp.array([-4])]", IndexError), ("x[0, 0]", IndexError), ("x[0.5]", IndexError),
    ("x['a']", IndexError), ("x[np.array([True, False])]", IndexError), ("np.take(x, [5])", IndexError), ("m[[0, 1], [0, 1, 2]]", IndexError),
    ("u + 300", OverflowError), ("u * -1", OverflowError), ("np.add(u, 256)", OverflowError), ("tp.full(1, 300, 'uint8')", OverflowError),
    ("tp.array(300, 'uint8')", OverflowError), ("tp.array([1, -1], 'uint8')", OverflowError), ("np.where(b, u, 300)", OverflowError),
    ("np.full_like(u, -1)", OverflowError), ("tp.pad(u, [1], [1], 256)", OverflowError), ("i + 2**63", OverflowError), ("i + 10**30", OverflowError),
    ("tp.array(10**30)", OverflowError), ("tr.key(2**63)", OverflowError), ("int(tp.array(float('nan')))", ValueError),
    ("int(tp.array(float('inf')))", OverflowError), ("tr.randint(tr.key(0), (2,), np.arange(2), 3)", TypeError),
    ("tp.array(np.datetime64('2020'))", TypeError), ("x + np.timedelta64(1, 's')", TypeError), ("tp.array(np.ma.masked_array([1.], [1]))", TypeError),
    ("np.clip(x, 1, 2, out=np.zeros(3))", TypeError), ("np.cumsum(x, out=np.zeros(3))", TypeError), ("np.sum(x, out=np.zeros(()))", TypeError),
    ("np.concatenate([x, x], out=np.zeros(6))", TypeError), ("np.add(x, x, out=np.zeros(3))", TypeError), ("np.take(x, [0], out=np.zeros(1))", TypeError),
    ("np.sort(x, order='f')", TypeError), ("np.sort(x, kind='x')", ValueError), ("np.zeros_like(m, order='F')", ValueError),
    ("np.add(x, x, where=b)", TypeError), ("np.add(x, i, dtype='int64')", TypeError), ("np.concatenate([x, x], dtype='int8')", TypeError),
    ("np.max(x[:0])", ValueError), ("tp.min(x[:0])", ValueError), ("x[:0].max()", ValueError), ("np.argmax(x[:0])", ValueError),
    ("np.power(i, -1)", ValueError), ("-b", TypeError), ("b - b", TypeError), ("i << 0.5", TypeError), ("x & 1", TypeError),
    ("np.fft.fft(x)", TypeError), ("np.linalg.svd(m)", TypeError), ("np.put(x, 0, 1)", TypeError), ("x.__setitem__(0, 1)", TypeError),
    ("x.repeat(2, 0)", TypeError), ("np.squeeze(x, 0)", ValueError), ("np.moveaxis(m, 5, 0)", ValueError), ("bool(x)", ValueError),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[0])
def test_what_is_refused_is_numpys_exception_in_our_words(case: tuple[str, type]) -> None:
    code, kind = case
    values = {"np": np, "tp": tp, "tr": tp.random, "x": tp.array([1.0, 2.0, 3.0]), "m": tp.array(np.arange(6.0).reshape(2, 3)), "i": tp.array([1, 2, 0]),
              "u": tp.array(np.array([1, 200], np.uint8)), "b": tp.array([True, False, True])}
    if "where(b, u" in code:
        values["b"] = tp.array([True, False])
    with pytest.raises(kind) as raised:
        eval(code, values)
    assert isinstance(raised.value, tp.TraceError), raised.value
    assert "\n" not in str(raised.value) and not numpy_calls.INTERNAL.search(str(raised.value)), raised.value


@pytest.mark.parametrize("number", [-1, 0, 255, 256, 300, -2**31, 2**40, 2**63, 2**64, 10**30, -10**30])
def test_comparisons_with_numbers_outside_of_a_type_are_exact(number: int) -> None:
    for dtype in ("uint8", "int8", "int64", "uint64"):
        a = np.array([0, 1, np.iinfo(dtype).max, np.iinfo(dtype).min]).astype(dtype)
        for compare in (lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b,
                        lambda a, b: b < a, lambda a, b: b >= a):
            np.testing.assert_array_equal(np.asarray(compare(tp.array(a), number)), compare(a.astype(object), number).astype(bool))


def test_whole_numbers_stay_whole() -> None:
    large = 2**53 + 1
    assert int(tp.full((1,), large, "int64")[0]) == large and int(np.full_like(tp.array([1]), large)[0]) == large
    assert np.asarray(tp.pad(tp.array([1]), [1], [0], large)).tolist() == [large, 1]
    assert int(tp.array(np.uint64(2**63 + 5))) == 2**63 + 5
    assert np.asarray(tp.array(np.array([1], np.uint64)) + 2**63).tolist() == [2**63 + 1]


def test_operators_that_arrays_share_with_numpy() -> None:
    i, b, x = np.array([1, -2, 3]), np.array([True, False, True]), np.array([1.5, -2.5, 3.0])
    pairs: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (lambda a: a << 1, (i,)), (lambda a: 1 << a, (np.abs(i),)), (lambda a: a >> 1, (i,)), (lambda a: divmod(a, 2), (x,)),
        (lambda a: divmod(7, a), (i,)), (lambda a: a // a, (np.array([True, True]),)), (lambda a: a % a, (np.array([True, True]),)),
        (lambda a: a ** a, (b,)), (lambda a: a @ a, (b,)), (lambda a: a << a, (b,)), (lambda a: a == None, (x,)), (lambda a: a != None, (x,)),  # noqa: E711
        (lambda a: round(a[0], 0), (x,)), (lambda a: a + [1, 2, 3], (x,)), (lambda a: [1, 2, 3] - a, (x,)), (lambda a: a.astype("int8", copy=False), (i,)),
        (lambda a: a[None], (x,)), (lambda a: a[True], (x,)), (lambda a: a[False], (x,)), (lambda a: 1.5 in a, (x,)),
        (lambda a: np.add.reduce(a), (np.float64(3.0),)), (lambda a: a.sum(axis=np.int64(0), keepdims=1), (x,)),
    ]
    for function, inputs in pairs:
        right, found = function(*inputs), function(*map(tp.array, inputs))
        assert not numpy_calls.difference(numpy_calls._plain(found), right), (right, found)


def test_lists_with_arrays_in_them_are_stacked_in_traces() -> None:
    made = tp.jit(lambda a: tp.array([a[0], [a[1], 2][0], 7]))(np.array([1.0, 2.0]))
    assert np.asarray(made).tolist() == [1.0, 2.0, 7.0]
    gradient = tp.grad(lambda a: tp.sum(tp.array([[a[0], a[1]], [a[1], 1.0]]) ** 2))(np.array([1.0, 2.0]))
    assert np.asarray(gradient).tolist() == [2.0, 8.0]
    with pytest.raises(ValueError, match="expected one shape"):
        tp.array([tp.array([1.0]), 2.0])


def test_arrays_are_pickled_with_their_types() -> None:
    for value in (np.arange(3), np.array(2.5, np.float32), np.zeros((0, 2), bool), np.array([2**63], np.uint64)):
        again = pickle.loads(pickle.dumps(tp.array(value)))
        assert again.dtype == value.dtype and np.array_equal(np.asarray(again), value)
    assert str(pickle.loads(pickle.dumps(tp.array([1.5], "bfloat16"))).dtype) == "bfloat16"
    with pytest.raises(tp.TraceError):
        tp.jit(lambda x: pickle.dumps(x) and x)(1.0)


def test_jacobians_are_those_of_the_formula() -> None:
    w, x = np.arange(6.0).reshape(2, 3), np.array([1.0, -2.0, 0.5])
    for jacobian in (tp.jacrev, tp.jacfwd):
        np.testing.assert_allclose(np.asarray(jacobian(lambda x: w @ x)(x)), w)
        of_w, of_x = jacobian(lambda w, x: np.tanh(w @ x), argnums=(0, 1))(w, x)
        slope = 1 - np.tanh(w @ x) ** 2
        np.testing.assert_allclose(np.asarray(of_x), slope[:, None] * w, rtol=1e-12)
        np.testing.assert_allclose(np.asarray(of_w), np.einsum("i,ij,k->ijk", slope, np.eye(2), x), rtol=1e-12)
        trees = jacobian(lambda p: {"sum": tp.sum(p["a"]), "both": p["a"] * p["b"]})({"a": x, "b": 2.0 * x})
        np.testing.assert_allclose(np.asarray(trees["both"]["a"]), np.diag(2 * x))
        assert np.asarray(trees["sum"]["b"]).tolist() == [0, 0, 0]
    np.testing.assert_allclose(np.asarray(tp.hessian(lambda x: tp.sum(x**3))(x)), np.diag(6 * x))
    with pytest.raises(TypeError, match="expected floats"):
        tp.jacrev(lambda i: i * 2.0)(np.arange(3))


DIFFERENTIABLE: list[tuple[str, Callable[..., Any], tuple[tuple[int, ...], ...]]] = [
    ("einsum", lambda a, b: np.einsum("bij,bkj->bik", a, b), ((2, 3, 4), (2, 5, 4))), ("einsum of three", lambda a, b, c: np.einsum("ij,jk,kl->il", a, b, c), ((2, 3), (3, 4), (4, 2))),
    ("tensordot", lambda a, b: np.tensordot(a, b, ((1, 2), (0, 1))), ((2, 3, 4), (3, 4, 5))), ("cumprod", lambda a: np.cumprod(a, 0), ((4, 2),)),
    ("median", lambda a: np.median(a, 0), ((5, 2),)), ("quantile", lambda a: np.quantile(a, 0.3), ((5,),)), ("norm", lambda a: np.linalg.norm(a), ((2, 3),)),
    ("hypot", lambda a, b: np.hypot(a, b), ((3,), (3,))), ("arctanh", lambda a: np.arctanh(np.tanh(a)), ((3,),)), ("arcsinh", lambda a: np.arcsinh(a * 4), ((5,),)),
    ("sinh", lambda a: np.sinh(a), ((5,),)), ("logaddexp", lambda a, b: np.logaddexp(a, b), ((3,), (3,))), ("log2", lambda a: np.log2(np.abs(a)), ((4,),)),
    ("var", lambda a: np.var(a, 0, ddof=1), ((4, 2),)), ("nanmean", lambda a: np.nanmean(a), ((4,),)), ("roll", lambda a: np.roll(a, 1, 1), ((2, 3),)),
    ("pad", lambda a: np.pad(a, 1, mode="reflect"), ((3, 3),)), ("take_along_axis", lambda a: np.take_along_axis(a, np.array([[2, 0]]), 1), ((1, 3),)),
    ("kron", lambda a, b: np.kron(a, b), ((2, 2), (2, 3))), ("cross", lambda a, b: np.cross(a, b), ((2, 3), (2, 3))), ("diff", lambda a: np.diff(a, 2), ((5,),)),
    ("ediff1d", lambda a, b: np.ediff1d(a, b, 1.5), ((3, 2), (2,))),
    ("tril", lambda a: np.tril(a), ((3, 3),)), ("convolve", lambda a, b: np.convolve(a, b, "same"), ((5,), (3,))), ("trapezoid", lambda a: np.trapezoid(a), ((5,),)),
]


@pytest.mark.parametrize("case", [each for each in DIFFERENTIABLE if each[0] != "trapezoid" or hasattr(np, "trapezoid")], ids=lambda case: case[0])
def test_derivatives_are_those_of_small_steps(case: tuple[str, Callable[..., Any], tuple[tuple[int, ...], ...]]) -> None:
    _, function, shapes = case
    rng = np.random.default_rng(7)
    inputs = [rng.standard_normal(shape) for shape in shapes]
    weights = rng.standard_normal(np.shape(function(*inputs)))
    gradients = tp.grad(lambda *x: tp.sum(function(*x) * weights), tuple(range(len(inputs))))(*inputs)
    for i, gradient in enumerate(gradients):
        direction = rng.standard_normal(shapes[i])
        step = 1e-6
        moved = [[x + sign * step * direction if k == i else x for k, x in enumerate(inputs)] for sign in (1, -1)]
        slope = (np.sum(function(*moved[0]) * weights) - np.sum(function(*moved[1]) * weights)) / (2 * step)
        np.testing.assert_allclose(np.sum(np.asarray(gradient) * direction), slope, rtol=1e-5, atol=1e-7)
