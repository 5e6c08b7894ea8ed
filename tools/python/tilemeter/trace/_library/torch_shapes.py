# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""torch's functions of shapes, places and products on arrays, and what becomes methods of arrays. Nothing here imports torch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library import torch_functions as functions, indices, products, reductions, shapes
from tilemeter.trace._library.arguments import (
    as_array, axes_of, axis_of, converted, integer, kind_of, no_out, only, together, wrong,
)
from tilemeter.trace._library.indices import take_along_axis
from tilemeter.trace._library.torch_functions import clone, numel, same

_where, _mul, _add, _sub, _div = _trace.where, _trace.mul, _trace.add, _trace.sub, _trace.div


def _dims(dim: Any) -> Any:
    return None if dim is None or isinstance(dim, (tuple, list)) and not dim else dim


def _several(first: Any, more: tuple[Any, ...]) -> Any:
    return (first, *more) if more else first


def reshape(input: Any, *shape: Any) -> Any:
    return _trace.reshape(input, _several(shape[0], shape[1:]))


def flatten(input: Any, start_dim: Any = 0, end_dim: Any = -1) -> Any:
    x = as_array(input)
    if x.ndim == 0:
        return _trace.reshape(x, (1,))
    first, last = axis_of(start_dim, x.ndim, "torch.flatten"), axis_of(end_dim, x.ndim, "torch.flatten")
    if first > last:
        wrong("torch.flatten", f"dimensions {start_dim} and {end_dim}", "the first before the last")
    if (first, last) == (0, x.ndim - 1):
        return _trace.reshape(x, (-1,))
    return _trace.reshape(x, (*x.shape[:first], reductions.count_of(x, list(range(first, last + 1))), *x.shape[last + 1:]))


def unflatten(input: Any, dim: Any, sizes: Any) -> Any:
    x = as_array(input)
    dim = axis_of(dim, x.ndim, "torch.unflatten")
    sizes, extent = list(sizes), x.shape[dim]
    if -1 in sizes:
        rest = math.prod(each for each in sizes if each != -1)
        sizes[sizes.index(-1)] = extent // rest
    return _trace.reshape(x, (*x.shape[:dim], *sizes, *x.shape[dim + 1:]))


def transpose(input: Any, dim0: Any, dim1: Any) -> Any:
    return shapes.swapaxes(input, dim0, dim1)


def t(input: Any) -> Any:
    if as_array(input).ndim > 2:
        wrong("torch.t", f"an array of rank {as_array(input).ndim}", "rank 2 at most")
    return _trace.transpose(input)


def squeeze(input: Any, dim: Any = None) -> Any:
    x = as_array(input)
    if dim is None:
        return _trace.squeeze(x)
    axes = axes_of(dim, x.ndim, "torch.squeeze")
    return _trace.squeeze(x, tuple(each for each in axes if x.shape[each] == 1))


def expand(input: Any, *sizes: Any, implicit: bool = False, size: Any = None) -> Any:
    x = as_array(input)
    wanted = list(size if size is not None else sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes)
    lead = len(wanted) - x.ndim
    if lead < 0:
        wrong("torch.expand", f"{len(wanted)} sizes for an array of rank {x.ndim}", "as many at least")
    return _trace.broadcast_to(x, [x.shape[i - lead] if each == -1 and i >= lead else each for i, each in enumerate(wanted)])


def repeat(input: Any, *repeats: Any) -> Any:
    times = repeats[0] if len(repeats) == 1 and isinstance(repeats[0], (tuple, list)) else repeats
    x = as_array(input)
    if len(times) < x.ndim:
        wrong("torch.repeat", f"{len(times)} repeats for an array of rank {x.ndim}", "as many at least")
    return shapes.tile(x, tuple(times))


def tile(input: Any, *dims: Any) -> Any:
    return shapes.tile(input, dims[0] if len(dims) == 1 and isinstance(dims[0], (tuple, list)) else dims)


def repeat_interleave(input: Any, repeats: Any, dim: Any = None, *, output_size: Any = None) -> Any:
    return shapes.repeat(input, np.asarray(as_array(repeats)), dim)


def cat(tensors: Any, dim: Any = 0, *, axis: Any = None, out: Any = None) -> Any:
    return shapes.concatenate(tensors, dim if axis is None else axis, out, function="torch.cat")


