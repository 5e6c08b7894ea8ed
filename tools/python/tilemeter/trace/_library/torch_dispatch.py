# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""torch's functions on arrays, by its protocol __torch_function__. torch is imported when it is first asked for.

A function that is not in these tables is refused by its name. Tensors of torch beside arrays are constants, those with
requires_grad as well: derivatives are taken of arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library import (
    elementwise, torch_functions as functions, indices, torch_layers as layers, torch_losses as losses, mathematics,
    torch_shapes as moves, products, shapes,
)
from tilemeter.trace._library.arguments import refuse

_OPERATORS = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "matmul": "matmul", "pow": "pow", "mod": "mod",
    "floordiv": "floor_divide", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "and": "bitwise_and",
    "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "left_shift", "rshift": "right_shift",
}
_METHODS = {"mod": ("remainder",), "truediv": ("div", "true_divide")}  # where torch's names are others
_TABLE: dict[str, Callable[..., Any]] = {
    **functions.ROWS,
    "sinc": functions.formula("sinc", mathematics.sinc), "isposinf": functions.formula("isposinf", mathematics.infinite(1), False),
    "isneginf": functions.formula("isneginf", mathematics.infinite(-1), False), "gcd": functions.formula("gcd", elementwise.gcd),
    "lcm": functions.formula("lcm", elementwise.lcm), "frac": functions.formula("frac", lambda x: _trace.sub(x, _trace.trunc(x)), False),
    **{name: functions.formula("erfc", lambda x: _trace.sub(1, _trace.erf(x))) for name in ("erfc", "special.erfc")},
    "add": functions.scaled(_trace.add), "sub": functions.scaled(_trace.sub), "subtract": functions.scaled(_trace.sub),
    "rsub": functions.rsub, "div": functions.div, "divide": functions.div, "round": functions.round_, "clamp": functions.clamp,
    "clip": functions.clamp, "lerp": functions.lerp, "addcmul": functions.addc(_trace.mul), "addcdiv": functions.addc(_trace.div),
    "xlogy": functions.xlogy, "special.xlogy": functions.xlogy, "logit": functions.logit, "special.logit": functions.logit,
    "where": functions.where, "masked_fill": functions.masked_fill, "masked_select": functions.masked_select,
    "isclose": functions.isclose, "allclose": functions.allclose, "equal": functions.equal, "nan_to_num": functions.nan_to_num,
    # along axes
    **{name: functions.reduction(name) for name in ("sum", "prod", "any", "all")}, "mean": functions.reduction("mean"),
    "amax": functions.amax("max"), "amin": functions.amax("min"), "max": functions.extreme("max", "argmax"),
    "min": functions.extreme("min", "argmin"), "argmax": functions.arg("argmax"), "argmin": functions.arg("argmin"),
    "var": functions.var, "std": functions.std, "var_mean": functions.var_mean, "std_mean": functions.std_mean, "norm": functions.norm,
    "linalg.norm": functions.linalg_norm, "linalg.vector_norm": functions.vector_norm, "logsumexp": functions.logsumexp,
    "special.logsumexp": functions.logsumexp, "logcumsumexp": functions.logcumsumexp, "cumsum": functions.cumulative("cumsum"),
    "cumprod": functions.cumulative("cumprod"), "cummax": functions.cumulative_extreme("cummax", _trace.maximum),
    "cummin": functions.cumulative_extreme("cummin", _trace.minimum), "sort": functions.sort, "argsort": functions.argsort,
    "topk": functions.topk, "kthvalue": functions.kthvalue, "median": functions.median, "quantile": functions.quantile,
    "softmax": functions.softmax, "special.softmax": functions.softmax, "log_softmax": functions.log_softmax,
    "special.log_softmax": functions.log_softmax, "count_nonzero": functions.count_nonzero, "nansum": functions.nansum,
    "nanmean": functions.nanmean,
    # shapes
    **{name: getattr(moves, name) for name in (
        "reshape", "flatten", "unflatten", "transpose", "t", "squeeze", "tile", "repeat_interleave", "cat", "stack", "split", "chunk",
        "tensor_split", "unbind", "narrow", "select", "flip", "roll", "gather", "index_select", "take", "take_along_dim", "scatter",
        "scatter_add", "index_add", "full_like", "meshgrid", "diag", "diagonal", "diag_embed", "trace", "diff")},
    "detach": functions.detach, "clone": functions.clone, "numel": functions.numel,
    "concat": moves.cat, "concatenate": moves.cat, "ravel": lambda input: shapes.ravel(input), "swapaxes": moves.transpose,
    "swapdims": moves.transpose, "movedim": lambda input, source, destination: shapes.moveaxis(input, source, destination),
    "moveaxis": lambda input, source, destination: shapes.moveaxis(input, source, destination),
    "permute": lambda input, dims: _trace.transpose(input, dims), "unsqueeze": lambda input, dim: _trace.expand_dims(input, dim),
    "broadcast_to": lambda input, size: _trace.broadcast_to(input, size),
    "broadcast_tensors": lambda *tensors: shapes.broadcast_arrays(*(tensors[0] if isinstance(tensors[0], (tuple, list)) else tensors)),
    "hstack": lambda tensors, *, out=None: shapes.hstack(tensors), "vstack": lambda tensors, *, out=None: shapes.vstack(tensors),
    "dstack": lambda tensors, *, out=None: shapes.dstack(tensors), "column_stack": lambda tensors, *, out=None: shapes.column_stack(tensors),
    "fliplr": shapes.flip_of(1, "fliplr"), "flipud": shapes.flip_of(0, "flipud"), "rot90": lambda input, k=1, dims=(0, 1): shapes.rot90(input, k, dims),
    "atleast_1d": shapes.at_least(1), "atleast_2d": shapes.at_least(2), "atleast_3d": shapes.at_least(3),
    "tril": moves.triangle("tril"), "triu": moves.triangle("triu"), "zeros_like": moves.likes(0),
    "ones_like": moves.likes(1), "empty_like": moves.likes(0), "is_floating_point": moves.METHODS["is_floating_point"],
    "is_tensor": lambda obj: False, "is_complex": lambda input: False, "real": functions.same, "conj": functions.same,
    "nonzero": lambda input, *, out=None, as_tuple=False: indices.nonzero(input) if as_tuple else indices.argwhere(input),
    "argwhere": lambda input: indices.argwhere(input), "searchsorted": lambda sorted_sequence, input, *, right=False, side=None: (
        indices.searchsorted(sorted_sequence, input, side or ("right" if right else "left"))),
    "bucketize": lambda input, boundaries, *, right=False: indices.searchsorted(boundaries, input, "right" if right else "left"),
    "isin": lambda elements, test_elements, *, assume_unique=False, invert=False: indices.isin(elements, test_elements, invert=invert),
    # products
    "matmul": moves.matmul, "linalg.matmul": moves.matmul, "mm": moves.of_rank("mm", 2, 2), "bmm": moves.of_rank("bmm", 3, 3),
    "mv": moves.of_rank("mv", 2, 1), "dot": moves.of_rank("dot", 1, 1), "vdot": moves.of_rank("vdot", 1, 1),
    "inner": lambda input, other, *, out=None: products.inner(input, other), "outer": moves.outer, "ger": moves.outer,
    "addmm": moves.addmm, "baddbmm": moves.baddbmm, "addbmm": moves.addbmm, "addr": moves.addr,
    "addmv": lambda input, mat, vec, *, beta=1, alpha=1, out=None: moves.addmm(input, mat, vec, beta=beta, alpha=alpha, out=out),
    "einsum": moves.einsum, "tensordot": moves.tensordot, "cross": moves.cross,
    "linalg.cross": lambda input, other, *, dim=-1, out=None: moves.cross(input, other, dim, out=out), "cdist": moves.cdist,
    "kron": moves.kron, "linalg.multi_dot": lambda tensors, *, out=None: products.multi_dot(tensors, out=out),
    "matrix_power": lambda input, n, *, out=None: products.matrix_power(input, n),
    "linalg.matrix_power": lambda A, n, *, out=None: products.matrix_power(A, n),
    "linalg.vecdot": lambda x, y, *, dim=-1, out=None: products.vecdot(x, y, axis=dim), "bilinear": layers.bilinear,
    "trapezoid": lambda y, x=None, *, dx=1, dim=-1: products.trapezoid(y, x, dx, dim),
    "trapz": lambda y, x=None, *, dx=1, dim=-1: products.trapezoid(y, x, dx, dim),
    "cov": lambda input, *, correction=1, fweights=None, aweights=None: products.cov(input, ddof=correction, fweights=fweights, aweights=aweights),
    "corrcoef": lambda input: products.corrcoef(input),
    # layers that torch has twice
    "layer_norm": lambda input, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True: layers.layer_norm(
        input, normalized_shape, weight, bias, eps),
    "group_norm": lambda input, num_groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True: layers.group_norm(
        input, num_groups, weight, bias, eps),
    "batch_norm": lambda input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled: layers.batch_norm(
        input, running_mean, running_var, weight, bias, training, momentum, eps),
    "rms_norm": layers.rms_norm, "dropout": lambda input, p, train: layers.dropout("dropout")(input, p, train),
    "embedding": lambda weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False: layers.embedding(
        indices, weight, None if padding_idx == -1 else padding_idx, None, 2.0, scale_grad_by_freq, sparse),
    "cosine_similarity": layers.cosine_similarity, "pairwise_distance": layers.pairwise_distance, "prelu": layers.prelu,
    "pixel_shuffle": layers.pixel_shuffle, "celu": layers.celu, "selu": layers.selu, "threshold": layers.threshold,
    **{f"max_pool{rank}d": layers.max_pool(rank) for rank in (1, 2, 3)}, "avg_pool1d": layers.avg_pool(1), "adaptive_avg_pool1d": layers.adaptive_avg_pool(1),
    **{f"conv{rank}d": layers.convolution(rank) for rank in (1, 2, 3)},
    **{f"conv_transpose{rank}d": layers.transposed_convolution(rank) for rank in (1, 2, 3)},
}
_FUNCTIONAL: dict[str, Callable[..., Any]] = {
    "relu": layers.activation("relu", _trace.relu), "silu": layers.activation("silu", _trace.silu), "tanh": _trace.tanh, "sigmoid": _trace.sigmoid,
    **{name: getattr(layers, name) for name in (
        "leaky_relu", "prelu", "elu", "celu", "selu", "hardtanh", "relu6", "hardsigmoid", "hardswish", "hardshrink",
        "softshrink", "threshold", "softplus", "logsigmoid", "softsign", "tanhshrink", "mish", "glu", "gelu", "softmin",
        "normalize", "cosine_similarity", "pairwise_distance", "linear", "bilinear", "embedding", "one_hot", "layer_norm",
        "rms_norm", "group_norm", "batch_norm", "instance_norm", "pad", "interpolate", "pixel_shuffle",
        "scaled_dot_product_attention")},
    **{name: getattr(losses, name) for name in (
        "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "binary_cross_entropy",
        "binary_cross_entropy_with_logits", "nll_loss", "cross_entropy", "soft_margin_loss", "hinge_embedding_loss",
        "margin_ranking_loss", "cosine_embedding_loss", "triplet_margin_loss", "gaussian_nll_loss", "poisson_nll_loss")},
    "softmax": functions.softmax, "log_softmax": functions.log_softmax,
    **{name: layers.dropout(name) for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")},
    **{f"conv{rank}d": layers.convolution(rank) for rank in (1, 2, 3)},
    **{f"conv_transpose{rank}d": layers.transposed_convolution(rank) for rank in (1, 2, 3)},
    **{f"max_pool{rank}d": layers.max_pool(rank) for rank in (1, 2, 3)},
    **{f"max_pool{rank}d_with_indices": layers.max_pool_with_indices(rank) for rank in (1, 2, 3)},
    **{f"avg_pool{rank}d": layers.avg_pool(rank) for rank in (1, 2, 3)},
    **{f"adaptive_avg_pool{rank}d": layers.adaptive_avg_pool(rank) for rank in (1, 2, 3)},
}
_FUNCTIONS: dict[Any, Callable[..., Any]] = {}


def _reversed(native: Callable[..., Any]) -> Callable[..., Any]:
    return lambda input, other: native(other, input)


def _named(root: Any, name: str) -> Any:
    for part in name.split("."):
        root = getattr(root, part, None)
    return root


def _table() -> dict[Any, Callable[..., Any]]:
    import torch

    functional = torch.nn.functional
    table: dict[Any, Callable[..., Any]] = {}
    # Operators: a tensor of torch is on their left, and on the right of the reversed ones.
    for name, operation in _OPERATORS.items():
        native = getattr(_trace, operation)
        table[getattr(torch.Tensor, f"__{name}__", None)] = native
        for method in _METHODS.get(name, (operation,)):
            table[getattr(torch.Tensor, method, None)] = native
        table[getattr(torch.Tensor, f"__r{name}__", None)] = _reversed(native)
    for name, own in moves.METHODS.items():
        table[getattr(torch.Tensor, name, None)] = own
    # Methods of tensors that an array is given to: tensor.add(array).
    for name, own in _TABLE.items():
        table.setdefault(getattr(torch.Tensor, name, None), own)
    for name, own in (*_TABLE.items(), ("special.softmax", functions.softmax)):
        table[_named(torch, name)] = own
    for name, own in _FUNCTIONAL.items():
        table[getattr(functional, name, None)] = own
        table.setdefault(getattr(functional, f"_{name}", None), own)
    table.pop(None, None)
    return table


def _torch_function(cls: type, function: Any, classes: Any, args: Any = (), kwargs: Any = None) -> Any:
    if not _FUNCTIONS:
        _FUNCTIONS.update(_table())
    own = _FUNCTIONS.get(function)
    name = f"torch.{getattr(function, '__name__', function)}"
    if own is None:
        return refuse(name, "use a function of tilemeter.trace, or make it a custom_op")
    try:
        return own(*args, **(kwargs or {}))
    except TypeError as error:
        # Parameters that no function here has are refused as what they are.
        if isinstance(error, _trace.TraceError) or "argument" not in str(error):
            raise
        return refuse(name, "", f"arguments that arrays do not take: {str(error).partition('()')[2].strip() or error}")


setattr(_trace.Array, "__torch_function__", classmethod(_torch_function))
