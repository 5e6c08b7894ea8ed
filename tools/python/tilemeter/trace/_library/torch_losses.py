# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""torch.nn.functional's losses on arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library import indices
from tilemeter.trace._library.arguments import as_array, converted, kind_of, only, refuse, together, wrong
from tilemeter.trace._library.torch_functions import clamp, log_softmax
from tilemeter.trace._library.torch_layers import cosine_similarity, pairwise_distance

_where, _mul, _add, _sub, _div, _abs = _trace.where, _trace.mul, _trace.add, _trace.sub, _trace.div, _trace.abs


def reduced(loss: Any, reduction: Any, size_average: Any, reduce: Any, name: str) -> Any:
    if size_average is not None or reduce is not None:
        refuse(f"torch.nn.functional.{name}", "use reduction=", "size_average= or reduce=", "value")
    if reduction == "mean":
        return _trace.mean(loss)
    if reduction == "sum":
        return _trace.sum(loss)
    return loss if reduction == "none" else wrong(f"{name}: reduction", repr(reduction), "'none', 'mean' or 'sum'")


def of_pairs(name: str, formula: Callable[..., Any]) -> Callable[..., Any]:
    def run(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None, **more: Any) -> Any:
        only(f"torch.nn.functional.{name}", weight=(weight, (None,)))
        return reduced(formula(*together(input, target), **more), reduction, size_average, reduce, name)

    return run


def _smooth_l1(x: Any, target: Any, beta: Any = 1.0) -> Any:
    size = _abs(_sub(x, target))
    if beta == 0:
        return size
    return _where(_trace.lt(size, beta), _div(_mul(_mul(size, size), 0.5), beta), _sub(size, 0.5 * beta))


def _huber(x: Any, target: Any, delta: Any = 1.0) -> Any:
    size = _abs(_sub(x, target))
    return _where(_trace.le(size, delta), _mul(_mul(size, size), 0.5), _mul(_sub(size, 0.5 * delta), delta))


mse_loss = of_pairs("mse_loss", lambda x, target: _trace.square(_sub(x, target)))
l1_loss = of_pairs("l1_loss", lambda x, target: _abs(_sub(x, target)))
soft_margin_loss = of_pairs("soft_margin_loss", lambda x, target: _trace.softplus(_trace.neg(_mul(x, target))))


def smooth_l1_loss(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", beta: Any = 1.0) -> Any:
    x, wanted = together(input, target)
    return reduced(_smooth_l1(x, wanted, beta), reduction, size_average, reduce, "smooth_l1_loss")


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: Any = 1.0, weight: Any = None) -> Any:
    only("torch.nn.functional.huber_loss", weight=(weight, (None,)))
    x, wanted = together(input, target)
    return reduced(_huber(x, wanted, delta), reduction, None, None, "huber_loss")


