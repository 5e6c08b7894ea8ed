# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Loops of training that write weights, momenta and sums of gradients in place, beside torch's optimizer: gradients of each
microbatch added up, of their losses' sum, under a checkpoint; compiled, and as a metal trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tilemeter as ttnn
import tilemeter.trace as tp

Tree = dict[str, Any]
RATE, MOMENTUM, LARGEST = 0.1, 0.9, 0.5
BATCHES = 6


def random(seed: int, *shape: int) -> Any:
    return (np.random.default_rng(seed).integers(-64, 64, shape) / 64).astype(np.float32)


ARRAYS = {"first": random(1, 64, 64) / 4, "second": random(2, 64, 32) / 4, "norm": np.ones((1, 64), np.float32),
          "norm_bias": np.zeros((1, 64), np.float32)}
INPUTS = [(random(10 + i, 32, 64), random(20 + i, 32, 32)) for i in range(BATCHES)]


@pytest.fixture(name="board")
def _board(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.delenv("TILEMETER_DEVICE", raising=False)
    opened = ttnn.open_device(device_id=0, trace_region_size=1 << 22)
    yield opened
    ttnn.close_device(opened)


def in_torch(batches: int) -> Tree:
    """The weights after a step for each so many of the batches, gradients cut to a norm."""
    torch = pytest.importorskip("torch")
    functional = torch.nn.functional
    w = {name: torch.tensor(each, dtype=torch.float64, requires_grad=True) for name, each in ARRAYS.items()}
    optimizer = torch.optim.SGD(w.values(), lr=RATE, momentum=MOMENTUM)
    for first in range(0, BATCHES, batches):
        optimizer.zero_grad()
        for x, wanted in INPUTS[first : first + batches]:
            hidden = functional.gelu(torch.tensor(x, dtype=torch.float64) @ w["first"])
            normal = functional.layer_norm(hidden, (64,), w["norm"][0], w["norm_bias"][0], 1e-5)
            (functional.mse_loss(normal @ w["second"], torch.tensor(wanted, dtype=torch.float64)) / batches).backward()
        torch.nn.utils.clip_grad_norm_(w.values(), LARGEST)
        optimizer.step()
    return {name: each.detach().numpy() for name, each in w.items()}


def loss(w: Tree, x: Any, wanted: Any) -> Any:
    hidden = ttnn.gelu(ttnn.matmul(x, w["first"]))
    normal = ttnn.layer_norm(hidden, weight=w["norm"], bias=w["norm_bias"], epsilon=1e-5)
    return ttnn.mse_loss(wanted, ttnn.matmul(normal, w["second"]), reduction=ttnn.LossReductionMode.MEAN)


def update(w: Tree, momenta: Tree, gradients: Tree) -> None:
    total: Any = None
    for each in gradients.values():
        square = ttnn.sum(ttnn.square(each))
        total = square if total is None else ttnn.add(total, square)
    share = ttnn.minimum(ttnn.rdiv(ttnn.add(ttnn.sqrt(total), 1e-6), LARGEST), 1.0)
    for name, gradient in gradients.items():
        ttnn.multiply(momenta[name], MOMENTUM, output_tensor=momenta[name])
        ttnn.add_(momenta[name], ttnn.multiply(gradient, ttnn.reshape(share, (1, 1))))
        ttnn.subtract(w[name], ttnn.multiply(momenta[name], RATE), output_tensor=w[name])


# ---- a step: (weights, momenta, batches), all written in place


def each_by_itself(w: Tree, momenta: Tree, *batches: Any) -> Any:
    sums: Tree = {}
    for x, wanted in batches:
        for name, each in tp.grad(loss)(w, x, wanted).items():
            share = ttnn.multiply(each, 1 / len(batches))
            sums[name] = ttnn.add_(sums[name], share) if name in sums else share
    update(w, momenta, sums)
    return w["first"]


def of_all_losses(w: Tree, batches: Any, function: Callable[..., Any]) -> Any:
    total: Any = None
    for x, wanted in batches:
        each = ttnn.multiply(function(w, x, wanted), 1 / len(batches))
        total = each if total is None else ttnn.add(total, each)
    return total


def of_their_sum(w: Tree, momenta: Tree, *batches: Any) -> None:
    with tp.record(*w.values()) as record:
        gradients = record.backward(of_all_losses(w, batches, loss))
    update(w, momenta, dict(zip(w, gradients)))


def checkpointed(w: Tree, momenta: Tree, *batches: Any) -> None:
    update(w, momenta, tp.grad(lambda w: of_all_losses(w, batches, tp.checkpoint(loss)))(w))


def tensor(board: Any, array: Any) -> Any:
    return ttnn.from_numpy(array, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=board)


def state(board: Any) -> tuple[Tree, Tree]:
    return ({name: tensor(board, each) for name, each in ARRAYS.items()},
            {name: tensor(board, np.zeros_like(each)) for name, each in ARRAYS.items()})


def expect_weights(w: Tree, expected: Tree) -> None:
    for name, each in expected.items():
        np.testing.assert_allclose(w[name].to_numpy(), each, rtol=0, atol=2e-6, err_msg=name)


STEPS: dict[str, Callable[[], Callable[..., Any]]] = {
    "each by itself": lambda: each_by_itself, "compiled": lambda: tp.jit(each_by_itself), "of their sum": lambda: of_their_sum,
    "checkpointed": lambda: checkpointed}


@pytest.mark.parametrize("batches", (1, 3))
@pytest.mark.parametrize("name", STEPS)
def test_weights_written_in_place_are_those_of_torchs_optimizer(board: Any, name: str, batches: int) -> None:
    expected = in_torch(batches)
    (w, momenta), step = state(board), STEPS[name]()
    for first in range(0, BATCHES, batches):
        step(w, momenta, *((tensor(board, x), tensor(board, wanted)) for x, wanted in INPUTS[first : first + batches]))
    expect_weights(w, expected)


def test_a_step_that_writes_in_place_is_a_metal_trace(board: Any) -> None:
    expected = in_torch(1)
    w, momenta = state(board)
    x, wanted = (tensor(board, each) for each in INPUTS[0])
    each_by_itself(*state(board), (x, wanted))
    trace = ttnn.begin_trace_capture(board, cq_id=0)
    each_by_itself(w, momenta, (x, wanted))
    ttnn.end_trace_capture(board, trace, cq_id=0)
    expect_weights(w, ARRAYS)  # a capture runs nothing
    for arrays in INPUTS:
        for array, to in zip(arrays, (x, wanted)):
            ttnn.copy_host_to_device_tensor(ttnn.from_numpy(array, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT), to)
        ttnn.execute_trace(board, trace, cq_id=0, blocking=True)
    expect_weights(w, expected)
    ttnn.release_trace(board, trace)
