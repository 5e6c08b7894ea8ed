# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""torch's functions on arrays: each gives torch's values and records what our own call records. Skipped without torch."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilemeter.trace as tp

torch = pytest.importorskip("torch", reason="torch is not installed: its functions on arrays were not tested")
functional = torch.nn.functional

A = np.array([[0.3, -0.7, 0.9], [0.1, 0.5, -0.2]])
B = np.array([[0.4, 0.6, 0.8], [1.1, -1.3, 0.7]])
POSITIVE = np.abs(A) + 0.1
I = np.array([[2, 0, 1], [1, 1, 0]])

UNARY = """exp expm1 log1p sqrt sin cos tan tanh erf sigmoid reciprocal neg negative abs absolute square sign floor ceil round relu
    erfinv""".split()
OF_POSITIVE = "log rsqrt lgamma digamma".split()
BINARY = """add sub subtract mul multiply div divide true_divide atan2 remainder floor_divide maximum minimum eq ne lt le gt ge
    """.split()
OPERATORS = {name: getattr(operator, name) for name in "add sub mul truediv floordiv mod lt le gt ge eq ne".split()}

MORE: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    ("pow", lambda x, y: torch.pow(x, y), (POSITIVE, B)),
    ("add alpha", lambda x, y: torch.add(x, y, alpha=2), (A, B)),
    ("sub alpha", lambda x, y: torch.sub(x, y, alpha=2), (A, B)),
    ("div floor", lambda x, y: torch.div(x, y, rounding_mode="floor"), (A, B)),
    ("div trunc", lambda x, y: torch.div(5 * x, y, rounding_mode="trunc"), (A, B)),
    ("logical", lambda x, y: torch.logical_or(torch.logical_and(x > 0, y > 0), torch.logical_not(torch.logical_xor(x > 0, y > 0))),
     (A, B)),
    ("matmul", lambda x, y: torch.matmul(x, y.T), (A, B)),
    ("mm", lambda x, y: torch.mm(x, torch.t(y)), (A, B)),
    ("bmm", lambda x, y: torch.bmm(torch.unsqueeze(x, 0), torch.unsqueeze(y.T, 0)), (A, B)),
    ("mv", lambda x, y: torch.mv(x, y[0]), (A, B)),
    ("dot", lambda x, y: torch.dot(x[0], y[0]), (A, B)),
    ("linear", lambda x, y: functional.linear(x, y, y[:, 0]), (A, B)),
    *((name, lambda x, name=name: getattr(torch, name)(x), (A,)) for name in ("sum", "mean", "prod", "amax", "amin", "argmax", "argmin",
                                                                            "max", "min", "flatten")),
    *((f"{name} dim", lambda x, name=name: getattr(torch, name)(x, dim=1, keepdim=True), (A,))
      for name in ("sum", "mean", "prod", "amax", "amin", "argmax", "argmin")),
    *((f"{name} pair", lambda x, name=name: tuple(getattr(torch, name)(x, dim=1)), (A,)) for name in ("max", "min")),
    ("max of two", lambda x, y: torch.max(x, y), (A, B)),
    ("any all", lambda x: torch.logical_and(torch.any(x > 0), torch.all(x < 1)), (A,)),
    ("cumsum", lambda x: torch.cumsum(x, dim=1), (A,)),
    ("where", lambda x, y: torch.where(x > 0, x, y), (A, B)),
    ("clamp", lambda x: torch.clamp(x, -0.5, 0.5) + torch.clip(x, max=0.2), (A,)),
    ("reshape", lambda x: torch.reshape(x, (3, 2)), (A,)),
    ("permute", lambda x: torch.permute(x, (1, 0)), (A,)),
    ("transpose", lambda x: torch.transpose(x, 0, 1), (A,)),
    ("squeeze", lambda x: torch.squeeze(torch.unsqueeze(x, 1)), (A,)),
    ("broadcast_to", lambda x: torch.broadcast_to(x, (2, 2, 3)), (A,)),
    ("cat", lambda x, y: torch.cat([x, y], dim=1), (A, B)),
    ("stack", lambda x, y: torch.stack((x, y), dim=0), (A, B)),
    ("flip", lambda x: torch.flip(x, (0, 1)), (A,)),
    ("index_select", lambda x, i: torch.index_select(x, 1, i[0]), (A, I)),
    ("likes", lambda x: torch.zeros_like(x) + torch.ones_like(x) + torch.full_like(x, 3.0), (A,)),
    ("softmax", lambda x: torch.softmax(x, dim=-1) + functional.softmax(x, dim=0), (A,)),
    ("log_softmax", lambda x: torch.log_softmax(x, -1) + functional.log_softmax(x, dim=1), (A,)),
    ("activations", lambda x: functional.relu(x) + functional.silu(x) + functional.softplus(x), (A,)),
    ("gelu", lambda x: functional.gelu(x) + functional.gelu(x, approximate="tanh"), (A,)),
    ("layer_norm", lambda x, y: functional.layer_norm(x, (3,), y[0], y[1]), (A, B)),
    ("embedding", lambda i, x: functional.embedding(i, x), (I % 2, A)),
    ("one_hot", lambda i: functional.one_hot(i, 3), (I,)),
    ("dropout", lambda x: functional.dropout(x, training=False), (A,)),
    ("a tensor on the left", lambda x: ((torch.full((2, 3), 2.0, dtype=torch.float64) + x) * 3.0 - torch.ones(3, dtype=torch.float64)
                                        / (torch.ones(2, 3, dtype=torch.float64) @ x.T).sum()), (A,)),
    ("a tensor on the right", lambda x: x * torch.full((3,), 2.0, dtype=torch.float64) - torch.ones(2, 3, dtype=torch.float64), (A,)),
    ("compared with a tensor", lambda x: torch.where(torch.zeros(2, 3, dtype=torch.float64) < x, x, -x), (A,)),
    *((f"tensor {name} array", lambda x, f=f: f(torch.from_numpy(B), x), (POSITIVE,)) for name, f in OPERATORS.items()),
    *((f"array {name} tensor", lambda x, f=f: f(x, torch.from_numpy(B)), (POSITIVE,)) for name, f in OPERATORS.items()),
]
CASES = [*((name, lambda x, name=name: getattr(torch, name)(x), (A,)) for name in UNARY if name != "sqrt"),
         *((name, lambda x, name=name: getattr(torch, name)(x), (POSITIVE,)) for name in ("sqrt", *OF_POSITIVE)),
         *((name, lambda x, y, name=name: getattr(torch, name)(x, y), (A, B)) for name in BINARY), *MORE]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_functions_have_torchs_values(case: tuple[str, Callable[..., Any], tuple[Any, ...]]) -> None:
    name, function, inputs = case
    expected = function(*map(torch.from_numpy, inputs))
    for run in (tp.jit(function), tp.trace_graph(function, args=inputs)):
        found = run(*inputs)
        pairs = zip(found, expected) if isinstance(expected, tuple) else [(found, expected)]
        for one, other in pairs:
            np.testing.assert_allclose(np.asarray(one), other.numpy(), rtol=1e-12, atol=1e-12)


