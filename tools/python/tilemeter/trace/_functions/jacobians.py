# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Jacobians and Hessians of functions of trees: derivatives along a basis, all lanes at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from tilemeter.trace._functions import trees as _trees
from tilemeter.trace._functions.derivatives import _named_like, _positions, jvp, vjp, vmap
from tilemeter.trace._functions.native import trace as _trace


def _basis(leaf: Any) -> Any:
    """All tangents with one 1, one after the other."""
    count = 1
    for extent in leaf.shape:
        count *= extent
    return _trace.array(numpy.eye(count).reshape((count, *leaf.shape))).astype(leaf.dtype)


def _zeros(leaf: Any) -> Any:
    return _trace.full(leaf.shape, 0, leaf.dtype)


def _of_chosen(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], positions: list[int]) -> Callable[..., Any]:
    def of(*chosen: Any) -> Any:
        full = list(args)
        for position, each in zip(positions, chosen):
            full[position] = each
        return f(*full, **kwargs)

    return of


def _jacobian(operation: str, f: Callable[..., Any], argnums: int | Sequence[int], blocks: Callable[..., Any]) -> Callable[..., Any]:
    if not callable(f):
        _trace._raise("bad_argument", f"{operation}: found an object of type {type(f).__name__}, expected a function", operation, "", "type")

    @_named_like(f)
    def run(*args: Any, **kwargs: Any) -> Any:
        positions = _positions(operation, argnums, args)
        chosen = tuple(args[i] for i in positions)
        leaves, spec = _trees.arrays(chosen, "bad_argument", "argument")
        leaves = [_trace.array(leaf) for leaf in leaves]
        for i, is_float in enumerate(_trace._are_floats(leaves)):
            if not is_float:
                _trace._raise("grad_needs_float", f"{operation}: argument {i}: found {leaves[i].type}, expected floats", operation)
        of = _of_chosen(f, args, kwargs, positions)
        rows, outer = blocks(of, leaves, spec)
        trees = []
        for row in rows:
            tree = _trees.unflatten(spec, row)
            trees.append(tree[0] if isinstance(argnums, (int, numpy.integer)) else tree)
        return _trees.unflatten(outer, trees)

    return run


def jacrev(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """The derivatives of each result with respect to each element of the arguments `argnums`, by the way back.

    Where a result has shape s and an argument shape t, theirs has shape s + t, in the result's tree, in which each leaf is a tree
    like the argument (several: a tuple of them).
    """
    def blocks(of: Callable[..., Any], leaves: list[Any], spec: Any) -> tuple[list[list[Any]], Any]:
        result, back = vjp(lambda *flat: of(*_trees.unflatten(spec, list(flat))), *leaves)
        results, outer = _trees.flatten(result)
        rows = []
        for i, each in enumerate(results):
            def along(cotangent: Any, i: int = i) -> Any:
                return back(_trees.unflatten(outer, [cotangent if k == i else _zeros(other) for k, other in enumerate(results)]))

            lanes = vmap(along)(_basis(each))
            rows.append([_trace.reshape(lane, (*each.shape, *leaf.shape)) for lane, leaf in zip(lanes, leaves)])
        return rows, outer

    return _jacobian("jacrev", f, argnums, blocks)


def jacfwd(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """As jacrev(), by the way forward: for functions of few elements."""
    def blocks(of: Callable[..., Any], leaves: list[Any], spec: Any) -> tuple[list[list[Any]], Any]:
        columns: list[list[Any]] = []
        outer: Any = None
        for i, leaf in enumerate(leaves):
            def along(tangent: Any, i: int = i) -> Any:
                tangents = [tangent if k == i else _zeros(other) for k, other in enumerate(leaves)]
                return jvp(lambda *flat: of(*_trees.unflatten(spec, list(flat))), leaves, tangents)[1]

            made, outer = _trees.flatten(vmap(along, out_axes=-1)(_basis(leaf)))
            columns.append([_trace.reshape(each, (*each.shape[:-1], *leaf.shape)) for each in made])
        return [list(row) for row in zip(*columns)], outer

    return _jacobian("jacfwd", f, argnums, blocks)


def hessian(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """The second derivatives: jacfwd(jacrev(f))."""
    return jacfwd(jacrev(f, argnums), argnums)
