# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random calls of NumPy's functions, made once with NumPy's arrays and once with tilemeter.trace's: values, element types, errors.

A call is a function, operands, and keywords, all of them drawn from a seed: element types, empty and scalar operands, ends of the
types, numbers of Python beside arrays, each keyword that the function has.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import tilemeter.trace as tp

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
TYPES = ["bool", *INTEGERS, *FLOATS]
SHAPES: list[tuple[int, ...]] = [(), (0,), (3,), (1,), (2, 3), (2, 0), (3, 1), (2, 3, 2)]
# Parts of texts that come from the inside.
INTERNAL = re.compile(r"incompatible function arguments|std::|bad_cast|nanobind|'tuple' object|truth value of an array|not iterable|"
                      r"indices must be integers|positional argument|unexpected keyword|object has no attribute|unsupported operand")


class Call(NamedTuple):
    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __str__(self) -> str:
        def shown(value: Any) -> str:
            return f"{value.dtype}{list(value.shape)} {value.tolist()}" if isinstance(value, np.ndarray) else repr(value)

        return f"{self.name}({', '.join([*map(shown, self.args), *(f'{k}={shown(v)}' for k, v in self.kwargs.items())])})"


def elements(rng: np.random.Generator, dtype: str, shape: tuple[int, ...], is_tame: bool = False) -> np.ndarray:
    kind = np.dtype(dtype).kind
    count = int(np.prod(shape))
    if kind == "b":
        values = rng.integers(0, 2, count)
    elif kind in "iu":
        info = np.iinfo(dtype)
        values = rng.integers(-4 if kind == "i" else 0, 6, count).astype(object)
        if not is_tame:
            ends = [info.min, info.max, info.max // 2, 0]
            for i in range(count):
                if rng.random() < 0.3:
                    values[i] = ends[rng.integers(len(ends))]
    else:
        values = np.round(rng.standard_normal(count) * 3, 2)
        if not is_tame:
            ends = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, -1.0, 0.5, 1e-4, 1e4, float(np.finfo(dtype).max), float(np.finfo(dtype).tiny)]
            for i in range(count):
                if rng.random() < 0.4:
                    values[i] = ends[rng.integers(len(ends))]
    with np.errstate(all="ignore"):
        return np.array(values).astype(dtype).reshape(shape)


def _operand(rng: np.random.Generator, shape: tuple[int, ...], dtype: str = "") -> Any:
    return elements(rng, dtype or TYPES[rng.integers(len(TYPES))], shape)


def _number(rng: np.random.Generator) -> Any:
    return [0, 1, 2, -1, 7, 300, -129, 2**31, 2**63, 0.5, -2.0, True, float("nan"), float("inf")][rng.integers(14)]


def _axis(rng: np.random.Generator, rank: int, several: bool = False) -> Any:
    draw = rng.random()
    if draw < 0.25:
        return None
    if several and draw < 0.45 and rank >= 2:
        return tuple(int(each) for each in rng.permutation(rank)[:2])
    if draw < 0.52:
        return rank + 1
    if draw < 0.6:
        return np.int64(-1)
    return int(rng.integers(-rank, rank)) if rank else 0


UFUNCS = sorted({each.__name__ for each in (getattr(np, name) for name in dir(np)) if isinstance(each, np.ufunc)} - {"isnat"})


