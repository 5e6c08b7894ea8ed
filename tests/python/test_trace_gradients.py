# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Gradients of functions of TT-NN tensors: eager, traced, compiled; beside NumPy, torch and passes written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gradient_cases import case_of
from report_parts import programs
from test_trace_torch_gradients import Beside, check

import tilemeter as ttnn
import tilemeter.trace as tp


def random(device: Any, seed: int, *shape: int, dtype: Any = ttnn.float32) -> Any:
    values = np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)
    return ttnn.from_numpy(values, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


def refusal(call: Callable[[], Any]) -> Any:
    with pytest.raises(tp.TraceError) as raised:
        call()
    assert "\n" not in str(raised.value)
    return raised.value


def network(w: dict[str, Any], x: Any, wanted: Any) -> Any:
    hidden = ttnn.tanh(ttnn.linear(x, w["first"], bias=w["bias"]))
    wrong = ttnn.subtract(ttnn.matmul(hidden, w["second"]), wanted)
    return ttnn.mean(ttnn.multiply(wrong, wrong))


def weights(device: Any) -> dict[str, Any]:
    return {"first": random(device, 1, 64, 96), "bias": random(device, 2, 1, 96), "second": random(device, 3, 96, 32)}


def in_numpy(w: dict[str, Any], x: Any, wanted: Any) -> tuple[Any, dict[str, Any]]:
    first, bias, second = (w[name].to_numpy().astype(np.float64) for name in ("first", "bias", "second"))
    x, wanted = x.to_numpy().astype(np.float64), wanted.to_numpy().astype(np.float64)
    hidden = np.tanh(x @ first + bias)
    wrong = hidden @ second - wanted
    of_scores = 2 * wrong / wrong.size
    before = (of_scores @ second.T) * (1 - hidden**2)
    return np.mean(wrong**2), {"first": x.T @ before, "bias": before.sum(0, keepdims=True), "second": hidden.T @ of_scores}


def close(found: Any, expected: Any) -> None:
    found = found.to_numpy()
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=2e-2 * np.abs(expected).max())


def test_gradients_are_those_of_the_formula_eager_traced_and_compiled(device: Any) -> None:
    w, x, wanted = weights(device), random(device, 4, 64, 64), random(device, 5, 64, 32)
    value, expected = in_numpy(w, x, wanted)
    step = tp.value_and_grad(network)
    eager = step(w, x, wanted)
    assert abs(float(eager[0].to_numpy().ravel()[0]) - value) < 1e-2 * value
    for name, each in expected.items():
        close(eager[1][name], each)
    compiled, traced = tp.jit(step), tp.trace_graph(step, args=(w, x, wanted))
    for other in (compiled(w, x, wanted), compiled(w, x, wanted), traced(w, x, wanted)):
        for name in expected:
            np.testing.assert_array_equal(other[1][name].to_numpy(), eager[1][name].to_numpy())
    called = [each["operation"] for each in traced.equations]
    assert "ttnn.tanh_bw" in called and called.count("ttnn.matmul") == 4
    assert tp.grad(tp.jit(network))(w, x, wanted)["bias"].shape == [1, 96]


def test_a_plan_of_a_gradient_is_its_replay(device: Any, tmp_path: Any) -> None:
    w, x, wanted = weights(device), random(device, 4, 64, 64), random(device, 5, 64, 32)
    step = tp.value_and_grad(network)
    step(w, x, wanted)  # puts the tables of programs on the device
    plan = tp.plan(step, w, x, wanted)
    plan.save(tmp_path / "plan.json")
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
    plan.replay(w, x, wanted)
    nodes = ttnn.graph.end_graph_capture()
    import json

    planned = json.loads((tmp_path / "plan.json").read_text())
    assert programs(planned["graph"] if "graph" in planned else planned) == programs(nodes)


