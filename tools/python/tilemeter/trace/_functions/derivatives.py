# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Derivatives and lanes of functions of trees: functions again, in any nesting.

Integers and bools have no derivatives: where a tree of tangents, cotangents or gradients would have one for them, it
has None.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from tilemeter._tilemeter import Tensor
from tilemeter.trace._functions import device as _device, trees as _trees
from tilemeter.trace._functions.control import _Body
from tilemeter.trace._functions.native import trace as _trace

_F = TypeVar("_F", bound=Callable[..., Any])


def _named_like(function: Callable[..., Any]) -> Callable[[_F], _F]:
    def named(made: _F) -> _F:
        if hasattr(function, "__name__"):
            functools.update_wrapper(made, function)
        return made

    return named


def _positions(operation: str, argnums: int | Sequence[int], args: Sequence[Any]) -> list[int]:
    numbers: list[int] = []
    given: Any = argnums
    for each in [given] if _is_one(given) else list(given):
        try:
            number = operator.index(each)
        except TypeError:
            _trace._raise("bad_argument", f"{operation}: found argnums {argnums!r}, expected the number of an argument, or several", operation)
        if not -len(args) <= number < len(args):
            _trace._raise("bad_argument", f"{operation}: found argnums {argnums}, expected arguments of a call with {len(args)}", operation)
        numbers.append(number % len(args))
    if len(set(numbers)) != len(numbers):
        _trace._raise("bad_argument", f"{operation}: found argnums {argnums}, expected each argument once", operation)
    return numbers


def _is_one(argnums: Any) -> bool:
    return not isinstance(argnums, Iterable) or getattr(argnums, "ndim", 1) == 0


def _replaced(tree: Any, made: list[Any], given: list[Any]) -> Any:
    """The tree with given[i] wherever made[i] is."""
    leaves, spec = _trees.flatten(tree)
    known = {id(each): i for i, each in enumerate(made)}
    if not any(id(leaf) in known for leaf in leaves):
        return tree
    return _trees.unflatten(spec, [given[known[id(leaf)]] if id(leaf) in known else leaf for leaf in leaves])


class _Differentiated:
    """A function of the arguments at some positions; the others it takes as they are."""

    def __init__(self, operation: str, function: Callable[..., Any], positions: list[int], args: tuple[Any, ...],
                 kwargs: dict[str, Any], has_aux: bool) -> None:
        self.operation, self.function, self.positions = operation, function, positions
        self.args, self.kwargs, self.has_aux = args, kwargs, has_aux
        self.leaves, self.spec = _trees.arrays(tuple(args[i] for i in positions), "bad_argument", "argument")
        self.value: Any = None
        self.aux: Any = None

    def __call__(self, flat: list[Any]) -> list[Any]:
        full = list(self.args)
        for position, each in zip(self.positions, _trees.unflatten(self.spec, flat)):
            full[position] = each
        result = self.function(*full, **self.kwargs)
        if not self.has_aux:
            leaves, self.value = _trees.arrays(result, "bad_result", "result")
            return leaves
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            _trace._raise("bad_result", f"{self.operation}: found {type(result).__name__} from the function, "
                          "expected a value and what goes with it", self.operation)
        leaves, self.value = _trees.arrays(result[0], "bad_result", "result")
        if len(leaves) != 1:
            _trace._raise("grad_needs_scalar", f"{self.operation}: found a value of {len(leaves)} arrays, expected one scalar", self.operation)
        aux, self.aux = _trees.arrays(result[1], "bad_result", "result")
        return [*leaves, *aux]


