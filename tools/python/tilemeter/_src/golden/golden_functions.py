# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Golden functions: what operations compute, in torch's names. They take an operation's arguments with torch's tensors or
NumPy's arrays for ours, ignore those that say where and how to compute, and give the same kind (torch_or_numpy.py).

A golden function stands under its operation's name. An operation that computes the same as another one names that one in its
definition (runtime/operations/core/definition.hpp), and in-place forms need no mention: golden_name() knows both.
"""

from __future__ import annotations

import math
from typing import Any, Callable

from tilemeter._src.golden.comparison import comp_pcc
from tilemeter._src.golden.torch_or_numpy import Torch
from tilemeter._src.tensors.conversion import from_torch, to_torch
from tilemeter._src.types.types import TILE_LAYOUT
from tilemeter._tilemeter import UnaryOpType, UnaryWithParam, golden_names

Golden = Callable[..., Any]
Values = Any


torch = Torch()


def _of_one(path: str) -> Golden:
    return lambda x, *_, **__: Torch(path)(x)


def _of_two(path: str) -> Golden:
    return lambda a, b, *_, **__: Torch(path)(a, b)


# Functions of one element, by torch's names: the same as ours, or said.
_SAME = (
    "abs acos acosh angle asin asinh atan atanh bitwise_not ceil clone conj cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1"
    " floor frac i0 imag isfinite isinf isnan isneginf isposinf lgamma log log10 log1p log2 logical_not neg rad2deg real reciprocal relu"
    " rsqrt sigmoid sign signbit sin sinh sqrt square tan tanh tril triu trunc ones_like zeros_like"
)
_ONE = {
    **{name: name for name in _SAME.split()},
    "i1": "special.i1", "log_sigmoid": "nn.functional.logsigmoid", "sigmoid_accurate": "sigmoid",
    "swish": "nn.functional.silu",
    **{name: f"nn.functional.{name}" for name in "hardsigmoid hardswish mish relu6 selu silu softsign tanhshrink".split()},
}
# Functions of two elements.
_TWO = {
    **{name: name for name in (
        "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor eq fmod gcd ge gt hypot lcm le"
        " ldexp logaddexp logaddexp2 logical_and logical_or logical_xor lt maximum minimum multiply ne nextafter pow remainder"
        " subtract xlogy"
    ).split()},
    "logical_left_shift": "bitwise_left_shift", "isclose": "isclose",
}


def _divided(a: Values, b: Values, *_: Any, rounding_mode: str | None = None, **__: Any) -> Values:
    return torch.div(a, b, rounding_mode=rounding_mode)


def _xielu(x: Values, positive: float, negative: float) -> Values:
    """The integral of an ELU (arXiv 2411.13010): a parabola above 0, below it what ends in a line; both with a slope of 1/2."""
    above = positive * x * x
    below = negative * (torch.expm1(torch.clamp(x, max=-1e-6)) - x)
    return torch.where(x > 0, above, below) + 0.5 * x


def _activated(values: Values, activation: Any) -> Values:
    return GOLDENS[f"ttnn.{activation}"](values) if isinstance(activation, str) else values


def _matmul(
    a: Values, b: Values, transpose_a: bool = False, transpose_b: bool = False, *, bias: Values = None,
    activation: Any = None, **_: Any,
) -> Values:
    product = torch.matmul(a.swapaxes(-1, -2) if transpose_a else a, b.swapaxes(-1, -2) if transpose_b else b)
    if bias is not None:
        product = product + (bias[..., :1, :] if bias.ndim > 1 else bias)
    return _activated(product, activation)


def _floats(x: Values) -> Values:
    return x.float() if hasattr(x, "float") else x


def _whole(x: Values) -> Values:
    return x.long() if hasattr(x, "long") else x.astype(int)


def _row(parameter: Values, x: Values) -> Values:
    """All of a parameter in one row, with the element type of x."""
    row = parameter.reshape(-1)
    return row.to(x.dtype) if hasattr(row, "to") else row


def _layer_norm(
    x: Values, *, epsilon: float = 1e-12, residual_input_tensor: Values = None, weight: Values = None, bias: Values = None,
    **_: Any,
) -> Values:
    x = x if residual_input_tensor is None else x + residual_input_tensor
    weight, bias = (None if each is None else _row(each, x) for each in (weight, bias))
    return torch.nn.functional.layer_norm(x, (x.shape[-1],), weight, bias, epsilon)


def _rms_norm(
    x: Values, weight: Values = None, *, epsilon: float = 1e-12, residual_input_tensor: Values = None, bias: Values = None,
    **_: Any,
) -> Values:
    x = x if residual_input_tensor is None else x + residual_input_tensor
    x = x * torch.rsqrt(torch.mean(torch.square(x), -1, keepdim=True) + epsilon)
    x = x if weight is None else x * weight.reshape(-1)
    return x if bias is None else x + bias.reshape(-1)


def _batch_norm(
    x: Values, *, running_mean: Values = None, running_var: Values = None, training: bool = False, eps: float = 1e-5,
    momentum: float = 0.1, weight: Values = None, bias: Values = None, **_: Any,
) -> Values:
    parts = (None if each is None else each.reshape(-1) for each in (running_mean, running_var, weight, bias))
    mean, var, weight, bias = parts
    return torch.nn.functional.batch_norm(x, mean, var, weight, bias, training, momentum, eps)


def _reduced(name: str) -> Golden:
    def golden(x: Values, dim: Any = None, keepdim: bool = False, *_: Any, scalar: float = 1.0, **options: Any) -> Values:
        more = {"correction": int(options.get("correction", True))} if name in ("std", "var") else {}
        every = tuple(range(x.ndim)) if dim is None else tuple(dim) if isinstance(dim, list) else dim
        return Torch(name)(x, dim=every, keepdim=keepdim, **more) * scalar

    return golden


def _prod(x: Values, dim: int | None = None, keepdim: bool = False, **_: Any) -> Values:
    return torch.prod(x) if dim is None else torch.prod(x, dim=dim, keepdim=keepdim)


def _argmax(x: Values, dim: int | None = None, keepdim: bool = False, **_: Any) -> Values:
    return torch.argmax(x, dim=dim, keepdim=keepdim)


def _topk(x: Values, k: int = 32, dim: int = -1, largest: bool = True, sorted: bool = True, **_: Any) -> Values:
    return torch.topk(x, k, dim, largest, sorted)


def _attention(
    q: Values, k: Values, v: Values, *, attn_mask: Values = None, is_causal: bool = True, scale: float | None = None,
    **_: Any,
) -> Values:
    groups = q.shape[1] // k.shape[1]
    k, v = (torch.repeat_interleave(each, groups, 1) for each in (k, v))
    return torch.nn.functional.scaled_dot_product_attention(
        q, k, v, attn_mask, is_causal=is_causal and attn_mask is None, scale=scale
    )


def _concatenated_heads(x: Values, **_: Any) -> Values:
    batch, heads, length, size = x.shape
    return x.swapaxes(1, 2).reshape(batch, length, heads * size)


def _gated(activation: str) -> Golden:
    def golden(x: Values, dim: int = -1, **_: Any) -> Values:
        value, gate = torch.chunk(x, 2, dim)
        return value * Torch(activation)(gate)

    return golden


def _expanded(x: Values, sizes: Any, **_: Any) -> Values:
    return torch.broadcast_to(x, [x.shape[at - len(sizes)] if size == -1 else size for at, size in enumerate(sizes)])


def _to_4d(x: Values, *_: Any, **__: Any) -> Values:
    return x.reshape((1,) * (4 - x.ndim) + tuple(x.shape))


def _sliced(x: Values, starts: Any, ends: Any, steps: Any = None, **_: Any) -> Values:
    steps = [1] * len(starts) if steps is None else steps
    return x[tuple(slice(*part) for part in zip(starts, ends, steps))]


def _padded(x: Values, padding: Any, value: float = 0.0, **_: Any) -> Values:
    return torch.nn.functional.pad(x, [size for pair in reversed(list(padding)) for size in pair], value=value)


def _concatenated(parts: Any, dim: int = 0, groups: int = 1, **_: Any) -> Values:
    """groups: the first part of each tensor, then the second of each, ..."""
    if groups == 1:
        return torch.concat(list(parts), dim)
    cut = [torch.chunk(part, groups, dim) for part in parts]
    return torch.concat([pieces[group] for group in range(groups) for pieces in cut], dim)


def _masked_softmax(x: Values, scale: float | None = None, mask: Values = None, *_: Any, **__: Any) -> Values:
    x = x if scale is None else x * scale
    return torch.softmax(x if mask is None else x + mask, -1)


def _attention_softmax(x: Values, *, head_size: int | None = None, attention_mask: Values = None, **_: Any) -> Values:
    return _masked_softmax(x, None if head_size is None else head_size**-0.5, attention_mask)


def _split_heads(
    x: Values, kv_input_tensor: Values = None, *, num_heads: int, num_kv_heads: int | None = None, transpose_key: bool = True,
    **_: Any,
) -> Any:
    """Queries, keys and values: [batch, heads, length, size], keys turned unless told otherwise."""
    parts = num_heads if num_kv_heads is None else num_kv_heads
    both = x if kv_input_tensor is None else torch.cat([x, kv_input_tensor], -1)
    both = both.reshape(both.shape[0], both.shape[-2], -1)
    size = both.shape[-1] // (num_heads + 2 * parts)
    heads = both.reshape(*both.shape[:2], -1, size).swapaxes(1, 2)
    queries, keys, values = torch.split(heads, [num_heads, parts, parts], 1)
    return queries, keys.mT if transpose_key else keys, values


def _group_norm(
    x: Values, *, num_groups: int, epsilon: float = 1e-5, weight: Values = None, bias: Values = None, **_: Any
) -> Values:
    """Group norm of [N, 1, H * W, C] with weight and bias in rows of 32."""
    channels = x.shape[-1]
    weight, bias = (None if each is None else _row(each, x)[:channels] for each in (weight, bias))
    turned = x.reshape(x.shape[0], -1, channels).swapaxes(1, 2)
    return torch.nn.functional.group_norm(turned, num_groups, weight, bias, epsilon).swapaxes(1, 2).reshape(x.shape)


def _pictures(x: Values, batch: int, height: int, width: int, channels: int, padding: Any, fill: float) -> Values:
    """[1, 1, N * H * W, C] as torch's [N, C, H, W], padded: (vertical, horizontal) or (top, bottom, left, right)."""
    sides = list(padding)
    top, bottom, left, right = sides if len(sides) == 4 else (sides[0], sides[0], sides[1], sides[1])
    pictures = torch.permute(x.reshape(batch, height, width, channels), (0, 3, 1, 2))
    return torch.nn.functional.pad(pictures, (left, right, top, bottom), value=fill)