def test_records_deliver_gradients_at_once(device: Any) -> None:
    w, x, wanted = weights(device), random(device, 4, 64, 64), random(device, 5, 64, 32)
    expected = tp.grad(network)(w, x, wanted)
    with tp.record(w) as record:
        loss = network(w, x, wanted)
        assert len(record) == 6 and record.kept_bytes > 0 and record.lowered == []
        found = tp.backward(loss)
        assert len(record) == 0 and record.kept_bytes == 0
    for name in expected:
        np.testing.assert_array_equal(found[name].to_numpy(), expected[name].to_numpy())
    with tp.record(w["first"], w["second"]) as record:
        loss = network(w, x, wanted)
    first, second = record.backward(loss)
    np.testing.assert_array_equal(first.to_numpy(), expected["first"].to_numpy())
    np.testing.assert_array_equal(second.to_numpy(), expected["second"].to_numpy())


def test_a_step_of_training_is_one_program(device: Any) -> None:
    w, x, wanted = weights(device), random(device, 4, 64, 64), random(device, 5, 64, 32)

    @tp.jit
    def step(w: dict[str, Any], x: Any, wanted: Any) -> tuple[Any, dict[str, Any]]:
        loss, gradients = tp.value_and_grad(network)(w, x, wanted)
        return loss, {name: ttnn.subtract(each, ttnn.multiply(gradients[name], 0.5)) for name, each in w.items()}

    losses = []
    for _ in range(20):
        loss, w = step(w, x, wanted)
        losses.append(float(loss.to_numpy().ravel()[0]))
    assert losses[-1] < 0.5 * losses[0] and losses == sorted(losses, reverse=True)


def test_a_fill_of_padding_is_no_write(device: Any) -> None:
    """Sums and pads fill the padding of the tiles that they are given, in which no element lies."""
    x = random(device, 6, 3, 17, 45)
    array = x.to_numpy().astype(np.float64)

    def loss(x: Any) -> Any:
        means = ttnn.mean(x, dim=1, keepdim=True)
        sums = ttnn.sum(ttnn.exp(x), dim=(0, 2))
        wide = ttnn.pad(x, [(0, 0), (0, 15), (0, 19)], 1.0)
        parts = ttnn.sum(ttnn.multiply(means, means)), ttnn.sum(ttnn.multiply(sums, sums)), ttnn.sum(ttnn.multiply(wide, wide))
        return ttnn.add(ttnn.add(parts[0], parts[1]), parts[2])

    sums = np.exp(array).sum((0, 2), keepdims=True)
    expected = 2 * array.mean(1, keepdims=True) / 17 + 2 * sums * np.exp(array) + 2 * array
    for gradient in (tp.grad(loss)(x), tp.jit(tp.grad(loss))(x)):
        close(gradient, expected)


def test_a_product_with_a_vector_has_both_gradients(device: Any) -> None:
    x, v = random(device, 7, 32, 64), random(device, 8, 64)
    first, second = tp.grad(lambda x, v: ttnn.sum(ttnn.tanh(ttnn.matmul(x, v))), (0, 1))(x, v)
    a, b = x.to_numpy().astype(np.float64), v.to_numpy().astype(np.float64)
    slope = 1 - np.tanh(a @ b) ** 2
    close(first, np.outer(slope, b))
    close(second, slope @ a)


def test_a_row_of_padding_has_no_gradient_of_an_embedding(device: Any) -> None:
    table = ttnn.to_layout(random(device, 10, 16, 32, dtype=ttnn.bfloat16), ttnn.ROW_MAJOR_LAYOUT)
    numbers = np.random.default_rng(11).integers(0, 4, (2, 32), dtype=np.uint32)
    rows = ttnn.from_numpy(numbers, dtype=ttnn.uint32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)

    def loss(table: Any, padding: Any) -> Any:
        return ttnn.sum(ttnn.exp(ttnn.embedding(rows, table, layout=ttnn.TILE_LAYOUT, padding_idx=padding)))

    expected = np.exp(table.to_numpy().astype(np.float64)) * np.bincount(numbers.ravel(), minlength=16)[:, None]
    close(tp.grad(loss)(table, None), expected)
    expected[2] = 0
    close(tp.grad(loss)(table, 2), expected)


def test_equal_elements_have_a_deviation_without_gradient(device: Any) -> None:
    x = ttnn.ones([32, 64], dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)
    np.testing.assert_array_equal(tp.grad(lambda x: ttnn.sum(ttnn.std(x, dim=-1)))(x).to_numpy(), np.zeros((32, 64)))


