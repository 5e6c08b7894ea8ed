# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Calls of operations while a script runs: each is traced alone, with the tensors that the script gives it, and lowered; what the
lowering computes on the host in float32 is compared with what the call computes.

    watch()
    with compared() as found:
        ttnn.relu(x)
    assert found.count == 1 and found.different == []
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import optree

import tilemeter as ttnn
import tilemeter.trace as tp
from tilemeter._tilemeter import Operation

# The largest distance, in parts of the largest element, by the dtype that the call rounds to; what it computes with may
# be narrower than its result.
BOUNDS = {"FLOAT32": 1e-3, "BFLOAT16": 2e-2, "BFLOAT8_B": 1 / 16, "BFLOAT4_B": 1 / 4}
TYPES = {"f32": np.float32, "i32": np.int32, "u32": np.uint32}


class Found:
    """The outcome of the calls."""

    def __init__(self) -> None:
        self.count = 0  # of those compared
        self.different: list[str] = []


_found: Found | None = None  # while calls are compared


def is_on_device(value: Any) -> bool:
    return isinstance(value, ttnn.Tensor) and value.storage_type() == ttnn.StorageType.DEVICE and value.is_allocated()


def tensors_of(tree: Any) -> list[Any]:
    """Those on the device, each once."""
    found: list[Any] = []
    for leaf in optree.tree_leaves(tree):
        if is_on_device(leaf) and all(leaf is not each for each in found):
            found.append(leaf)
    return found


def difference(found: Any, expected: Any, dtype: str) -> str:
    """In words; empty: none."""
    found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    if found.shape != expected.shape:
        return f"a shape of {list(found.shape)}, expected {list(expected.shape)}"
    finite = np.isfinite(expected)
    bound = BOUNDS.get(dtype, 0) * max(1.0, float(np.abs(expected[finite]).max(initial=0)))
    with np.errstate(invalid="ignore"):
        wrong = (np.abs(found - expected) > bound) | np.isnan(found) & finite
    wrong = np.where(finite, wrong, (found != expected) & ~(np.isnan(found) & np.isnan(expected)))
    if not wrong.any():
        return ""
    at = tuple(int(each) for each in np.argwhere(wrong)[0])
    return f"{int(wrong.sum())} of {wrong.size} elements of {dtype}, at {list(at)} {found[at]}, expected {expected[at]}"


class Compared:
    """An operation whose calls are traced before they run."""

    def __init__(self, operation: Any) -> None:
        self._operation = operation

    def __getattr__(self, name: str) -> Any:
        return getattr(self._operation, name)

    def __lt__(self, other: Any) -> bool:  # lists of operations are sorted
        return bool(self._operation < getattr(other, "_operation", other))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        global _found
        found, given = _found, tensors_of((args, kwargs)) if _found is not None else []
        if found is None or not given:
            return self._operation(*args, **kwargs)
        _found = None  # calls in between are its own
        try:
            lowered = self.lowered(given, args, kwargs)
            made = self._operation(*args, **kwargs)
            if lowered is not None:
                self.compare(found, lowered, tensors_of([made]))
            return made
        finally:
            _found = found

    def lowered(self, given: list[Any], args: Any, kwargs: dict[str, Any]) -> list[Any] | None:
        """The results of the call's lowering; None: it has none, or can't be traced alone."""
        try:
            traced = tp.trace_graph(lambda *_: tensors_of([self._operation(*args, **kwargs)]), args=tuple(given))
            graph = traced.program.native.lowered()
            if len(graph.param_types) != len(given):
                return None  # weights on the host
            values = [np.asarray(each.to_numpy()).astype(TYPES[str(kind).split("[")[0]])
                      for each, kind in zip(given, graph.param_types)]
        except tp.TraceError as error:
            assert error.kind in ("no_rule", "random_by_seed", "host_values", "needs_concrete_array", "bad_result"), str(error)
            return None
        except RuntimeError:
            return None  # the call itself will say it
        return [np.asarray(each) for each in graph.run(values)]

    def compare(self, found: Found, lowered: list[Any], made: list[Any]) -> None:
        name = self._operation.python_fully_qualified_name.removeprefix("ttnn.")
        found.count += 1
        for i, (value, each) in enumerate(zip(lowered, made, strict=True)):
            try:
                said = difference(value, each.to_numpy(), each.dtype.name)
            except RuntimeError as error:  # a kernel of the script's own
                if "not computed" not in str(error):
                    raise
                continue
            if said:
                found.different.append(f"{name}: result {i}: {said}")


def modules_of(module: Any, seen: set[int]) -> Iterator[Any]:
    seen.add(id(module))
    yield module
    for each in list(vars(module).values()):
        if isinstance(each, types.ModuleType) and each.__name__.startswith("tilemeter") and id(each) not in seen:
            yield from modules_of(each, seen)


def watch() -> None:
    """All operations are those that compare, while compared() is open."""
    for module in list(modules_of(ttnn, set())):
        for name, each in list(vars(module).items()):
            if isinstance(each, Operation) and each.is_cpp_operation and not name.startswith("_"):
                setattr(module, name, Compared(each))


@contextlib.contextmanager
def compared() -> Iterator[Found]:
    global _found
    _found = found = Found()
    try:
        yield found
    finally:
        _found = None