def _flat(pictures: Values) -> Values:
    batch, channels, height, width = pictures.shape
    return torch.permute(pictures, (0, 2, 3, 1)).reshape(1, 1, batch * height * width, channels)


def golden_maxpool2d(
    input_tensor: Values, batch_size: int, input_h: int, input_w: int, channels: int, kernel_size: Any, stride: Any,
    padding: Any, dilation: Any, ceil_mode: bool = False, return_indices: bool = False, **_: Any,
) -> Any:
    """The largest of each window of [1, 1, N * H * W, C], with return_indices their places as well."""
    pictures = _pictures(input_tensor, batch_size, input_h, input_w, channels, padding, float("-inf"))
    largest, places = torch.nn.functional.max_pool2d(
        pictures, kernel_size, stride, 0, dilation, ceil_mode=ceil_mode, return_indices=True
    )
    return (_flat(largest), _flat(places)) if return_indices else _flat(largest)


def golden_avg_pool2d(
    input_tensor: Values, batch_size: int, input_h: int, input_w: int, channels: int, kernel_size: Any, stride: Any,
    padding: Any, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None, **_: Any,
) -> Values:
    """The mean of each window of [1, 1, N * H * W, C]."""
    sides = list(padding)
    if len(sides) == 4 and sides[0] == sides[1] and sides[2] == sides[3]:
        sides = [sides[0], sides[2]]
    if len(sides) == 2:
        pictures = _pictures(input_tensor, batch_size, input_h, input_w, channels, (0, 0), 0.0)
        return _flat(torch.nn.functional.avg_pool2d(
            pictures, kernel_size, stride, tuple(sides), ceil_mode, count_include_pad, divisor_override
        ))
    pictures = _pictures(input_tensor, batch_size, input_h, input_w, channels, sides, 0.0)
    inside = _pictures(torch.ones_like(input_tensor), batch_size, input_h, input_w, channels, sides, 0.0)
    means, shares = (
        torch.nn.functional.avg_pool2d(each, kernel_size, stride, 0, ceil_mode, True, divisor_override)
        for each in (pictures, inside)
    )
    return _flat(means if count_include_pad or divisor_override else means / shares)