def test_values_that_were_picked_give_their_gradients_back_after_their_indices_are_gone(device: Any) -> None:
    x = random(device, 9, 32, 64, dtype=ttnn.bfloat16)
    gradient = tp.grad(lambda x: ttnn.sum(ttnn.topk(x, 32, dim=-1)[0]))(x).to_numpy()
    array = x.to_numpy()
    np.testing.assert_array_equal(gradient.sum(1), np.full(32, 32.0))
    assert (array[gradient == 1].reshape(32, 32).min(1) >= array[gradient == 0].reshape(32, 32).max(1)).all()


def test_what_cannot_be_differentiated_is_refused_in_one_line(device: Any) -> None:
    x = random(device, 1, 32, 32)
    assert refusal(lambda: tp.grad(ttnn.relu)(x)).kind == "grad_needs_scalar"
    assert refusal(lambda: tp.grad(lambda x: 3)(x)).kind == "bad_result"
    integers = ttnn.from_numpy(np.zeros((32, 32), np.uint32), layout=ttnn.TILE_LAYOUT, device=device)
    assert refusal(lambda: tp.grad(ttnn.sum)(integers)).kind == "grad_needs_float"
    missing = refusal(lambda: tp.grad(lambda x: ttnn.sum(ttnn.nextafter(x, x)))(x))
    assert missing.kind == "no_rule" and "ttnn.nextafter: no vjp rule, and no lower rule" in str(missing)
    traced = tp.trace_graph(ttnn.relu, args=(x,))
    assert refusal(lambda: tp.grad(lambda x: ttnn.sum(traced(x)))(x)).kind == "no_rule"
    assert refusal(lambda: tp.backward(x)).kind == "bad_argument"
    assert refusal(lambda: tp.record(np.zeros(3))).kind == "bad_argument"
    host = ttnn.from_numpy(np.zeros((32, 32), np.float32))
    assert refusal(lambda: tp.grad(ttnn.sum)(host)).kind == "bad_argument"
    # Nothing of a record that failed is left.
    assert tp.grad(ttnn.sum)(x).shape == [32, 32]

def chain(w: dict[str, Any], x: Any, wrap: Callable[[Any], Any]) -> Any:
    """Three blocks; each closes over its weights."""
    for name in ("one", "two", "three"):

        def block(x: Any, scale: float, name: str = name) -> Any:
            inner = ttnn.gelu(ttnn.matmul(x, w[name]))
            return ttnn.add(ttnn.multiply(ttnn.tanh(ttnn.matmul(inner, w[name])), scale), x)

        x = wrap(block)(x, scale=0.5)
    return ttnn.mean(ttnn.multiply(x, x))


def weights_of_chain(device: Any) -> dict[str, Any]:
    return {name: random(device, 7 + i, 64, 64) for i, name in enumerate(("one", "two", "three"))}


def test_a_checkpoint_keeps_less_and_gives_the_same_gradients(device: Any) -> None:
    w, x = weights_of_chain(device), random(device, 4, 64, 64)
    kept, again = (tp.value_and_grad(lambda w, x, wrap=wrap: chain(w, x, wrap), (0, 1)) for wrap in (lambda f: f, tp.checkpoint))
    expected = kept(w, x)
    plans = [tp.plan(step, w, x) for step in (kept, again)]
    for found in (again(w, x), tp.jit(again)(w, x), plans[1].replay(w, x)):
        np.testing.assert_array_equal(found[0].to_numpy(), expected[0].to_numpy())
        np.testing.assert_array_equal(found[1][1].to_numpy(), expected[1][1].to_numpy())
        for name in w:
            np.testing.assert_array_equal(found[1][0][name].to_numpy(), expected[1][0][name].to_numpy())
    # The body's calls stand in the way back once more: 5 of each block.
    passes = [[each["attributes"]["pass"] for each in plan.graph.equations if each["operation"] == "ttnn.gelu"] for plan in plans]
    assert passes == [["forward"] * 3, ["forward"] * 3 + ["backward"] * 3]
    saved = [sum(each["bytes"] for each in plan.saved()) for plan in plans]
    # The beginning of each block is kept, and none of its intermediate values.
    assert saved[1] < saved[0] / 2
    makers = {each["made_by"]["operation"] for each in plans[1].saved()}
    assert makers.isdisjoint({"ttnn.gelu", "ttnn.tanh"}) and {"ttnn.gelu"} <= {each["made_by"]["operation"] for each in plans[0].saved()}
    with tp.record(w["one"]) as record:
        chain(w, x, tp.checkpoint)
        assert record.lowered == [] and len(record) == 5  # three checkpoints, multiply, mean