def _gradient(operation: str, f: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool, with_value: bool) -> Callable[..., Any]:
    if not callable(f):
        _trace._raise("bad_argument", f"{operation}: found an object of type {type(f).__name__}, expected a function", operation)

    def run_on_device(given: list[Any], spec: Any, positions: list[int], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        # Tensors of their own: the same one given twice, or used from outside as well, has a derivative for each.
        leaves = _trace._as_arguments(given)
        full = list(args)
        for position, each in zip(positions, _trees.unflatten(spec, leaves)):
            full[position] = each
        native = _trace._GradientRecord(leaves)
        try:
            result = f(*full, **kwargs)
            if has_aux and (not isinstance(result, (tuple, list)) or len(result) != 2):
                _trace._raise("bad_result", f"{operation}: found {type(result).__name__} from the function, "
                              "expected a value and what goes with it", operation)
            value, aux = result if has_aux else (result, None)
            if value is None or not _trace._is_on_device(value):
                _trace._raise("bad_result", f"{operation}: found an object of type {type(value).__name__} from the function, "
                              "expected a tensor on a device", operation)
            trees = _trees.unflatten(spec, native.backward(value))
        finally:
            native.stop()
        value, aux = _replaced((value, aux), leaves, given)
        gradients = trees[0] if _is_one(argnums) else trees
        if with_value:
            return ((value, aux) if has_aux else value), gradients
        return (gradients, aux) if has_aux else gradients

    @_named_like(f)
    def run(*args: Any, **kwargs: Any) -> Any:
        positions = _positions(operation, argnums, args)
        given, spec = _trees.flatten(tuple(args[i] for i in positions))
        if given and all(type(leaf) is Tensor for leaf in given) or _device.are_tensors(given):
            return run_on_device(given, spec, positions, args, kwargs)
        body = _Differentiated(operation, f, positions, args, kwargs, has_aux)
        results = _trace._grad(body, body.leaves, has_aux, with_value)
        count = len(body.leaves)
        if with_value:
            value, rest, made = results[0], results[1:-count] if count else results[1:], results[len(results) - count:]
        else:
            value, rest, made = None, results[count:], results[:count]
        trees = _trees.unflatten(body.spec, made)
        gradients = trees[0] if _is_one(argnums) else trees
        aux = _trees.unflatten(body.aux, rest) if has_aux else None
        if with_value:
            value = _trees.unflatten(body.value, [value])
            return ((value, aux) if has_aux else value), gradients
        return (gradients, aux) if has_aux else gradients

    return run


def grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0, *, has_aux: bool = False) -> Callable[..., Any]:
    """The gradients of a function with a float scalar as its result, in trees like the arguments `argnums`.

    argnums: one argument, or several, whose gradients come as a tuple. All other arguments are constants, of any type.
    has_aux: the function's result is a pair of the scalar and a tree that is handed through.

    Of TT-NN's tensors the function's calls run, and then theirs back; the result is a tensor of one element.
    """
    return _gradient("grad", f, argnums, has_aux, False)


def value_and_grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0, *, has_aux: bool = False) -> Callable[..., Any]:
    """The function's result as well: (value, gradients), or ((value, aux), gradients)."""
    return _gradient("value_and_grad", f, argnums, has_aux, True)


def _floats_only(operation: str, what: str, tree: Any, are_floats: list[bool]) -> list[Any]:
    """The leaves of a tree that has one for each value, or for each float among them: those of the floats."""
    leaves, _ = _trees.arrays(tree, "bad_argument", what)
    if len(leaves) == sum(are_floats):
        return leaves
    if len(leaves) != len(are_floats):
        _trace._raise("structure_mismatch", f"{operation}: found {len(leaves)} {what}s, expected {sum(are_floats)}, "
                      "one for each float", operation)
    return [leaf for leaf, is_float in zip(leaves, are_floats) if is_float]


def _with_none(leaves: list[Any], are_floats: list[bool]) -> list[Any]:
    each: Iterator[Any] = iter(leaves)
    return [next(each) if is_float else None for is_float in are_floats]


_ARRAYS_ONLY = "jvp, vjp, hvp and vmap are of arrays, which to_numpy() makes; grad and value_and_grad take tensors, too"


def jvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """f(*primals), and how much it changes along `tangents`."""
    leaves, spec = _trees.arrays(tuple(primals), "bad_argument", "argument", _ARRAYS_ONLY)
    body = _Body(f, spec, True)
    results, made = _trace._jvp(body, leaves, _floats_only("jvp", "tangent", tuple(tangents), _trace._are_floats(leaves)))
    return _trees.unflatten(body.result, results), _trees.unflatten(body.result, _with_none(made, _trace._are_floats(results)))


def vjp(f: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """f(*primals), and a function from cotangents of the result to a tuple of those of the arguments.

    That function may be called any number of times; what it needs of f's values lives as long as it does.
    """
    leaves, spec = _trees.arrays(primals, "bad_argument", "argument", _ARRAYS_ONLY)
    body = _Body(f, spec, True)
    results, pull = _trace._vjp(body, leaves)
    of_results, of_primals = _trace._are_floats(results), _trace._are_floats(leaves)

    def back(cotangents: Any) -> tuple[Any, ...]:
        made = pull(_floats_only("vjp", "cotangent", cotangents, of_results))
        return tuple(_trees.unflatten(spec, _with_none(made, of_primals)))

    return _trees.unflatten(body.result, results), back


def hvp(f: Callable[..., Any], primals: Sequence[Any], vectors: Sequence[Any]) -> tuple[Any, ...]:
    """The second derivatives of a function with a float scalar as its result, times a vector for each argument."""
    leaves, spec = _trees.arrays(tuple(primals), "bad_argument", "argument", _ARRAYS_ONLY)
    products = _trace._hvp(_Body(f, spec, True), leaves, _floats_only("hvp", "vector", tuple(vectors), _trace._are_floats(leaves)))
    return tuple(_trees.unflatten(spec, _with_none(products, _trace._are_floats(leaves))))


def _axes(operation: str, what: str, axes: Any, leaves: int, spec: Any) -> list[int | None]:
    """An axis or None for each leaf, from a tree of them that may end above the leaves."""
    if axes is None or hasattr(axes, "__index__") and not isinstance(axes, _trace.Array):
        return [None if axes is None else axes.__index__()] * leaves
    import optree

    try:
        full = _trees.unflatten(spec, list(range(leaves)))
        return list(optree.broadcast_prefix(axes if type(full) is type(axes) else type(full)(axes), full, none_is_leaf=True,
                                            namespace=_trees._NAMESPACE))
    except (ValueError, TypeError) as error:
        _trace._raise("structure_mismatch", f"{operation}: found {what} {axes!r}, expected an axis or a tree of them like {spec} ({error})",
                      operation)
        raise


def vmap(f: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """f for each lane: arguments have an axis more than f takes, and so have the results.

    in_axes, out_axes: the axis of all, or one for each argument or result, where a tree of them may stand for a tree;
    None: the value is the same for all lanes. Arrays among the arguments by name are mapped along their first axis; all else
    of these is the same for all lanes.
    """

    @_named_like(f)
    def run(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = _trees.arrays(args, "bad_argument", "argument", _ARRAYS_ONLY)
        ins = _axes("vmap", "in_axes", tuple(in_axes) if isinstance(in_axes, list) else in_axes, len(leaves), spec)
        function = f
        if kwargs:
            named, named_spec = _trees.flatten(kwargs)
            places = [i for i, each in enumerate(named) if hasattr(each, "__array__") and getattr(each, "ndim", 1) != 0]

            def function(*given: Any) -> Any:
                values = list(named)
                for place, each in zip(places, given[len(args):]):
                    values[place] = each
                return f(*given[:len(args)], **_trees.unflatten(named_spec, values))

            leaves, spec = _trees.arrays((*args, *(named[i] for i in places)), "bad_argument", "argument", _ARRAYS_ONLY)
            ins = [*ins, *[0] * len(places)]
        body = _Body(function, spec, True)
        results = _trace._vmap(body, leaves, ins, lambda: _axes("vmap", "out_axes", out_axes, body.leaves, body.result))
        return _trees.unflatten(body.result, results)

    return run