def ufunc_call(rng: np.random.Generator, name: str) -> Call:
    function = getattr(np, name)
    shapes = [SHAPES[rng.integers(len(SHAPES))]] * function.nin
    if function.nin == 2 and rng.random() < 0.2:
        shapes[1] = [(), (1,), (3,)][rng.integers(3)]
    if function.signature is not None:
        shapes = {"matmul": [(2, 3), (3, 2)], "vecdot": [(2, 3), (2, 3)], "matvec": [(2, 3), (3,)], "vecmat": [(3,), (3, 2)]}[name]
    args: list[Any] = [_operand(rng, shape) for shape in shapes]
    if function.nin == 2 and rng.random() < 0.5:
        args[1] = elements(rng, str(args[0].dtype), args[1].shape)
    if function.nin == 2 and function.signature is None and rng.random() < 0.25:
        args[rng.integers(2)] = _number(rng)
    if name in ("left_shift", "right_shift", "ldexp", "power", "gcd", "lcm") and isinstance(args[1], np.ndarray) and args[1].dtype.kind in "iu":
        args[1] = elements(rng, str(args[1].dtype), args[1].shape, True)
    kwargs: dict[str, Any] = {}
    if rng.random() < 0.15:
        kwargs["dtype"] = np.dtype(TYPES[rng.integers(len(TYPES))])
    if rng.random() < 0.08:
        kwargs["casting"] = ["no", "safe", "same_kind", "unsafe"][rng.integers(4)]
    if not any(isinstance(each, np.ndarray) for each in args):
        args[0] = _operand(rng, (3,))
    if kwargs.get("casting") == "unsafe" and np.dtype(kwargs.get("dtype", "f8")).kind in "iu":
        # The integer that a float outside of the type becomes is the machine's business, and NumPy's with it.
        args = [np.abs(elements(rng, str(each.dtype), each.shape, True)) if isinstance(each, np.ndarray) and each.dtype.kind == "f" else each
                for each in args]
    return Call(f"np.{name}", function, tuple(args), kwargs)


def method_call(rng: np.random.Generator) -> Call:
    """A call of a universal function's method: reduce, accumulate, outer."""
    name = ["add", "multiply", "maximum", "minimum", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or",
            "subtract", "fmax", "hypot"][rng.integers(12)]
    shape = [(3,), (2, 3), (2, 3, 2), ()][rng.integers(4)]
    method = ["reduce", "accumulate", "outer"][rng.integers(3)]
    x = _operand(rng, shape)
    if name == "multiply" and x.dtype == np.float16:  # a product is beyond float16 on the way
        x = elements(rng, "float16", tuple(shape), True)
    if method == "outer":
        return Call(f"np.{name}.outer", getattr(np, name).outer, (x, _operand(rng, (2,), str(x.dtype))), {})
    kwargs: dict[str, Any] = {"axis": _axis(rng, len(shape), method == "reduce")} if rng.random() < 0.7 else {}
    if method == "accumulate" and kwargs.get("axis", 0) is None:
        kwargs = {}
    if method == "reduce" and rng.random() < 0.3:
        kwargs["keepdims"] = True
    return Call(f"np.{name}.{method}", getattr(getattr(np, name), method), (x,), kwargs)


REDUCTIONS = {name: keywords.split() for name, keywords in {
    "sum": "dtype keepdims initial where", "prod": "dtype keepdims initial where", "max": "keepdims initial where",
    "min": "keepdims initial where", "any": "keepdims where", "all": "keepdims where", "mean": "dtype keepdims where",
    "var": "dtype ddof keepdims where", "std": "dtype ddof keepdims where", "ptp": "keepdims", "median": "keepdims", "argmax": "keepdims",
    "argmin": "keepdims", "cumsum": "dtype", "cumprod": "dtype", "nansum": "dtype keepdims", "nanprod": "keepdims",
    "nanmax": "keepdims", "nanmin": "keepdims", "nanmean": "keepdims", "nanvar": "ddof keepdims", "nanstd": "keepdims",
    "count_nonzero": "keepdims", "nancumsum": "", "sort": "kind", "argsort": "kind", "quantile": "keepdims"}.items()}
_ONE_AXIS = ("argmax", "argmin", "cumsum", "cumprod", "nancumsum", "sort", "argsort")


