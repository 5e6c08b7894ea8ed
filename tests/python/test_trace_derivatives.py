# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Derivatives and lanes of functions of trees."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pytest
import tilemeter.trace as tp

X3 = np.arange(3.0)


def close(a: Any, b: Any) -> bool:
    return np.allclose(np.asarray(a), np.asarray(b))


def floats(value: Any) -> Any:
    return np.asarray(value).tolist()


def test_gradients_have_the_structure_of_the_argument() -> None:
    @dataclasses.dataclass
    class Layer:
        w: Any
        b: Any

    params = {"first": Layer(np.ones((2, 3)), np.zeros(2)), "scale": [2.0]}

    def loss(params: Any, x: Any) -> Any:
        layer = params["first"]
        return np.sum(layer.w @ x + layer.b) * params["scale"][0]

    gradient = tp.grad(loss)(params, X3)
    assert type(gradient["first"]) is Layer
    assert floats(gradient["first"].w) == [[0, 2, 4], [0, 2, 4]]
    assert floats(gradient["first"].b) == [2, 2]
    assert floats(gradient["scale"][0]) == 6
    both = tp.grad(loss, argnums=(1, 0))(params, X3)
    assert floats(both[0]) == [4, 4, 4] and type(both[1]["first"]) is Layer
    compiled = tp.jit(tp.grad(loss))(params, X3)
    assert floats(compiled["first"].w) == [[0, 2, 4], [0, 2, 4]]


def test_levels_nest_under_jit() -> None:
    def cube(x: Any) -> Any:
        return x * x * x

    assert float(tp.grad(tp.grad(cube))(2.0)) == 12
    assert float(tp.jit(tp.grad(tp.jit(tp.grad(tp.jit(cube)))))(2.0)) == 12
    assert floats(tp.vmap(tp.grad(cube))(X3)) == [0, 3, 12]
    # The derivative of the inner level is 1 whatever the outer one is.
    assert float(tp.grad(lambda x: x * tp.grad(lambda y: x + y)(1.0))(3.0)) == 1


def test_values_and_what_goes_with_them() -> None:
    def f(x: Any) -> Any:
        y = np.tanh(x)
        return np.sum(y), {"y": y}

    (value, aux), gradient = tp.value_and_grad(f, has_aux=True)(X3)
    assert close(value, np.tanh(X3).sum()) and close(aux["y"], np.tanh(X3))
    assert close(gradient, 1 - np.tanh(X3) ** 2)
    gradient, aux = tp.grad(f, has_aux=True)(X3)
    assert close(gradient, 1 - np.tanh(X3) ** 2) and close(aux["y"], np.tanh(X3))
    value, gradients = tp.value_and_grad(lambda a, b: a * b, argnums=(0, 1))(3.0, 4.0)
    assert (float(value), *map(float, gradients)) == (12, 4, 3)


def test_other_arguments_are_of_any_type() -> None:
    def f(x: Any, kind: str, count: int, *, scale: float = 1.0) -> Any:
        for _ in range(count):
            x = getattr(np, kind)(x)
        return np.sum(x) * scale

    assert close(tp.grad(f)(X3, "sin", 2, scale=3.0), 3 * np.cos(np.sin(X3)) * np.cos(X3))


def test_forward_and_backward_go_through_trees() -> None:
    def f(x: Any, i: Any) -> Any:
        return {"taken": np.take(x, i), "i": i}

    i = np.array([2, 0], np.int32)
    value, tangent = tp.jvp(f, (X3, i), (X3 * 10, None))
    assert floats(value["taken"]) == [2, 0] and floats(tangent["taken"]) == [20, 0] and tangent["i"] is None
    value, back = tp.vjp(f, X3, i)
    of_x, of_i = back({"taken": np.array([1.0, 5.0]), "i": None})
    assert floats(of_x) == [5, 0, 1] and of_i is None
    assert floats(back({"taken": np.array([0.0, 1.0]), "i": None})[0]) == [1, 0, 0]
    products = tp.hvp(lambda x, y: np.sum(x * x * y), (X3, X3), (np.ones(3), np.zeros(3)))
    assert floats(products[0]) == [0, 2, 4] and floats(products[1]) == [0, 2, 4]


def test_lanes_of_trees() -> None:
    def f(p: Any, x: Any) -> Any:
        return x @ p["w"] + p["b"], p["b"]

    params = {"w": np.ones((3, 2)), "b": np.arange(2.0)}
    y, b = tp.vmap(f, in_axes=(None, 0), out_axes=(0, None))(params, np.ones((4, 3)))
    assert y.shape == (4, 2) and b.shape == (2,)
    many = {"w": np.ones((5, 3, 2)), "b": np.zeros((2, 5))}
    y, _ = tp.vmap(f, in_axes=({"w": 0, "b": 1}, None), out_axes=1)(many, np.ones((4, 3)))
    assert y.shape == (4, 5, 2)
    per_example = tp.vmap(tp.grad(lambda w, x: np.sum(np.tanh(w * x))), in_axes=(None, 0))(X3, np.ones((4, 3)))
    assert close(per_example, np.broadcast_to(1 - np.tanh(X3) ** 2, (4, 3)))