def _adaptive(path: str) -> Golden:
    def golden(
        input_tensor: Values, batch_size: int, input_h: int, input_w: int, channels: int, output_size: Any, **_: Any
    ) -> Values:
        return _flat(Torch(path)(_pictures(input_tensor, batch_size, input_h, input_w, channels, (0, 0), 0.0), tuple(output_size)))

    return golden


golden_adaptive_avg_pool2d = _adaptive("nn.functional.adaptive_avg_pool2d")
golden_adaptive_max_pool2d = _adaptive("nn.functional.adaptive_max_pool2d")


def golden_rotate(
    input_tensor: Values, angle: float, center: Any = None, fill: float = 0.0, expand: bool = False,
    interpolation_mode: str = "nearest", **_: Any,
) -> Values:
    """Images [N, H, W, C] turned counterclockwise by `angle` degrees about `center` (x, y; none: their middle)."""
    if interpolation_mode not in ("nearest", "bilinear"):
        raise ValueError(f"Unsupported interpolation mode: {interpolation_mode}")
    pictures = _floats(torch.permute(input_tensor, (0, 3, 1, 2)))
    batch, _channels, height, width = pictures.shape
    turn = math.radians(angle)
    cosine, sine = math.cos(turn), math.sin(turn)
    # Pixels are measured from the middle of the image, as grid_sample does.
    x0, y0 = (0.0, 0.0) if center is None else (center[0] - width * 0.5, center[1] - height * 0.5)
    source = torch.tensor(
        [[cosine, -sine, x0 - cosine * x0 + sine * y0], [sine, cosine, y0 - sine * x0 - cosine * y0]]
    ) / torch.tensor([[width * 0.5], [height * 0.5]])
    xs, ys = (torch.linspace(0.5 - size * 0.5, size * 0.5 - 0.5, size) for size in (width, height))
    places = torch.stack([xs.expand(height, width), ys[:, None].expand(height, width), torch.ones(height, width)], -1)
    grid = (places.reshape(-1, 3) @ source.T).reshape(1, height, width, 2).expand(batch, -1, -1, -1)
    # The share of the image in each pixel: the rest is filled.
    parts = torch.cat([pictures, torch.ones_like(pictures[:, :1])], 1)
    turned = torch.nn.functional.grid_sample(parts, grid, mode=interpolation_mode, padding_mode="zeros", align_corners=False)
    inside = turned[:, -1:]
    values = turned[:, :-1] * (inside if interpolation_mode == "bilinear" else 1.0) + (1.0 - inside) * fill
    return torch.permute(values, (0, 2, 3, 1)).to(input_tensor.dtype)