def kl_div(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", log_target: Any = False) -> Any:
    x, target = together(input, target)
    if log_target:
        loss = _mul(_trace.exp(target), _sub(target, x))
    else:
        is_none = _trace.le(target, 0)
        logs = _mul(target, _trace.log(_where(is_none, 1, target)))
        loss = _sub(_where(is_none, 0, logs), _mul(target, x))
    if reduction == "batchmean":
        return _div(_trace.sum(loss), float(x.shape[0]))
    return reduced(loss, reduction, size_average, reduce, "kl_div")


def binary_cross_entropy(input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None,
                         reduction: str = "mean") -> Any:
    x, target = together(input, target)
    below = clamp(_trace.log(x), min=-100.0)
    above = clamp(_trace.log1p(_trace.neg(x)), min=-100.0)
    loss = _trace.neg(_add(_mul(target, below), _mul(_sub(1, target), above)))
    return reduced(loss if weight is None else _mul(loss, weight), reduction, size_average, reduce, "binary_cross_entropy")


def binary_cross_entropy_with_logits(input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None,
                                     reduction: str = "mean", pos_weight: Any = None) -> Any:
    x, target = together(input, target)
    soft = _trace.softplus(_trace.neg(x))
    if pos_weight is None:
        loss = _add(_mul(_sub(1, target), x), soft)
    else:
        loss = _add(_mul(_sub(1, target), x), _mul(_add(_mul(_sub(pos_weight, 1), target), 1), soft))
    return reduced(loss if weight is None else _mul(loss, weight), reduction, size_average, reduce, "binary_cross_entropy_with_logits")


def nll_loss(input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: Any = -100, reduce: Any = None,
             reduction: str = "mean") -> Any:
    x, target = as_array(input), as_array(target)
    dim = 1 if x.ndim > 1 else 0
    is_used = _trace.ne(target, ignore_index)
    place = _where(is_used, target, 0)
    found = _trace.squeeze(indices.along_axis(x, _trace.expand_dims(place, dim), dim), dim)
    weights = _trace.full(target.shape, 1, x.dtype) if weight is None else _trace.gather(converted(weight, x.dtype), place, 0)
    weights = _where(is_used, weights, 0)
    loss = _trace.neg(_where(is_used, _mul(found, weights), 0))
    if reduction == "mean" and size_average is None and reduce is None:
        return _div(_trace.sum(loss), _trace.sum(weights))
    return reduced(loss, reduction, size_average, reduce, "nll_loss")


def cross_entropy(input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: Any = -100, reduce: Any = None,
                  reduction: str = "mean", label_smoothing: Any = 0.0) -> Any:
    x, target = as_array(input), as_array(target)
    dim = 1 if x.ndim > 1 else 0
    logs = log_softmax(x, dim)
    classes = x.shape[dim]
    if kind_of(target.dtype) == "f":
        target = converted(target, x.dtype)
        if label_smoothing:
            target = _add(_mul(target, 1 - label_smoothing), label_smoothing / classes)
        if weight is not None:
            logs = _mul(logs, _trace.reshape(converted(weight, x.dtype), (-1, *(1,) * (x.ndim - dim - 1))))
        loss = _trace.neg(_trace.sum(_mul(logs, target), dim))
        if reduction == "mean" and size_average is None and reduce is None:
            return _div(_trace.sum(loss), float(x.size // classes))
        return reduced(loss, reduction, size_average, reduce, "cross_entropy")
    plain = nll_loss(logs, target, weight, size_average, ignore_index, reduce, reduction)
    if not label_smoothing:
        return plain
    weights = _trace.full((classes,), 1, x.dtype) if weight is None else converted(weight, x.dtype)
    spread = _trace.neg(_trace.sum(_mul(logs, _trace.reshape(weights, (-1, *(1,) * (x.ndim - dim - 1)))), dim))
    is_used = _trace.ne(target, ignore_index)
    spread = _where(is_used, spread, 0)
    if reduction == "mean":
        count = _trace.sum(_where(is_used, _trace.gather(weights, _where(is_used, target, 0), 0), 0))
        smooth = _div(_trace.sum(spread), count)
    else:
        smooth = reduced(spread, reduction, None, None, "cross_entropy")
    return _add(_mul(plain, 1 - label_smoothing), _mul(smooth, label_smoothing / classes))


def hinge_embedding_loss(input: Any, target: Any, margin: Any = 1.0, size_average: Any = None, reduce: Any = None, reduction: str = "mean") -> Any:
    x, target = together(input, target)
    loss = _where(_trace.eq(target, 1), x, _trace.relu(_sub(margin, x)))
    return reduced(loss, reduction, size_average, reduce, "hinge_embedding_loss")


def margin_ranking_loss(input1: Any, input2: Any, target: Any, margin: Any = 0, size_average: Any = None, reduce: Any = None,
                        reduction: str = "mean") -> Any:
    loss = clamp(_add(_mul(_trace.neg(target), _sub(input1, input2)), float(margin)), min=0.0)
    return reduced(loss, reduction, size_average, reduce, "margin_ranking_loss")


def cosine_embedding_loss(input1: Any, input2: Any, target: Any, margin: Any = 0, size_average: Any = None, reduce: Any = None,
                          reduction: str = "mean") -> Any:
    near = cosine_similarity(input1, input2, 1 if as_array(input1).ndim > 1 else 0)
    loss = _where(_trace.eq(target, 1), _sub(1, near), clamp(_sub(near, margin), min=0.0))
    return reduced(loss, reduction, size_average, reduce, "cosine_embedding_loss")


def triplet_margin_loss(anchor: Any, positive: Any, negative: Any, margin: Any = 1.0, p: Any = 2, eps: Any = 1e-6, swap: Any = False,
                        size_average: Any = None, reduce: Any = None, reduction: str = "mean") -> Any:
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = _trace.minimum(far, pairwise_distance(positive, negative, p, eps))
    loss = clamp(_add(_sub(pairwise_distance(anchor, positive, p, eps), far), margin), min=0.0)
    return reduced(loss, reduction, size_average, reduce, "triplet_margin_loss")


def gaussian_nll_loss(input: Any, target: Any, var: Any, full: Any = False, eps: Any = 1e-6, reduction: str = "mean") -> Any:
    fixed = clamp(var, min=eps)
    fixed = _add(as_array(var), _trace.stop_gradient(_sub(fixed, var)))
    loss = _mul(_add(_trace.log(fixed), _div(_trace.square(_sub(input, target)), fixed)), 0.5)
    return reduced(_add(loss, 0.5 * math.log(2 * math.pi)) if full else loss, reduction, None, None, "gaussian_nll_loss")


def poisson_nll_loss(input: Any, target: Any, log_input: Any = True, full: Any = False, size_average: Any = None, eps: Any = 1e-8,
                     reduce: Any = None, reduction: str = "mean") -> Any:
    only("torch.nn.functional.poisson_nll_loss", full=(full, (False,)))
    x, target = together(input, target)
    loss = _sub(_trace.exp(x), _mul(target, x)) if log_input else _sub(x, _mul(target, _trace.log(_add(x, eps))))
    return reduced(loss, reduction, size_average, reduce, "poisson_nll_loss")