def test_what_is_not_there_is_refused_by_name() -> None:
    for call in (lambda x: torch.fft.fft(x), lambda x: functional.dropout(x), lambda x: torch.linalg.svd(x)):
        with pytest.raises(tp.TraceError, match="torch"):
            tp.jit(call)(A)


def test_values_go_to_torch_and_come_back() -> None:
    out = tp.full((2, 3), value=0.5).tanh()
    runs = tp.lazy_statistics()["runs"]
    taken = torch.from_dlpack(out)
    assert tp.lazy_statistics()["runs"] == runs + 1 and taken.shape == (2, 3)
    np.testing.assert_allclose(taken.numpy(), 0.46211716, rtol=1e-6)
    np.testing.assert_array_equal(np.asarray(tp.array(torch.from_numpy(A)) * 2.0), A * 2)


def test_nothing_of_torch_is_patched() -> None:
    before = functional.linear, torch.tanh, torch.Tensor.__add__
    tp.jit(lambda x: functional.linear(torch.tanh(x), x))(A)
    with pytest.raises(tp.TraceError):
        tp.jit(lambda x: torch.fft.fft(x))(A)
    assert (functional.linear, torch.tanh, torch.Tensor.__add__) == before


# ---- the documents' functions, in four spellings


def _texts(*spellings: Callable[..., Any]) -> set[str]:
    texts = set()
    for spelling in spellings:
        spelling.__name__ = "fn"
        texts.add(str(tp.trace_graph(spelling, args=(np.array([1.0]),))))
    return texts


def test_eight_operations_are_one_text() -> None:
    def ours(x: Any) -> Any:
        y, z = tp.sum(x), tp.prod(x)
        a, b, c = tp.sin(y), tp.cos(z), tp.tan(z)
        return tp.round(a), tp.floor(b), tp.ceil(c)

    def methods(x: Any) -> Any:
        y, z = x.sum(), x.prod()
        a, b, c = y.sin(), z.cos(), z.tan()
        return a.round(), b.floor(), c.ceil()

    def numpy(x: Any) -> Any:
        y, z = np.sum(x), np.prod(x)
        a, b, c = np.sin(y), np.cos(z), np.tan(z)
        return np.round(a), np.floor(b), np.ceil(c)

    def torchs(x: Any) -> Any:
        y, z = torch.sum(x), torch.prod(x)
        a, b, c = torch.sin(y), torch.cos(z), torch.tan(z)
        return torch.round(a), torch.floor(b), torch.ceil(c)

    assert len(_texts(ours, methods, numpy, torchs)) == 1


def test_the_root_of_a_mean_is_one_text() -> None:
    assert len(_texts(lambda x: tp.sqrt(tp.mean(x)), lambda x: x.mean().sqrt(), lambda x: np.sqrt(np.mean(x)),
                      lambda x: torch.sqrt(torch.mean(x)))) == 1


def test_operators_and_a_softmax_are_one_text() -> None:
    assert len(_texts(lambda x: tp.softmax(tp.add(tp.mul(x, 2.0), 1.0), -1), lambda x: (x * 2.0 + 1.0).softmax(-1),
                      lambda x: tp.softmax(np.add(np.multiply(x, 2.0), 1.0), -1),
                      lambda x: functional.softmax(torch.add(torch.mul(x, 2.0), 1.0), dim=-1))) == 1