def golden_upsample(input_tensor: Values, scale_factor: Any, mode: str = "nearest", **_: Any) -> Values:
    """Images [N, H, W, C] larger by a factor, or one for the height and one for the width."""
    factors = tuple(float(each) for each in scale_factor) if isinstance(scale_factor, (list, tuple)) else float(scale_factor)
    more = {"align_corners": False} if mode == "bilinear" else {}
    pictures = torch.nn.functional.interpolate(torch.permute(input_tensor, (0, 3, 1, 2)), scale_factor=factors, mode=mode, **more)
    return torch.permute(pictures, (0, 2, 3, 1))


def golden_grid_sample(
    input_tensor: Values, grid: Values, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool = False,
    use_precomputed_grid: bool = False, batch_output_channels: bool = False, **_: Any,
) -> Values:
    """Images [N, H, W, C] at the places of [N, h, w, 2 * K]; K of them side by side, or one behind the other as channels."""
    if use_precomputed_grid:
        raise RuntimeError("golden_grid_sample: use_precomputed_grid: expected False, prepared grids have no places left")
    batch, height, width, pairs = grid.shape
    places = grid.reshape(batch, height, width * pairs // 2, 2)
    found = torch.nn.functional.grid_sample(
        _floats(torch.permute(input_tensor, (0, 3, 1, 2))), _floats(places), mode=mode, padding_mode=padding_mode, align_corners=align_corners
    ).permute(0, 2, 3, 1)
    if batch_output_channels:
        found = found.reshape(batch, height, width, -1)
    return found.to(input_tensor.dtype)


def golden_global_avg_pool2d(input_tensor: Values, **_: Any) -> Values:
    """The mean over height and width of [N, H, W, C]."""
    return input_tensor.mean((1, 2), keepdim=True)


def _scattered(x: Values, dim: int, index: Values, src: Values, *_: Any, reduce: str | None = None, **__: Any) -> Values:
    places = _whole(index)
    return torch.scatter(x, dim, places, src) if reduce is None else torch.scatter_reduce(x, dim, places, src, reduce)


def _backward_of(forward: Golden) -> Golden:
    """A gradient's golden function: what torch derives from that of the operation, one for each tensor."""

    def golden(grad: Values, *inputs: Any, **options: Any) -> Any:
        parts = [x.detach().clone().requires_grad_() if hasattr(x, "requires_grad_") else x for x in inputs]
        forward(*parts, **options).backward(gradient=grad)
        tensors = [x for x in parts if hasattr(x, "requires_grad_")]
        return [torch.zeros_like(x) if x.grad is None else x.grad for x in tensors]

    return golden


def _same(x: Values, *_: Any, **__: Any) -> Values:
    return x


_OTHERS: dict[str, Golden] = {
    # Complex operands.
    "alt_complex_rotate90": lambda x, **_: torch.stack((-x[..., 1::2], x[..., ::2]), -1).reshape(x.shape),
    "complex_tensor": lambda real, imag, **_: torch.complex(real, imag),
    "is_imag": lambda x, **_: torch.real(x) == 0,
    "is_real": lambda x, **_: torch.isreal(x),
    "polar": lambda x, **_: torch.polar(torch.real(x), torch.imag(x)),
    # One operand and numbers.
    "cbrt": lambda x, **_: torch.sign(x) * torch.abs(x) ** (1 / 3),
    "celu": lambda x, alpha=1.0, **_: torch.nn.functional.celu(x, alpha),
    "clamp": lambda x, min=None, max=None, **_: torch.clamp(x, min, max),
    "elu": lambda x, alpha=1.0, **_: torch.nn.functional.elu(x, alpha),
    "eqz": lambda x, **_: torch.eq(x, 0),
    "fill": lambda x, value, **_: torch.full_like(x, value),
    "gelu": lambda x, **_: torch.nn.functional.gelu(x),
    "gez": lambda x, **_: torch.ge(x, 0),
    "gtz": lambda x, **_: torch.gt(x, 0),
    "hardmish": lambda x, **_: x * torch.clamp(x + 2.8, 0.0, 5.0) / 5,
    "hardshrink": lambda x, lambd=0.5, **_: torch.nn.functional.hardshrink(x, lambd),
    "hardtanh": lambda x, min_val=-1.0, max_val=1.0, **_: torch.nn.functional.hardtanh(x, min_val, max_val),
    "heaviside": lambda x, value, **_: torch.heaviside(x, torch.full_like(x, value)),
    "leaky_relu": lambda x, negative_slope=0.01, **_: torch.nn.functional.leaky_relu(x, negative_slope),
    "lez": lambda x, **_: torch.le(x, 0),
    "logit": lambda x, eps=None, **_: torch.special.logit(x, eps),
    "ltz": lambda x, **_: torch.lt(x, 0),
    "nez": lambda x, **_: torch.ne(x, 0),
    "polygamma": lambda x, k, **_: torch.special.polygamma(int(k), x),
    "prelu": lambda x, weight, **_: (
        torch.nn.functional.prelu(x, weight.reshape(-1)) if hasattr(weight, "reshape") else torch.where(x > 0, x, weight * x)
    ),
    "relu_max": lambda x, upper_limit, **_: torch.relu(torch.clamp(x, max=upper_limit)),
    "relu_min": lambda x, lower_limit, **_: torch.relu(torch.clamp(x, min=lower_limit)),
    "round": lambda x, decimals=0, **_: torch.round(x, decimals=decimals or 0),
    "softplus": lambda x, beta=1.0, threshold=20.0, **_: torch.nn.functional.softplus(x, beta, threshold),
    "softshrink": lambda x, lambd=0.5, **_: torch.nn.functional.softshrink(x, lambd),
    "threshold": lambda x, threshold, value, **_: torch.nn.functional.threshold(x, threshold, value),
    "glu": _gated("sigmoid"),
    "geglu": _gated("nn.functional.gelu"),
    "reglu": _gated("relu"),
    "swiglu": _gated("nn.functional.silu"),
    "xielu": lambda x, alpha_p=0.8, alpha_n=0.8, **_: _xielu(x, alpha_p, alpha_n),
    "multigammaln": lambda x, *_, **__: torch.special.multigammaln(x, 4),
    # Several operands.
    "addalpha": lambda a, b, alpha=1.0, **_: a + alpha * b,
    "addcdiv": lambda a, b, c, value=1.0, **_: a + value * b / c,
    "addcmul": lambda a, b, c, value=1.0, **_: a + value * b * c,
    "addmm": lambda a, b, c, alpha=1.0, beta=1.0, **_: beta * a + alpha * torch.matmul(b, c),
    "bias_gelu": lambda a, b, **_: torch.nn.functional.gelu(a + b),
    "divide": _divided,
    "div_no_nan": lambda a, b, **_: torch.where(b + 0 * a == 0, torch.zeros_like(a), a / b),
    "floor_div": lambda a, b, **_: torch.floor_divide(a, b),
    "lerp": lambda a, b, weight, **_: a + weight * (b - a),
    "mac": lambda a, b, c, **_: a * b + c,
    "snake_beta": lambda x, alpha, beta, **_: x + torch.sin(alpha * x) ** 2 / beta,
    "rdiv": lambda a, value, **_: value / a,
    "rpow": lambda a, value, **_: value**a,
    "rsub": lambda a, b, **_: b - a,
    "squared_difference": lambda a, b, **_: (a - b) ** 2,
    "subalpha": lambda a, b, alpha=1.0, **_: a - alpha * b,
    "where": lambda condition, a, b, **_: torch.where(condition != 0, a, b),
    "l1_loss": lambda a, b, reduction=None, **_: _lost(torch.abs(a - b), reduction),
    "mse_loss": lambda a, b, reduction=None, **_: _lost((a - b) ** 2, reduction),
    # Products, norms, reductions.
    "matmul": _matmul,
    "embedding": lambda indices, weight, **_: torch.nn.functional.embedding(_whole(indices), torch.squeeze(weight)),
    "softmax": lambda x, dim=-1, **_: torch.softmax(x, dim),
    "layer_norm": _layer_norm,
    "rms_norm": _rms_norm,
    "batch_norm": _batch_norm,
    "sum": _reduced("sum"),
    "mean": _reduced("mean"),
    "max": _reduced("amax"),
    "min": _reduced("amin"),
    "std": _reduced("std"),
    "var": _reduced("var"),
    "std_hw": lambda x, **_: torch.std(x, dim=(-2, -1), correction=0, keepdim=True),
    "var_hw": lambda x, **_: torch.var(x, dim=(-2, -1), correction=0, keepdim=True),
    "prod": _prod,
    "argmax": _argmax,
    "topk": _topk,
    "cumsum": lambda x, dim, **_: torch.cumsum(x, dim),
    "cumprod": lambda x, dim, **_: torch.cumprod(x, dim),
    "sort": lambda x, dim=-1, descending=False, **_: torch.sort(x, dim=dim, descending=descending),
    # Values as they are, in another place or order.
    "chunk": lambda x, chunks, dim=0, **_: torch.chunk(x, chunks, dim),
    "concat": _concatenated,
    "expand": _expanded,
    "gather": lambda x, dim, index, **_: torch.gather(x, dim, _whole(index)),
    "permute": lambda x, dims, **_: torch.permute(x, tuple(dims)),
    "repeat": lambda x, repeat_dims, **_: torch.tile(x, tuple(repeat_dims)),
    "repeat_interleave": lambda x, repeats, dim, **_: torch.repeat_interleave(x, repeats, dim),
    "reshape": lambda x, shape, **_: x.reshape(tuple(shape)),
    "roll": lambda x, shifts, dim=None, **_: torch.roll(x, shifts, dim),
    "narrow": lambda x, dim, start, length, **_: torch.split(x, [start, length, x.shape[dim] - start - length], dim)[1],
    "slice": _sliced,
    "pad": _padded,
    "split": lambda x, split_size, dim=0, **_: torch.split(x, split_size, dim),
    "squeeze": lambda x, dim=None, **_: torch.squeeze(x) if dim is None else torch.squeeze(x, dim),
    "stack": lambda parts, dim, **_: torch.stack(list(parts), dim),
    "transpose": lambda x, dim1, dim2, **_: torch.transpose(x, dim1, dim2),
    "unsqueeze": lambda x, dim, **_: torch.unsqueeze(x, dim),
    "unsqueeze_to_4D": _to_4d,
    "transformer.scaled_dot_product_attention": _attention,
    "transformer.concatenate_heads": _concatenated_heads,
    "transformer.attention_softmax": _attention_softmax,
    "transformer.split_query_key_value_and_split_heads": _split_heads,
    "scale_mask_softmax": _masked_softmax,
    "group_norm": _group_norm,
    "scatter": _scattered,
    "scatter_add": lambda x, dim, index, src, *_, **__: torch.scatter_add(x, dim, _whole(index), src),
    "outer": lambda a, b, *_, **__: torch.outer(a.reshape(-1), b.reshape(-1)),
    "index_fill": lambda x, dim, index, value, *_, **__: torch.index_fill(x, dim, _whole(index), value),
    "pearson_correlation_coefficient": lambda expected, actual: _correlation(expected, actual),
    # Windows, of [1, 1, N * H * W, C].
    "conv2d": lambda *args, **named: _conv2d(*args, **named),
    "max_pool2d": golden_maxpool2d,
    "avg_pool2d": golden_avg_pool2d,
    "adaptive_avg_pool2d": golden_adaptive_avg_pool2d,
    "adaptive_max_pool2d": golden_adaptive_max_pool2d,
    # Images [N, H, W, C].
    "rotate": golden_rotate,
    # Those that are made in Python; the others name identity.
    **dict.fromkeys(("as_tensor", "from_torch", "identity", "to_dtype", "to_torch"), _same),
}


def _conv2d(
    input_tensor: Values, weight_tensor: Values, in_channels: int, out_channels: int, batch_size: int, input_height: int,
    input_width: int, kernel_size: Any, stride: Any = (1, 1), padding: Any = (0, 0), dilation: Any = (1, 1), groups: int = 1,
    bias_tensor: Values | None = None, conv_config: Any = None, return_output_dim: bool = False,
    return_weights_and_bias: bool = False, dtype: Any = None, **_: Any,
) -> Any:
    """[1, 1, N * H * W, C], in a list where more than the result is asked for; channels behind in_channels are left out."""
    around = [padding] if isinstance(padding, int) else list(padding)
    if len(around) not in (1, 2, 4):
        raise ValueError("Padding should be a scalar or a list of 2 or 4 elements")
    top, bottom, left, right = around if len(around) == 4 else [around[0]] * 2 + [around[-1]] * 2
    images = input_tensor.reshape(batch_size, input_height, input_width, -1)[..., :in_channels]
    images = _floats(torch.permute(images, (0, 3, 1, 2)))
    images = torch.nn.functional.pad(images, (left, right, top, bottom))
    bias = None if bias_tensor is None else bias_tensor.reshape(-1).float()
    result = torch.nn.functional.conv2d(images, weight_tensor.float(), bias, stride, 0, dilation, groups)
    activation = get_golden_function_for_activation(None if conv_config is None else conv_config.activation)
    result = result if activation is None else activation(result)
    result = torch.permute(result, (0, 2, 3, 1)).reshape(1, 1, -1, result.shape[1])
    if dtype is not None:
        result = to_torch(from_torch(result, dtype, layout=TILE_LAYOUT))
    return [result] if return_output_dim or return_weights_and_bias else result


def _correlation(expected: Values, actual: Values) -> float:
    return comp_pcc(expected, actual)[1]


def _lost(values: Values, reduction: Any) -> Values:
    kind = getattr(reduction, "name", str(reduction)).lower()
    return {"mean": values.mean, "sum": values.sum}.get(kind, lambda: values)()


GOLDENS: dict[str, Golden] = {
    f"ttnn.{name}": golden
    for name, golden in {
        **{name: _of_one(path) for name, path in _ONE.items()},
        **{name: _of_two(path) for name, path in _TWO.items()},
        **_OTHERS,
    }.items()
}

_OF_OTHERS = golden_names()


def golden_name(name: str) -> str:
    """The name in GOLDENS for the operation `name`: "ttnn.add" for "ttnn.add_"."""
    return _OF_OTHERS.get(name, name.removesuffix("_"))


# Operations whose gradient has another name than theirs with _bw behind it.
_FORWARD = {"ttnn.assign": "ttnn.identity", "ttnn.clip": "ttnn.clamp", "ttnn.div": "ttnn.divide", "ttnn.mul": "ttnn.multiply",
            "ttnn.sub": "ttnn.subtract", "ttnn.min": "ttnn.minimum", "ttnn.max": "ttnn.maximum"}


def golden_of(name: str) -> Golden | None:
    """The golden function of the operation `name`; of a gradient what torch derives."""
    if name.endswith("_bw"):
        forward = name.removesuffix("_bw")
        golden = GOLDENS.get(golden_name(_FORWARD.get(forward, forward)))
        return None if golden is None else _backward_of(golden)
    return GOLDENS.get(golden_name(name))


# The activations that operations take: those that UnaryOpType says.
_TAKEN = "RELU RELU6 SILU MISH SIGMOID HARDSIGMOID TANH LOG SOFTPLUS GELU SQRT".split()


def _gelu_tanh(x: Any) -> Any:
    return torch.nn.functional.gelu(x, approximate="tanh")


def get_golden_function_for_activation(activation: object) -> Golden | None:
    """The golden function of an activation, in torch: of a name ("relu", "gelu_approx"), a UnaryOpType or a
    UnaryWithParam.

    None for None. Raises RuntimeError for what is none.
    """
    if activation is None:
        return None
    if isinstance(activation, str):
        name = activation.removesuffix("_approx")
        golden = _gelu_tanh if name == "gelu_tanh" else GOLDENS.get(golden_name(f"ttnn.{name}"))
        if golden is None:
            raise RuntimeError(f"Unsupported activation: {activation}")
        return golden
    kind = activation.op_type if isinstance(activation, UnaryWithParam) else activation
    if isinstance(kind, UnaryOpType):
        if kind.name == "GELU_TANH":
            return _gelu_tanh
        if kind.name in _TAKEN:
            return GOLDENS[f"ttnn.{kind.name.lower()}"]
    raise RuntimeError(f"{kind} is not supported as activation function")
