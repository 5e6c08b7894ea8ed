# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Metal traces as TT-NN's users write them: warm up, capture, write new inputs, execute, read."""

from __future__ import annotations

from typing import Any, Iterator

import numpy
import pytest
import training_models

import tilemeter as ttnn
import tilemeter.trace as tp


@pytest.fixture
def traced_device(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.delenv("TILEMETER_DEVICE", raising=False)
    opened = ttnn.open_device(device_id=0, trace_region_size=1 << 20)
    yield opened
    ttnn.close_device(opened)


def _host(value: float) -> Any:
    return ttnn.from_numpy(numpy.full((1, 1, 32, 64), value, numpy.float32), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)


def _model(x: Any) -> Any:
    return ttnn.add(ttnn.relu(x), x)


def test_a_trace_is_executed_over_new_inputs(traced_device: Any) -> None:
    x = _host(1).to(traced_device)
    _model(x)
    trace = ttnn.begin_trace_capture(traced_device, cq_id=0)
    y = _model(x)
    ttnn.end_trace_capture(traced_device, trace, cq_id=0)
    for value in (1, 7, -3):
        ttnn.copy_host_to_device_tensor(_host(value), x)
        ttnn.execute_trace(traced_device, trace, cq_id=0, blocking=False)
        ttnn.synchronize_device(traced_device)
        assert (y.to_numpy() == max(value, 0) + value).all()
    ttnn.release_trace(traced_device, trace)
    with pytest.raises(RuntimeError, match=rf"Trace instance {int(trace)} must exist"):
        ttnn.execute_trace(traced_device, trace)


def test_reads_writes_and_new_programs_are_refused_while_a_trace_is_captured(traced_device: Any) -> None:
    x = _host(1).to(traced_device)
    trace = ttnn.begin_trace_capture(traced_device)
    assert ttnn.is_trace_capture_active(traced_device)
    for call, words in (
        (lambda: _model(x), "not yet in program cache"),
        (lambda: x.cpu(), "Reads are not supported"),
        (lambda: _host(1).to(traced_device), "Writes are not supported"),
        (lambda: ttnn.copy_host_to_device_tensor(_host(2), x), "Writes are not supported"),
    ):
        with pytest.raises(RuntimeError, match=words):
            call()
    ttnn.end_trace_capture(traced_device, trace)
    assert repr(trace) == f"MeshTraceId({int(trace)})"


def test_a_capture_sees_the_traces_programs_once_and_the_region_holds_it(traced_device: Any) -> None:
    x = _host(1).to(traced_device)
    _model(x)
    with ttnn.graph.capture() as taken:
        trace = ttnn.begin_trace_capture(traced_device)
        y = _model(x)
        ttnn.end_trace_capture(traced_device, trace)
        for _ in range(2):
            ttnn.execute_trace(traced_device, trace)
        held = ttnn.get_memory_view(traced_device, ttnn.BufferType.TRACE).total_bytes_allocated_per_bank
        ttnn.release_trace(traced_device, trace)
    assert held > 0 == ttnn.get_memory_view(traced_device, ttnn.BufferType.TRACE).total_bytes_allocated_per_bank
    kinds = [node["params"]["type"] for node in taken.nodes if node["node_type"] == "buffer_allocate"]
    assert kinds == ["DRAM", "DRAM"] and y.is_allocated()
    assert ttnn.graph.extract_calltrace(taken.nodes).count("ttnn.relu") == 1


def test_padding_that_begins_to_count_is_that_of_each_execution(traced_device: Any) -> None:
    """Padding that its tiles have becomes a part of it without a program."""
    x = _host(1).to(traced_device)

    def model(x: Any) -> Any:
        return ttnn.add(ttnn.pad(ttnn.sum(x, dim=-1, keepdim=True), [(0, 0), (0, 0), (0, 0), (0, 31)], 0.5), 1.0)

    model(x)
    trace = ttnn.begin_trace_capture(traced_device, cq_id=0)
    y = model(x)
    ttnn.end_trace_capture(traced_device, trace, cq_id=0)
    for value in (1, 7, 1):
        ttnn.copy_host_to_device_tensor(_host(value), x)
        ttnn.execute_trace(traced_device, trace, cq_id=0)
        expected = numpy.full((1, 1, 32, 32), 1.5, numpy.float32)
        expected[..., 0] = 64 * value + 1
        numpy.testing.assert_allclose(y.to_numpy(), expected, rtol=1e-2)
    ttnn.release_trace(traced_device, trace)


def test_a_gradient_that_the_host_takes_part_in_is_refused_by_name(traced_device: Any) -> None:
    x = _host(1).to(traced_device)
    step = tp.grad(lambda x: ttnn.sum(ttnn.cbrt(x)))
    step(x)
    trace = ttnn.begin_trace_capture(traced_device, cq_id=0)
    with pytest.raises(tp.TraceError, match="ttnn.cbrt: no vjp rule, and the gradient of its lowering can't be captured in a metal trace"):
        step(x)
    ttnn.end_trace_capture(traced_device, trace, cq_id=0)


LOSSES = {
    "losses and extremes": lambda x, numbers: ttnn.add(
        ttnn.mse_loss(x, ttnn.square(x), reduction=ttnn.LossReductionMode.MEAN), ttnn.sum(ttnn.subtract(x, ttnn.max(x, dim=-1, keepdim=True)))),
    "deviations": lambda x, numbers: ttnn.sum(ttnn.var(x, dim=-1)) + ttnn.sum(ttnn.std(x, dim=0)),
    "room and repeats": lambda x, numbers: ttnn.sum(ttnn.square(ttnn.roll(ttnn.repeat_interleave(
        ttnn.repeat(ttnn.pad(x, [(0, 0), (0, 32)], 0.0), (2, 1)), 2, dim=0), 3, 1))),
    "picked elements": lambda x, numbers: ttnn.sum(ttnn.square(ttnn.gather(x, 1, index=numbers))) + ttnn.sum(
        ttnn.square(ttnn.topk(x, 32, dim=-1)[0])),
    "written in place": lambda x, numbers: ttnn.add(
        ttnn.sum(ttnn.divide_(ttnn.multiply_(ttnn.exp(x), 0.5), ttnn.add(ttnn.square(x), 1.0))),
        ttnn.sum(ttnn.square(ttnn.softmax_in_place(ttnn.multiply_(ttnn.reshape(ttnn.tanh(x), (1, 1, 32, 64)), 2.0))))),
    "gates": lambda x, numbers: ttnn.sum(ttnn.swiglu(ttnn.reshape(ttnn.concat([ttnn.mish(x), ttnn.selu(x)], dim=1), (1, 1, 32, 128)))),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_gradient_is_executed_over_new_inputs(traced_device: Any, name: str) -> None:
    def host(seed: int) -> Any:
        values = numpy.random.default_rng(seed).integers(-64, 64, (32, 64)).astype(numpy.float32) / 64
        return ttnn.from_numpy(values, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)

    numbers = ttnn.from_numpy(numpy.random.default_rng(0).integers(0, 64, (32, 32), dtype=numpy.uint32), dtype=ttnn.uint32,
                              layout=ttnn.TILE_LAYOUT, device=traced_device)
    x, step = host(1).to(traced_device), tp.value_and_grad(LOSSES[name])
    step(x, numbers)
    trace = ttnn.begin_trace_capture(traced_device, cq_id=0)
    traced = step(x, numbers)
    ttnn.end_trace_capture(traced_device, trace, cq_id=0)
    for seed in (1, 2):
        ttnn.copy_host_to_device_tensor(host(seed), x)
        ttnn.execute_trace(traced_device, trace, cq_id=0)
        for found, expected in zip(traced, step(x, numbers)):
            numpy.testing.assert_array_equal(found.to_numpy(), expected.to_numpy())
    ttnn.release_trace(traced_device, trace)


@pytest.mark.parametrize("name", training_models.MODELS)
def test_a_step_of_training_is_executed_as_it_runs(traced_device: Any, name: str) -> None:
    """Nothing in the way back is written by the host."""
    model = training_models.minilm(layers=1, words=256) if name == "minilm" else training_models.MODELS[name]()
    step, given = model.step(ttnn.L1_MEMORY_CONFIG, "adamw"), (model.weights(traced_device), model.states(traced_device))
    inputs = model.inputs(traced_device, 1 if name in ("minilm", "vit") else 32)

    def values(results: Any) -> list[bytes]:
        value, weights, _ = results
        return [each.to_numpy().tobytes() for each in (value, *weights.values())]

    expected = values(step(*given, *inputs))
    trace = ttnn.begin_trace_capture(traced_device, cq_id=0)
    results = step(*given, *inputs)
    ttnn.end_trace_capture(traced_device, trace, cq_id=0)
    for _ in range(2):
        ttnn.execute_trace(traced_device, trace, cq_id=0, blocking=True)
        assert values(results) == expected
    ttnn.release_trace(traced_device, trace)
