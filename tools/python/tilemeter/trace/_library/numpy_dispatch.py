# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions on arrays, by its protocols: __array_ufunc__ and __array_function__.

A function that is not in these tables is refused by its name. Its own file in _library says what it computes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._library import indices, mathematics, products, reductions, shapes, ufuncs
from tilemeter.trace._library.arguments import Array, as_array, refuse

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    # reductions
    **{name: lambda a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True, name=name: reductions.reduce(
        name, a, axis, dtype, out, keepdims, initial, where) for name in ("sum", "prod")},
    **{name: lambda a, axis=None, out=None, keepdims=False, initial=None, where=True, name=name: reductions.reduce(
        name.removeprefix("a"), a, axis, None, out, keepdims, initial, where) for name in ("max", "min", "amax", "amin")},
    **{name: lambda a, axis=None, out=None, keepdims=False, *, where=True, name=name: reductions.reduce(
        name, a, axis, None, out, keepdims, None, where) for name in ("any", "all")},
    "mean": reductions.mean, "var": reductions.var, "std": reductions.std, "average": reductions.average, "ptp": reductions.ptp,
    "median": reductions.median, "quantile": reductions.quantile, "percentile": reductions.percentile,
    "count_nonzero": reductions.count_nonzero,
    **{name: lambda a, axis=None, out=None, *, keepdims=False, name=name: reductions.arg_extreme(name, a, axis, out, keepdims=keepdims)
       for name in ("argmax", "argmin")},
    **{name: lambda a, axis=None, dtype=None, out=None, name=name: reductions.cumulative(name, a, axis, dtype, out)
       for name in ("cumsum", "cumprod")},
    "cumulative_sum": reductions.cumulative_array_api("cumsum"), "cumulative_prod": reductions.cumulative_array_api("cumprod"),
    "nansum": reductions.nan_reduction("sum"), "nanprod": reductions.nan_reduction("prod"), "nanmax": reductions.nan_extreme("max"),
    "nanmin": reductions.nan_extreme("min"), "nancumsum": reductions.nan_cumulative("cumsum"),
    "nancumprod": reductions.nan_cumulative("cumprod"), "nanmean": reductions.nanmean, "nanvar": reductions.nanvar,
    "nanstd": reductions.nanstd,
    # shapes
    **{name: getattr(shapes, name) for name in (
        "reshape", "ravel", "transpose", "swapaxes", "matrix_transpose", "moveaxis", "rollaxis", "broadcast_to", "broadcast_arrays",
        "expand_dims", "squeeze", "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "block", "array_split", "split",
        "unstack", "tile", "repeat", "roll", "flip", "rot90", "pad", "append", "delete", "resize", "diagonal", "trace", "diag",
        "diagflat", "tril", "triu", "vander", "meshgrid", "full_like", "copy", "astype", "size")},
    "permute_dims": shapes.transpose, "concat": shapes.concatenate, "row_stack": shapes.vstack,
    "atleast_1d": shapes.at_least(1), "atleast_2d": shapes.at_least(2), "atleast_3d": shapes.at_least(3),
    "hsplit": shapes.split_along("hsplit", 1, 1), "vsplit": shapes.split_along("vsplit", 0, 2), "dsplit": shapes.split_along("dsplit", 2, 3),
    "flipud": shapes.flip_of(0, "flipud"), "fliplr": shapes.flip_of(1, "fliplr"),
    "zeros_like": shapes.like("zeros_like", 0), "ones_like": shapes.like("ones_like", 1), "empty_like": shapes.like("empty_like", 0),
    "shape": lambda a: as_array(a).shape, "ndim": lambda a: as_array(a).ndim,
    # indices and order
    **{name: getattr(indices, name) for name in (
        "take", "take_along_axis", "where", "select", "choose", "compress", "extract", "nonzero", "flatnonzero", "argwhere", "sort",
        "argsort", "searchsorted", "digitize", "isin", "interp")},
    **{name: indices.of_values(getattr(np, name)) for name in indices.OF_VALUES if hasattr(np, name)},
    **{name: indices.refuse_writes(name) for name in ("put", "put_along_axis", "place", "putmask", "copyto", "fill_diagonal")},
    # products, filters, differences
    **{name: getattr(products, name) for name in (
        "dot", "inner", "vdot", "outer", "tensordot", "kron", "cross", "einsum", "convolve", "correlate", "diff", "ediff1d", "gradient",
        "trapezoid", "cov", "corrcoef")},
    "trapz": products.trapezoid,
    # elements
    **{name: getattr(mathematics, name) for name in (
        "fix", "nan_to_num", "sinc", "isclose", "allclose", "array_equal", "array_equiv", "iscomplex", "isreal", "imag", "angle",
        "polyval", "real_if_close", "piecewise")},
    "clip": ufuncs.clip,
    "round": mathematics.round_, "around": mathematics.round_, "isposinf": mathematics.infinite(1), "isneginf": mathematics.infinite(-1),
    "real": as_array, "iscomplexobj": lambda x: False, "isrealobj": lambda x: True,
    "result_type": lambda *a: np.result_type(*(each.dtype if isinstance(each, Array) else each for each in a)),
    "can_cast": lambda from_, to, casting="safe": np.can_cast(from_.dtype if isinstance(from_, Array) else from_, to, casting),
    "min_scalar_type": lambda a: as_array(a).dtype, "common_type": lambda *a: np.common_type(*(np.empty(0, as_array(x).dtype) for x in a)),
    "may_share_memory": lambda a, b, max_work=None: False, "shares_memory": lambda a, b, max_work=None: False,
}

FUNCTIONS: dict[Any, Callable[..., Any]] = {getattr(np, name): own for name, own in _FUNCTIONS.items() if hasattr(np, name)}
FUNCTIONS.update({getattr(np.linalg, name): own for name, own in products.LINALG.items() if hasattr(np.linalg, name)})


def _array_function(self: Any, function: Any, classes: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    own = FUNCTIONS.get(function)
    if own is None:
        refuse(f"{function.__module__}.{function.__name__}", "use a function of tilemeter.trace, or make it a custom_op")
        return None
    return own(*args, **kwargs)


def install() -> None:
    for name, operation in ufuncs.OF_FLOATS.items():
        function = getattr(np, name, None)
        if function is not None:
            _trace._set_universal_function(function, operation)
    _trace._set_universal_fallback(ufuncs.universal)
    setattr(Array, "__array_function__", _array_function)


install()