def test_checkpoints_in_checkpoints_and_of_several_results(device: Any) -> None:
    w, x = random(device, 1, 64, 64), random(device, 2, 64, 64)

    def inner(x: Any, w: Any) -> Any:
        return {"sum": ttnn.sin(ttnn.matmul(x, w)), "other": [ttnn.exp(x), x]}

    def outer(x: Any, w: Any, wrap: Any) -> Any:
        made = wrap(inner)(x, w)
        return ttnn.multiply(made["sum"], made["other"][0]), made["other"][1]

    def loss(x: Any, w: Any, wrap: Any) -> Any:
        product, same = wrap(lambda x, w: outer(x, w, wrap))(x, w)
        return ttnn.sum(ttnn.multiply(ttnn.add(product, same), x))

    for argument in (0, 1):
        expected = tp.grad(loss, argument)(x, w, lambda f: f)
        np.testing.assert_array_equal(tp.grad(loss, argument)(x, w, tp.checkpoint).to_numpy(), expected.to_numpy())
    # If nobody asks for gradients it is the function.
    np.testing.assert_array_equal(tp.checkpoint(inner)(x, w)["sum"].to_numpy(), inner(x, w)["sum"].to_numpy())


def test_what_a_checkpoint_cannot_do_is_refused(device: Any) -> None:
    x = random(device, 1, 32, 32)
    kept: dict[str, Any] = {}

    def leaks(x: Any) -> Any:
        kept["inner"] = ttnn.exp(x)
        return ttnn.sin(kept["inner"])

    leaked = refusal(lambda: tp.grad(lambda x: ttnn.sum(ttnn.add(tp.checkpoint(leaks)(x), kept["inner"])))(x))
    assert leaked.kind == "no_rule" and "did not return" in str(leaked)

    def written_later(x: Any) -> Any:
        y = ttnn.exp(x)
        made = tp.checkpoint(ttnn.sin)(y)
        ttnn.add_(y, 1.0)
        return ttnn.sum(made)

    assert "overwritten" in str(refusal(lambda: tp.grad(written_later)(x)))

    def writes(x: Any) -> Any:
        return tp.checkpoint(lambda y: ttnn.add_(y, 1.0))(ttnn.exp(x))

    assert "overwritten" in str(refusal(lambda: tp.grad(lambda x: ttnn.sum(writes(x)))(x)))
    assert refusal(lambda: tp.checkpoint(lambda y: 3)(x)).kind == "bad_result"

    def fails(x: Any) -> Any:
        ttnn.exp(x)
        raise ValueError("of the function's own")

    def goes_on(x: Any) -> Any:
        with pytest.raises(ValueError, match="of the function's own"):
            tp.checkpoint(fails)(x)
        return ttnn.sum(ttnn.exp(x))

    np.testing.assert_array_equal(tp.grad(goes_on)(x).to_numpy(), tp.grad(lambda x: ttnn.sum(ttnn.exp(x)))(x).to_numpy())
    assert refusal(lambda: tp.checkpoint(lambda x, y: x)(np.ones(3), y=np.ones(3))).kind == "bad_argument"


# The classifier of scripts/training_loop.py: its way forward, and its way back as it is written there.


def forward(first: Any, bias: Any, second: Any, x: Any, target: Any, kept: dict[str, Any]) -> Any:
    accurate = ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi4, fp32_dest_acc_en=True)
    kept["hidden"] = ttnn.moreh_linear(x, first, bias=bias)
    kept["active"] = ttnn.gelu(kept["hidden"])
    kept["scores"] = ttnn.moreh_matmul(kept["active"], second, transpose_other=True, compute_kernel_config=accurate)
    kept["shares"] = ttnn.moreh_logsoftmax(kept["scores"], 1)
    return ttnn.moreh_mean(ttnn.neg(ttnn.multiply(kept["shares"], target)))