def reduction_call(rng: np.random.Generator, name: str) -> Call:
    shape = SHAPES[rng.integers(len(SHAPES))]
    x = _operand(rng, shape)
    if name in ("prod", "cumprod", "nanprod") and x.dtype == np.float16:  # a product is beyond float16 on the way
        x = elements(rng, "float16", shape, True)
    if name == "quantile" or name in ("sort", "argsort") and rng.random() < 0.5:  # NumPy's quantile of large integers wraps
        x = elements(rng, str(x.dtype), shape, True)
    kwargs: dict[str, Any] = {"axis": _axis(rng, len(shape), name not in _ONE_AXIS)} if rng.random() < 0.8 else {}
    for keyword in REDUCTIONS[name]:
        if rng.random() > 0.3:
            continue
        kwargs[keyword] = {
            "dtype": lambda: np.dtype(["float64", "float32", "int64", "int8", "float16"][rng.integers(5)]), "keepdims": lambda: [True, 1, False][rng.integers(3)],
            "initial": lambda: [0, 1, 10][rng.integers(3)], "where": lambda: elements(rng, "bool", shape), "ddof": lambda: int(rng.integers(0, 3)),
            "kind": lambda: ["stable", "heapsort", "mergesort"][rng.integers(3)]}[keyword]()
    if np.dtype(kwargs.get("dtype", "f8")).kind in "iu":  # nan as an integer is the machine's business
        x = elements(rng, str(x.dtype), shape, True) if x.dtype.kind == "f" else x
        if name in ("mean", "var", "std") and (x.size == 0 or "where" in kwargs or "ddof" in kwargs):
            del kwargs["dtype"]
    if name == "argsort":  # other kinds may have equal elements in any order
        kwargs["kind"] = "stable"
    args: tuple[Any, ...] = (x,)
    if name == "quantile":  # float32's last digits are lost where neighbours cancel: there all is exact
        is_narrow = x.dtype.kind == "f" and x.dtype != np.float64
        args = (np.round(x * 4) / np.asarray(4, x.dtype), 0.25) if is_narrow else (x, 0.3)
    return Call(f"np.{name}", getattr(np, name), args, kwargs)


