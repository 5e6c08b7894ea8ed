# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Trees of arguments and results: nested tuples, lists, dicts, dataclasses, whose leaves are arrays and numbers.

One value or a flat tuple needs no more than this file; anything else is optree's.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy

from tilemeter._tilemeter import Tensor
from tilemeter.trace._functions.native import trace as _trace

_NAMESPACE = "tilemeter"
_Array = _trace.Array
ARRAYS = (_Array, int, float, numpy.ndarray, numpy.generic)
_LEAVES = (*ARRAYS, Tensor)
_PLAIN = frozenset((_Array, Tensor, int, float, bool, numpy.ndarray, numpy.float64, numpy.float32, numpy.int32, numpy.int64))


_WHOLE = (str, bytes, _trace.Type)  # leaves that are no arrays


class Flat(NamedTuple):
    """A structure without nesting. kind: None for one value, else the class."""

    kind: type | None
    leaves: int

    def __str__(self) -> str:
        return "*" if self.kind is None else f"{self.kind.__name__}({', '.join('*' * self.leaves)})"


ONE = Flat(None, 1)
_NOTHING = Flat(type(None), 0)


def is_leaf(value: Any) -> bool:
    return isinstance(value, _LEAVES) or hasattr(value, "__array__") or hasattr(value, "__dlpack__")


def _optree() -> Any:
    import optree

    return optree


_registered: set[type] = set()


def _register(cls: type) -> None:
    names = [field.name for field in dataclasses.fields(cls)]

    def parts(value: Any) -> tuple[tuple[Any, ...], None, tuple[str, ...]]:
        return tuple(getattr(value, name) for name in names), None, tuple(names)

    def made(_: None, values: Any) -> Any:
        value: Any = object.__new__(cls)
        for name, each in zip(names, values):
            object.__setattr__(value, name, each)
        return value

    _optree().register_pytree_node(cls, parts, made, namespace=_NAMESPACE)
    _registered.add(cls)


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """The leaves, and what unflatten() makes the tree of again."""
    kind = type(tree)
    if kind in _PLAIN:
        return [tree], ONE
    if kind is tuple or kind is list:
        for each in tree:
            if type(each) not in _PLAIN and not is_leaf(each) and not isinstance(each, _WHOLE):
                break
        else:
            return list(tree), Flat(kind, len(tree))
    elif tree is None:
        return [], _NOTHING
    elif is_leaf(tree) or isinstance(tree, _WHOLE):
        return [tree], ONE
    optree = _optree()
    while True:
        leaves, spec = optree.tree_flatten(tree, namespace=_NAMESPACE)
        new = {type(leaf) for leaf in leaves if dataclasses.is_dataclass(leaf) and not isinstance(leaf, type)}
        if not new - _registered:
            return leaves, spec
        for cls in new:
            _register(cls)


def unflatten(spec: Any, leaves: list[Any]) -> Any:
    if isinstance(spec, Flat):
        if spec.kind is None:
            return leaves[0]
        return None if spec.kind is type(None) else spec.kind(leaves)
    return _optree().tree_unflatten(spec, leaves)


OF_TENSORS = "a function of tensors takes at least one tensor; to_numpy() makes an array of one"


def arrays(tree: Any, kind: str, what: str, hint: str = OF_TENSORS) -> tuple[list[Any], Any]:
    """The same, of a tree whose leaves have to be arrays; `kind` of the error if they are not, and its hint for a tensor."""
    leaves, spec = flatten(tree)
    require_arrays(leaves, kind, what, hint)
    return leaves, spec


def require_arrays(leaves: list[Any], kind: str, what: str, hint: str = OF_TENSORS) -> None:
    for i, leaf in enumerate(leaves):
        if is_leaf(leaf) and not (type(leaf) is Tensor and _trace._is_on_device(leaf)):
            continue
        place = what if len(leaves) == 1 else f"{what} {i}"
        if type(leaf) is Tensor:
            _trace._raise(kind, f"{place}: found a tensor on a device, expected an array or a number",
                          hint=hint)
        _trace._raise(kind, f"{place}: found an object of type {type(leaf).__name__}, expected an array or a number",
                      hint="make what is no array a static argument" if kind == "bad_argument" else "")