def by_hand(loss: Any, second: Any, x: Any, target: Any, kept: dict[str, Any]) -> list[Any]:
    grad = ttnn.moreh_mean_backward(loss, dim=[0, 1], keepdim=True, input_grad_shape=kept["scores"].shape)
    grad = ttnn.mul_bw(grad, kept["shares"], target, are_required_outputs=[True, False])[0]
    grad = ttnn.moreh_logsoftmax_backward(kept["shares"], grad, 1)
    of_second = ttnn.moreh_matmul(grad, kept["active"], transpose_input=True)
    grad = ttnn.gelu_bw(ttnn.moreh_matmul(grad, second), kept["hidden"])[0]
    of_first = ttnn.moreh_matmul(grad, x, transpose_input=True)
    return [of_first, ttnn.moreh_sum(grad, 0, keepdim=True), of_second]


def test_the_gradient_of_the_classifier_makes_the_programs_of_its_hand_written_way_back(device: Any) -> None:
    def bf16(seed: int, *shape: int) -> Any:
        return random(device, seed, *shape, dtype=ttnn.bfloat16)

    x, target, first, second, bias = bf16(1, 64, 96), bf16(2, 64, 32), bf16(3, 128, 96), bf16(4, 32, 128), bf16(5, 1, 128)

    def captured(call: Callable[[], Any]) -> list[list[str]]:
        ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
        results.append(call())
        return programs(ttnn.graph.end_graph_capture())

    results: list[Any] = []
    kept: dict[str, Any] = {}
    there = captured(lambda: forward(first, bias, second, x, target, kept))
    back = captured(lambda: by_hand(results[0], second, x, target, kept))
    whole = captured(lambda: tp.value_and_grad(lambda *w: forward(*w, x, target, {}), (0, 1, 2))(first, bias, second))
    assert whole[: len(there)] == there
    made = whole[len(there):]
    # The script leaves the minus of its loss out, and begins with the loss where its gradient, 1, belongs.
    extra = [each for each in made if each not in back]
    assert [each for each in made if each in back] == back
    assert len(extra) == 2 and "Full" in extra[0] and "Unary" in extra[1]  # the 1, neg_bw

    # The same values where the script's are those of its formula: with 1 for the loss's gradient, and the minus.
    one = ttnn.full_like(results[0], 1.0)
    expected = by_hand(ttnn.neg(one), second, x, target, kept)
    for found, wanted in zip(results[2][1], expected):
        np.testing.assert_array_equal(found.to_numpy(), wanted.to_numpy())


def test_gradients_are_torchs(device: Any) -> None:
    torch = pytest.importorskip("torch")
    x, w, b = random(device, 1, 2, 32, 64), random(device, 2, 1, 64), random(device, 3, 1, 64)

    def loss(x: Any, w: Any, b: Any) -> Any:
        normal = ttnn.layer_norm(x, weight=w, bias=b, epsilon=1e-5)
        return ttnn.sum(ttnn.multiply(ttnn.softmax(ttnn.gelu(normal), dim=-1), x))

    found = tp.grad(loss, (0, 1, 2))(x, w, b)
    tensors = [torch.tensor(each.to_numpy(), dtype=torch.float64, requires_grad=True) for each in (x, w, b)]
    normal = torch.nn.functional.layer_norm(tensors[0], (64,), eps=1e-5) * tensors[1] + tensors[2]
    (torch.softmax(torch.nn.functional.gelu(normal), -1) * tensors[0]).sum().backward()
    for mine, each in zip(found, tensors):
        close(mine, each.grad.numpy())


