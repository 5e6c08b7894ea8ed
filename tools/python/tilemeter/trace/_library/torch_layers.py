# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""torch.nn.functional on arrays: activations, losses, normalizations, convolutions, pools, attention."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library import products, shapes
from tilemeter.trace._library.arguments import (
    as_array, axis_of, converted, integers, kind_of, no_out, only, refuse, together, wrong,
)
from tilemeter.trace._library.torch_functions import clamp, softmax

_where, _mul, _add, _sub, _div, _abs = _trace.where, _trace.mul, _trace.add, _trace.sub, _trace.div, _trace.abs


def not_in_place(inplace: Any, function: str) -> None:
    if inplace:
        _trace._raise("immutable", f"{function}: found inplace=True, expected a call that makes a new array", function)


# ---- activations

def activation(name: str, formula: Callable[..., Any]) -> Callable[..., Any]:
    def run(input: Any, inplace: Any = False) -> Any:
        not_in_place(inplace, name)
        return formula(input)

    return run


def leaky_relu(input: Any, negative_slope: Any = 0.01, inplace: Any = False) -> Any:
    not_in_place(inplace, "leaky_relu")
    return _where(_trace.gt(input, 0), input, _mul(input, negative_slope))


def prelu(input: Any, weight: Any) -> Any:
    x, weight = together(input, weight)
    if weight.size > 1:
        weight = _trace.reshape(weight, (-1, *(1,) * (x.ndim - 2)))
    else:
        weight = _trace.reshape(weight, ())
    return _where(_trace.gt(x, 0), x, _mul(x, weight))


def elu(input: Any, alpha: Any = 1.0, inplace: Any = False) -> Any:
    not_in_place(inplace, "elu")
    above = _trace.gt(input, 0)
    return _where(above, input, _mul(_trace.expm1(_where(above, 0, input)), alpha))


def celu(input: Any, alpha: Any = 1.0, inplace: Any = False) -> Any:
    not_in_place(inplace, "celu")
    above = _trace.gt(input, 0)
    return _where(above, input, _mul(_trace.expm1(_div(_where(above, 0, input), alpha)), alpha))


def selu(input: Any, inplace: Any = False) -> Any:
    not_in_place(inplace, "selu")
    return _mul(elu(input, 1.6732632423543772848170429916717), 1.0507009873554804934193349852946)


def hardtanh(input: Any, min_val: Any = -1.0, max_val: Any = 1.0, inplace: Any = False) -> Any:
    not_in_place(inplace, "hardtanh")
    return _where(_trace.le(input, min_val), min_val, _where(_trace.ge(input, max_val), max_val, input))


def relu6(input: Any, inplace: Any = False) -> Any:
    return hardtanh(input, 0.0, 6.0, inplace)


def hardsigmoid(input: Any, inplace: Any = False) -> Any:
    not_in_place(inplace, "hardsigmoid")
    return _div(hardtanh(_add(input, 3), 0.0, 6.0), 6.0)


def hardswish(input: Any, inplace: Any = False) -> Any:
    not_in_place(inplace, "hardswish")
    inner = _div(_mul(input, _add(input, 3)), 6.0)
    return _where(_trace.le(input, -3), 0.0, _where(_trace.ge(input, 3), input, inner))


def hardshrink(input: Any, lambd: Any = 0.5) -> Any:
    return _where(_trace.le(_abs(input), lambd), 0, input)


def softshrink(input: Any, lambd: Any = 0.5) -> Any:
    return _where(_trace.gt(input, lambd), _sub(input, lambd), _where(_trace.lt(input, -lambd), _add(input, lambd), _mul(input, 0)))


def threshold(input: Any, threshold: Any, value: Any, inplace: Any = False) -> Any:
    not_in_place(inplace, "threshold")
    return _where(_trace.gt(input, threshold), input, value)


