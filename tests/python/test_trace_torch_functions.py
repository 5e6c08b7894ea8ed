# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""torch's functions on arrays against torch itself, in value and gradient, and torch's modules. Skipped without torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilemeter.trace as tp

torch = pytest.importorskip("torch", reason="torch is not installed: its functions on arrays were not tested")
functional = torch.nn.functional
rng = np.random.default_rng(20261128)


def draw(*shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


V, M, N, T, IMAGE = draw(5), draw(3, 4), draw(3, 4), draw(2, 3, 4), draw(2, 4, 6, 6)
TIES = np.array([[1, 2, 2], [3, 3, 0]], np.float32)
ENDS = np.array([-3, -1, -0.5, 0, 0.5, 1, 3, 6, 50, -50], np.float32)
PLACES = torch.tensor([[0, 2, 1, 1], [2, 2, 0, 0]])
LABELS, IGNORED = torch.tensor([0, 2, 1]), torch.tensor([0, -100, 1])
F = functional

# A name, a function of float tensors, its inputs.
CASES: list[tuple[str, Callable[..., Any], tuple[np.ndarray, ...]]] = [
    *((f"F.{name}", lambda x, f=f: f(x), (ENDS,)) for name, f in {
        "relu": F.relu, "relu6": F.relu6, "hardtanh": F.hardtanh, "leaky_relu": lambda x: F.leaky_relu(x, 0.1), "elu": lambda x: F.elu(x, 0.7),
        "celu": lambda x: F.celu(x, 0.7), "selu": F.selu, "hardsigmoid": F.hardsigmoid, "hardswish": F.hardswish, "hardshrink": F.hardshrink,
        "softshrink": F.softshrink, "threshold": lambda x: F.threshold(x, 1.0, 9.0), "softplus": F.softplus,
        "softplus beta": lambda x: F.softplus(x, beta=2, threshold=5), "logsigmoid": F.logsigmoid, "softsign": F.softsign,
        "tanhshrink": F.tanhshrink, "mish": F.mish, "silu": F.silu, "gelu": F.gelu, "gelu tanh": lambda x: F.gelu(x, approximate="tanh"),
        "glu": lambda x: F.glu(x, 0), "softmin": lambda x: F.softmin(x, 0), "normalize": lambda x: F.normalize(x, dim=0)}.items()),
    *((f"torch.{name}", lambda x, f=f: f(x), (V,)) for name, f in {
        "sinh": torch.sinh, "cosh": torch.cosh, "asinh": torch.asinh, "atan": torch.atan, "exp2": torch.exp2, "sigmoid": torch.sigmoid, "erfc": torch.erfc,
        "trunc": torch.trunc, "frac": torch.frac, "round decimals": lambda x: torch.round(x, decimals=1), "logsumexp": lambda x: torch.logsumexp(x, 0),
        "logcumsumexp": lambda x: torch.logcumsumexp(x, 0), "cumprod": lambda x: torch.cumprod(x, 0), "prod": torch.prod, "std": torch.std,
        "var": torch.var, "var correction": lambda x: torch.var(x, 0, correction=0), "norm": torch.norm, "linalg.norm": torch.linalg.norm,
        "vector_norm": lambda x: torch.linalg.vector_norm(x, 3), "median": torch.median, "fmod": lambda x: torch.fmod(x, 0.3),
        "remainder": lambda x: torch.remainder(x, 0.3), "div floor": lambda x: torch.div(x, 0.3, rounding_mode="floor"), "outer": lambda x: torch.outer(x, x),
        "rsub": lambda x: torch.rsub(x, 3.0, alpha=2), "cummax": lambda x: torch.cummax(x, 0)[0], "topk": lambda x: torch.topk(x, 2)[0],
        "sort": lambda x: torch.sort(x, descending=True)[0], "kthvalue": lambda x: torch.kthvalue(x, 2)[0], "flip": lambda x: torch.flip(x, [0])[:2],
        "roll": lambda x: torch.roll(x, 2)[:2], "chunk": lambda x: torch.chunk(x, 2)[1], "split": lambda x: torch.split(x, 2)[2], "unbind": lambda x: torch.unbind(x)[3],
        "detach": lambda x: x * x.detach(), "diff": lambda x: torch.diff(x), "pow": lambda x: torch.pow(2, x), "hypot": lambda x: torch.hypot(x, x + 1),
        "pad": lambda x: F.pad(x, (1, 2), value=3.0), "lerp": lambda x: torch.lerp(x, x * 2, 0.3), "quantile": lambda x: torch.quantile(x, 0.4)}.items()),
    ("amax ties", lambda x: torch.amax(x, 1), (TIES,)), ("max ties", lambda x: torch.max(x, dim=1)[0], (TIES,)), ("max of all", torch.max, (TIES,)),
    ("clamp at its ends", lambda x: torch.clamp(x, 0, 3), (TIES,)), ("min of two", lambda x, y: torch.minimum(x, y), (M, N)),
    ("gather", lambda x: torch.gather(x, 0, PLACES), (M,)), ("index_select", lambda x: torch.index_select(x, 1, torch.tensor([3, 0, 0])), (M,)),
    ("scatter_add", lambda x, y: torch.scatter_add(x, 0, PLACES, y), (M, draw(2, 4))), ("index", lambda x: x[torch.tensor([-1, 0]), 1:], (M,)),
    ("masked_fill", lambda x: torch.softmax(x.masked_fill(torch.tensor([True, False, False, True]), -torch.inf), -1), (M,)),
    ("where", lambda x: torch.where(x > 0, x, 0.0), (M,)), ("tril", lambda x: torch.tril(x, 1), (M,)), ("diagonal", torch.diagonal, (M,)),
    ("einsum", lambda x, y: torch.einsum("ij,kj->ik", x, y), (M, N)), ("einsum batch", lambda x: torch.einsum("bij,bkj->bik", x, x), (T,)),
    ("tensordot", lambda x, y: torch.tensordot(x, y, dims=([1], [1])), (M, N)), ("bmm", lambda x: torch.bmm(x, x.permute(0, 2, 1)), (T,)),
    ("addmm", lambda x, y: torch.addmm(y[:, :3], x, y.T, beta=2, alpha=0.5), (M, N)), ("baddbmm", lambda x: torch.baddbmm(x[:, :, :3], x, x.transpose(1, 2)) if isinstance(
        x, torch.Tensor) else torch.baddbmm(x[:, :, :3], x, torch.transpose(x, 1, 2)), (T,)), ("cdist", lambda x, y: torch.cdist(x, y), (M, N)),
    ("cosine", lambda x, y: F.cosine_similarity(x, y), (M, N)), ("expand", lambda x: x.expand(2, 3, 4), (M,)), ("repeat", lambda x: torch.tile(x, (2, 1)), (M,)),
    ("flatten", lambda x: torch.flatten(x, 1), (T,)), ("unflatten", lambda x: torch.unflatten(x, 1, (2, -1)), (M,)), ("movedim", lambda x: torch.movedim(x, 0, 2), (T,)),
    ("addcmul", lambda x, y: torch.addcmul(x, x, y, value=2), (M, N)), ("xlogy", lambda x: torch.xlogy(x, torch.abs(x) + 1), (M,)),
    ("nan_to_num", lambda x: torch.nan_to_num(x * float("inf")), (V * 0 + 1,)), ("cross", lambda x, y: torch.linalg.cross(x[:, :3], y[:, :3]), (M, N)),
    ("mse", lambda x, y: F.mse_loss(x, y), (M, N)), ("l1", lambda x, y: F.l1_loss(x, y, reduction="sum"), (M, N)), ("smooth_l1", lambda x, y: F.smooth_l1_loss(x, y, beta=0.5), (M, N)),
    ("huber", lambda x, y: F.huber_loss(x, y, delta=0.5), (M, N)), ("cross_entropy", lambda x: F.cross_entropy(x, LABELS), (M,)),
    ("cross_entropy ignored", lambda x: F.cross_entropy(x, IGNORED), (M,)), ("cross_entropy smoothed", lambda x: F.cross_entropy(
        x, LABELS, weight=torch.tensor([1.0, 2.0, 0.5, 1.5]), label_smoothing=0.1), (M,)), ("cross_entropy of shares", lambda x, y: F.cross_entropy(x, torch.softmax(y, 1)), (M, N)),
    ("nll", lambda x: F.nll_loss(torch.log_softmax(x, 1), LABELS, reduction="none"), (M,)), ("bce", lambda x, y: F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y)), (M, N)),
    ("bce logits", lambda x, y: F.binary_cross_entropy_with_logits(x * 50, torch.sigmoid(y), pos_weight=torch.tensor(2.0)), (M, N)),
    ("kl", lambda x, y: F.kl_div(torch.log_softmax(x, 1), torch.softmax(y, 1), reduction="batchmean"), (M, N)), ("triplet", lambda x, y: F.triplet_margin_loss(x, y, x * y), (M, N)),
    ("layer_norm", lambda x: F.layer_norm(x, (3, 4)), (T,)), ("layer_norm weights", lambda x, y: F.layer_norm(x, (4,), y[0], y[1], eps=0.1), (M, N)),
    ("group_norm", lambda x: F.group_norm(x, 2), (IMAGE,)), ("batch_norm", lambda x: F.batch_norm(x, None, None, training=True), (IMAGE,)),
    ("instance_norm", lambda x: F.instance_norm(x), (IMAGE,)), ("rms_norm", lambda x: F.rms_norm(x, (4,)), (M,)),
    ("conv2d", lambda x, w: F.conv2d(x, w, stride=2, padding=1), (IMAGE, draw(5, 4, 3, 3))), ("conv2d groups", lambda x, w: F.conv2d(x, w, dilation=2, groups=2), (IMAGE, draw(4, 2, 2, 2))),
    ("conv2d same", lambda x, w: F.conv2d(x, w, padding="same"), (IMAGE, draw(2, 4, 3, 2))), ("conv1d", lambda x, w, b: F.conv1d(x, w, b), (T, draw(2, 3, 2), draw(2))),
    ("conv_transpose2d", lambda x, w: F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1, groups=2), (IMAGE, draw(4, 3, 3, 3))),
    ("max_pool2d", lambda x: F.max_pool2d(x, 3, 2, 1), (IMAGE,)), ("max_pool2d ceil", lambda x: F.max_pool2d(x, 4, 3, ceil_mode=True), (IMAGE,)),
    ("avg_pool2d", lambda x: F.avg_pool2d(x, 3, 2, 1), (IMAGE,)), ("avg_pool2d inside", lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False, ceil_mode=True), (IMAGE,)),
    ("avg_pool2d ceil", lambda x: F.avg_pool2d(x, 4, 3, 1, ceil_mode=True), (IMAGE,)), ("adaptive", lambda x: F.adaptive_avg_pool2d(x, (4, 1)), (IMAGE,)),
    ("pad reflect", lambda x: F.pad(x, (1, 2, 2, 0), mode="reflect"), (IMAGE,)), ("interpolate", lambda x: F.interpolate(x, scale_factor=2), (IMAGE,)),
    ("interpolate bilinear", lambda x: F.interpolate(x, size=(9, 4), mode="bilinear"), (IMAGE,)), ("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), (IMAGE,)),
    ("attention", lambda x: F.scaled_dot_product_attention(x, x * 2, x - 1, is_causal=True), (IMAGE,)),
    ("attention mask", lambda x, y: F.scaled_dot_product_attention(x, y, x, attn_mask=torch.tensor([[True, False, True], [True] * 3, [False, True, False]]), scale=0.7), (M, N)),
    ("embedding", lambda w: F.embedding(PLACES, w, padding_idx=1), (M,)), ("embedding scaled", lambda w: F.embedding(PLACES, w, scale_grad_by_freq=True), (M,)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_values_and_gradients_are_torchs(case: tuple[str, Callable[..., Any], tuple[np.ndarray, ...]]) -> None:
    _, function, inputs = case
    tensors = [torch.from_numpy(each.copy()).requires_grad_() for each in inputs]
    expected = function(*tensors)
    weights = np.random.default_rng(1).standard_normal(tuple(expected.shape)).astype(np.float32)
    gradients = torch.autograd.grad((expected * torch.from_numpy(weights)).sum(), tensors, allow_unused=True)
    found = np.asarray(tp.jit(function)(*inputs))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected.detach().numpy(), rtol=2e-5, atol=2e-5)
    ours = tp.grad(lambda *x: tp.sum(function(*x) * weights), tuple(range(len(inputs))))(*inputs)
    for one, other, each in zip(ours, gradients, inputs):
        np.testing.assert_allclose(np.asarray(one), np.zeros_like(each) if other is None else other.numpy(), rtol=2e-4, atol=2e-4)


def test_rows_of_an_embedding_are_shortened() -> None:
    table = M * 3
    expected = functional.embedding(PLACES, torch.from_numpy(table.copy()), max_norm=1.0).numpy()
    np.testing.assert_allclose(np.asarray(functional.embedding(PLACES, tp.array(table), max_norm=1.0)), expected, rtol=1e-5)


MODULES: dict[str, tuple[Callable[[], Any], tuple[int, ...]]] = {
    "perceptron": (lambda: torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.LayerNorm(8), torch.nn.Linear(8, 2)), (3, 4)),
    "convolutions": (lambda: torch.nn.Sequential(torch.nn.Conv2d(4, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
                                                 torch.nn.Flatten(), torch.nn.Linear(72, 3), torch.nn.Softmax(-1)).eval(), (2, 4, 6, 6)),
    "dropout": (lambda: torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(), torch.nn.SiLU()).eval(), (3, 4)),
}


