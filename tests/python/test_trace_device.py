# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of TT-NN tensors: traced, planned, replayed, compiled; and what of them is refused."""

from __future__ import annotations

import gc
import itertools
import json
import pathlib
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import scopes
from report_parts import buffers, programs, tree

import tilemeter as ttnn
import tilemeter.trace as tp


def counted(device: Any, *shape: int, by: int = 7, **more: Any) -> Any:
    values = (np.arange(np.prod(shape)) % by - by // 2).astype(np.float32).reshape(shape)
    options = {"dtype": ttnn.bfloat16, "layout": ttnn.TILE_LAYOUT, "device": device, **more}
    return ttnn.from_numpy(values, **options)


def refusal(call: Callable[[], Any]) -> Any:
    with pytest.raises(tp.TraceError) as raised:
        call()
    assert "\n" not in str(raised.value)
    return raised.value


# ---- graphs, plans, replays


def test_a_function_is_the_graph_of_its_calls_and_replays_as_it_ran(device: Any) -> None:
    weights = counted(device, 64, 64)

    def model(x: Any, bias: Any) -> Any:
        hidden = ttnn.relu(ttnn.matmul(x, weights))
        return {"out": ttnn.softmax(hidden + bias, dim=-1), "more": [hidden, x]}

    x, bias = counted(device, 32, 64), counted(device, 32, 64, by=5)
    graph = tp.trace_graph(model, args=(x, bias))
    assert [each["operation"] for each in graph.equations] == ["ttnn.matmul", "ttnn.relu", "ttnn.add", "ttnn.softmax"]
    assert graph.param_names == ["x", "bias", "outside_0"] and graph.operation_set == "ttnn" and len(graph) == 4
    assert tp.parse(graph.text()) == graph.graph
    expected, found = model(x, bias), graph(x, bias)
    assert found["more"][1] is x
    np.testing.assert_array_equal(found["out"].to_numpy(), expected["out"].to_numpy())
    np.testing.assert_array_equal(found["more"][0].to_numpy(), expected["more"][0].to_numpy())
    assert refusal(lambda: graph(x)).kind == "structure_mismatch"
    assert refusal(lambda: graph(counted(device, 64, 64), bias)).kind == "bad_argument"


def test_calls_say_where_they_stand_in_the_program(device: Any) -> None:
    def model(x: Any) -> Any:
        hidden = ttnn.relu(x)
        return ttnn.from_device(ttnn.add(hidden, x))  # leaves the interpreter lock

    first = model.__code__.co_firstlineno
    graph = tp.trace_graph(model, args=(counted(device, 32, 64),))
    found = [(pathlib.Path(each["file"]).name, each["line"]) for each in graph.equations]
    assert found[:2] == [("test_trace_device.py", first + 1), ("test_trace_device.py", first + 2)]


def test_a_plan_says_what_the_replay_does(device: Any, tmp_path: pathlib.Path) -> None:
    def model(x: Any, *, scale: Any) -> Any:
        hidden = ttnn.multiply(x, scale, memory_config=ttnn.L1_MEMORY_CONFIG)
        return ttnn.softmax(hidden, dim=-1, memory_config=ttnn.L1_MEMORY_CONFIG)

    x, scale = counted(device, 256, 256), counted(device, 256, 256)
    ttnn.deallocate(model(x, scale=scale))  # from here on its programs are cached
    before = time.time_ns()
    plan = tp.plan(model, x, scale=scale)
    assert not ttnn.graph.is_graph_capture_active() and scopes(plan.nodes)[0] == "ttnn.multiply"
    plan.save(tmp_path / "plan.json")
    assert before <= json.loads((tmp_path / "plan.json").read_text())["metadata"]["capture_timestamp_ns"] <= time.time_ns()
    with ttnn.graph.capture(tmp_path / "replay.json") as replayed:
        result = plan.replay(x, scale=scale)
    ttnn.deallocate(result)
    with ttnn.graph.capture(tmp_path / "eager.json") as eager:
        result = model(x, scale=scale)
    for other in (replayed.nodes, eager.nodes):
        for part in (tree, buffers, programs):
            assert part(plan.nodes) == part(other) != []
    saved = ttnn.graph.find_peak(str(tmp_path / "plan.json")).l1
    assert plan.peak().l1.bytes == replayed.peak().l1.bytes == saved.bytes > 0
    assert plan.fit().verdict == "fits" and len(plan.graph) == 2
    with pytest.raises(ttnn.CaptureError):
        plan.save(tmp_path / "plan.json" / "below a file")


def test_a_plan_finds_a_lack_of_memory_before_anything_runs(device: Any) -> None:
    x = counted(device, 64, 8192)

    def model(x: Any) -> Any:
        kept = [ttnn.add(x, 1.0, memory_config=ttnn.L1_MEMORY_CONFIG)]
        for _ in range(200):
            kept.append(ttnn.add(kept[-1], 1.0, memory_config=ttnn.L1_MEMORY_CONFIG))
        return kept

    with pytest.raises(RuntimeError, match="clash with L1 buffers"):
        tp.plan(model, x)
    assert len(tp.plan(lambda x: ttnn.add(x, 1.0), x).graph) == 1


def test_functions_without_arguments_have_plans(device: Any) -> None:
    plan = tp.plan(lambda: ttnn.relu(ttnn.full([32, 32], -1.0, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)))
    assert plan.replay().to_numpy().max() == 0.0


# ---- compiled functions


def compiled(**options: Any) -> tuple[Any, list[int]]:
    traced = [0]

    def f(x: Any, *more: Any) -> Any:
        traced[0] += 1
        return ttnn.add(x, 1.0)

    return tp.jit(f, **options), traced


def test_a_function_is_traced_once_for_each_signature(device: Any) -> None:
    f, traced = compiled()
    x = counted(device, 32, 64)
    for _ in range(3):
        np.testing.assert_array_equal(f(x).to_numpy(), x.to_numpy() + 1)
    assert traced[0] == 1
    for other, reason in [
        (counted(device, 64, 64), "argument 0: shape[0] is 64, was 32"),
        (counted(device, 1, 32, 64), "argument 0: rank is 3, was 2"),
        (counted(device, 32, 64, dtype=ttnn.float32), "argument 0: dtype is FLOAT32, was BFLOAT16"),
        (counted(device, 32, 64, layout=ttnn.ROW_MAJOR_LAYOUT), "argument 0: layout is ROW_MAJOR, was TILE"),
        (counted(device, 32, 64, memory_config=ttnn.L1_MEMORY_CONFIG), "argument 0: memory config is "),
    ]:
        before = traced[0]
        f(other), f(other)
        assert traced[0] == before + 1 and f.explain().startswith(reason), f.explain()
    f(x, x), f(x, counted(device, 32, 64))
    assert "share memory" in f.explain()


def test_static_arguments_and_closures_are_part_of_the_signature(device: Any) -> None:
    scale = 2.0

    def f(x: Any, dim: int) -> Any:
        return ttnn.softmax(ttnn.multiply(x, scale), dim=dim)

    g, x = tp.jit(f, static_argnums=1), counted(device, 32, 64)
    for dim in (-1, -2, -1):
        np.testing.assert_array_equal(g(x, dim).to_numpy(), f(x, dim).to_numpy())
    assert tp.cache_statistics()["on_device"]["entries"] >= 2 and "static arguments" in g.explain()
    scale = 3.0
    np.testing.assert_array_equal(g(x, -1).to_numpy(), f(x, -1).to_numpy())
    assert "closure" in g.explain()


def test_programs_go_with_their_function_and_when_their_bytes_are_spent(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from tilemeter.trace._functions import device as _device

    before = tp.cache_statistics()["on_device"]["entries"]
    f, _ = compiled()
    x = counted(device, 32, 64)
    f(x)
    assert tp.cache_statistics()["on_device"]["entries"] == before + 1
    f.clear_cache()
    assert tp.cache_statistics()["on_device"]["entries"] == before
    f(x)
    del f
    gc.collect()
    assert tp.cache_statistics()["on_device"]["entries"] == before
    monkeypatch.setattr(_device, "cache", _device.Cache(most_bytes=200_000))
    f, traced = compiled()
    for rows in range(1, 33):
        f(counted(device, rows, 32))
    statistics = tp.cache_statistics()["on_device"]
    assert statistics["held_bytes"] <= 200_000 and statistics["entries"] < 32 == statistics["misses"] == traced[0]


def test_memory_that_is_written_is_followed(device: Any) -> None:
    cache = counted(device, 32, 64)

    def step(x: Any) -> Any:
        ttnn.add_(x, 1.0)
        ttnn.add(x, x, output_tensor=cache)
        return ttnn.multiply(cache, 2.0)

    f, x = tp.jit(step), counted(device, 32, 64)
    values = x.to_numpy()
    for i in (1, 2, 3):
        result = f(x)
        np.testing.assert_array_equal(x.to_numpy(), values + i)
        np.testing.assert_array_equal(cache.to_numpy(), 2 * (values + i))
        np.testing.assert_array_equal(result.to_numpy(), 4 * (values + i))


def test_values_of_the_host_are_followed_through_layouts_and_types(device: Any) -> None:
    def f(x: Any) -> Any:
        host = ttnn.from_device(ttnn.add(x, 1.0))
        rows = ttnn.to_layout(host, ttnn.ROW_MAJOR_LAYOUT)
        return ttnn.to_device(rows, device), ttnn.to_dtype(host, ttnn.float32)

    x, y = counted(device, 32, 64), counted(device, 32, 64, by=5)
    g = tp.jit(f)
    for each in (x, y, x):
        for found, expected in zip(g(each), f(each)):
            assert found.dtype == expected.dtype and found.layout == expected.layout
            np.testing.assert_array_equal(found.to_numpy(), expected.to_numpy())


def test_compiled_functions_are_parts_of_others(device: Any) -> None:
    inner, traced = compiled()
    outer = tp.jit(lambda x: ttnn.relu(inner(inner(x))))
    x = counted(device, 32, 64)
    outer(x)
    np.testing.assert_array_equal(outer(x).to_numpy(), np.maximum(x.to_numpy() + 2, 0))
    assert traced[0] == 2  # as calls in the outer trace


def test_strict_finds_functions_that_depend_on_what_changes(device: Any) -> None:
    calls: list[int] = []

    def f(x: Any) -> Any:
        calls.append(0)
        return ttnn.add(x, float(len(calls)))

    x = counted(device, 32, 32)
    error = refusal(lambda: tp.jit(f, strict=True)(x))
    assert error.kind == "optional_check" and "another graph" in str(error)
    assert tp.jit(lambda x: ttnn.relu(x), strict=True)(x).to_numpy().min() == 0.0
    numbers = itertools.count(1)
    assert refusal(lambda: tp.jit(lambda x: x * float(next(numbers)), strict=True)(2.0)).kind == "optional_check"
    assert float(tp.jit(lambda x: x * 2.0, strict=True)(2.0)) == 4.0


# ---- what is refused


@pytest.mark.parametrize("read", [
    ("bool", bool), ("repr", repr), ("item", lambda x: x[0:1, 0:1].item()), ("to_list", lambda x: x.to_list()),
    ("ttnn.to_numpy", ttnn.to_numpy), ("to_numpy", lambda x: x.to_numpy()), ("__array__", np.asarray),
    ("__dlpack__", np.from_dlpack), ("ttnn.to_numpy", lambda x: ttnn.to_numpy(ttnn.from_device(x))),
    ("ttnn.dump_tensor", lambda x: ttnn.dump_tensor("/nowhere/x.tensorbin", x)),
    ("copy_device_to_host_tensor", lambda x: ttnn.copy_device_to_host_tensor(
        x, ttnn.from_numpy(np.zeros((32, 64), np.float32), dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT))),
], ids=lambda read: read[0])
@pytest.mark.parametrize("of", ["argument", "result", "outside"])
def test_values_are_not_known_while_a_function_is_traced(device: Any, read: tuple[str, Callable[[Any], Any]], of: str) -> None:
    outside = counted(device, 32, 64, dtype=ttnn.float32)

    def f(x: Any) -> Any:
        y = ttnn.add(x, outside)
        read[1]({"argument": x, "result": y, "outside": outside}[of])  # here
        return y

    error = refusal(lambda: tp.jit(f)(counted(device, 32, 64, dtype=ttnn.float32)))
    code = getattr(read[1], "__code__", None)  # of a lambda of this file
    lines = [f.__code__.co_firstlineno + 2] if code is None or code.co_filename != __file__ else range(
        code.co_firstlineno, code.co_firstlineno + 2)
    assert (error.kind, error.operation, error.file) == ("needs_concrete_array", read[0], __file__) and error.line in lines
    assert "read it afterwards" in error.hint and f"(at {__file__}:{error.line})" in str(error)
    if read[0] not in ("ttnn.dump_tensor", "copy_device_to_host_tensor"):
        read[1](counted(device, 1, 1) if read[0] == "item" else outside)  # as before the trace


def test_what_can_not_be_traced_has_a_kind_and_the_next_trace_is_clean(device: Any) -> None:
    x = counted(device, 32, 64)

    def clean() -> None:
        assert len(tp.plan(lambda x: ttnn.relu(x), x).graph) == 1

    def raises(x: Any) -> Any:
        ttnn.relu(x)
        raise ValueError("user's own")

    with pytest.raises(ValueError, match="user's own"):
        tp.jit(raises)(x)
    clean()
    with pytest.raises(RuntimeError, match="width of the first tensor"):
        tp.jit(lambda x: ttnn.matmul(x, x))(x)
    clean()
    error = refusal(lambda: tp.jit(lambda x: ttnn.add(x, ttnn.rand([32, 64], device)))(x))
    assert (error.kind, error.operation, error.file) == ("random_by_seed", "ttnn.rand", __file__)
    clean()
    with ttnn.graph.capture(run_mode=ttnn.graph.RunMode.NO_DISPATCH):
        host = ttnn.from_device(ttnn.relu(x))  # without values
    outside = counted(device, 32, 64)

    def with_metal_trace(x: Any) -> Any:
        ttnn.begin_trace_capture(device, cq_id=0)
        return ttnn.relu(x)

    for function, kind in [(lambda x: ttnn.to_device(host, device), "host_values"), (with_metal_trace, "bad_argument"),
                           (lambda x: (ttnn.deallocate(outside), ttnn.relu(x))[1], "bad_argument")]:
        assert refusal(lambda: tp.jit(function)(x)).kind == kind
        clean()
    error = refusal(lambda: tp.jit(lambda x: 3.0)(x))
    assert error.kind == "bad_result" and "expected a tensor" in str(error)
    error = refusal(lambda: tp.jit(lambda _: ttnn.relu(x))(2.0))
    assert error.kind == "bad_result" and "found a tensor on a device, expected an array" in str(error)
    clean()


def test_garbage_collected_while_tracing_is_none_of_the_functions_doing(device: Any) -> None:
    class Cycle:
        def __init__(self, tensor: Any) -> None:
            self.tensor, self.itself = tensor, self

    def model(x: Any) -> Any:
        hidden = ttnn.relu(x)
        gc.collect()
        return ttnn.add(hidden, 1.0)

    x = counted(device, 32, 64)
    expected = model(x).to_numpy()
    gc.disable()
    try:
        for trace in (lambda: tp.jit(model)(x), lambda: tp.trace_graph(model, args=(x,))(x), lambda: tp.plan(model, x).replay(x)):
            Cycle(counted(device, 64, 64))
            np.testing.assert_array_equal(trace().to_numpy(), expected)
    finally:
        gc.enable()


def test_a_traced_tensor_is_of_no_use_elsewhere(device: Any) -> None:
    x = counted(device, 32, 64)
    kept: list[Any] = []
    in_thread: list[Any] = []

    def f(x: Any) -> Any:
        kept.append(ttnn.add(x, 1.0))

        def use() -> None:
            try:
                ttnn.relu(kept[0])
            except tp.TraceError as error:
                in_thread.append(error.kind)

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        return x

    tp.jit(f)(x)
    assert in_thread == ["escaped_tracer"]
    for use in (lambda: ttnn.relu(kept[0]), lambda: kept[0].to_numpy(), lambda: tp.jit(lambda x: ttnn.add(x, kept[0]))(x),
                lambda: tp.jit(lambda x: ttnn.relu(x))(kept[0])):
        assert refusal(use).kind == "escaped_tracer"
    kept.clear()
    assert len(tp.plan(lambda x: ttnn.relu(x), x).graph) == 1


def test_one_trace_has_one_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "n300")
    first, second = ttnn.open_device(device_id=0), ttnn.open_device(device_id=1)
    try:
        x, y = counted(first, 32, 32), counted(second, 32, 32)
        assert refusal(lambda: tp.plan(lambda x, y: x, x, y)).kind == "two_devices"
        assert refusal(lambda: tp.plan(lambda x: (ttnn.relu(x), ttnn.relu(y)), x)).kind == "two_devices"
        f, traced = compiled()
        f(x), f(y), f(x), f(y)
        assert traced[0] == 2 and "another device" in f.explain()
        f.clear_cache()
        del x, y
    finally:
        gc.collect()
        ttnn.close_device(second)
        ttnn.close_device(first)


def test_arrays_and_tensors_do_not_mix(device: Any) -> None:
    x = counted(device, 32, 64)
    host = ttnn.from_numpy(np.zeros((32, 64), np.float32))
    f, traced = compiled()
    for other, words in [(2.0, "array or a number (of type float)"), (np.ones(3), "array or a number (of type ndarray)"),
                         (tp.array(np.ones(3)), "array or a number (of type Array)"), (ttnn.relu, "type Operation"),
                         (host, "tensor on the host")]:
        for call in (lambda: f(x, other), lambda: f(other, x), lambda: tp.plan(f, x, other),
                     lambda: tp.trace_graph(f, args=(x, {"other": [other]}))):
            error = refusal(call)
            assert error.kind == "bad_argument" and words in str(error) and error.hint
    assert traced[0] == 0
    assert refusal(lambda: tp.plan(lambda x: x, np.ones(3))).kind == "bad_argument"
    for options in ({"concrete": True}, {"check_nans": True}):
        assert refusal(lambda: tp.jit(lambda x: x, **options)(x)).kind == "bad_argument"
    for options in ({"concrete": True}, {"to": "numpy"}):
        assert refusal(lambda: tp.trace_graph(lambda x: x, args=(x,), **options)).kind == "bad_argument"


def test_threads_trace_while_another_runs(device: Any) -> None:
    x = counted(device, 32, 64)

    def chain(x: Any) -> Any:
        for _ in range(5):
            x = ttnn.relu(ttnn.add(x, 1.0, memory_config=ttnn.L1_MEMORY_CONFIG), memory_config=ttnn.L1_MEMORY_CONFIG)
        return x

    alone, texts, values = str(tp.trace_graph(chain, args=(x,))), [], chain(x).to_numpy()

    def work() -> None:
        for _ in range(10):
            texts.append(str(tp.trace_graph(chain, args=(x,))))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        np.testing.assert_array_equal(chain(x).to_numpy(), values)
    assert texts == [alone] * 40
