# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Gradients of TT-NN calls: recorded while they run, and run back at once, by TT-NN calls."""

from __future__ import annotations

import threading
from typing import Any

from tilemeter.trace._functions import device as _device, trees as _trees
from tilemeter.trace._functions.native import trace as _trace


class Record:
    """The calls of this thread that depend on some tensors, from the beginning of a `with` to backward() or its end."""

    def __init__(self, tensors: tuple[Any, ...]) -> None:
        leaves, self._spec = _trees.flatten(tensors)
        if not leaves or not _device.are_tensors(leaves):
            _trace._raise("bad_argument", "record: found no tensor on a device, expected those whose gradients are wanted", "record")
        self._leaves: list[Any] = leaves
        self._native: Any = None

    def __enter__(self) -> Record:
        if self._native is not None:
            _trace._raise("bad_argument", "record: found one that began before, expected a new one", "record")
        self._native = _trace._GradientRecord(self._leaves)
        _open().append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        if self in _open():
            _open().remove(self)
        self._native.stop()

    def backward(self, loss: Any) -> Any:
        """The gradients of `loss`, a tensor of one element: a tree like the tensors. Ends the record and frees it."""
        if self._native is None:
            _trace._raise("bad_argument", "backward: found a record that has not begun, expected a `with` around the calls", "backward")
        if not _trace._is_on_device(loss):
            _trace._raise("bad_argument", f"backward: found an object of type {type(loss).__name__}, expected a tensor on a device", "backward")
        gradients = self._native.backward(loss)
        if self in _open():
            _open().remove(self)
        made = _trees.unflatten(self._spec, gradients)
        return made[0] if len(made) == 1 else made

    def __len__(self) -> int:
        return 0 if self._native is None else len(self._native)

    @property
    def kept_bytes(self) -> int:
        """The bytes that are kept on the device for the way back."""
        return 0 if self._native is None else int(self._native.kept_bytes)

    @property
    def lowered(self) -> list[str]:
        """Recorded calls without a vjp rule of their own: they are lowered, if they can be."""
        return [] if self._native is None else list(self._native.without_rule)


_of_thread = threading.local()


def _open() -> list[Record]:
    if not hasattr(_of_thread, "records"):
        _of_thread.records = []
    records: list[Record] = _of_thread.records
    return records


def record(*tensors: Any) -> Record:
    """Records TT-NN's calls for the gradients of these tensors, or trees of tensors:

        with trace.record(weights, bias) as calls:
            loss = ttnn.mean(ttnn.square(ttnn.linear(x, weights, bias=bias) - wanted))
        of_weights, of_bias = calls.backward(loss)
    """
    return Record(tensors)


def backward(loss: Any) -> Any:
    """The gradients of `loss` for the tensors of the record that is open: Record.backward()."""
    if not _open():
        _trace._raise("bad_argument", "backward: found no record open, expected to be in `with trace.record(...)`", "backward")
    return _open()[-1].backward(loss)
