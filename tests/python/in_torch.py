# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations without a golden function, said in torch."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


class _Torch:
    """torch, imported when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module("torch"), name)


torch: Any = _Torch()


def softmin(x: Any, dim: int) -> Any:
    return torch.nn.functional.softmin(x, dim)


def norm(x: Any) -> Any:
    return x.abs().pow(3).sum(-1, keepdim=True).pow(1 / 3)


def norm_back(x: Any, y: Any, g: Any) -> Any:
    return g * x.abs().pow(2) * torch.sign(x) / y.pow(2)


def adam(decoupled: bool) -> Callable[..., Any]:
    def step(param: Any, grad: Any, first: Any, second: Any) -> Any:
        rate, one, two, eps, decay = 0.01, 0.9, 0.99, 1e-3, 0.1
        if decoupled:
            param = param * (1 - rate * decay)
        else:
            grad = grad + decay * param
        first = one * first + (1 - one) * grad
        second = two * second + (1 - two) * grad * grad
        at = 3
        made = param - rate * (first / (1 - one**at)) / (torch.sqrt(second / (1 - two**at)) + eps)
        return [made, first, second]

    return step


def sgd(param: Any, grad: Any, kept: Any) -> Any:
    grad = grad + 0.1 * param
    kept = 0.9 * kept + 0.8 * grad
    return [param - 0.01 * kept, kept]


def rotated(x: Any) -> Any:
    low, high = x.chunk(2, -1)
    return torch.cat([-high, low], -1)


def rotary(x: Any, cosines: Any, sines: Any) -> Any:
    return x * cosines + rotated(x) * sines


def rotary_in_pairs(x: Any, cosines: Any, sines: Any, turn: Any) -> Any:
    tiles = x.reshape(*x.shape[:-1], -1, 32)
    return x * cosines + (tiles @ turn[0, 0]).reshape(x.shape) * sines


def heads(x: Any, count: int, keys: int, turned: bool = True) -> Any:
    batch, _, length, width = x.shape
    size = width // (count + 2 * keys)
    heads = x.reshape(batch, length, -1, size).permute(0, 2, 1, 3)
    q, k, v = heads.split([count, keys, keys], 1)
    return [q, k.mT if turned else k, v]


def grouped_heads(x: Any) -> Any:
    """Two groups: a query of each, its key, its value."""
    batch, _, length, _ = x.shape
    apart = x.reshape(batch, length, 2, 3, 64).permute(3, 0, 2, 1, 4)
    return [apart[0], apart[1].mT, apart[2]]


def separate_heads(x: Any, kv: Any) -> Any:
    def heads(rows: Any) -> Any:
        return rows.reshape(rows.shape[0], rows.shape[2], 2, 64).permute(0, 2, 1, 3)

    pairs = kv.reshape(kv.shape[0], kv.shape[2], 2, 2, 64).permute(3, 0, 2, 1, 4)
    return [heads(x), pairs[0].mT, pairs[1]]


def attention_of_one(q: Any, k: Any, v: Any, at: Any) -> Any:
    _, users, heads, size = q.shape
    k, v = (each.repeat_interleave(heads // each.shape[1], 1) for each in (k, v))
    scores = torch.einsum("uhd,uhtd->uht", q[0], k) / size**0.5
    seen = torch.arange(k.shape[2])[None, None] <= at.reshape(-1, 1, 1)
    shares = torch.softmax(scores.masked_fill(~seen, float("-inf")), -1)
    return torch.einsum("uht,uhtd->uhd", shares, v)[None]


def from_pages(blocks: Any, pages: Any) -> Any:
    taken = blocks[pages.long()]
    users, count, heads, rows, width = taken.shape
    return taken.permute(0, 2, 1, 3, 4).reshape(users, heads, count * rows, width)


def joint(q: Any, k: Any, v: Any, more_q: Any, more_k: Any, more_v: Any) -> Any:
    q, k, v = (torch.cat(pair, 2) for pair in ((q, more_q), (k, more_k), (v, more_v)))
    shares = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)
    made = shares @ v
    return [made[:, :, :32], made[:, :, 32:]]


def filled(cache: Any, part: Any) -> Any:
    made = cache.clone()
    made[1:2, :, : part.shape[2]] = part
    return made


def updated(cache: Any, part: Any) -> Any:
    made = cache.clone()
    made[:, :, 5] = part[0].permute(1, 0, 2)[: cache.shape[0]]
    return made


def paged_tokens(cache: Any, part: Any, at: Any, pages: Any) -> Any:
    made = cache.clone()
    rows = cache.shape[2]
    for user in range(part.shape[1]):
        position = int(at[user])
        made[int(pages[user, position // rows]), :, position % rows] = part[0, user, : cache.shape[1]]
    return made


def paged_rows(cache: Any, part: Any, pages: Any) -> Any:
    made = cache.clone()
    rows = cache.shape[2]
    for row in range(part.shape[2]):
        made[int(pages[1, row // rows]), :, row % rows] = part[0, :, row]
    return made


def sums(x: Any, of_squares: bool) -> Any:
    """The sums that a norm needs of one device, in the first column of a tile each."""
    sums = [x.square().sum(-1, keepdim=True)] if of_squares else [x.square().sum(-1, keepdim=True), x.sum(-1, keepdim=True)]
    return torch.cat([torch.nn.functional.pad(each, (0, 31)) for each in sums], -1)


def layer_norm_by(x: Any, stats: Any) -> Any:
    parts = stats.shape[-1] // 64
    count = parts * x.shape[-1]
    squares = sum(stats[..., 64 * i : 64 * i + 1] for i in range(parts)) / count
    mean = sum(stats[..., 64 * i + 32 : 64 * i + 33] for i in range(parts)) / count
    return (x - mean) * torch.rsqrt(squares - mean * mean + 1e-5)


def rms_norm_by(x: Any, stats: Any) -> Any:
    parts = stats.shape[-1] // 32
    squares = sum(stats[..., 32 * i : 32 * i + 1] for i in range(parts)) / (parts * x.shape[-1])
    return x * torch.rsqrt(squares + 1e-5)


def causal(x: Any, mask: Any) -> Any:
    return torch.softmax(x * 0.5 + mask, -1)


def user_by_user(a: Any, b: Any) -> Any:
    """[q, heads, users, k] by [users, kv heads, k, n]."""
    b = b.repeat_interleave(a.shape[1] // b.shape[1], 1)
    return torch.einsum("qhuk,uhkn->qhun", a, b)
