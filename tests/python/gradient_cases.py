# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The operands for the gradient of each operation, and its results in torch where it has no golden function.

A case is made of the operation's name: one tensor, or as many as its golden function takes. CASES has what needs more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import in_torch
import numpy as np
from in_torch import torch

import tilemeter as ttnn
from tilemeter._src.golden.golden_functions import _FORWARD, _TWO, golden_of


class Given(NamedTuple):
    """A tensor that an operation is given."""

    shape: tuple[int, ...] = (32, 32)
    low: float = -2
    high: float = 2
    # "distinct": no two are equal within 64 of a row or column; "constant": without a gradient; "whole": numbers from low to high;
    # "pages": each once
    kind: str = "float"
    layout: str = "TILE"
    memory: str = "DRAM"  # or "L1 height": in shards, one for each of the second dimension ("L1 height 1": in row 1 of cores)
    dtype: str = ""  # of whole numbers


class Case(NamedTuple):
    given: tuple[Given, ...]
    call: Callable[..., Any] = lambda operation, *tensors: operation(*tensors)  # of the golden function as well
    torch: Callable[..., Any] | None = None  # in its place, with the tensors alone
    writes: tuple[int, ...] = ()  # it writes to these: they are copied before


def _unread(like: Any) -> Any:
    """Memory for a result; what it holds changes every sum that it gets into."""
    return ttnn.full_like(like, float("nan"))