@pytest.mark.parametrize("name", MODULES)
def test_modules_with_parameters_take_arrays(name: str) -> None:
    make, shape = MODULES[name]
    torch.manual_seed(0)
    module, x = make(), draw(*shape)
    tensor = torch.from_numpy(x.copy()).requires_grad_()
    expected = module(tensor)
    (gradient,) = torch.autograd.grad((expected**2).sum(), [tensor])
    np.testing.assert_allclose(np.asarray(tp.jit(module)(x)), expected.detach().numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(np.asarray(tp.grad(lambda x: tp.sum(module(x) ** 2))(x)), gradient.numpy(), rtol=1e-3, atol=1e-4)


REFUSED: list[tuple[str, str]] = [
    ("F.relu(x, inplace=True)", "inplace"), ("F.dropout(x)", "draw the mask"), ("torch.fft.fft(x)", "fft"), ("torch.add(x, x, out=torch.zeros(3))", "out="),
    ("F.embedding(torch.tensor([0]), m, sparse=True)", "sparse"), ("F.mse_loss(x, x, size_average=True)", "reduction="), ("F.mse_loss(x, x, reduction='x')", "reduction"),
    ("F.layer_norm(m, (7,))", "its last extents"), ("F.interpolate(m[None], scale_factor=2, mode='bicubic')", "bicubic"), ("torch.mm(x, m)", "ranks"),
    ("torch.div(x, 2, rounding_mode='up')", "rounding_mode"), ("F.max_pool2d(m[None, None], 2, return_indices=True)", "return_indices"),
    ("F.scaled_dot_product_attention(m, m, m, dropout_p=0.5)", "dropout_p"),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[0])
def test_words_that_arrays_do_not_take_are_refused(case: tuple[str, str]) -> None:
    code, words = case
    with pytest.raises(tp.TraceError, match=words):
        eval(code, {"torch": torch, "F": functional, "x": tp.array(V[:3]), "m": tp.array(M)})