def _functions() -> dict[str, Callable[[np.random.Generator], tuple[tuple[Any, ...], dict[str, Any]]]]:
    def one(shapes: list[tuple[int, ...]], *more: Callable[[np.random.Generator], Any], tame: bool = False, **named: Callable[[np.random.Generator], Any]) -> Any:
        def draw(rng: np.random.Generator) -> tuple[tuple[Any, ...], dict[str, Any]]:
            dtype = TYPES[rng.integers(len(TYPES))]
            x = elements(rng, dtype, shapes[rng.integers(len(shapes))], tame)
            return ((x, *(each(rng) for each in more)), {name: each(rng) for name, each in named.items() if rng.random() < 0.6})

        return draw

    def pick(*values: Any) -> Callable[[np.random.Generator], Any]:
        return lambda rng: values[rng.integers(len(values))]

    def two(first: list[tuple[int, ...]], second: list[tuple[int, ...]], **named: Callable[[np.random.Generator], Any]) -> Any:
        def draw(rng: np.random.Generator) -> tuple[tuple[Any, ...], dict[str, Any]]:
            i = rng.integers(len(first))
            a, b = (elements(rng, TYPES[rng.integers(len(TYPES))], each[i], True) for each in (first, second))
            return (a, b), {name: each(rng) for name, each in named.items() if rng.random() < 0.6}

        return draw

    def parts(rng: np.random.Generator) -> tuple[tuple[Any, ...], dict[str, Any]]:
        shape = [(2, 3), (3,), (2, 3, 2)][rng.integers(3)]
        arrays = [_operand(rng, shape) for _ in range(rng.integers(1, 4))]
        return ((arrays,), {"axis": _axis(rng, len(shape))} if rng.random() < 0.5 else {})

    def several(rng: np.random.Generator) -> tuple[tuple[Any, ...], dict[str, Any]]:
        shape = [(2, 3), (3,), (2, 3, 2)][rng.integers(3)]
        return ([_operand(rng, shape) for _ in range(rng.integers(1, 4))],), {}

    every, some, square = SHAPES, [(3,), (2, 3), (2, 3, 2)], [(3, 3), (2, 3), (2, 2, 3)]
    axis, order = pick(0, -1, 1, 5, None), pick("C", "F", "A", "K", "X")
    return {
        "reshape": one([(2, 3), (6,)], pick((3, 2), (-1,), 6, (2, -1), (4,)), order=pick("C", "F", "A", "X")), "ravel": one(every, order=order),
        "transpose": one(some, axes=pick(None, (0,), (1, 0), (0, 2, 1), (0, 0))), "swapaxes": one(some, pick(0, -1, 1), pick(0, -1, 2)),
        "moveaxis": one(some, pick(0, -1, (0, 1)), pick(1, -1, (1, 0), 5)), "expand_dims": one(every, pick(0, -1, (0, 2), 5, np.int64(0))),
        "squeeze": one([(1, 3), (3, 1), (3,), ()], axis=pick(0, 1, -1, (0, 1))), "broadcast_to": one([(3,), (1, 3), ()], pick((2, 3), (3,), (3, 2))),
        "concatenate": parts, "stack": parts, "hstack": several, "vstack": several, "dstack": several, "column_stack": several,
        "split": one([(4,), (4, 2)], pick(2, 3, [1, 3], 0), axis=pick(0, 1)), "array_split": one([(5,), (4, 2)], pick(2, 3, [1, 3]), axis=pick(0, 1)),
        "tile": one(every, pick(2, (2, 1), (1, 2, 1), 0)), "repeat": one(some, pick(2, 0, [1, 2, 0], [1, 2]), axis=pick(0, -1, None)),
        "roll": one(every, pick(1, -2, 7, (1, 2)), axis=pick(None, 0, -1, (0, 1))), "flip": one(every, axis=pick(None, 0, -1, (0, 1))),
        "fliplr": one(every), "flipud": one(every), "rot90": one(some, k=pick(0, 1, 2, 3, -1)),
        "pad": one(some, pick(1, (1, 2), ((1, 0), (0, 2)), -1), mode=pick("constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp")),
        "diagonal": one(square, offset=pick(0, 1, -1, 7), axis1=pick(0, 1), axis2=pick(1, -1)), "trace": one(square, offset=pick(0, 1, -1)),
        "diag": one([(3,), (3, 3), (2, 3), ()], k=pick(0, 1, -2)), "diagflat": one(some, k=pick(0, 1)), "tril": one(square, k=pick(0, 1, -1)),
        "triu": one(square, k=pick(0, 1, -1)), "append": two([(3,), (2, 3)], [(3,), (2, 3)], axis=pick(0, None, 5)),
        "delete": one([(3,), (2, 3)], pick(0, -1, [0, 1], 9), axis=pick(None, 0, 1)), "resize": one(some, pick((2, 2), 7, (0,))),
        "atleast_1d": one(every), "atleast_2d": one(every), "atleast_3d": one(every), "vander": one([(3,)], N=pick(2, 4), increasing=pick(True, False), tame=True),
        "zeros_like": one(every, dtype=pick(None, "int32"), order=order, shape=pick(None, (2,))), "ones_like": one(every, dtype=pick("float32", bool)),
        "full_like": one(every, pick(3, 2.5, -1, 300, True), dtype=pick(None, "float32", "uint8")), "copy": one(every, order=order),
        "take": one(some, pick(0, [0, 1], [-1, 0], [[1]], 9, []), axis=pick(None, 0, -1), mode=pick("raise", "wrap", "clip", "x")),
        "take_along_axis": lambda rng: ((_operand(rng, (2, 3)), rng.integers(-2, 2, (2, 2)), [1, -1, 0, 4][rng.integers(4)]), {}),
        "where": lambda rng: ((elements(rng, "bool", (2, 3)), _operand(rng, (2, 3)), _number(rng) if rng.random() < 0.4 else _operand(rng, (3,))), {}),
        "select": lambda rng: (([elements(rng, "bool", (3,)), elements(rng, "bool", (3,))], [_operand(rng, (3,)), _operand(rng, (3,))], 0), {}),
        "choose": lambda rng: ((rng.integers(0, 2, (3,)), [_operand(rng, (3,)), _operand(rng, (3,))]), {}),
        "compress": one([(3,)], pick([True, False, True], [False, False])), "extract": lambda rng: ((elements(rng, "bool", (3,)), _operand(rng, (3,))), {}),
        "nonzero": one([(3,), (2, 3)]), "flatnonzero": one(every), "argwhere": one([(3,), (2, 3)]), "unique": one(some, tame=True),
        "searchsorted": lambda rng: ((np.sort(elements(rng, "float32", (4,), True)), _operand(rng, (2,)), ["left", "right", "x"][rng.integers(3)]), {}),
        "digitize": lambda rng: ((elements(rng, "float64", (4,), True), np.array([-1., 0., 2.])), {"right": bool(rng.integers(2))}),
        "isin": two([(3,)], [(2,)], invert=pick(True, False)), "clip": lambda rng: ((_operand(rng, (2, 3)), *[_number(rng) if rng.random() < 0.7 else None for _ in range(2)]), {}),
        "interp": lambda rng: ((elements(rng, "float64", (3,)), np.array([0., 1., 3.]), np.array([1., 0., 4.])), {}),
        "dot": two([(3,), (2, 3), (2, 3, 2), (), (2, 2, 3), (3,)], [(3,), (3, 2), (2,), (2,), (2, 3, 2), (2,)]), "vdot": two([(3,), (2, 3)], [(3,), (2, 3)]),
        "inner": two([(3,), (2, 3), (2, 3)], [(3,), (3,), (4, 3)]), "outer": two([(3,), (2, 2)], [(2,), (3,)]),
        "tensordot": two([(2, 3), (2, 3, 2)], [(3, 2), (3, 2, 2)], axes=pick(1, ((1,), (0,)), ([1, 2], [0, 1]), 2, 0)),
        "kron": two([(2,), (2, 2)], [(3,), (1, 2)]), "cross": two([(3,), (2, 3)], [(3,), (3,)]), "convolve": two([(4,), (2,)], [(3,), (4,)], mode=pick("full", "same", "valid")),
        "correlate": two([(4,), (2,)], [(3,), (4,)], mode=pick("full", "same", "valid")), "diff": one(some, n=pick(0, 1, 2, -1), axis=axis),
        "ediff1d": one(every, to_end=pick(None, 1, [1, -2], 2.5), to_begin=pick(None, 0, [3.0])),
        "gradient": one([(3,), (4, 3)], tame=True), "trapezoid": one([(3,), (2, 3)], dx=pick(1.0, 0.5)),
        "fix": one(every), "nan_to_num": one(every, nan=pick(0.0, 7.0), posinf=pick(None, 1.0)), "sinc": one(every),
        "isclose": two([(3,)], [(3,)], equal_nan=pick(True, False)), "allclose": two([(3,)], [(3,)]), "array_equal": two([(3,), (3,)], [(3,), (2,)]),
        "round": one(every, decimals=pick(0, 1, -1, 2), tame=True), "isposinf": one(every), "isneginf": one(every), "real": one(every),
        "shape": one(every), "ndim": one(every), "size": one(every, axis=pick(None, 0)), "average": one(some, axis=pick(None, 0)),
        "ptp": one(some), "meshgrid": lambda rng: ((_operand(rng, (2,)), _operand(rng, (3,))), {"indexing": ["xy", "ij"][rng.integers(2)]}),
        "einsum": lambda rng: ([("ij,jk->ik", elements(rng, "float32", (2, 3), True), elements(rng, "float32", (3, 2), True)), ("ij->ji", _operand(rng, (2, 3))),
                                ("ii", elements(rng, "int32", (3, 3), True)), ("...i,i->...", elements(rng, "float64", (2, 3), True), elements(rng, "float64", (3,), True)),
                                ("ij,kj", elements(rng, "int64", (2, 3), True), elements(rng, "int64", (2, 3), True))][rng.integers(5)], {}),
        "unstack": one(some, axis=pick(0, -1)), "matrix_transpose": one(square), "cumulative_sum": one(some, axis=pick(0, -1), include_initial=pick(True, False)),
        "astype": lambda rng: (lambda x, to: ((x if x.dtype.kind != "f" or np.dtype(to).kind != "u" else np.abs(x), to), {}))(
            elements(rng, TYPES[rng.integers(len(TYPES))], (3,), True), TYPES[rng.integers(1, len(TYPES))]),
    }


