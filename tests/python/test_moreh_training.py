# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values of what training loops call of moreh's, beside torch's: layer norms, losses, clipped gradients, getitem, fold."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tilemeter as ttnn

torch = pytest.importorskip("torch")
functional = torch.nn.functional


@pytest.fixture(name="device", scope="module")
def _device() -> Iterator[Any]:
    opened = ttnn.open_device(device_id=0)
    yield opened
    ttnn.close_device(opened)


def floats(rng: random.Random, *shape: int) -> Any:
    """Numbers that bfloat16 holds."""
    generator = np.random.default_rng(rng.randrange(1 << 30))
    return torch.tensor(generator.integers(-64, 64, shape) / 32, dtype=torch.float32)


def put(device: Any, values: Any, dtype: Any = ttnn.bfloat16, layout: Any = ttnn.TILE_LAYOUT) -> Any:
    return ttnn.from_torch(values, dtype=dtype, layout=layout, device=device)


def get(tensor: Any) -> Any:
    return ttnn.to_torch(tensor).to(torch.float32)


def near(tensor: Any, wanted: Any, most: float = 0.02) -> None:
    got, wanted = get(tensor).reshape(-1), wanted.detach().reshape(-1)
    assert float((got - wanted).abs().max()) <= most * max(1.0, float(wanted.abs().max()))


@pytest.mark.parametrize("seed", range(12))
def test_a_layer_norm_and_its_gradients_are_those_of_torch(device: Any, seed: int) -> None:
    rng = random.Random(seed)
    shape = [rng.randrange(1, 4), rng.randrange(1, 4), rng.randrange(1, 50), rng.randrange(2, 70)][-rng.choice((2, 3, 4)):]
    dims = rng.randrange(1, len(shape))
    inner, outer = shape[-dims:], shape[: len(shape) - dims]
    x, gamma, beta, grad = floats(rng, *shape), floats(rng, *inner), floats(rng, *inner), floats(rng, *shape)
    for each in (x, gamma, beta):
        each.requires_grad_(True)
    wanted = functional.layer_norm(x, inner, gamma, beta, 1e-5)
    wanted.backward(grad)
    kept = [1] * (2 - len(outer)) + outer
    mean, rstd = (put(device, torch.zeros(kept)) for _ in range(2))
    given = [put(device, each.detach()) for each in (x, gamma, beta)]
    result = ttnn.moreh_layer_norm(given[0], dims, 1e-5, given[1], given[2], mean=mean, rstd=rstd)
    assert result[1].buffer_address() == mean.buffer_address()
    flat = x.detach().reshape(*outer, -1)
    near(result[0], wanted)
    near(mean, flat.mean(-1))
    near(rstd, (flat.var(-1, unbiased=False) + 1e-5).rsqrt())
    grads = [put(device, torch.zeros(each)) for each in (shape, inner, inner)]
    back = ttnn.moreh_layer_norm_backward(put(device, grad), given[0], mean, rstd, dims, gamma=given[1], input_grad=grads[0],
                                          gamma_grad=grads[1], beta_grad=grads[2])
    for got, parameter in zip(back, (x, gamma, beta)):
        near(got, parameter.grad, 0.05)
    assert ttnn.moreh_layer_norm_backward(put(device, grad), given[0], mean, rstd, dims) == [None, None, None]


@pytest.mark.parametrize("seed", range(16))
def test_a_loss_and_its_gradients_are_those_of_torch(device: Any, seed: int) -> None:
    rng = random.Random(seed)
    classes = rng.randrange(1, 40)
    shape = [rng.randrange(1, 5), classes, *(rng.randrange(1, 40) for _ in range(rng.randrange(3)))]
    scores = floats(rng, *shape).requires_grad_(True)
    of_target = [shape[0], *shape[2:]]
    target = torch.tensor(np.random.default_rng(seed).integers(0, classes, of_target))
    target.view(-1)[0] = 0  # one counts at least
    weight = floats(rng, classes).abs() + 0.5 if rng.random() < 0.5 else None
    ignored = rng.choice((-100, classes - 1)) if classes > 1 else -100
    kind = rng.choice(("mean", "sum", "none"))
    wanted = functional.nll_loss(scores, target, weight, reduction=kind, ignore_index=ignored)
    grad = floats(rng, *wanted.shape)
    wanted.backward(grad)
    given = {} if weight is None else {"weight_tensor": put(device, weight.reshape(1, -1))}
    on_device = put(device, target.reshape(1, -1) if len(shape) == 2 else target, ttnn.int32)
    divisor = {"divisor_tensor": put(device, torch.zeros(1, 1))} if kind == "mean" else {}
    loss = ttnn.moreh_nll_loss(put(device, scores.detach()), on_device, kind, ignore_index=ignored, **given, **divisor)
    near(loss, wanted)
    made = put(device, torch.ones(shape))
    if kind == "none":
        of_loss = put(device, grad.reshape(1, -1) if len(shape) == 2 else grad)
        ttnn.moreh_nll_loss_unreduced_backward(on_device, of_loss, input_grad_tensor=made, ignore_index=ignored, **given)
    else:
        ttnn.moreh_nll_loss_backward(on_device, put(device, grad.reshape(1, 1)), kind == "mean", input_grad_tensor=made,
                                     ignore_index=ignored, **given, **divisor)
    near(made, scores.grad)


