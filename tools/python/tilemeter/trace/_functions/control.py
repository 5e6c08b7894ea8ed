# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Choices and loops that values decide, over trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilemeter._tilemeter import Tensor
from tilemeter.trace._functions import device as _device, trees as _trees
from tilemeter.trace._functions.native import trace as _trace


class _Body:
    """A function of trees as one of flat lists; it keeps the structure of its results."""

    def __init__(self, function: Callable[..., Any], spec: Any, starred: bool) -> None:
        self.function, self.spec, self.starred = function, spec, starred
        self.result: Any = None
        self.leaves = 0

    def __call__(self, flat: list[Any]) -> list[Any]:
        tree = _trees.unflatten(self.spec, flat)
        leaves, self.result = _trees.arrays(self.function(*tree) if self.starred else self.function(tree), "bad_result", "result")
        self.leaves = len(leaves)
        return leaves


def _choose(operation: str, bodies: list[_Body], record: Callable[[list[Callable[[list[Any]], list[Any]]]], list[Any]]) -> Any:
    def checked(i: int) -> Callable[[list[Any]], list[Any]]:
        def run(flat: list[Any]) -> list[Any]:
            leaves = bodies[i](flat)
            if i > 0 and bodies[i].result != bodies[0].result and len(leaves) == bodies[0].leaves:
                _trace._raise("structure_mismatch", f"{operation}: branch {i}: found results {bodies[i].result}, "
                              f"expected {bodies[0].result} as of branch 0", operation)
            return leaves

        return run

    results = record([checked(i) for i in range(len(bodies))])
    return _trees.unflatten(bodies[0].result, results)


def cond(predicate: Any, then: Callable[..., Any], otherwise: Callable[..., Any], *operands: Any) -> Any:
    """then(*operands) or otherwise(*operands), as the value of a bool scalar says; only that one runs."""
    leaves, spec = _trees.arrays(operands, "bad_argument", "operand")
    bodies = [_Body(each, spec, True) for each in (then, otherwise)]
    return _choose("cond", bodies, lambda f: _trace._cond(predicate, f[0], f[1], leaves))


def switch(choice: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    """branches[choice](*operands); the number is clamped."""
    leaves, spec = _trees.arrays(operands, "bad_argument", "operand")
    return _choose("switch", [_Body(each, spec, True) for each in branches], lambda f: _trace._switch(choice, f, leaves))


def _same_carry(operation: str, body: _Body, before: Any, count: int) -> None:
    if body.result != before and body.leaves == count:
        _trace._raise("structure_mismatch", f"{operation}: found a carry {body.result}, expected {before} as before", operation)


def while_loop(condition: Callable[[Any], Any], body: Callable[[Any], Any], carry: Any) -> Any:
    """carry = body(carry) while condition(carry) is true."""
    leaves, spec = _trees.arrays(carry, "bad_argument", "carry")
    step = _Body(body, spec, False)

    def run(flat: list[Any]) -> list[Any]:
        results = step(flat)
        _same_carry("while_loop", step, spec, len(leaves))
        return results

    return _trees.unflatten(spec, _trace._while_loop(_Body(condition, spec, False), run, leaves))


def scan(body: Callable[[Any, Any], tuple[Any, Any]], carry: Any, inputs: Any, length: int | None = None,
         reverse: bool = False) -> tuple[Any, Any]:
    """body(carry, row of inputs) gives the next carry and an output, row by row: the last carry, the outputs stacked."""
    first, carry_spec = _trees.arrays(carry, "bad_argument", "carry")
    rows, rows_spec = _trees.arrays(inputs, "bad_argument", "input")
    count = len(first)
    outputs_spec: list[Any] = [None]

    def run(flat: list[Any]) -> list[Any]:
        pair = body(_trees.unflatten(carry_spec, flat[:count]), _trees.unflatten(rows_spec, flat[count:]))
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            _trace._raise("bad_result", f"scan: found {type(pair).__name__} from the body, expected a carry and an output", "scan")
        new, new_spec = _trees.arrays(pair[0], "bad_result", "carry")
        outputs, outputs_spec[0] = _trees.arrays(pair[1], "bad_result", "output")
        if len(new) != count or new_spec != carry_spec:
            _trace._raise("carry_type_changed" if len(new) == count else "structure_mismatch",
                          f"scan: found a carry {new_spec}, expected {carry_spec} as before", "scan")
        return [*new, *outputs]

    results = _trace._scan(run, first, rows, length, reverse)
    return _trees.unflatten(carry_spec, results[:count]), _trees.unflatten(outputs_spec[0], results[count:])


def checkpoint(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which derivatives compute again instead of keeping what it computed.

    Of TT-NN's tensors, with other arguments of any kind: gradients call the function again where they reach its results, and
    keep of its calls only what these read of outside it. So it does the same each time, writes to nothing that was there before,
    and returns all that is used of it.
    """

    if not callable(function):
        _trace._raise("bad_argument", f"checkpoint: found an object of type {type(function).__name__}, expected a function", "checkpoint")

    def run_on_device(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        made: list[Any] = []

        def body() -> list[Any]:
            result = function(*args, **kwargs)
            made[:] = [result]
            return _device.flat_results(result)[0]

        _trace._checkpoint_on_device(body)
        return made.pop()  # no reference is left: what the way back does not need is freed

    def run(*operands: Any, **kwargs: Any) -> Any:
        given, _ = _trees.flatten((operands, kwargs))
        if any(type(leaf) is Tensor and _trace._is_on_device(leaf) for leaf in given):
            return run_on_device(operands, kwargs)
        if kwargs:
            _trace._raise("bad_argument", f"checkpoint: found the argument '{next(iter(kwargs))}' by name, expected arrays in order; "
                          "close over it", "checkpoint")
        leaves, spec = _trees.arrays(operands, "bad_argument", "operand")
        body = _Body(function, spec, True)
        results = _trace._checkpoint(body, leaves)
        return _trees.unflatten(body.result, results)

    return run


def call(function: Callable[..., Any], *operands: Any, name: str | None = None) -> Any:
    """function(*operands), which stays one call in the graph."""
    leaves, spec = _trees.arrays(operands, "bad_argument", "operand")
    body = _Body(function, spec, True)
    results = _trace._call(name or getattr(function, "__name__", "function"), body, leaves)
    return _trees.unflatten(body.result, results)
