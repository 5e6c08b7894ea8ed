# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What Python can see of PyTorch: the operations that are dispatched, and the storages of their results while they live."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import threading
import weakref
from collections.abc import Iterator
from typing import Any

from tilemeter._src.live.tables import ALLOCATE, DRAM, FREE, SYSTEM_MEMORY, Buffer, Recorder


class DispatchHooks:
    """A dispatch mode of the thread that starts it. Storages are counted once, whatever views them."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._host = 0
        self._cuda = False
        self._emit = recorder.emit
        self._log = self._emit.make_log()
        self._lock = threading.RLock()  # a storage may end while another is told
        self._numbers = itertools.count()
        self._live: dict[int, Buffer] = {}
        self._texts: dict[str, int] = {}
        self._mode: Any = None
        self._starts = 0

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        with self._lock:
            before = self._emit.use_log(self._log)
            try:
                yield
            finally:
                self._emit.use_log(before)

    def start(self, host: int, cuda: bool) -> None:
        self._starts += 1
        if self._starts == 1:
            self._live.clear()
            self._host, self._cuda = host, cuda
            self._mode = _mode(self)
            self._mode.__enter__()

    def stop(self) -> None:
        self._starts -= 1
        if self._starts == 0:
            self._mode.__exit__(None, None, None)
            self._live.clear()

    def fail(self, type_name: str, message: str) -> None:
        with self._turn():
            text = self._recorder.text
            self._emit.error(self._recorder.emitter, text(type_name), text(message), text(""))

    def run(self, name: str, function: Any, arguments: Any, keywords: Any) -> Any:
        """One operation, with what it leaves."""
        from torch.utils._pytree import tree_leaves

        if name not in self._texts:
            self._texts[name] = self._recorder.text(name)
        emitter = self._recorder.emitter
        older = {_key(storage) for storage in _storages(tree_leaves((arguments, keywords)))}
        with self._turn():
            self._emit.function_begin(emitter, self._texts[name], 0, 0)
        try:
            result = function(*arguments, **keywords)
        except BaseException as error:
            with self._turn():
                reason = self._recorder.text(f"{type(error).__name__}: {error}".split("\n")[0])
                self._emit.function_aborted(emitter, reason)
            raise
        with self._turn():
            for storage in _storages(tree_leaves(result)):
                if _key(storage) not in older:
                    self._take(storage)
            self._emit.function_end(emitter)
        return result

    def _take(self, storage: Any) -> None:
        key, size = _key(storage), storage.nbytes()
        if key in self._live or size == 0:
            return
        buffer = Buffer(id=next(self._numbers), address=storage.data_ptr(), size_bytes=size)
        buffer.size_per_bank_bytes = buffer.page_size_bytes = size
        if storage.device.type == "cpu":
            buffer.device, buffer.memory = self._host, SYSTEM_MEMORY if self._cuda else DRAM
        elif self._cuda:
            buffer.device = storage.device.index
        else:
            return
        self._live[key] = buffer
        self._emit.buffer(self._recorder.emitter, ALLOCATE, ctypes.byref(buffer))
        weakref.finalize(storage, self._free, key, buffer.id)

    def _free(self, key: int, number: int) -> None:
        with self._turn():
            buffer = self._live.get(key)
            if buffer is None or buffer.id != number:  # of a capture that has ended
                return
            del self._live[key]
            self._emit.buffer(self._recorder.emitter, FREE, ctypes.byref(buffer))


def _key(storage: Any) -> int:
    return int(storage._cdata)


def _storages(values: list[Any]) -> Iterator[Any]:
    import torch

    for value in values:
        if isinstance(value, torch.Tensor) and value.layout == torch.strided and value.device.type in ("cpu", "cuda"):
            yield value.untyped_storage()


def _mode(hooks: DispatchHooks) -> Any:
    from torch.utils._python_dispatch import TorchDispatchMode

    class Mode(TorchDispatchMode):  # type: ignore[misc,unused-ignore]
        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return hooks.run(str(function), function, args, kwargs or {})

    return Mode()