def softplus(input: Any, beta: Any = 1, threshold: Any = 20) -> Any:
    x = as_array(input)
    scaled = x if beta == 1 else _mul(x, beta)
    is_far = _trace.gt(scaled, threshold)
    soft = _trace.softplus(_where(is_far, 0, scaled))
    return _where(is_far, x, soft if beta == 1 else _div(soft, beta))


def logsigmoid(input: Any) -> Any:
    return _trace.neg(_trace.softplus(_trace.neg(input)))


def softsign(input: Any) -> Any:
    return _div(input, _add(_abs(input), 1))


def tanhshrink(input: Any) -> Any:
    return _sub(input, _trace.tanh(input))


def mish(input: Any, inplace: Any = False) -> Any:
    not_in_place(inplace, "mish")
    return _mul(input, _trace.tanh(_trace.softplus(input)))


def glu(input: Any, dim: Any = -1) -> Any:
    x = as_array(input)
    dim = axis_of(dim, x.ndim, "torch.nn.functional.glu")
    if x.shape[dim] % 2:
        wrong("torch.nn.functional.glu", f"an extent of {x.shape[dim]}", "an even one")
    first, second = shapes.array_split(x, 2, dim)
    return _mul(first, _trace.sigmoid(second))


def gelu(input: Any, approximate: str = "none") -> Any:
    return _trace.gelu(input, approximate)


def softmin(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> Any:
    return softmax(_trace.neg(input), dim, dtype=dtype)


def dropout(name: str) -> Callable[..., Any]:
    def run(input: Any, p: Any = 0.5, training: Any = True, inplace: Any = False) -> Any:
        not_in_place(inplace, name)
        if training and p != 0:
            refuse(f"torch.nn.functional.{name}", "draw the mask outside of the function")
        return input

    return run


def normalize(input: Any, p: Any = 2.0, dim: Any = 1, eps: Any = 1e-12, out: Any = None) -> Any:
    no_out(out, "torch.nn.functional.normalize")
    x = as_array(input)
    size = products.vector_norm(x, axis=dim, keepdims=True, ord=p)
    return _div(x, _trace.broadcast_to(clamp(size, min=eps), x.shape))


def cosine_similarity(x1: Any, x2: Any, dim: Any = 1, eps: Any = 1e-8) -> Any:
    a, b = together(x1, x2)
    a, b = shapes.broadcast_arrays(a, b)

    def unit(x: Any) -> Any:
        return _div(x, clamp(products.vector_norm(x, axis=dim, keepdims=True), min=eps))

    return _trace.sum(_mul(unit(a), unit(b)), dim)


def pairwise_distance(x1: Any, x2: Any, p: Any = 2.0, eps: Any = 1e-6, keepdim: Any = False) -> Any:
    return products.vector_norm(_add(_sub(x1, x2), eps), axis=-1, keepdims=bool(keepdim), ord=p)


# ---- layers

def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    product = _trace.matmul(input, _trace.transpose(weight))
    return product if bias is None else _add(product, bias)


def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    made = products.einsum("...i,oij,...j->...o", input1, weight, input2)
    return made if bias is None else _add(made, bias)


def embedding(input: Any, weight: Any, padding_idx: Any = None, max_norm: Any = None, norm_type: Any = 2.0, scale_grad_by_freq: Any = False,
              sparse: Any = False) -> Any:
    function = "torch.nn.functional.embedding"
    only(function, sparse=(sparse, (False,)))
    places, table = as_array(input), as_array(weight)
    if max_norm is not None:
        # Rows that are looked up are shortened first, in place in torch; its derivatives take them as they then are.
        sizes = _trace.stop_gradient(products.vector_norm(table, axis=1, keepdims=True, ord=norm_type))
        scale = _where(_trace.gt(sizes, max_norm), _div(float(max_norm), _add(sizes, 1e-7)), 1)
        table = _add(table, _trace.stop_gradient(_sub(_mul(table, scale), table)))
    rows = _trace.embedding(places, table)
    if padding_idx is not None:
        padding_idx = padding_idx + table.shape[0] if padding_idx < 0 else padding_idx
        is_padding = _trace.expand_dims(_trace.eq(places, padding_idx), places.ndim)
        rows = _where(is_padding, _trace.stop_gradient(rows), rows)
    if scale_grad_by_freq:
        same = _trace.eq(_trace.expand_dims(_trace.reshape(places, (-1,)), 1), _trace.reshape(places, (-1,)))
        counts = _trace.reshape(_trace.sum(same, 1).astype(rows.dtype), (*places.shape, 1))
        scaled = _div(rows, counts)
        rows = _add(scaled, _trace.stop_gradient(_sub(rows, scaled)))
    return rows


def one_hot(tensor: Any, num_classes: Any = -1) -> Any:
    places = as_array(tensor)
    if num_classes == -1:
        num_classes = int(np.max(np.asarray(places))) + 1
    return _trace.one_hot(places, num_classes, "int64")


def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-5) -> Any:
    x, extents = as_array(input), integers(normalized_shape, "torch.nn.functional.layer_norm: normalized_shape")
    if tuple(extents) != tuple(x.shape[x.ndim - len(extents):]):
        wrong("torch.nn.functional.layer_norm", f"normalized_shape {extents} for an array of shape {x.shape}", "its last extents")
    if len(extents) == 1:
        return _trace.layer_norm(x, weight, bias, eps)
    made = _trace.reshape(_trace.layer_norm(_trace.reshape(x, (*x.shape[:x.ndim - len(extents)], math.prod(extents))), None, None, eps), x.shape)
    made = made if weight is None else _mul(made, weight)
    return made if bias is None else _add(made, bias)


