# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The refusals of derivatives, loops, sizes and replays: each with its kind, in one line, with the user's line in
it."""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilemeter as ttnn
import tilemeter.trace as tp

V = np.arange(3.0) + 1
M = np.arange(6.0).reshape(2, 3)
numbers = itertools.count()


def total(x: Any) -> Any:
    return tp.sum(np.tanh(x))


def without_rules() -> Any:
    return tp.custom_op(f"bad_input.op{next(numbers)}", infer=lambda type: type, compute=lambda a: a)


def of_sizes() -> Any:
    return tp.trace_graph(lambda x: np.tanh(x), args=("b, 3",), constraints=["b >= 2", "b <= 8"])


CASES: dict[str, tuple[str, str, Callable[[], Any]]] = {
    "grad of a vector": ("grad_needs_scalar", r"f64\[3\]", lambda: tp.grad(np.tanh)(V)),
    "value_and_grad of a vector": ("grad_needs_scalar", r"f64\[3\]", lambda: tp.value_and_grad(np.tanh)(V)),
    "hvp of a vector": ("grad_needs_scalar", r"f64\[3\]", lambda: tp.hvp(np.tanh, (V,), (V,))),
    "grad of integers": ("grad_needs_float", r"parameter 'x0': found i64\[3\]", lambda: tp.grad(total)(np.arange(3))),
    "grad of an integer result": ("grad_needs_float", r"i64\[\]", lambda: tp.grad(lambda x: tp.sum(np.arange(3)))(V)),
    "cotangent of another shape": ("shape_mismatch", r"cotangent 0: found f64\[4\], expected f64\[3\]",
                                   lambda: tp.vjp(np.tanh, V)[1](np.ones(4))),
    "cotangent of another type": ("dtype_mismatch", r"cotangent 0: found f32\[3\], expected f64\[3\]",
                                  lambda: tp.vjp(np.tanh, V)[1](np.ones(3, np.float32))),
    "tangent of another shape": ("shape_mismatch", r"tangent 0: found f64\[4\], expected f64\[3\]",
                                 lambda: tp.jvp(np.tanh, (V,), (np.ones(4),))),
    "tangent of another type": ("dtype_mismatch", r"tangent 0: found f32\[3\], expected f64\[3\]",
                                lambda: tp.jvp(np.tanh, (V,), (np.ones(3, np.float32),))),
    "no tangent": ("structure_mismatch", "found 0 tangents, expected 1", lambda: tp.jvp(np.tanh, (V,), ())),
    "mapped axes of two lengths": ("length_mismatch", "2 lanes of argument 0 and 4 of argument 1",
                                   lambda: tp.vmap(lambda a, b: a + b)(np.ones((2, 3)), np.ones((4, 3)))),
    "a mapped axis that is not there": ("bad_argument", "axis 3", lambda: tp.vmap(lambda a: a, in_axes=3)(M)),
    "scan of two lengths": ("length_mismatch", "2.*4|4.*2",
                            lambda: tp.scan(lambda c, rows: (c, rows[0]), V, (np.ones((2, 3)), np.ones((4, 3))))),
    "a carry of another shape": ("carry_type_changed", r"carried value 0: found f64\[6\] after the body, expected f64\[3\]",
                                 lambda: tp.scan(lambda c, x: (tp.concat([c, c], 0), x), V, M)),
    "a carry of another type": ("carry_type_changed", r"carried value 0: found bool\[3\]",
                                lambda: tp.while_loop(lambda c: tp.sum(c) < 3, lambda c: c > 0, V)),
    "branches of two types": ("branch_type_mismatch", r"result 0 of 'else': found bool\[3\], expected f64\[3\]",
                              lambda: tp.cond(np.bool_(True), lambda x: x, lambda x: x > 0, V)),
    "branches of two shapes": ("branch_type_mismatch", r"result 0 of 'else': found f64\[\]",
                               lambda: tp.cond(np.bool_(True), lambda x: x, lambda x: tp.sum(x), V)),
    "branches of two counts": ("branch_type_mismatch", "results of 'branch_1': found 2, expected 1",
                               lambda: tp.switch(np.int32(1), [lambda x: x, lambda x: (x, x)], V)),
    "no rule vjp": ("no_rule", "rule missing: vjp", lambda: tp.grad(lambda x, op=without_rules(): tp.sum(op(x)))(V)),
    "no rule jvp": ("no_rule", "rule missing: jvp", lambda: tp.jvp(without_rules(), (V,), (V,))),
    "no rule batch": ("no_rule", "rule missing: batch", lambda: tp.vmap(without_rules())(M)),
    "no rule compute": ("no_rule", "rule missing: compute",
                        lambda: tp.eval(tp.custom_op(f"bad_input.op{next(numbers)}", infer=lambda type: type)(V))),
    "the way back of a while": ("not_reversible", "bounded_loops",
                                lambda: tp.grad(lambda x: tp.sum(tp.while_loop(lambda c: tp.sum(c) < 3, lambda c: c * 2, x)))(V)),
    "a size below its constraint": ("bad_argument", "found b = 1, expected sizes with b >= 2", lambda: of_sizes().at(b=1)),
    "a size above its constraint": ("bad_argument", "found b = 9, expected sizes with b <= 8", lambda: of_sizes().at(b=9)),
    "a call outside of the constraint": ("bad_argument", "found b = 9, expected sizes with b <= 8", lambda: of_sizes()(np.ones((9, 3)))),
    "no size": ("bad_argument", "no size for 'b'", lambda: of_sizes().at()),
    "a size of no name": ("bad_argument", "'c'", lambda: of_sizes().at(b=3, c=1)),
    "constraints that no size keeps": ("bad_argument", "b >= 5, b <= 4",
                                       lambda: tp.trace_graph(lambda x: x, args=("b, 3",), constraints=["b >= 5", "b <= 4"])),
}


def expect_refused(call: Callable[[], Any], kind: str, words: str) -> None:
    with pytest.raises(tp.TraceError, match=words) as raised:
        call()
    assert raised.value.kind == kind
    text = str(raised.value)
    assert "\n" not in text
    lines, first = inspect.getsourcelines(call)
    where = text.partition(f"{__file__}:")[2]
    assert where, text
    # A helper of this file may have made the call.
    if "of_sizes" not in "".join(lines):
        assert first <= int(where.partition(")")[0]) <= first + len(lines), text


@pytest.mark.parametrize("name", CASES)
def test_what_is_refused_has_its_kind_and_place(name: str) -> None:
    kind, words, call = CASES[name]
    expect_refused(call, kind, words)


def tensor(device: Any, rows: int = 32, dtype: Any = ttnn.bfloat16) -> Any:
    return ttnn.ones([1, 1, rows, 32], dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


def test_gradients_on_a_device_refuse_alike(device: Any) -> None:
    x = tensor(device)
    expect_refused(lambda: tp.grad(ttnn.relu)(x), "grad_needs_scalar", "expected a tensor of one element")
    expect_refused(lambda: tp.grad(ttnn.sum)(tensor(device, dtype=ttnn.int32)), "grad_needs_float", "INT32, expected floats")
    expect_refused(lambda: tp.grad(lambda x: ttnn.sum(ttnn.nextafter(x, x)))(x), "no_rule",
                   r"ttnn\.nextafter: no vjp rule, and no lower rule")


def test_words_that_are_no_functions_results_or_budgets_are_refused_alike(device: Any) -> None:
    x = tensor(device)
    loss = tp.value_and_grad(lambda x: ttnn.sum(ttnn.exp(x)))
    expect_refused(lambda: tp.grad(lambda x: None)(x), "bad_result", "found an object of type NoneType from the function, expected a tensor")
    expect_refused(lambda: tp.grad(ttnn.sum, "x")(x), "bad_argument", "found argnums 'x', expected the number of an argument, or several")
    expect_refused(lambda: tp.grad(ttnn.sum, 0.5)(x), "bad_argument", "found argnums 0.5, expected the number of an argument, or several")
    expect_refused(lambda: tp.checkpoint(3), "bad_argument", "checkpoint: found an object of type int, expected a function")
    expect_refused(lambda: tp.recompute(loss, x, l1="1 BG"), "bad_argument",
                   r"l1: expected bytes \(a number or '1 MiB'\) or a share \('80%'\), found '1 BG'")
    expect_refused(lambda: tp.recompute(loss, x, dram=-5), "bad_argument", r"dram: expected bytes \(a number or '1 MiB'\) or a share \('80%'\), found -5")
    ttnn.close_device(device)
    expect_refused(lambda: tp.plan(loss, x), "bad_argument", "input 0.*device 0 is closed")


def test_a_budget_below_what_any_order_needs_says_the_least(device: Any) -> None:
    x = tensor(device)

    def step(x: Any) -> Any:
        return tp.value_and_grad(lambda x: ttnn.sum(ttnn.tanh(ttnn.exp(x))))(x)

    curve = tp.recompute_curve(step, x)
    least = min(each["dram_bytes_per_bank"] for each in curve.points)
    words = f"no order of the calls keeps dram={least - 1} bytes per bank: the least that one keeps is {least} "
    expect_refused(lambda: tp.recompute(step, x, dram=least - 1), "bad_argument", words)
    expect_refused(lambda: tp.recompute(step, x, l1=0), "bad_argument", "no order of the calls keeps l1=0 bytes per core: the least")


def test_a_replay_wants_its_device_and_the_memory_it_was_traced_with(device: Any) -> None:
    x, kept = tensor(device), tensor(device)
    f = tp.trace_graph(lambda w: ttnn.relu(w), (x,))
    of_kept = tp.trace_graph(lambda w: ttnn.add(w, kept), (x,))
    plan = tp.plan(lambda w: ttnn.relu(w), x)
    expect_refused(lambda: f(tensor(device, 64)), "bad_argument", r"input 0: expected Shape\(\[1, 1, 32, 32\]\) as it was traced, got Shape\(\[1, 1, 64, 32\]\) ")
    expect_refused(lambda: f(ttnn.to_memory_config(x, ttnn.L1_MEMORY_CONFIG)), "bad_argument", "DRAM.*got.*L1")
    expect_refused(lambda: f(x, x), "structure_mismatch", "expected tuple")
    ttnn.deallocate(kept)
    expect_refused(lambda: of_kept(x), "bad_argument", "a tensor from outside that the function uses was deallocated")
    gone = tensor(device)
    ttnn.deallocate(gone)
    expect_refused(lambda: f(gone), "bad_argument", "input 0: expected allocated, was deallocated")
    ttnn.close_device(device)
    for call in (lambda: f(x), lambda: plan.replay(x), lambda: plan.hazards(x), lambda: plan.fixed(x), lambda: f.plan(x)):
        expect_refused(call, "bad_argument", "expected the device that the function was traced on to be open, it is closed")


def test_derivatives_of_arrays_say_which_take_tensors(device: Any) -> None:
    x = tensor(device)
    for call in (lambda: tp.jvp(ttnn.relu, (x,), (x,)), lambda: tp.vjp(ttnn.relu, x), lambda: tp.hvp(ttnn.relu, (x,), (x,)),
                 lambda: tp.vmap(ttnn.relu)(x)):
        expect_refused(call, "bad_argument", "grad and value_and_grad take tensors, too")


def test_a_graph_by_hand_says_what_it_takes_and_is_a_function_as_any_other() -> None:
    builder = tp.GraphBuilder("squares")
    x, y = builder.add_input("x", "f32[2,3]"), builder.add_input("y", tp.Type((2, 3), "float32"))
    for call, words in {
        lambda: builder.add_input(3, "f32[2]"): "add_input: name: found 3, expected a text",
        lambda: builder.add_input("z", 3): r'add_input: type: found 3, expected a Type or its text: "f32\[2,3\]"',
        lambda: builder.add_op(3, [x]): "add_op: operation: found 3, expected a text",
        lambda: builder.add_op("exp", ["x"]): "exp: operands",
        lambda: builder.add_op("exp", [-1]): "exp: operands: found -1, expected the number of a value",
        lambda: builder.set_results("x"): "set_results: results",
        lambda: tp.GraphBuilder(3): "GraphBuilder: name: found 3, expected a text",
    }.items():
        expect_refused(call, "bad_argument", words)
    for text in ("f33[2]", "f32[2", "f32[2]]", "f32", "f32[2] x", "f32[-1]"):
        with pytest.raises(tp.TraceError, match=re.escape(f'"{text}": column ')):
            builder.add_input("z", text)
    builder.set_results([builder.add_op("mul", [x, builder.add_op("exp", [y])])])
    graph = builder.graph()
    one = np.ones((2, 3), np.float32)
    expect_refused(lambda: graph(one), "wrong_arity", "found 1 inputs, expected 2")
    np.testing.assert_array_equal(graph(one, one), graph.run([one, one])[0])
    np.testing.assert_allclose(tp.grad(lambda x: tp.sum(graph(x * x, x)))(one), np.full((2, 3), 3 * np.e), rtol=1e-6)
    np.testing.assert_allclose(tp.jit(graph)(one, one), np.full((2, 3), np.e), rtol=1e-6)