def values_of(given: Given, seed: int) -> Any:
    """Multiples of 1/128, or of 1/16 where they are large, that bfloat16 has as well: none of them a multiple of 1/4, none of
    an even seed among those of an odd one."""
    random = np.random.default_rng(seed)
    if given.kind == "whole":
        return random.integers(int(given.low), int(given.high), given.shape)
    if given.kind == "pages":
        return random.permutation(int(np.prod(given.shape))).reshape(given.shape)
    if given.kind == "distinct":
        at = np.indices(given.shape)
        return ((at[-2] * 5 + at[-1] * 7 + seed) * 11 % 64 / 32 - 1 + 1 / 64).astype(np.float32)
    if given.kind == "places":  # of images 5 wide and 6 high, as grid_sample has them, a quarter of a pixel from the next
        pixels = random.integers(0, 4, given.shape) + random.choice([0.25, 0.5, 0.75], given.shape)
        return ((2 * pixels + 1) / np.array([5, 6]) - 1).astype(np.float32)
    unit = 64 if max(abs(given.low), abs(given.high)) <= 2 else 8
    steps = random.integers(0, max(int((given.high - given.low) * unit) - 1, 1), given.shape)
    steps = steps + (steps % (unit // 4) == 0)
    return (given.low + steps / unit + (seed % 2) / (2 * unit)).astype(np.float32)


# ---- functions of elements

_RANGES = {
    **dict.fromkeys("acos asin atanh erfinv".split(), (-0.8, 0.8)), "acosh": (1.3, 3), "log1p": (-0.5, 2), "logit": (0.1, 0.9),
    "logiteps": (0.2, 0.8), "multigammaln": (2, 4), "tan": (-1, 1), "relu6": (-2, 8),
    **dict.fromkeys("log log10 log2 rsqrt sqrt reciprocal rdiv pow rpow xlogy atan2 hypot divide div div_no_nan fmod remainder addcdiv"
                    " cbrt".split(), (0.5, 2)),
    **dict.fromkeys("digamma lgamma polygamma".split(), (1, 3)),
}
_NUMBERS: dict[str, tuple[Any, ...]] = {
    "clamp": (-1.25, 0.75), "clip": (-1.25, 0.75), "fill": (2.0,), "full_like": (2.0,), "heaviside": (0.5,), "leaky_relu": (0.2,),
    "pow": (3.0,), "prelu": (0.3,), "rdiv": (3.0,), "relu_max": (0.75,), "relu_min": (0.5,), "rpow": (2.5,), "threshold": (0.5, 3.0),
    "polygamma": (2,), "addalpha": (0.7,), "subalpha": (0.7,), "softcap": (1.5,), "logiteps": (0.1,),
}
# By name: of the operation and of its gradient.
_OPTIONS: dict[str, dict[str, Any]] = {
    "celu": {"alpha": 0.7}, "celu_bw": {"alpha": 0.7}, "elu": {"alpha": 0.7}, "elu_bw": {"alpha": 0.7}, "softshrink": {"lambd": 0.25},
    "softshrink_bw": {"lambd": 0.25}, "hardshrink": {"lambd": 0.25}, "hardshrink_bw": {"lambd": 0.25}, "fill_bw": {},
    "logiteps_bw": {"eps": 0.1},
    "hardtanh": {"min_val": -1.25, "max_val": 0.75}, "hardtanh_bw": {"min": -1.25, "max": 0.75}, "leaky_relu_bw": {"negative_slope": 0.2},
    "clamp_bw": {"min": -1.25, "max": 0.75}, "clip_bw": {"min": -1.25, "max": 0.75},
}
_TENSORS = {
    **dict.fromkeys("addalpha subalpha bias_gelu divide div div_no_nan floor_div rsub squared_difference".split(), 2),
    **dict.fromkeys("addcdiv addcmul lerp mac where".split(), 3), "pow": 1, "rpow": 1, "mul": 2, "sub": 2, "max": 2, "min": 2,
}


def _tensors_of(base: str) -> int:
    return _TENSORS.get(base, 2 if base in _TWO else 1)


def _elements(base: str) -> tuple[Given, ...]:
    low, high = _RANGES.get(base, (-2, 2))
    return tuple(Given(low=low, high=high) for _ in range(_tensors_of(base)))


def _backward(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The gradient of a function, which has one itself."""

    def reference(grad: Any, *given: Any) -> Any:
        value = forward(*given)
        wanted = [each for each in given if each.requires_grad]
        if not value.requires_grad:
            return [torch.zeros_like(each) for each in wanted]
        found = torch.autograd.grad(value, wanted, grad, create_graph=True, allow_unused=True)
        return [torch.zeros_like(each) if of is None else of for each, of in zip(wanted, found)]

    return reference


def _case_of_gradient(name: str) -> Case | None:
    """The case of exp_bw: the gradient of the result, then the operands of exp."""
    base = name.removesuffix("_bw")
    forward = _FORWARD.get(f"ttnn.{base}", f"ttnn.{base}").removeprefix("ttnn.")
    golden = REFERENCES.get(forward) or golden_of(f"ttnn.{forward}")
    if golden is None:
        return None
    options, of_forward = _OPTIONS.get(name, {}), _OPTIONS.get(base, {})
    numbers = () if name in _OPTIONS else _NUMBERS.get(base, ())
    if name in ("addcdiv_bw", "addcmul_bw"):
        numbers, of_forward = (0.7,), {"value": 0.7}
    in_torch = () if "value" in of_forward else _NUMBERS.get(base, ())
    return Case((Given(low=-1, high=1), *_elements(base)), lambda operation, *given: operation(*given, *numbers, **options),
                _backward(lambda *given: golden(*given, *in_torch, **of_forward)))


def _case_of_elements(name: str) -> Case | None:
    """The case of exp, exp_ and exp_bw alike."""
    if name.endswith("_bw"):
        return _case_of_gradient(name)
    base = name.removesuffix("_")
    golden = REFERENCES.get(base) or golden_of(f"ttnn.{base}")
    if golden is None:
        return None
    numbers, options = _NUMBERS.get(base, ()), _OPTIONS.get(base, {})
    return Case(_elements(base), lambda operation, *given: operation(*given, *numbers, **options),
                lambda *given: golden(*given, *numbers, **options), (0,) if name.endswith("_") else ())


def _multigammaln(x: Any, *_: Any) -> Any:
    return torch.special.multigammaln(x, 4)


# Functions of elements that have no golden function, with the same arguments.
REFERENCES: dict[str, Callable[..., Any]] = {
    "clip": lambda x, low, high: torch.clamp(x, low, high), "div": lambda a, b: a / b, "multigammaln": _multigammaln,
    "full_like": lambda x, value: torch.full_like(x, value), "softcap": lambda x, cap: cap * torch.tanh(x / cap),
    "logiteps": lambda x, eps: torch.special.logit(x, eps), "fill_zero": lambda x: x * 0, "assign": lambda x: x,
    # Operations of which torch's own have no derivative, or none of their gradient.
    "floor_div": lambda a, b: torch.floor(a / b), "heaviside": lambda x, value: torch.where(x == 0, value, (x > 0) * 1.0),
    "hardsigmoid": lambda x: torch.clamp(x / 6 + 0.5, 0, 1), "hardswish": lambda x: x * torch.clamp(x / 6 + 0.5, 0, 1),
    "xielu": lambda x: torch.where(x > 0, 0.8 * x * x + 0.5 * x, 0.8 * (torch.expm1(torch.clamp(x, max=-1e-6)) - x) + 0.5 * x),
}


# ---- all others

def _same(x: Any, *_: Any) -> Any:
    return x


def _moved(*more: Any, given: Given = Given(), torch: Callable[..., Any] = _same, **options: Any) -> Case:
    return Case((given,), lambda operation, x: operation(x, *more, **options), torch)


def _by_golden(*given: Given, more: tuple[Any, ...] = (), **options: Any) -> Case:
    return Case(given, lambda operation, *tensors: operation(*tensors, *more, **options))


_FOUR = Given((1, 2, 32, 64))
_ROWS = Given((1, 2, 32, 64), layout="ROW_MAJOR")
_SPREAD = Given((64, 64), kind="distinct")
_TWO_BY = (Given((2, 32, 64)), Given((64, 96)))


def _adam_case(decoupled: bool) -> Case:
    return Case((Given(), Given(), Given(), Given(low=0.25, high=1)),
                lambda operation, *given: operation(*given, lr=0.01, beta1=0.9, beta2=0.99, eps=1e-3, weight_decay=0.1, step=3)[:3],
                in_torch.adam(decoupled))


_GRID = ttnn.CoreCoord(8, 8)

# ---- windows, of [1, 1, N * H * W, C]

_IMAGES = Given((1, 1, 2 * 9 * 7, 32), kind="float", layout="ROW_MAJOR")
_DISTINCT_IMAGES = Given((1, 1, 2 * 9 * 7, 32), kind="distinct", layout="ROW_MAJOR")
_SIZES = {"batch_size": 2, "input_h": 9, "input_w": 7, "channels": 32}


def _shards(cores: int) -> Any:
    return ttnn.create_sharded_memory_config([64 // cores, 64], ttnn.CoreGrid(y=1, x=cores), ttnn.ShardStrategy.HEIGHT,
                                             use_height_and_width_as_shard_shape=True)


def _group_normalized(operation: Any, x: Any) -> Any:
    """In one shard; the mask says which channels are a group's."""
    mask = ttnn.to_device(ttnn.create_group_norm_input_mask(64, 2, 1), x.device())
    return operation(ttnn.to_memory_config(x, _shards(1)), num_groups=2, input_mask=mask, core_grid=ttnn.CoreGrid(y=1, x=1),
                     inplace=False, epsilon=1e-5, memory_config=_shards(1))


def _upsampled(mode: str) -> Callable[..., Any]:
    def larger(x: Any) -> Any:
        more = {"align_corners": False} if mode == "bilinear" else {}
        return torch.nn.functional.interpolate(x.permute(0, 3, 1, 2), scale_factor=(2.0, 3.0), mode=mode, **more).permute(0, 2, 3, 1)

    return larger


def _folded(x: Any) -> Any:
    x = torch.nn.functional.pad(x, (0, 0, 1, 1, 1, 1))
    batch, height, width, channels = x.shape
    return x.reshape(batch, height // 2, 2, width // 2, 2, channels).permute(0, 1, 3, 2, 4, 5).reshape(
        batch, height // 2, width // 2, 4 * channels)


def _sampled(x: Any, grid: Any) -> Any:
    return torch.nn.functional.grid_sample(x.permute(0, 3, 1, 2), grid, align_corners=False).permute(0, 2, 3, 1)


CASES: dict[str, Case] = {
    # Values as they are, in another place or order.
    "chunk": _by_golden(_FOUR, more=(2, -1)),
    "clone": _moved(), "experimental.typecast": _moved(ttnn.bfloat16), "typecast": _moved(ttnn.bfloat16),
    "fill_implicit_tile_padding": _moved(0.0), "identity": _moved(), "move": _moved(), "reallocate": _moved(),
    "tilize_with_zero_padding": _moved(given=Given(layout="ROW_MAJOR")), "tilize": _moved(given=Given(layout="ROW_MAJOR")),
    "untilize": _moved(), "to_layout": _moved(ttnn.ROW_MAJOR_LAYOUT), "to_memory_config": _moved(ttnn.L1_MEMORY_CONFIG),
    "assign": _moved(memory_config=ttnn.L1_MEMORY_CONFIG), "bitcast": _moved(ttnn.float32),
    "copy": Case((Given(), Given()), lambda operation, a, b: operation(a, b), lambda a, b: a, (1,)),
    "concat": Case((Given((32, 32)), Given((32, 64))), lambda operation, a, b: operation([a, b], 1)),
    "stack": Case((Given(), Given()), lambda operation, a, b: operation([a, b], 1)),
    "expand": _by_golden(Given((1, 1, 1, 32)), more=([1, 2, 32, 32],)),
    "experimental.view": _moved([1, 1, 64, 64], given=_FOUR, torch=lambda x: x.reshape(1, 1, 64, 64)),
    "view": _moved([64, 64], given=_FOUR, torch=lambda x: x.reshape(64, 64)),
    "reshape": _by_golden(_FOUR, more=([2, 64, 32],)),
    "reshape_on_device": _moved(1, 4, 32, 32, given=_FOUR, torch=lambda x: x.reshape(1, 4, 32, 32)),
    "permute": _by_golden(_FOUR, more=([0, 2, 1, 3],)), "transpose": _by_golden(_FOUR, more=(-2, -1)),
    "repeat": _by_golden(_FOUR, more=([1, 2, 1, 1],)), "repeat_interleave": _by_golden(_FOUR, more=(2, 1)),
    "roll": _by_golden(_FOUR, more=(1, 1)), "slice": _by_golden(_FOUR, more=([0, 0, 0, 32], [1, 2, 32, 64])),
    "split": _by_golden(_FOUR, more=(32, -1)), "squeeze": _by_golden(_FOUR, more=(0,)), "unsqueeze": _by_golden(_FOUR, more=(1,)),
    "unsqueeze_to_4D": _by_golden(Given((32, 64))), "pad": _by_golden(_ROWS, more=([(0, 0), (0, 0), (0, 32), (0, 0)], 0.5)),
    "tilize_with_val_padding": _moved([1, 2, 32, 64], 0.0, given=_ROWS),
    "untilize_with_unpadding": _moved([0, 1, 15, 31], given=_FOUR, torch=lambda x: x[:, :, :16, :32]),
    "gather": Case((Given((32, 64)), Given((32, 32), 0, 64, "whole", dtype="uint32")), lambda operation, x, at: operation(x, 1, at)),
    "index_fill": Case((Given((32, 64), layout="ROW_MAJOR"), Given((4,), 0, 32, "whole", "ROW_MAJOR", dtype="uint32")),
                       lambda operation, x, at: operation(x, 0, at, 2.0)),
    "scatter_add": Case((Given((32, 64), layout="ROW_MAJOR"), Given((32, 32), 0, 64, "whole", "ROW_MAJOR", dtype="uint32"),
                         Given((32, 32), layout="ROW_MAJOR")), lambda operation, x, at, part: operation(x, 1, at, part)),
    "scatter": Case((Given((32, 64), layout="ROW_MAJOR"), Given((32, 1), 0, 64, "whole", "ROW_MAJOR", dtype="uint32"),
                     Given((32, 1), layout="ROW_MAJOR")), lambda operation, x, at, part: operation(x, 1, at, part)),
    "sort": Case((_SPREAD,), lambda operation, x: operation(x, -1)),
    "topk": Case((_SPREAD,), lambda operation, x: operation(x, 32, -1)),
    # Functions of elements that need more than numbers.
    "where": Case((Given(low=-1, high=1), Given(), Given()), lambda operation, *given: operation(*given)),
    "addalpha_bw": Case((Given(), Given(), Given()), lambda operation, *given: operation(*given, 0.7), _backward(lambda a, b: a + 0.7 * b)),
    "subalpha_bw": Case((Given(), Given(), Given()), lambda operation, *given: operation(*given, 0.7), _backward(lambda a, b: a - 0.7 * b)),
    "concat_bw": Case((Given((1, 1, 64, 32)), Given((1, 1, 32, 32)), Given((1, 1, 32, 32))), lambda operation, *given: operation(*given, 2),
                      _backward(lambda a, b: torch.cat([a, b], 2))),
    "bcast": Case((Given((1, 1, 32, 64)), Given((1, 1, 1, 64))),
                  lambda operation, a, b: operation(a, b, ttnn.BcastOpMath.MUL, ttnn.BcastOpDim.H), lambda a, b: a * b),
    "clamped_silu_glu": Case((Given(low=-1, high=1), Given(low=-1, high=1)), lambda operation, a, b: operation(a, b, 0.7),
                             lambda a, b: torch.nn.functional.silu(torch.clamp(a, max=0.7)) * torch.clamp(b, -0.7, 0.7)),
    "polyval": Case((Given(),), lambda operation, x: operation(x, [0.5, -1.0, 2.0]), lambda x: 0.5 * x * x - x + 2),
    "unary_chain": Case((Given(),), lambda operation, x: operation(x, [ttnn.UnaryWithParam(ttnn.UnaryOpType.TANH),
                                                                       ttnn.UnaryWithParam(ttnn.UnaryOpType.SQUARE)]),
                        lambda x: torch.tanh(x).square()),
    "where_bw": Case((Given(), Given(low=-1, high=1), Given(), Given()), lambda operation, *given: operation(*given),
                     lambda g, c, a, b: [torch.where(c != 0, g, 0 * g), torch.where(c != 0, 0 * g, g)]),
    "lerp_bw": Case((Given(), Given(), Given(), Given()), lambda operation, *given: operation(*given),
                    _backward(lambda a, b, c: a + c * (b - a))),
    "div_no_nan_bw": Case((Given(), Given()), lambda operation, g, x: operation(g, x, 2.5), lambda g, x: g / 2.5),
    "glu": _by_golden(Given((1, 1, 32, 128)), more=(-1,)), "geglu": _by_golden(Given((1, 1, 32, 128)), more=(-1,)),
    "reglu": _by_golden(Given((1, 1, 32, 128)), more=(-1,)), "swiglu": _by_golden(Given((1, 1, 32, 128)), more=(-1,)),
    "repeat_bw": Case((Given((1, 2, 32, 32)), Given((1, 1, 32, 32))), lambda operation, g, x: operation(g, x, [1, 2, 1, 1]),
                      _backward(lambda x: x.repeat(1, 2, 1, 1))),
    # It takes the base for the exponent, as TT-NN's does.
    "rpow_bw": Case((Given(), Given(low=0.5, high=2)), lambda operation, g, x: operation(g, x, 2.5), lambda g, x: g * 2.5 * x**1.5),
    "prod_bw": Case((Given((1, 1, 32, 1), -1, 1), Given((1, 1, 32, 32), 0.9, 1.1)), lambda operation, g, x: operation(g, x, dim=3),
                    _backward(lambda x: x.prod(3, keepdim=True))),
    "embedding_bw": Case((Given((1, 32), 0, 64, "whole", "ROW_MAJOR", dtype="uint32"), Given((1, 1, 64, 64)), Given((1, 1, 32, 64))),
                         lambda operation, at, table, g: operation(at, table, g, dtype=ttnn.bfloat16),
                         lambda at, table, g: torch.zeros_like(table).index_add(2, at.reshape(-1).long(), g)),
    # Products.
    "matmul": _by_golden(*_TWO_BY), "linear": Case((*_TWO_BY, Given((1, 96))), lambda operation, a, b, c: operation(a, b, bias=c, activation="gelu"),
                                                   lambda a, b, c: torch.nn.functional.gelu(a @ b + c)),
    "addmm": Case((Given((32, 96)), Given((32, 64)), Given((64, 96))), lambda operation, a, b, c: operation(a, b, c, alpha=0.5, beta=2.0)),
    "outer": _by_golden(Given((1, 1, 32, 1)), Given((1, 1, 1, 64))),
    "experimental.attn_matmul": Case((Given((1, 4, 32, 64)), Given((32, 1, 64, 96))),
                                     lambda operation, a, b: operation(a, b, compute_with_storage_grid_size=_GRID), in_torch.user_by_user),
    "experimental.group_attn_matmul": Case((Given((1, 4, 32, 64)), Given((32, 2, 64, 96))),
                                           lambda operation, a, b: operation(a, b, compute_with_storage_grid_size=_GRID), in_torch.user_by_user),
    "experimental.attn_matmul_from_cache": Case(
        (Given((1, 4, 32, 64)), Given((32, 1, 96, 64))),
        lambda operation, a, b: operation(a, b, num_tokens=32, transpose_hw=True, compute_with_storage_grid_size=_GRID),
        lambda a, b: in_torch.user_by_user(a, b[:, :, :32].mT)),
    "experimental.minimal_matmul": Case((Given((1, 1, 32, 64)), Given((64, 96)), Given((1, 96))),
                                        lambda operation, a, b, c: operation(a, b, bias_tensor=c), lambda a, b, c: a @ b + c),
    "experimental.minimal_matmul_split": Case((Given((1, 1, 32, 64)), Given((64, 96))), lambda operation, a, b: operation(a, b, chunks=3, dim=-1),
                                              lambda a, b: (a @ b).chunk(3, -1)),
    # moreh.
    "moreh_bmm": Case((Given((2, 32, 64)), Given((2, 64, 32))), torch=lambda a, b: a @ b),
    "moreh_dot": Case((Given((1, 1, 1, 64)), Given((1, 1, 1, 64))), torch=lambda a, b: (a * b).sum(-1, keepdim=True)),
    "moreh_full_like": Case((Given(),), lambda operation, x: operation(x, 2.0), lambda x: torch.full_like(x, 2.0)),
    "moreh_linear": Case((Given((32, 64)), Given((96, 64)), Given((1, 96))), lambda operation, x, w, b: operation(x, w, bias=b),
                         lambda x, w, b: x @ w.mT + b),
    "moreh_logsoftmax": _moved(1, torch=lambda x: torch.log_softmax(x, 1)), "moreh_softmax": _moved(1, torch=lambda x: torch.softmax(x, 1)),
    "moreh_softmin": _moved(1, torch=lambda x: in_torch.softmin(x, 1)),
    "moreh_matmul": Case((Given((64, 32)), Given((96, 64))), lambda operation, a, b: operation(a, b, transpose_input=True, transpose_other=True),
                         lambda a, b: a.mT @ b.mT),
    "moreh_mean": _moved(dim=[1], keepdim=True, given=_FOUR, torch=lambda x: x.mean(1, keepdim=True)),
    "moreh_sum": _moved(dim=[1, 2], keepdim=True, given=_FOUR, torch=lambda x: x.sum((1, 2), keepdim=True)),
    "moreh_norm": _moved(p=3.0, dim=1, keepdim=True, torch=in_torch.norm), "moreh_abs_pow": _moved(3.0, torch=lambda x: x.abs() ** 3),
    "moreh_cumsum": _moved(1, given=_FOUR, torch=lambda x: x.cumsum(1)),
    "moreh_cumsum_backward": _moved(1, given=_FOUR, torch=lambda g: g.flip(1).cumsum(1).flip(1)),
    "moreh_adam": _adam_case(False), "moreh_adamw": _adam_case(True),
    "moreh_sgd": Case((Given(), Given(), Given()),
                      lambda operation, *given: operation(*given, None, None, 0.01, 0.9, 0.2, 0.1, momentum_initialized=True), in_torch.sgd),
    "moreh_bmm_backward": Case(
        (Given((2, 32, 96)), Given((2, 32, 64)), Given((2, 64, 96))),
        lambda operation, g, a, b: operation(g, a, b, input_grad=_unread(a), mat2_grad=_unread(b)),
        lambda g, a, b: [g @ b.mT, a.mT @ g]),
    "moreh_matmul_backward": Case(
        (Given((2, 32, 96)), Given((2, 32, 64)), Given((64, 96))),
        lambda operation, g, a, b: operation(g, a, b, input_a_grad=_unread(a), input_b_grad=_unread(b)),
        lambda g, a, b: [g @ b.mT, (a.mT @ g).sum(0)]),
    "moreh_linear_backward": Case(
        (Given((32, 96)), Given((32, 64)), Given((96, 64)), Given((1, 96))),
        lambda operation, g, x, w, b: operation(g, x, w, bias=b, input_grad=_unread(x), weight_grad=_unread(w),
                                                bias_grad=_unread(b)),
        lambda g, x, w, b: [g @ w, g.mT @ x, g.sum(0, keepdim=True)]),
    "moreh_dot_backward": Case(
        (Given((1, 1, 1, 1)), Given((1, 1, 1, 64)), Given((1, 1, 1, 64))),
        lambda operation, g, a, b: operation(g, a, b, input_grad=_unread(a), other_grad=_unread(b)),
        lambda g, a, b: [g * b, g * a]),
    "moreh_softmax_backward": Case((Given(low=0.05, high=1), Given()), lambda operation, y, g: operation(y, g, 1),
                                   lambda y, g: y * (g - (y * g).sum(1, keepdim=True))),
    "moreh_softmin_backward": Case((Given(low=0.05, high=1), Given()), lambda operation, y, g: operation(y, g, 1),
                                   lambda y, g: -y * (g - (y * g).sum(1, keepdim=True))),
    "moreh_logsoftmax_backward": Case((Given(low=-3, high=-0.5), Given()), lambda operation, y, g: operation(y, g, 1),
                                      lambda y, g: g - torch.exp(y) * g.sum(1, keepdim=True)),
    "moreh_mean_backward": Case((Given((1, 1, 32, 64)),), lambda operation, g: operation(g, dim=[1], keepdim=True, input_grad_shape=[1, 2, 32, 64]),
                                lambda g: g.expand(1, 2, 32, 64) / 2),
    "moreh_sum_backward": Case((Given((1, 1, 32, 64)), _FOUR), lambda operation, g, x: operation(g, input=x, dim=[1], keepdim=True),
                               lambda g, x: g.expand(x.shape) + 0 * x),
    "moreh_norm_backward": Case((Given(low=0.5, high=1.5), Given((32, 1), 3, 4), Given((32, 1))),
                                lambda operation, x, y, g: operation(x, y, g, 3.0, dim=1, keepdim=True), in_torch.norm_back),
    # Norms and softmaxes.
    "softmax": _by_golden(_FOUR, more=(-1,)), "softmax_in_place": Case((_FOUR,), torch=lambda x: torch.softmax(x, -1), writes=(0,)),
    "layer_norm": Case((Given((2, 32, 64)), Given((1, 64), 0.5, 1.5), Given((1, 64))),
                       lambda operation, x, w, b: operation(x, weight=w, bias=b, epsilon=1e-5)),
    "rms_norm": Case((Given((2, 32, 64)), Given((1, 64), 0.5, 1.5)), lambda operation, x, w: operation(x, weight=w, epsilon=1e-5)),
    "batch_norm": Case((Given((2, 32, 32, 32)), Given((1, 32, 1, 1), kind="constant"), Given((1, 32, 1, 1), 0.5, 1.5, "constant"), Given((1, 32, 1, 1)), Given((1, 32, 1, 1))),
                       lambda operation, x, mean, var, w, b: operation(x, running_mean=mean, running_var=var, weight=w, bias=b)),
    "scale_mask_softmax": Case((Given((1, 2, 32, 64)), Given((1, 1, 32, 64))), lambda operation, x, mask: operation(x, 0.5, mask)),
    "scale_mask_softmax_in_place": Case((Given((1, 2, 32, 64)), Given((1, 1, 32, 64))), lambda operation, x, mask: operation(x, 0.5, mask),
                                        in_torch.causal, (0,)),
    "transformer.attention_softmax": Case((Given((1, 2, 32, 64)), Given((1, 1, 1, 64))),
                                          lambda operation, x, mask: operation(x, head_size=64, attention_mask=mask)),
    "transformer.attention_softmax_": Case((Given((1, 2, 32, 64)), Given((1, 1, 1, 64))),
                                           lambda operation, x, mask: operation(x, head_size=64, attention_mask=mask),
                                           lambda x, mask: torch.softmax(x / 8 + mask, -1), (0,)),
    "layer_norm_pre_all_gather": Case((_FOUR,), torch=lambda x: in_torch.sums(x, False)),
    "rms_norm_pre_all_gather": Case((_FOUR,), torch=lambda x: in_torch.sums(x, True)),
    "layer_norm_post_all_gather": Case((_FOUR, Given((1, 2, 32, 128), 30, 40)), lambda operation, x, s: operation(x, s, epsilon=1e-5), in_torch.layer_norm_by),
    "rms_norm_post_all_gather": Case((_FOUR, Given((1, 2, 32, 64), 30, 40)), lambda operation, x, s: operation(x, s, epsilon=1e-5), in_torch.rms_norm_by),
    "scale_causal_mask_hw_dims_softmax_in_place": Case(
        (Given((1, 2, 32, 64), memory="L1 height"), Given((1, 1, 32, 64))), lambda operation, x, mask: operation(
            x, 0.5, mask, program_config=ttnn.SoftmaxShardedMultiCoreProgramConfig(
                compute_with_storage_grid_size=(2, 1), subblock_w=2, block_h=1, block_w=2)), in_torch.causal, (0,)),
    "group_norm": Case((Given((1, 1, 64, 64)),), _group_normalized,
                       lambda x: golden_of("ttnn.group_norm")(x, num_groups=2)),
    "interleaved_to_sharded": Case((Given((1, 1, 64, 64)),), lambda operation, x: operation(x, _shards(2)), _same),
    "sharded_to_interleaved": Case((Given((1, 2, 32, 64), memory="L1 height"),), torch=_same),
    "reshard": Case((Given((1, 2, 32, 64), memory="L1 height"),), lambda operation, x: operation(x, _shards(1)), _same),
    # Reductions.
    **{name: _by_golden(_SPREAD, more=(-1,)) for name in "sum mean max min std var".split()},
    "std_hw": _by_golden(_FOUR), "var_hw": _by_golden(_FOUR),
    "prod": _by_golden(Given((1, 1, 32, 32), 0.9, 1.1), more=(3,)),
    "cumsum": _by_golden(_FOUR, more=(1,)), "cumprod": _by_golden(Given((1, 4, 32, 32), 0.5, 1.5), more=(1,)),
    "experimental.fast_reduce_nc": Case((Given((2, 3, 32, 32)),), lambda operation, x: operation(x, dims=[0, 1]),
                                        lambda x: x.sum((0, 1), keepdim=True)),
    "l1_loss": Case((Given(), Given()), lambda operation, a, b: operation(a, b, reduction=ttnn.LossReductionMode.MEAN)),
    "mse_loss": Case((Given(), Given()), lambda operation, a, b: operation(a, b, reduction=ttnn.LossReductionMode.MEAN)),
    # Attention.
    "embedding": Case((Given((2, 32), 0, 64, "whole", "ROW_MAJOR", dtype="uint32"), Given((64, 64), layout="ROW_MAJOR")),
                      lambda operation, at, table: operation(at, table, layout=ttnn.TILE_LAYOUT)),
    "transformer.scaled_dot_product_attention": Case((Given((1, 2, 32, 64)),) * 3, lambda operation, *given: operation(*given, is_causal=True)),
    "transformer.concatenate_heads": _by_golden(Given((1, 2, 32, 64))),
    "experimental.nlp_concat_heads": Case((Given((1, 2, 32, 64)),), torch=lambda x: x.permute(0, 2, 1, 3).reshape(1, 1, 32, 128)),
    "transformer.split_query_key_value_and_split_heads": Case((Given((2, 32, 384)),), lambda operation, x: operation(x, num_heads=2)),
    "experimental.nlp_create_qkv_heads": Case((Given((2, 1, 32, 512)),), lambda operation, x: operation(x, num_heads=4, num_kv_heads=2),
                                              lambda x: in_torch.heads(x, 4, 2)),
    "experimental.create_qkv_heads": Case((Given((1, 1, 32, 384), memory="L1 block 1 2"),), lambda operation, x: operation(
        x, num_heads=2, num_kv_heads=2, memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG), in_torch.grouped_heads),
    "experimental.create_qkv_heads_from_separate_tensors": Case(
        (Given((2, 1, 32, 128), memory="L1 block 2 2"), Given((2, 1, 32, 256), memory="L1 block 2 2")),
        lambda operation, x, kv: operation(x, kv, num_heads=2, num_kv_heads=2, memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG),
        in_torch.separate_heads),
    "experimental.nlp_create_qkv_heads_decode": Case(
        (Given((1, 1, 32, 384)),), lambda operation, x: operation(x, num_heads=2, num_kv_heads=2,
                                                                  memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG),
        lambda x: list(x.reshape(1, 32, 6, 64).split(2, 2))),
    "experimental.nlp_concat_heads_decode": Case(
        (Given((1, 32, 32, 64), memory="L1 height"),), lambda operation, x: operation(x, num_heads=2),
        lambda x: x[:, :, :2].reshape(1, 1, 32, 128)),
    "experimental.rotary_embedding": Case((Given((1, 2, 32, 64)), Given((1, 1, 32, 64), -1, 1), Given((1, 1, 32, 64), -1, 1)), torch=in_torch.rotary),
    "experimental.rotary_embedding_hf": Case((Given((1, 2, 32, 64)), Given((1, 1, 32, 64), -1, 1), Given((1, 1, 32, 64), -1, 1)), torch=in_torch.rotary),
    "experimental.rotary_embedding_llama": Case(
        (Given((1, 2, 32, 64)), Given((1, 1, 32, 64), -1, 1), Given((1, 1, 32, 64), -1, 1), Given((1, 1, 32, 32), -1, 1)), torch=in_torch.rotary_in_pairs),
    "experimental.rotate_half": Case((Given((1, 2, 32, 64)),), torch=in_torch.rotated),
    "transformer.scaled_dot_product_attention_decode": Case(
        (Given((1, 2, 4, 64)), Given((2, 1, 64, 64)), Given((2, 1, 64, 64)), Given((2,), 40, 64, "whole", "ROW_MAJOR", dtype="int32")),
        lambda operation, q, k, v, at: operation(q, k, v, cur_pos_tensor=at), in_torch.attention_of_one),
    "transformer.paged_scaled_dot_product_attention_decode": Case(
        (Given((1, 2, 4, 64)), Given((8, 1, 32, 64)), Given((8, 1, 32, 64)), Given((2, 2), 0, 8, "whole", "ROW_MAJOR", dtype="int32"),
         Given((2,), 40, 64, "whole", "ROW_MAJOR", dtype="int32")),
        lambda operation, q, k, v, pages, at: operation(q, k, v, pages, cur_pos_tensor=at),
        lambda q, k, v, pages, at: in_torch.attention_of_one(q, in_torch.from_pages(k, pages), in_torch.from_pages(v, pages), at)),
    "transformer.joint_scaled_dot_product_attention": Case(
        (Given((1, 2, 32, 64)),) * 6,
        lambda operation, *given: operation(*given, joint_strategy="rear", program_config=ttnn.SDPAProgramConfig(
            compute_with_storage_grid_size=_GRID, q_chunk_size=32, k_chunk_size=32)), in_torch.joint),
    "fill_cache": Case((Given((2, 2, 64, 64)), Given((1, 2, 32, 64))), lambda operation, cache, part: operation(cache, part, 1), in_torch.filled, (0,)),
    "kv_cache.fill_cache_for_user_": Case((Given((2, 2, 64, 64)), Given((1, 2, 32, 64))), lambda operation, cache, part: operation(cache, part, 1),
                                          in_torch.filled, (0,)),
    "update_cache": Case((Given((32, 2, 64, 64)), Given((1, 2, 32, 64))), lambda operation, cache, part: operation(cache, part, 5), in_torch.updated, (0,)),
    "kv_cache.update_cache_for_token_": Case((Given((32, 2, 64, 64)), Given((1, 2, 32, 64))),
                                             lambda operation, cache, part: operation(cache, part, 5), in_torch.updated, (0,)),
    "experimental.paged_update_cache": Case(
        (Given((8, 1, 32, 64)), Given((1, 4, 1, 64), memory="L1 height"), Given((4,), 0, 64, "whole", "ROW_MAJOR", dtype="int32"),
         Given((4, 2), kind="pages", layout="ROW_MAJOR", dtype="int32")),
        lambda operation, cache, part, at, pages: operation(cache, part, update_idxs_tensor=at, page_table=pages), in_torch.paged_tokens, (0,)),
    "experimental.paged_fused_update_cache": Case(
        (Given((8, 1, 32, 64)), Given((1, 4, 1, 64), memory="L1 height"), Given((8, 1, 32, 64)), Given((1, 4, 1, 64), memory="L1 height 1"),
         Given((4,), 0, 64, "whole", "ROW_MAJOR", dtype="int32"), Given((4, 2), kind="pages", layout="ROW_MAJOR", dtype="int32")),
        lambda operation, one, part, two, other, at, pages: operation(one, part, two, other, update_idxs_tensor=at, page_table=pages),
        lambda one, part, two, other, at, pages: [in_torch.paged_tokens(one, part, at, pages), in_torch.paged_tokens(two, other, at, pages)], (0, 2)),
    "experimental.paged_fill_cache": Case(
        (Given((8, 2, 32, 64)), Given((1, 2, 64, 64)), Given((4, 2), kind="pages", layout="ROW_MAJOR", dtype="int32")),
        lambda operation, cache, part, pages: operation(cache, part, pages, batch_idx=1), in_torch.paged_rows, (0,)),
    # Windows.
    "max_pool2d": _by_golden(_DISTINCT_IMAGES, kernel_size=[3, 2], stride=[2, 2], padding=[1, 1], dilation=[1, 1], **_SIZES),
    "avg_pool2d": _by_golden(_IMAGES, kernel_size=[3, 2], stride=[2, 2], padding=[1, 1], **_SIZES),
    "adaptive_avg_pool2d": _by_golden(_IMAGES, output_size=[3, 7], **_SIZES),
    "adaptive_max_pool2d": _by_golden(_DISTINCT_IMAGES, output_size=[3, 7], **_SIZES),
    "upsample": Case((Given((2, 5, 6, 32), layout="ROW_MAJOR"),), lambda operation, x: operation(x, [2.0, 3.0], mode="bilinear"), _upsampled("bilinear")),
    "fold": Case((Given((2, 6, 4, 32), layout="ROW_MAJOR"),), lambda operation, x: operation(x, 2, 2, padding=[1, 1, 1, 1]), _folded),
    "grid_sample": Case((Given((2, 6, 5, 32), layout="ROW_MAJOR"), Given((2, 3, 4, 2), kind="places", layout="ROW_MAJOR")), torch=_sampled),
    "rotate": Case((Given((1, 9, 7, 32), layout="ROW_MAJOR"),), lambda operation, x: operation(x, 33.0, fill=0.25)),
}


def case_of(name: str) -> Case | None:
    """The operands for the operation; none: it has no counterpart in torch."""
    return CASES.get(name) or (None if name in NOT_IN_TORCH else _case_of_elements(name))


# Without a counterpart, and why: what the test asks of them stands behind.
NOT_IN_TORCH: dict[str, str] = {
    **dict.fromkeys("arange empty full ones zeros moreh_arange moreh_full".split(), "is given no tensor"),
    "empty_like": "has values that nobody gave it",
    **dict.fromkeys("from_device to_device".split(), "gives or is given a tensor on the host"),
    **dict.fromkeys("bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor logical_left_shift"
                    " logical_right_shift plus_one quantize requantize dequantize argmax".split(), "takes or makes integers"),
}

# Operations whose lowered gradients have a primitive that no TT-NN call computes, or one that TT-NN refuses: on the host alone.
ON_THE_HOST: dict[str, str] = {
    **dict.fromkeys("avg_pool2d adaptive_avg_pool2d".split(), "reduce_window_sum"),
}
