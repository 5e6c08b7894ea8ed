# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random numbers as functions of keys: equal keys draw equal numbers, in a trace, in its gradient, in any process.

    key, used = random.split(random.key(42))
    mask = random.bernoulli(used, 0.9, x.shape)

A key is drawn from once; split() and fold_in() make new ones of it, and reused_keys() finds those that were drawn from
twice. Numbers equal JAX's to the bit, by scheme: "partitionable" (as JAX has it by default) or "original".

For the way back of a gradient what was drawn is kept. In a function under checkpoint() only the key is, and the way back
draws again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as _numpy

from tilemeter._tilemeter.trace import Array as _Array
from tilemeter.trace._functions.graph import TracedFunction as _TracedFunction, trace_graph as _trace_graph
from tilemeter.trace._functions.native import trace as _trace

_Shape = int | Sequence[int]
_PARTITIONABLE = "partitionable"


def _given(name: str, key: Any) -> Any:
    if key is None:
        _trace._raise("bad_argument", f"random.{name}: found no key, expected one of random.key(seed), split() or fold_in()", f"random.{name}")
    return key


def key(seed: Any) -> _Array:
    """The key of an integer: its upper and its lower 32 bits, u32[2]."""
    made: _Array = _trace._random.key(seed)
    return made


def split(key: Any = None, num: _Shape = 2, *, scheme: str = _PARTITIONABLE) -> _Array:
    """New keys, u32[num, 2]; num may be a shape."""
    made: _Array = _trace._random.split(_given("split", key), num, scheme)
    return made


def fold_in(key: Any = None, data: Any = 0) -> _Array:
    """The key that belongs to a number."""
    made: _Array = _trace._random.fold_in(_given("fold_in", key), data)
    return made


def bits(key: Any = None, shape: _Shape = (), dtype: Any = "uint32", *, scheme: str = _PARTITIONABLE) -> _Array:
    """Random bits, of unsigned integers."""
    made: _Array = _trace._random.bits(_given("bits", key), shape, dtype, scheme)
    return made


def uniform(key: Any = None, shape: _Shape = (), dtype: Any = "float32", minval: Any = 0.0, maxval: Any = 1.0, *,
            scheme: str = _PARTITIONABLE) -> _Array:
    """From minval, included, to maxval, excluded."""
    made: _Array = _trace._random.uniform(_given("uniform", key), shape, dtype, minval, maxval, scheme)
    return made


def normal(key: Any = None, shape: _Shape = (), dtype: Any = "float32", *, scheme: str = _PARTITIONABLE) -> _Array:
    """Normal numbers of mean 0 and variance 1."""
    made: _Array = _trace._random.normal(_given("normal", key), shape, dtype, scheme)
    return made


def bernoulli(key: Any = None, p: Any = 0.5, shape: _Shape | None = None, *, scheme: str = _PARTITIONABLE) -> _Array:
    """True with probability p, one draw for each of its elements, or of a shape that p is spread to; drawn in p's element type,
    which is float64 for a number of Python."""
    if shape is None:
        shape = p.shape if hasattr(p, "shape") else _numpy.shape(p)
    made: _Array = _trace._random.bernoulli(_given("bernoulli", key), p, shape, scheme)
    return made


def randint(key: Any = None, shape: _Shape = (), minval: int = 0, maxval: int = 2, dtype: Any = "int32", *,
            scheme: str = _PARTITIONABLE) -> _Array:
    """Integers from minval, included, to maxval, excluded."""
    made: _Array = _trace._random.randint(_given("randint", key), shape, minval, maxval, dtype, scheme)
    return made


def permutation(key: Any = None, x: Any = 0, *, scheme: str = _PARTITIONABLE) -> _Array:
    """0 to x - 1 in another order, or the rows of an array."""
    made: _Array = _trace._random.permutation(_given("permutation", key), x, scheme)
    return made


def categorical(key: Any = None, logits: Any = (), axis: int = -1, shape: _Shape = (), *,
                scheme: str = _PARTITIONABLE) -> _Array:
    """Places along the axis, with the probabilities that softmax(logits) has; shape: so many draws, in front."""
    made: _Array = _trace._random.categorical(_given("categorical", key), logits, axis, shape, scheme)
    return made


class KeyReuse(NamedTuple):
    """A key that is used a second time; places are FILE:LINE."""

    text: str
    first: str
    second: str


def reused_keys(f: Callable[..., Any], *args: Any, **kwargs: Any) -> list[KeyReuse]:
    """The keys that f, traced for these arguments, draws from or splits more than once."""
    traced = f if isinstance(f, _TracedFunction) else _trace_graph(f, args=args, kwargs=kwargs)
    return [KeyReuse(*each) for each in _trace._reused_keys(traced.graph)]