def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Any:
    x = as_array(input)
    axes = tuple(range(x.ndim - len(integers(normalized_shape, "rms_norm: normalized_shape")), x.ndim))
    eps = float(np.finfo(x.dtype).eps) if eps is None else eps
    made = _mul(x, _trace.rsqrt(_add(_trace.mean(_trace.square(x), axes, True), eps)))
    return made if weight is None else _mul(made, weight)


def _standardized(x: Any, axes: tuple[int, ...], eps: Any) -> Any:
    centred = _sub(x, _trace.mean(x, axes, True))
    return _mul(centred, _trace.rsqrt(_add(_trace.mean(_trace.square(centred), axes, True), eps)))


def _per_channel(x: Any, weight: Any, bias: Any) -> Any:
    shape = (-1, *(1,) * (x.ndim - 2))
    x = x if weight is None else _mul(x, _trace.reshape(weight, shape))
    return x if bias is None else _add(x, _trace.reshape(bias, shape))


def group_norm(input: Any, num_groups: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-5) -> Any:
    x = as_array(input)
    if x.shape[1] % num_groups:
        wrong("torch.nn.functional.group_norm", f"{x.shape[1]} channels", f"a multiple of {num_groups} groups")
    grouped = _trace.reshape(x, (x.shape[0], num_groups, -1))
    return _per_channel(_trace.reshape(_standardized(grouped, (2,), eps), x.shape), weight, bias)


def batch_norm(input: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None, training: Any = False,
               momentum: Any = 0.1, eps: Any = 1e-5) -> Any:
    x = as_array(input)
    if training:
        if running_mean is not None or running_var is not None:
            refuse("torch.nn.functional.batch_norm", "call eval() on the module, or track no running statistics",
                   "running statistics that training writes to, which arrays do not", "value")
        return _per_channel(_standardized(x, (0, *range(2, x.ndim)), eps), weight, bias)
    shape = (-1, *(1,) * (x.ndim - 2))
    centred = _sub(x, _trace.reshape(running_mean, shape))
    return _per_channel(_mul(centred, _trace.rsqrt(_add(_trace.reshape(running_var, shape), eps))), weight, bias)


