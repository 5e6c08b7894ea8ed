# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Derivatives at zeros, ties, infinities, nan and the ends of domains, held to those that JAX gives; also in vmap, cond and scan."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import derivative_cases as cases
import numpy as np
import pytest

import tilemeter.trace as tp

RECORDED = json.loads((Path(__file__).parents[1] / "data/trace/derivatives.json").read_text())
DTYPES = ("float64", "float32")


def is_known(text: str, which: str, point: Any) -> bool:
    """True where ours is another number for a known reason."""
    x = np.abs(point).max()
    if text == "digamma(x)":  # float32 overflows on the way to 2e30
        return which == "xx" and 0 < x < 1e-8
    # Formulas by atan2 and log1p are nan where the derivative is infinite, and outside, where JAX's go on.
    if text in ("arcsin(x)", "arccos(x)", "arctanh(x)"):
        return bool(x >= 1)
    if text == "arccosh(x)":
        return bool(point[0] <= 1)
    if text == "hypot(x, y)":  # at 0 there is no derivative, JAX says 1/2; its second ones are wrong where both are equally large
        return bool(x == 0 or x >= 1e19 or len(which) == 2 and abs(point[0]) == abs(point[1]))
    if text == "logaddexp2(x, y)":
        return bool(x >= 1e19)
    # JAX's derivatives of logaddexp are none where its sum is rounded or infinite.
    return text == "logaddexp(x, y)" and x >= 1e19


_NAMES = cases.namespace()


def function(text: str) -> Any:
    return eval(f"lambda x, y=None: {text}", dict(_NAMES))


def summed(f: Any) -> Any:
    return lambda *x: tp.sum(f(*x))


def gradient(f: Any, argnum: int = 0) -> Any:
    """The gradient of the sum, zeros where f is no float or depends on nothing."""
    return tp.grad(summed(f), argnum)


def array(values: list[Any], dtype: str) -> Any:
    return np.array([float(each) for each in values], dtype)


def differences(found: Any, expected: Any, scale: float = 1.0) -> list[int]:
    """The places where they differ by more than roundings."""
    found, expected = np.asarray(found).ravel(), np.asarray(expected).ravel()
    if found.shape != expected.shape:
        return [-1]
    # Formulas of derivatives round in different places; what this looks for are kinks, infinities and nan.
    relative, absolute = (1e-6, 1e-7) if expected.dtype == np.float64 else (2e-4, 1e-4)
    with np.errstate(all="ignore"):
        near = np.abs(found - expected) <= scale * (relative * np.abs(expected) + absolute)
    same = (found == expected) | (np.isnan(found) & np.isnan(expected)) | near
    return [int(i) for i in np.flatnonzero(~same)]