@pytest.mark.parametrize("kind", (1.0, 2.0, 2.5, 3.0))
@pytest.mark.parametrize("most", (0.5, 1e6))
def test_gradients_are_clipped_together(device: Any, kind: float, most: float) -> None:
    rng = random.Random(int(kind * 10))
    weights = [torch.zeros(1, 2, rng.randrange(1, 40), rng.randrange(1, 40)).requires_grad_(True) for _ in range(70)]
    for each in weights:
        each.grad = floats(rng, *each.shape)
    on_device = [put(device, each.grad) for each in weights]
    norm = ttnn.moreh_clip_grad_norm(on_device, most, kind)
    near(norm, torch.nn.utils.clip_grad_norm_(weights, most, kind))
    for got, each in zip(on_device, weights):
        near(got, each.grad, 0.01 * float(each.grad.abs().max()))


def test_a_norm_that_is_not_finite_is_refused_where_it_is_asked_for(device: Any) -> None:
    gradient = put(device, torch.full((1, 1, 4, 4), float("inf")))
    with pytest.raises(RuntimeError, match="The total norm of order 2 for gradients from `parameters` is non-finite"):
        ttnn.moreh_clip_grad_norm([gradient], 1.0, 2.0, True)
    assert not torch.isfinite(get(ttnn.moreh_clip_grad_norm([gradient], 1.0))).all()


@pytest.mark.parametrize("seed", range(16))
def test_elements_at_indices_are_those_of_torch(device: Any, seed: int) -> None:
    rng = random.Random(seed)
    layout, rank = rng.choice((ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT)), rng.randrange(2, 6)
    shape = [rng.randrange(1, 7) for _ in range(rank - 1)] + [2 * rng.randrange(1, 30)]
    last = rank if layout == ttnn.TILE_LAYOUT else rank - 1
    first = rng.randrange(last)
    dims = list(range(first, min(last, first + rng.randrange(1, 4))))
    count = rng.randrange(1, 40)
    indices = [torch.tensor([rng.randrange(-shape[dim], shape[dim]) for _ in range(count)]) for dim in dims]
    dtype = rng.choice((ttnn.bfloat16, ttnn.int32))
    x = floats(rng, *shape)
    x = x.round().int() if dtype == ttnn.int32 else x
    got = ttnn.moreh_getitem(put(device, x, dtype, layout),
                             [put(device, each, ttnn.int32, ttnn.ROW_MAJOR_LAYOUT) for each in indices], dims)
    wanted = x[(slice(None),) * first + tuple(indices)]
    ones = [1] * (len(dims) - 1) if layout == ttnn.TILE_LAYOUT else []
    assert list(got.shape) == shape[:first] + ones + [count] + shape[dims[-1] + 1:]
    assert torch.equal(get(got).reshape(-1), wanted.float().reshape(-1))


def test_an_index_that_there_is_not_is_refused(device: Any) -> None:
    x = put(device, torch.zeros(4, 32))
    index = put(device, torch.tensor([0, 4]), ttnn.int32, ttnn.ROW_MAJOR_LAYOUT)
    with pytest.raises(RuntimeError, match="moreh_getitem: index_tensors: expected indices of 4 elements, got 4"):
        ttnn.moreh_getitem(x, [index], [0])


@pytest.mark.parametrize("seed", range(12))
def test_columns_are_folded_as_torch_folds_them(device: Any, seed: int) -> None:
    rng = random.Random(seed)
    size, kernel = [rng.randrange(5, 12), rng.randrange(5, 12)], [rng.randrange(1, 4), rng.randrange(1, 4)]
    dilation, padding, stride = ([rng.randrange(low, low + 2), rng.randrange(low, low + 2)] for low in (1, 0, 1))
    places = [(size[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1 for i in (0, 1)]
    shape = [rng.randrange(1, 3), rng.randrange(1, 4) * kernel[0] * kernel[1], places[0] * places[1]]
    columns = floats(rng, *(shape if rng.random() < 0.7 else shape[1:]))
    got = ttnn.moreh_fold(put(device, columns, layout=ttnn.ROW_MAJOR_LAYOUT), None, size, kernel, dilation, padding, stride)
    wanted = functional.fold(columns, size, kernel, dilation, padding, stride)
    assert list(got.shape) == list(wanted.shape)
    near(got, wanted, 0.01)


def test_numbers_are_counted_from_zero_by_one(device: Any) -> None:
    assert get(ttnn.moreh_arange(end=5, device=device)).tolist() == [[0, 1, 2, 3, 4]]
    assert get(ttnn.moreh_arange(2, 4, device=device)).tolist() == [[2, 3]]
    with pytest.raises(RuntimeError, match="step must be nonzero"):
        ttnn.moreh_arange(0, 10, 0, device)
    with pytest.raises(RuntimeError, match="moreh arange not support bfloat8_b dtype"):
        ttnn.moreh_arange(0, 10, 1, device, dtype=ttnn.bfloat8_b)