def test_gradients_of_what_blackhole_alone_has_are_torchs(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("TILEMETER_DEVICE", "p150")
    opened = ttnn.open_device(device_id=0)
    case = case_of("softcap")
    assert case is not None and case.torch is not None
    check("softcap", Beside(case, lambda *given: case.call(ttnn.softcap, *given), case.torch), opened)
    ttnn.close_device(opened)


def filled(device: Any, value: float) -> Any:
    return ttnn.from_numpy(np.full((32, 32), value, np.float32), dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)


def number(tensor: Any) -> float:
    values = np.unique(tensor.to_numpy())
    assert values.size == 1
    return float(values[0])


def test_one_tensor_in_several_places_has_a_gradient_for_each(device: Any) -> None:
    """The gradients of the sum of a^2 b: 2 a b and a^2, though a and b are one tensor, or one of them comes from
    outside."""
    x, y = filled(device, 3.0), filled(device, 2.0)

    def f(a: Any, b: Any) -> Any:
        return ttnn.sum(ttnn.multiply(ttnn.multiply(a, a), b))

    def captures(a: Any) -> Any:
        return f(a, x)

    def kept_twice(tree: dict[str, Any]) -> Any:
        return f(tree["a"], tree["b"])

    both = tp.value_and_grad(f, (0, 1))
    ways: dict[str, Callable[..., Any]] = {
        "eager": lambda g: g, "jit": tp.jit, "of jit": lambda g: g, "plan": lambda g: (lambda *args: tp.plan(g, *args).replay(*args)),
        "recompute": lambda g: (lambda *args: tp.recompute(g, *args).replay(*args)),
        "graph": lambda g: (lambda *args: tp.trace_graph(g, args=args)(*args)),
    }
    for name, way in ways.items():
        inner = tp.jit(f) if name == "of jit" else f
        assert [number(each) for each in way(tp.grad(inner, (0, 1)))(x, x)] == [18.0, 9.0], name
        assert number(way(tp.grad(inner, 0))(x, x)) == 18.0 and number(way(tp.grad(inner, 1))(x, x)) == 9.0, name
        assert number(way(tp.grad(captures))(x)) == 18.0, name
        made = way(tp.grad(kept_twice))({"a": x, "b": x})
        assert (number(made["a"]), number(made["b"])) == (18.0, 9.0), name
        assert [number(each) for each in way(tp.grad(inner, (0, 1)))(x, y)] == [12.0, 9.0], name
    value, gradients = both(x, x)
    assert float(value.to_numpy().ravel()[0]) == 27.0 * 1024 and [number(each) for each in gradients] == [18.0, 9.0]
    with pytest.raises(tp.TraceError, match="each argument once"):
        tp.grad(f, (0, 0))(x, x)


def test_gradients_of_gradients_follow_arguments(device: Any) -> None:
    x = filled(device, 3.0)

    def f(a: Any, b: Any) -> Any:
        return ttnn.sum(ttnn.multiply(ttnn.multiply(a, a), b))

    def of_first(a: Any, b: Any) -> Any:
        return ttnn.sum(tp.grad(f)(a, b))

    assert [number(each) for each in tp.grad(of_first, (0, 1))(x, x)] == [6.0, 6.0]
    assert number(tp.grad(lambda a: ttnn.sum(tp.grad(f)(a, a)))(x)) == 12.0

    def checkpointed(a: Any) -> Any:
        return ttnn.sum(tp.checkpoint(lambda a: tp.grad(f)(a, a))(a))

    assert number(tp.grad(checkpointed)(x)) == 12.0


def test_results_that_are_arguments_are_the_callers(device: Any) -> None:
    x = filled(device, 3.0)
    gradient, (same, twice) = tp.grad(lambda a: (ttnn.sum(ttnn.multiply(a, a)), (a, ttnn.add(a, a))), has_aux=True)(x)
    assert same is x and number(twice) == 6.0 and number(gradient) == 6.0


def test_a_compiled_function_tells_its_argument_from_what_it_uses(device: Any) -> None:
    x, y, z = filled(device, 3.0), filled(device, 2.0), filled(device, 5.0)
    compiled = tp.jit(lambda a: ttnn.subtract(a, x))
    assert number(compiled(x)) == 0.0
    assert number(compiled(y)) == -1.0  # not y - y
    assert [number(compiled(each)) for each in (z, x, y)] == [2.0, 0.0, -1.0]
    misses = tp.cache_statistics()["on_device"]["misses"]
    compiled(x), compiled(y)
    assert tp.cache_statistics()["on_device"]["misses"] == misses
    traced = tp.trace_graph(lambda a: ttnn.subtract(a, x), args=(x,))
    assert number(traced(x)) == 0.0
    assert "traced with" in str(refusal(lambda: traced(y)))
    pair = tp.jit(lambda a, b: ttnn.subtract(a, b))
    assert [number(pair(*each)) for each in ((x, x), (x, y), (y, y), (y, x))] == [0.0, 1.0, 0.0, -1.0]