FUNCTIONS = {name: draw for name, draw in _functions().items() if hasattr(np, name)}


def calls(seed: int, per_name: int) -> Iterator[Call]:
    rng = np.random.default_rng(seed)
    for _ in range(per_name):
        for name in UFUNCS:
            yield ufunc_call(rng, name)
        for name in REDUCTIONS:
            yield reduction_call(rng, name)
        for name, draw in FUNCTIONS.items():
            args, kwargs = draw(rng)
            yield Call(f"np.{name}", getattr(np, name), tuple(args), kwargs)
        for _ in range(6):
            yield method_call(rng)


# ---- judgement

def _ours(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return tp.array(value)
    return [_ours(each) for each in value] if isinstance(value, list) and any(isinstance(each, np.ndarray) for each in value) else value


def _plain(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    return np.asarray(value) if isinstance(value, tp.Array) else value


_TOLERANCE = {"float16": 4e-3, "float32": 3e-6, "float64": 2e-13}


def difference(found: Any, right: Any, tolerance: float = 1.0) -> str:
    """The difference from NumPy; empty where all is."""
    if isinstance(right, (tuple, list)):
        if not isinstance(found, list) or len(found) != len(right):
            return f"found {found!r}"
        return next((text for text in (difference(a, b, tolerance) for a, b in zip(found, right)) if text), "")
    a, b = np.asarray(found), np.asarray(right)
    if a.shape != b.shape:
        return f"found shape {a.shape}, expected {b.shape}"
    if a.dtype != b.dtype and not isinstance(right, (bool, int, float, str)):
        return f"found {a.dtype}, expected {b.dtype}"
    if a.dtype.kind != "f":
        same = bool(np.array_equal(a, b))
    else:
        near = tolerance * _TOLERANCE[str(a.dtype)]
        with np.errstate(all="ignore"):
            wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
            size = np.abs(wide_b[np.isfinite(wide_b)])
            least = near * (float(size.max()) if size.size else 0.0) * 1e-3 + 5 * float(np.finfo(a.dtype).smallest_subnormal)
            same = bool(np.allclose(wide_a, wide_b, rtol=near, atol=least, equal_nan=True))
    return "" if same else f"found {a.tolist()}, expected {b.tolist()}"


def outcome(call: Call, wrap: Callable[[Any], Any] = lambda value: value) -> tuple[Any, Exception | None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            args = [wrap(each) for each in call.args]
            return call.function(*args, **{name: wrap(value) for name, value in call.kwargs.items()}), None
        except Exception as error:  # noqa: BLE001
            return None, error


def judge(call: Call) -> tuple[str, str]:
    """"equal", "both refuse", "refused", or "wrong" and what is."""
    right, theirs = outcome(call)
    found, ours = outcome(call, _ours)
    if ours is not None:
        text = str(ours)
        if not isinstance(ours, tp.TraceError) and not (theirs is not None and type(ours) is type(theirs)):
            return "wrong", f"{type(ours).__name__}: {text}"
        if INTERNAL.search(text) and isinstance(ours, tp.TraceError):
            return "wrong", f"a text of the inside: {text}"
        if theirs is None:
            return "refused", text
        kinds = (IndexError, ValueError, TypeError, OverflowError)
        if isinstance(theirs, kinds) and not isinstance(ours, kinds):
            return "wrong", f"{type(ours).__name__}, expected {type(theirs).__name__}: {theirs}"
        return "both refuse", text
    if theirs is not None:
        return "wrong", f"taken, expected {type(theirs).__name__}: {theirs}"
    if isinstance(right, np.ndarray) and right.dtype.kind in "cOMm":
        return "both refuse", ""
    text = difference(_plain(found), right)
    return ("wrong", text) if text else ("equal", "")