def stack(tensors: Any, dim: Any = 0, *, out: Any = None) -> Any:
    return shapes.stack(tensors, dim, out)


def split(tensor: Any, split_size_or_sections: Any = None, dim: Any = 0, *, split_size: Any = None) -> tuple[Any, ...]:
    x, sizes = as_array(tensor), split_size_or_sections if split_size is None else split_size
    dim = axis_of(dim, x.ndim, "torch.split")
    extent = x.shape[dim]
    if isinstance(sizes, (tuple, list)):
        if sum(sizes) != extent:
            wrong("torch.split", f"sizes {list(sizes)}", f"a sum of {extent}")
        cuts = np.cumsum(sizes)[:-1].tolist()
    else:
        step = integer(sizes, "torch.split: split_size")
        if step <= 0:
            wrong("torch.split", f"a size of {step}", "1 at least")
        cuts = list(range(step, extent, step))
    return tuple(shapes.array_split(x, cuts, dim))


def chunk(input: Any, chunks: Any, dim: Any = 0) -> tuple[Any, ...]:
    x, count = as_array(input), integer(chunks, "torch.chunk: chunks")
    if count <= 0:
        wrong("torch.chunk", f"{count} chunks", "1 at least")
    extent = x.shape[axis_of(dim, x.ndim, "torch.chunk")]
    return split(x, max(-(-extent // count), 1), dim)


def tensor_split(input: Any, indices_or_sections: Any, dim: Any = 0, *, indices: Any = None, sections: Any = None) -> tuple[Any, ...]:
    by = next(each for each in (indices_or_sections, indices, sections) if each is not None)
    return tuple(shapes.array_split(input, by, dim))


def unbind(input: Any, dim: Any = 0) -> tuple[Any, ...]:
    return shapes.unstack(input, axis=dim)


def narrow(input: Any, dim: Any, start: Any, length: Any) -> Any:
    x = as_array(input)
    dim = axis_of(dim, x.ndim, "torch.narrow")
    start = integer(start, "torch.narrow: start")
    start += x.shape[dim] if start < 0 else 0
    if not 0 <= start <= start + length <= x.shape[dim]:
        wrong("torch.narrow", f"places {start} to {start + length}", f"places inside of {x.shape[dim]}", "index")
    return x[(slice(None),) * dim + (slice(start, start + length),)]


def select(input: Any, dim: Any, index: Any) -> Any:
    x = as_array(input)
    return x[(slice(None),) * axis_of(dim, x.ndim, "torch.select") + (integer(index, "torch.select: index"),)]


def flip(input: Any, *dims: Any) -> Any:
    return _trace.flip(input, dims[0] if len(dims) == 1 else dims)


def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    return shapes.roll(input, shifts, _dims(dims))


def gather(input: Any, dim: Any, index: Any, *, sparse_grad: Any = False, out: Any = None) -> Any:
    no_out(out, "torch.gather")
    x, index = as_array(input), as_array(index)
    dim = axis_of(dim, x.ndim, "torch.gather")
    if index.ndim != x.ndim:
        wrong("torch.gather", f"an index of rank {index.ndim} for an array of rank {x.ndim}", "one rank")
    return indices.along_axis(x, index, dim)


def index_select(input: Any, dim: Any, index: Any, *, out: Any = None) -> Any:
    no_out(out, "torch.index_select")
    return _trace.gather(input, index, dim)


def take(input: Any, index: Any) -> Any:
    return indices.take(input, index)


def take_along_dim(input: Any, indices_: Any = None, dim: Any = None, *, indices: Any = None, out: Any = None) -> Any:
    no_out(out, "torch.take_along_dim")
    return take_along_axis(input, indices_ if indices is None else indices, dim)


def _scattered(name: str, is_sum: bool) -> Callable[..., Any]:
    def run(input: Any, dim: Any, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None, out: Any = None) -> Any:
        no_out(out, f"torch.{name}")
        only(f"torch.{name}", reduce=(reduce, (None,)))
        x, index = as_array(input), as_array(index)
        dim = axis_of(dim, x.ndim, f"torch.{name}")
        src = value if src is None else src
        updates = converted(src, x.dtype)
        updates = _trace.broadcast_to(updates, index.shape) if updates.ndim == 0 else updates[tuple(slice(0, n) for n in index.shape)]
        columns = []
        for i, extent in enumerate(index.shape):
            shape = tuple(-1 if k == i else 1 for k in range(index.ndim))
            place = index.astype("int64") if i == dim else _trace.array(np.arange(extent).reshape(shape))
            columns.append(_trace.expand_dims(_trace.broadcast_to(place, index.shape), -1))
        places = _trace.concat(columns, -1)
        every = tuple(range(x.ndim))
        return _trace.apply("flat.scatter_add" if is_sum else "flat.scatter", [x, places, updates], {
            "update_window_dims": (), "inserted_window_dims": every, "scatter_dims_to_operand_dims": every,
            "index_vector_dim": x.ndim})[0]

    return run


scatter, scatter_add = _scattered("scatter", False), _scattered("scatter_add", True)


def index_add(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    x, index = as_array(input), as_array(index)
    dim = axis_of(dim, x.ndim, "torch.index_add")
    source = as_array(source)
    shape = tuple(-1 if i == dim else 1 for i in range(x.ndim))
    places = _trace.broadcast_to(_trace.reshape(index, shape), source.shape)
    return scatter_add(x, dim, places, source if alpha == 1 else _mul(source, alpha), out=out)


def likes(number: Any) -> Callable[..., Any]:
    def run(input: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = False, requires_grad: Any = False,
            memory_format: Any = None) -> Any:
        x = as_array(input)
        return _trace.full(x.shape, number, x.dtype if dtype is None else dtype)

    return run


def full_like(input: Any, fill_value: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = False,
              requires_grad: Any = False, memory_format: Any = None) -> Any:
    return shapes.full_like(input, fill_value, dtype)


def meshgrid(*tensors: Any, indexing: Any = None) -> tuple[Any, ...]:
    parts = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    return shapes.meshgrid(*parts, indexing=indexing or "ij")


def diag(input: Any, diagonal: Any = 0, *, out: Any = None) -> Any:
    no_out(out, "torch.diag")
    return shapes.diag(input, diagonal)


def diagonal(input: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
    return shapes.diagonal(input, offset, dim1, dim2)


def diag_embed(input: Any, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
    x = as_array(input)
    size = x.shape[-1] + abs(offset)
    padded = _trace.pad(x, [*[0] * (x.ndim - 1), max(offset, 0)], [*[0] * (x.ndim - 1), max(-offset, 0)], 0)
    square = _where(np.eye(size, k=offset, dtype=bool), _trace.expand_dims(padded, -2), 0)
    return shapes.moveaxis(square, (-2, -1), (dim1, dim2))


def triangle(name: str) -> Callable[..., Any]:
    def run(input: Any, diagonal: Any = 0, *, out: Any = None) -> Any:
        no_out(out, f"torch.{name}")
        return getattr(shapes, name)(input, diagonal)

    return run


def trace(input: Any) -> Any:
    return shapes.trace(input)


def diff(input: Any, n: Any = 1, dim: Any = -1, prepend: Any = None, append: Any = None, *, out: Any = None) -> Any:
    no_out(out, "torch.diff")
    return products.diff(input, n, dim, prepend, append)


# ---- products

def matmul(input: Any, other: Any, *, out: Any = None, mat2: Any = None) -> Any:
    no_out(out, "torch.matmul")
    return _trace.matmul(input, other)


def of_rank(name: str, first: int, second: int) -> Callable[..., Any]:
    def run(input: Any, mat2: Any = None, *, out: Any = None, vec: Any = None, tensor: Any = None, other: Any = None) -> Any:
        no_out(out, f"torch.{name}")
        a, b = as_array(input), as_array(next(each for each in (mat2, vec, tensor, other) if each is not None))
        if (a.ndim, b.ndim) != (first, second):
            wrong(f"torch.{name}", f"arrays of ranks {a.ndim} and {b.ndim}", f"ranks {first} and {second}")
        return _trace.matmul(a, b)

    return run


def _scaled_sum(input: Any, product: Any, beta: Any, alpha: Any) -> Any:
    product = product if type(alpha) in (int, float) and alpha == 1 else _mul(product, alpha)
    if type(beta) in (int, float) and beta == 0:
        return product
    return _add(input if type(beta) in (int, float) and beta == 1 else _mul(input, beta), product)


def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Any:
    no_out(out, "torch.addmm")
    return _scaled_sum(input, _trace.matmul(mat1, mat2), beta, alpha)


def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Any:
    no_out(out, "torch.addbmm")
    return _scaled_sum(input, _trace.sum(_trace.matmul(batch1, batch2), 0), beta, alpha)


def addr(input: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Any:
    no_out(out, "torch.addr")
    return _scaled_sum(input, products.outer(vec1, vec2), beta, alpha)


def outer(input: Any, vec2: Any, *, out: Any = None) -> Any:
    return products.outer(input, vec2, out)


def einsum(*args: Any) -> Any:
    if len(args) == 2 and isinstance(args[1], (list, tuple)):
        args = (args[0], *args[1])
    return products.einsum(*args, function="torch.einsum")


def tensordot(a: Any, b: Any, dims: Any = 2, out: Any = None) -> Any:
    no_out(out, "torch.tensordot")
    return products.tensordot(a, b, dims)


def cross(input: Any, other: Any, dim: Any = None, *, out: Any = None) -> Any:
    no_out(out, "torch.cross")
    x = as_array(input)
    if dim is None:
        dim = next((i for i, extent in enumerate(x.shape) if extent == 3), -1)
    return products.cross(x, other, axis=dim)


def cdist(x1: Any, x2: Any, p: Any = 2.0, compute_mode: Any = None) -> Any:
    a, b = together(x1, x2)
    difference = _sub(_trace.expand_dims(a, -2), _trace.expand_dims(b, -3))
    return products.vector_norm(difference, axis=-1, ord=p)


def kron(input: Any, other: Any, *, out: Any = None) -> Any:
    no_out(out, "torch.kron")
    return products.kron(input, other)


def baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Any:
    no_out(out, "torch.baddbmm")
    return _scaled_sum(input, _trace.matmul(batch1, batch2), beta, alpha)


METHODS: dict[str, Callable[..., Any]] = {
    "clamp": functions.clamp, "masked_fill": functions.masked_fill, "masked_select": functions.masked_select, "detach": functions.detach, "expand": expand,
    "expand_as": lambda input, other: _trace.broadcast_to(input, other.shape), "view_as": lambda input, other: _trace.reshape(input, other.shape),
    "reshape_as": lambda input, other: _trace.reshape(input, other.shape), "contiguous": same, "clone": clone, "cpu": same,
    "numel": numel, "dim": lambda input: input.ndim, "float": functions.to_type("float32"), "double": functions.to_type("float64"), "half": functions.to_type("float16"),
    "bfloat16": functions.to_type("bfloat16"), "int": functions.to_type("int32"), "long": functions.to_type("int64"), "bool": functions.to_type("bool"),
    "type_as": lambda input, other: _trace._convert(input, other.dtype), "norm": functions.norm, "unsqueeze": lambda input, dim: _trace.expand_dims(input, dim),
    "t": t, "chunk": chunk, "split": split, "unbind": unbind, "narrow": narrow, "select": select, "index_select": index_select,
    "scatter": scatter, "scatter_add": scatter_add, "index_add": index_add,
    "logsumexp": functions.logsumexp, "logcumsumexp": functions.logcumsumexp, "topk": functions.topk, "median": functions.median, "tril": triangle("tril"), "triu": triangle("triu"),
    "roll": roll, "tile": tile, "unflatten": unflatten, "amax": functions.amax("max"), "amin": functions.amax("min"), "mm": of_rank("mm", 2, 2),
    "bmm": of_rank("bmm", 3, 3), "mv": of_rank("mv", 2, 1), "addmm": addmm, "baddbmm": baddbmm, "outer": outer, "diag": diag,
    "subtract": _sub, "divide": functions.div, **{name: own for name, own in functions.ROWS.items() if "." not in name},
    "nan_to_num": functions.nan_to_num, "lerp": functions.lerp, "addcmul": functions.addc(_mul), "addcdiv": functions.addc(_div), "count_nonzero": functions.count_nonzero,
    "movedim": shapes.moveaxis,
    "is_floating_point": lambda input: kind_of(input.dtype) == "f", "element_size": lambda input: np.dtype(input.dtype).itemsize,
}