def wrong(text: str, made: dict[str, Any], recorded: dict[str, Any], points: Any, dtype: str, in_scan: Any = None) -> list[str]:
    texts = []
    for which, found in made.items():
        expected = array(recorded[which], dtype)
        for i in differences(found, expected):
            if i < 0:
                texts.append(f"{text} {which}: another shape")
                continue
            got = np.asarray(found).ravel()[i]
            if np.isnan(expected[i]) or is_known(text, which, points[i]):  # JAX's nan is no answer where there is a number
                continue
            if in_scan is not None and which == "xx" and not np.isfinite([expected[i], in_scan[i], *points[i]]).all():
                continue
            texts.append(f"{text} {which} at {tuple(map(float, points[i]))} {dtype}: {got}, JAX {expected[i]}")
    return texts


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("text", cases.UNARY)
def test_functions_of_one_number(text: str, dtype: str) -> None:
    f, x = function(text), cases.points(np.dtype(dtype))
    first = gradient(f)
    made = {"value": f(tp.array(x)), "x": first(x), "xx": gradient(first)(x)}
    assert not wrong(text, made, RECORDED[dtype]["points"][text], x[:, None], dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("text", cases.BINARY)
def test_functions_of_two_numbers(text: str, dtype: str) -> None:
    f, (x, y) = function(text), cases.pairs(np.dtype(dtype))
    by_x, by_y = gradient(f, 0), gradient(f, 1)
    made = {"value": f(tp.array(x), tp.array(y)), "x": by_x(x, y), "y": by_y(x, y), "xx": gradient(by_x, 0)(x, y),
            "xy": gradient(by_x, 1)(x, y), "yy": gradient(by_y, 1)(x, y)}
    assert not wrong(text, made, RECORDED[dtype]["pairs"][text], np.stack([x, y], 1), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("text", cases.OF_VECTORS)
def test_functions_of_vectors(text: str, dtype: str) -> None:
    f, texts = function(text), []
    for x, recorded in zip(cases.vectors(np.dtype(dtype)), RECORDED[dtype]["vectors"][text]):
        made = np.asarray(f(tp.array(x)))
        weights = cases.weights(made.size, np.dtype(dtype)).reshape(made.shape)

        def scalar(x: Any, weights: Any = weights) -> Any:
            return tp.sum(f(x) * weights)

        along = cases.weights(x.size, np.dtype(dtype))[::-1].copy()
        second = tp.grad(lambda x, along=along, scalar=scalar: tp.sum(tp.grad(scalar)(x) * along))(x)
        texts += wrong(text, {"value": made, "x": tp.grad(scalar)(x), "xx": second}, recorded, np.repeat(x[None], max(made.size, x.size), 0), dtype)
    assert not texts


def _derivatives(f: Any) -> dict[str, Any]:
    first = gradient(f)
    return {"x": first, "xx": gradient(first)}


@pytest.mark.parametrize("text", cases.UNARY)
def test_in_vmap_and_in_branches_that_lanes_take_apart(text: str) -> None:
    f, x = function(text), cases.points(np.float64)
    recorded = RECORDED["float64"]["points"][text]
    takes = np.arange(x.size) % 3 != 1
    choice = (np.arange(x.size) % 3).astype(np.int32)

    def linear(x: Any) -> Any:
        return x * 3.0

    def in_scan(carry: Any, row: Any) -> Any:
        made = tp.cond(row[1], f, linear, row[0])
        return carry + made, made

    def looped(x: Any, takes: Any) -> Any:
        return tp.scan(in_scan, np.float64(0), (tp.reshape(x, (1,)), tp.reshape(takes, (1,))))[1][0]

    everywhere = np.ones(x.size, bool)
    forms = {
        "vmap": (lambda x: tp.vmap(f)(x), everywhere),
        "cond": (lambda x: tp.vmap(lambda x, takes: tp.cond(takes, f, linear, x))(x, takes), takes),
        "else": (lambda x: tp.vmap(lambda x, takes: tp.cond(takes, linear, f, x))(x, ~takes), takes),
        "switch": (lambda x: tp.vmap(lambda x, choice: tp.switch(choice, [f, linear, f], x))(x, choice), takes),
        "scan": (lambda x: tp.vmap(looped)(x, takes), takes),
    }
    texts = []
    for name, (form, taken) in forms.items():
        first = gradient(form)
        made = {"x": first(x), "xx": gradient(first)(x)}
        for which, other in (("x", 3.0), ("xx", 0.0)):
            expected = {which: [value if take else other for value, take in zip(recorded[which], taken)]}
            texts += [f"{name}: {each}" for each in wrong(text, {which: made[which]}, expected, x[:, None], "float64", array(recorded["value"], "float64") if name == "scan" else None)]
    # Gradients that are mapped, and forward mode.
    mapped = tp.vmap(lambda x, takes: tp.grad(lambda x: tp.cond(takes, f, linear, x))(x))(x, takes)
    pushed = tp.jvp(forms["cond"][0], (x,), (np.ones_like(x),))[1]
    expected = {"x": [value if take else 3.0 for value, take in zip(recorded["x"], takes)]}
    texts += [f"mapped: {each}" for each in wrong(text, {"x": mapped}, expected, x[:, None], "float64")]
    if pushed is not None:
        texts += [f"jvp: {each}" for each in wrong(text, {"x": pushed}, expected, x[:, None], "float64")]
    assert not texts


def test_what_all_lanes_share_has_a_gradient_from_those_that_use_it() -> None:
    v, w = np.array([0.0, 4.0, -1.0]), np.float64(2.0)
    used = tp.grad(lambda w: tp.sum(tp.vmap(lambda k: tp.cond(k > 0, lambda: tp.sqrt(k * w), lambda: k * 0.0))(v)))(w)
    assert np.isclose(float(used), 0.5 * 4.0 / np.sqrt(8.0))
    hessian = tp.grad(tp.grad(lambda w: tp.sum(tp.vmap(lambda k: tp.cond(k > 0, lambda: tp.sqrt(k * w), lambda: k * 0.0))(v))))(w)
    assert np.isclose(float(hessian), -0.25 * 16.0 * 8.0**-1.5)

    def mean_of_lanes(matrix: Any) -> Any:
        lanes = tp.vmap(lambda k: tp.cond(k > 0, lambda: tp.sum(tp.log(matrix * k)), lambda: k * 1.0))(v)
        return tp.sum(lanes)

    made = tp.grad(mean_of_lanes)(np.array([[1.0, 2.0], [4.0, 8.0]]))
    np.testing.assert_allclose(np.asarray(made), 1 / np.array([[1.0, 2.0], [4.0, 8.0]]))


def test_every_function_has_its_points() -> None:
    """A function that is new here is refused until it has a row, or is said to have no derivative."""
    known = " ".join((*cases.UNARY, *cases.BINARY, *cases.OF_VECTORS))
    control = {"call", "checkpoint", "cond", "scan", "switch", "while_loop", "custom_op", "grad", "hvp", "jvp", "value_and_grad", "vjp", "vmap"}
    native = {name for name in dir(tp._trace) if not name.startswith("_") and callable(getattr(tp._trace, name))
              and type(getattr(tp._trace, name)).__name__ == "nb_func"}
    tools = {"cache_statistics", "is_tracing", "lazy_statistics", "parse", "tripy_texts", "register_method"}
    names = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}
    missing = [name for name in sorted(native - control - tools - cases.WITHOUT_DERIVATIVES - cases.MOVES)
               if names.get(name, f"{name}(") not in known and name not in ("broadcast_to", "eval")]
    assert not missing


def test_of_nothing() -> None:
    empty = np.zeros((0, 3))
    for f in (tp.sort, tp.softmax, tp.cumsum, tp.relu, lambda x: tp.sort(x, 0), lambda x: tp.prod(x, 1), lambda x: tp.flip(x)):
        assert tp.grad(lambda x, f=f: tp.sum(f(x)))(empty).shape == (0, 3)
    for axis in (0, 1):
        assert tp.grad(lambda x, axis=axis: tp.sum(tp.prod(x, axis)))(empty).shape == (0, 3)
    assert tp.grad(lambda x: tp.sum(tp.sort(x, 1)))(np.zeros((3, 0))).shape == (3, 0)


def test_which_arguments() -> None:
    x = np.array([1.0, 2.0])
    for numbers in (np.int64(0), np.int32(0), np.array(0)):
        np.testing.assert_array_equal(np.asarray(tp.grad(lambda x: tp.sum(x * x), numbers)(x)), 2 * x)
    both = tp.grad(lambda x, y: tp.sum(x * y), np.array([0, 1]))(x, 3 * x)
    np.testing.assert_array_equal(np.asarray(both[0]), 3 * x)
    for twice in ((0, 0), (0, -1), [0, 0]):
        with pytest.raises(tp.TraceError, match="each argument once"):
            tp.grad(lambda x: tp.sum(x * x), twice)(x)