def instance_norm(input: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None,
                  use_input_stats: Any = True, momentum: Any = 0.1, eps: Any = 1e-5) -> Any:
    if running_mean is not None or not use_input_stats:
        refuse("torch.nn.functional.instance_norm", "", "running statistics, which arrays do not take", "value")
    x = as_array(input)
    return _per_channel(_standardized(x, tuple(range(2, x.ndim)), eps), weight, bias)


# ---- convolutions and pools

def _each(value: Any, count: int, what: str) -> list[int]:
    numbers = integers(value, what)
    return numbers * count if len(numbers) == 1 else numbers


def convolution(rank: int) -> Callable[..., Any]:
    name = f"torch.nn.functional.conv{rank}d"

    def run(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
        x, weight = together(input, weight)
        is_single = x.ndim == rank + 1
        if is_single:
            x = _trace.expand_dims(x, 0)
        if x.ndim != rank + 2 or weight.ndim != rank + 2:
            wrong(name, f"arrays of ranks {x.ndim} and {weight.ndim}", f"rank {rank + 2}")
        steps, spread = _each(stride, rank, name), _each(dilation, rank, name)
        if padding == "same":
            if any(each != 1 for each in steps):
                wrong(name, f"padding='same' with stride {stride}", "a stride of 1")
            reach = [d * (k - 1) for d, k in zip(spread, weight.shape[2:])]
            low, high = [each // 2 for each in reach], [each - each // 2 for each in reach]
        else:
            low = high = [0] * rank if padding == "valid" else _each(padding, rank, name)
        made = _trace.apply("flat.convolution", [x, weight], {"strides": tuple(steps), "low": tuple(low), "high": tuple(high),
                                                              "rhs_dilation": tuple(spread), "groups": int(groups)})[0]
        if bias is not None:
            made = _add(made, _trace.reshape(bias, (-1, *(1,) * rank)))
        return _trace.squeeze(made, 0) if is_single else made

    return run


def transposed_convolution(rank: int) -> Callable[..., Any]:
    name = f"torch.nn.functional.conv_transpose{rank}d"

    def run(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1,
            dilation: Any = 1) -> Any:
        x, weight = together(input, weight)
        is_single = x.ndim == rank + 1
        if is_single:
            x = _trace.expand_dims(x, 0)
        steps, spread = _each(stride, rank, name), _each(dilation, rank, name)
        border, more = _each(padding, rank, name), _each(output_padding, rank, name)
        inputs, outputs = weight.shape[:2]
        kernel = _trace.flip(weight, tuple(range(2, rank + 2)))
        kernel = _trace.reshape(kernel, (groups, inputs // groups, outputs, *weight.shape[2:]))
        kernel = _trace.reshape(shapes.swapaxes(kernel, 1, 2), (groups * outputs, inputs // groups, *weight.shape[2:]))
        reach = [d * (k - 1) for d, k in zip(spread, weight.shape[2:])]
        made = _trace.apply("flat.convolution", [x, kernel], {
            "low": tuple(r - p for r, p in zip(reach, border)), "high": tuple(r - p + m for r, p, m in zip(reach, border, more)),
            "lhs_dilation": tuple(steps), "rhs_dilation": tuple(spread), "groups": int(groups)})[0]
        if bias is not None:
            made = _add(made, _trace.reshape(bias, (-1, *(1,) * rank)))
        return _trace.squeeze(made, 0) if is_single else made

    return run


def _window(x: Any, rank: int, size: Any, stride: Any, padding: Any, ceil_mode: Any, dilation: Any, name: str) -> dict[str, Any]:
    sizes = _each(size, rank, name)
    steps = sizes if stride in (None, [], ()) else _each(stride, rank, name)
    low, spread = _each(padding, rank, name), _each(dilation, rank, name)
    lead, high = x.ndim - rank, []
    for i, (extent, k, s, p, d) in enumerate(zip(x.shape[lead:], sizes, steps, low, spread)):
        span = extent + 2 * p - d * (k - 1) - 1
        more = 0
        if ceil_mode and span % s:
            count = span // s + 2
            if (count - 1) * s < extent + p:  # torch drops a window that begins in the border behind
                more = (count - 1) * s - span
        high.append(p + more)
    ones, none = (1,) * lead, (0,) * lead
    return {"window": (*ones, *sizes), "strides": (*ones, *steps), "low": (*none, *low), "high": (*none, *high),
            "window_dilation": (*ones, *spread)}


def max_pool(rank: int) -> Callable[..., Any]:
    name = f"torch.nn.functional.max_pool{rank}d"

    def run(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False,
            return_indices: Any = False) -> Any:
        only(name, return_indices=(return_indices, (False,)))
        x = as_array(input)
        return _trace.apply("flat.reduce_window_max", [x], _window(x, rank, kernel_size, stride, padding, ceil_mode, dilation, name))[0]

    return run


def max_pool_with_indices(rank: int) -> Callable[..., Any]:
    """torch's name of max_pool where return_indices is true."""
    pool = max_pool(rank)
    return lambda input, kernel_size, **options: pool(input, kernel_size, **{**options, "return_indices": True})


def avg_pool(rank: int) -> Callable[..., Any]:
    name = f"torch.nn.functional.avg_pool{rank}d"

    def run(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True,
            divisor_override: Any = None) -> Any:
        x = as_array(input)
        window = _window(x, rank, kernel_size, stride, padding, ceil_mode, 1, name)
        total = _trace.apply("flat.reduce_window_sum", [x], window)[0]
        if divisor_override is not None:
            return _div(total, float(divisor_override))
        border = _each(padding, rank, name)
        ones = _trace.full(x.shape[x.ndim - rank:], 1, x.dtype)
        lead = x.ndim - rank
        inner = {key: value[lead:] for key, value in window.items()}
        if count_include_pad:  # the border counts, what ceil_mode adds to it does not
            ones = _trace.pad(ones, border, border, 1)
            inner["low"] = (0,) * rank
            inner["high"] = tuple(high - p for high, p in zip(inner["high"], border))
        return _div(total, _trace.apply("flat.reduce_window_sum", [ones], inner)[0])

    return run


def adaptive_avg_pool(rank: int) -> Callable[..., Any]:
    name = f"torch.nn.functional.adaptive_avg_pool{rank}d"

    def run(input: Any, output_size: Any) -> Any:
        x = as_array(input)
        sizes = [output_size] * rank if not isinstance(output_size, (tuple, list)) else list(output_size)
        lead = x.ndim - rank
        for i, size in enumerate(sizes):
            axis, extent = lead + i, x.shape[lead + i]
            if size is None or size == extent:
                continue
            # Each result is a mean over its part of the axis: a product with a matrix of shares.
            shares = np.zeros((size, extent))
            for k in range(size):
                first, last = k * extent // size, -(-(k + 1) * extent // size)
                shares[k, first:last] = 1 / (last - first)
            x = shapes.moveaxis(_trace.matmul(shapes.moveaxis(x, axis, -1), converted(shares.T, x.dtype)), -1, axis)
        return x

    run.__name__ = name
    return run


def pad(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    x, widths = as_array(input), integers(pad, "torch.nn.functional.pad: pad")
    if len(widths) % 2 or len(widths) > 2 * x.ndim:
        wrong("torch.nn.functional.pad", f"{len(widths)} widths for an array of rank {x.ndim}", "pairs, the last axis first")
    pairs = [(0, 0)] * (x.ndim - len(widths) // 2) + [(widths[i], widths[i + 1]) for i in range(len(widths) - 2, -1, -2)]
    if mode == "constant":
        return _trace.pad(x, [low for low, _ in pairs], [high for _, high in pairs], 0 if value is None else value)
    numpys = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}
    if mode not in numpys:
        wrong("torch.nn.functional.pad: mode", repr(mode), "'constant', 'reflect', 'replicate' or 'circular'")
    only("torch.nn.functional.pad", value=(value, (None, 0)))
    if any(each < 0 for pair in pairs for each in pair):
        refuse("torch.nn.functional.pad", "", f"negative widths in mode {mode!r}", "value")
    return shapes.pad(x, pairs, numpys[mode])


def interpolate(input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: Any = None,
                recompute_scale_factor: Any = None, antialias: Any = False) -> Any:
    name = "torch.nn.functional.interpolate"
    only(name, antialias=(antialias, (False,)))
    x = as_array(input)
    rank = x.ndim - 2
    if (size is None) == (scale_factor is None):
        wrong(name, "size and scale_factor" if size is not None else "neither size nor scale_factor", "one of the two")
    factors = [None] * rank if scale_factor is None else list(scale_factor) if isinstance(scale_factor, (tuple, list)) else [scale_factor] * rank
    sizes = _each(size, rank, name) if size is not None else [math.floor(n * f) for n, f in zip(x.shape[2:], factors)]
    for i, (count, factor) in enumerate(zip(sizes, factors)):
        axis, extent = 2 + i, x.shape[2 + i]
        step = 1 / factor if factor is not None and not recompute_scale_factor else extent / count
        places = np.arange(count)
        at = (slice(None),) * axis
        if mode in ("nearest", "nearest-exact"):
            nearest = np.floor((places + (0.5 if mode == "nearest-exact" else 0)) * np.float32(step)).astype(np.int64)
            x = x[tuple([*at, np.minimum(nearest, extent - 1)])]
        elif mode in ("linear", "bilinear", "trilinear"):
            exact = places * ((extent - 1) / (count - 1) if count > 1 else 0.0) if align_corners else np.maximum((places + 0.5) * step - 0.5, 0)
            low = np.minimum(np.floor(exact).astype(np.int64), extent - 1)
            weights = np.zeros((count, extent))
            weights[places, low] += 1 - (exact - low)
            weights[places, np.minimum(low + 1, extent - 1)] += exact - low
            x = shapes.moveaxis(_trace.matmul(shapes.moveaxis(x, axis, -1), converted(weights.T, x.dtype)), -1, axis)
        else:
            refuse(name, "", f"mode={mode!r}, expected nearest or linear ones", "value")
    return x


def pixel_shuffle(input: Any, upscale_factor: Any) -> Any:
    x, r = as_array(input), int(upscale_factor)
    *lead, c, h, w = x.shape
    parts = _trace.reshape(x, (*lead, c // (r * r), r, r, h, w))
    n = len(lead)
    moved = _trace.transpose(parts, (*range(n), n, n + 3, n + 1, n + 4, n + 2))
    return _trace.reshape(moved, (*lead, c // (r * r), h * r, w * r))


# ---- attention

def scaled_dot_product_attention(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: Any = 0.0, is_causal: Any = False,
                                 scale: Any = None, enable_gqa: Any = False) -> Any:
    name = "torch.nn.functional.scaled_dot_product_attention"
    if dropout_p:
        refuse(name, "draw the mask outside of the function", f"dropout_p={dropout_p}", "value")
    q, k, v = together(query, key, value)
    if enable_gqa:
        k, v = (shapes.repeat(each, q.shape[-3] // each.shape[-3], -3) for each in (k, v))
    scores = _mul(_trace.matmul(q, shapes.swapaxes(k, -1, -2)), 1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if is_causal:
        if attn_mask is not None:
            wrong(name, "attn_mask and is_causal", "one of the two")
        attn_mask = np.tri(q.shape[-2], k.shape[-2], dtype=bool)
    if attn_mask is not None:
        mask = as_array(attn_mask)
        scores = _where(mask, scores, -math.inf) if kind_of(mask.dtype) == "b" else _add(scores, mask)
    weights = _trace.softmax(scores, -1)
    if attn_mask is not None and kind_of(as_array(attn_mask).dtype) == "b":
        weights = _where(_trace.any(mask, -1, True), weights, 0)  # of rows that nothing is asked for
    return _trace.matmul(weights, v)