def test_rules_of_custom_operations() -> None:
    # A factor shows that the rule was asked.
    square = tp.custom_op("test_square", infer=lambda x: x, compute=lambda x: x * x,
                          vjp=lambda operands, results, cotangents: 200.0 * operands[0] * cotangents[0])
    assert float(tp.grad(square)(3.0)) == 600
    assert float(tp.jvp(square, (3.0,), (1.0,))[1]) == 600
    assert float(tp.jit(tp.grad(tp.grad(square)))(3.0)) == 200
    scaled = tp.custom_op("test_scaled_sum", lower=lambda x, y, *, by: (x + y) * by,
                          jvp=lambda operands, tangents, *, by: tangents[0] * (by * 10.0))
    assert float(scaled(1.0, 2.0, by=2.0)) == 6
    assert [float(each) for each in tp.grad(lambda x, y: scaled(x, y, by=2.0), argnums=(0, 1))(1.0, 2.0)] == [20, 0]
    lanes = tp.custom_op("test_lanes", infer=lambda x: x, compute=lambda x: x + 1,
                         batch=lambda operands, is_mapped, lanes: test_lanes_again(operands[0]))
    test_lanes_again = tp.custom_op("test_lanes_again", infer=lambda x: x, compute=lambda x: x + 1)
    assert floats(tp.vmap(lanes)(X3)) == [1, 2, 3]
    only_first = tp.custom_op("test_only_first", infer=lambda x, y: x, compute=lambda x, y: x,
                              vjp=lambda operands, results, cotangents: (cotangents[0], None))
    assert [floats(each) for each in tp.grad(lambda x, y: np.sum(only_first(x, y)), argnums=(0, 1))(X3, X3)] == [[1, 1, 1], [0, 0, 0]]


def test_checkpoints_and_loops() -> None:
    def f(x: Any) -> Any:
        y = tp.checkpoint(lambda z: np.sin(np.sin(z)))(x)
        last, _ = tp.scan(lambda c, _: (c * y, None), 1.0, None, length=3)
        return last

    y = np.sin(np.sin(0.5))
    assert close(tp.grad(f)(0.5), 3 * y**2 * np.cos(np.sin(0.5)) * np.cos(0.5))
    assert str(tp.trace_graph(tp.grad(f), args=(0.5,))).count("checkpoint") >= 1


def test_gradients_are_ordinary_graphs(tmp_path: Any) -> None:
    graph = tp.trace_graph(tp.grad(lambda x: np.sum(np.tanh(x))), args=(X3,))
    assert str(tp.parse(str(graph))) == str(graph)
    assert close(graph(X3), 1 - np.tanh(X3) ** 2)
    assert "stablehlo.tanh" in tp.to_stablehlo(tp.grad(lambda x: np.sum(np.tanh(x))), X3)


def loop(x: Any) -> Any:
    return tp.while_loop(lambda c: c < 10.0, lambda c: c * 2.0, x)


SITUATIONS: list[tuple[str, Any, str]] = [
    ("grad_needs_scalar", lambda: tp.grad(lambda x: x * x)(X3), r"f64\[3\]"),
    ("grad_needs_scalar", lambda: tp.grad(lambda x: (x, x))(1.0), "2 results"),
    ("grad_needs_float", lambda: tp.grad(lambda x: x * x)(3), "i64"),
    ("grad_needs_float", lambda: tp.grad(lambda x: x > 0)(3.0), "bool"),
    ("bad_argument", lambda: tp.grad(lambda x: x, argnums=2)(3.0), "argnums 2"),
    ("bad_argument", lambda: tp.grad(3), "int"),
    ("bad_result", lambda: tp.grad(lambda x: x, has_aux=True)(3.0), "Array"),
    ("bad_result", lambda: tp.grad(lambda x: "text")(3.0), "str"),
    ("shape_mismatch", lambda: tp.vjp(lambda x: x * x, X3)[1](np.ones(2)), r"f64\[2\].*f64\[3\]"),
    ("structure_mismatch", lambda: tp.vjp(lambda x: x * x, X3)[1]((X3, X3)), "2 cotangents, expected 1"),
    ("dtype_mismatch", lambda: tp.jvp(lambda x: x, (X3,), (np.ones(3, np.int32),)), "i32"),
    ("structure_mismatch", lambda: tp.jvp(lambda x: x, (X3,), (X3, X3)), "2 tangents, expected 1"),
    ("length_mismatch", lambda: tp.vmap(lambda x, y: x + y)(np.ones(3), np.ones(4)), "3 lanes.*4"),
    ("bad_argument", lambda: tp.vmap(lambda x: x, in_axes=1)(np.ones(3)), "axis 1"),
    ("structure_mismatch", lambda: tp.vmap(lambda x: x, in_axes=(0, 0))(np.ones(3)), "in_axes"),
    ("not_reversible", lambda: tp.grad(loop)(1.0), "bound"),
    ("no_rule", lambda: tp.grad(tp.custom_op("test_no_rules", infer=lambda a: a, compute=lambda a: a))(1.0), "test_no_rules.*vjp"),
    ("no_rule", lambda: tp.vmap(tp.custom_op("test_no_lanes", infer=lambda a: a, compute=lambda a: a))(X3), "test_no_lanes.*batch"),
]


@pytest.mark.parametrize("kind, act, words", SITUATIONS)
def test_errors_have_kinds_and_the_callers_line(kind: str, act: Any, words: str) -> None:
    with pytest.raises(tp.TraceError) as raised:
        act()
    assert raised.value.kind == kind
    assert re.search(words, str(raised.value))
    assert "\n" not in str(raised.value)


def test_many_steps_hold_nothing() -> None:
    x = tp.array(np.ones(4))
    step = tp.grad(lambda x: np.sum(x * x))
    for _ in range(50):
        x = (x - 0.1 * step(x)).eval()
    before = tp.lazy_statistics()
    for _ in range(500):
        x = (x - 0.1 * step(x)).eval()
    after = tp.lazy_statistics()
    assert after["live_nodes"] <= before["live_nodes"]
    assert after["compiled"] == before["compiled"]
