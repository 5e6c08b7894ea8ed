# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The PyTorch of this process, observed: by the library that is built for it, or by what Python can see."""

from __future__ import annotations

import ctypes
import os
import pathlib
import sys
from typing import Any, Protocol

from tilemeter._src.live.dispatch import DispatchHooks
from tilemeter._src.live.library import BuildError, torch_library
from tilemeter._src.live.stand_in import is_modelled
from tilemeter._src.live.tables import Recorder
from tilemeter._tilemeter import CaptureError

NAME = "PyTorch, live"
MODELLED = "PyTorch, on a modelled GPU"
_NOT_RUN = "modelled, not run: kernels did nothing, and what was copied from a device is zeros"
_OLDER = "memory of the host that is older than the capture"


class Hooks(Protocol):
    """Where PyTorch is listened to."""

    def start(self, host: int, cuda: bool) -> None: ...

    def stop(self) -> None: ...

    def fail(self, type_name: str, message: str) -> None: ...


class NativeHooks:
    """The library's functions (hooks.h)."""

    def __init__(self, library: pathlib.Path, recorder: Recorder) -> None:
        try:
            self._shared = ctypes.CDLL(str(library))
        except OSError as error:
            raise BuildError(str(error)) from None
        text = ctypes.c_char_p
        self._declare("load", [ctypes.c_void_p, ctypes.c_uint8], text)
        self._declare("start", [ctypes.c_uint16, ctypes.c_uint8], text)
        self._declare("stop", [], None)
        self._declare("watch_cuda", [], text)
        self._declare("fail", [text, text], None)
        self._check(self._load(recorder.emit_address, recorder.emitter))  # type: ignore[attr-defined]

    def _declare(self, name: str, arguments: list[Any], result: Any) -> None:
        function = getattr(self._shared, "tilemeter_torch_" + name)
        function.argtypes = arguments
        function.restype = result
        setattr(self, "_" + name, function)

    @staticmethod
    def _check(said: bytes | None) -> None:
        if said is not None:
            raise CaptureError(said.decode(errors="replace"))

    def start(self, host: int, cuda: bool) -> None:
        self._check(self._start(host, int(cuda)))  # type: ignore[attr-defined]

    def stop(self) -> None:
        self._stop()  # type: ignore[attr-defined]

    def watch_cuda(self) -> None:
        said = self._watch_cuda()  # type: ignore[attr-defined]
        if said is not None:
            print(f"tilemeter: memory of CUDA's devices is not captured: {said.decode(errors='replace')}", file=sys.stderr)

    def fail(self, type_name: str, message: str) -> None:
        self._fail(type_name.encode(errors="replace"), message.encode(errors="replace"))  # type: ignore[attr-defined]


class Observer:
    """Of one process, for good."""

    def __init__(self) -> None:
        try:
            import torch
        except ImportError as error:
            raise CaptureError(f"cannot capture PyTorch: it is not here ({error})") from None
        self._torch: Any = torch
        self._owner = os.getpid()
        version = str(torch.__version__)
        self._open: list[bool] = []  # captures: whether of CUDA's devices
        self.lower_bound = ""
        try:
            library = torch_library()
            self.recorder = Recorder(MODELLED, version, [_NOT_RUN, _OLDER]) if is_modelled() else Recorder(NAME, version, [_OLDER])
            self._hooks: Hooks = NativeHooks(library, self.recorder)
        except BuildError as error:
            self.lower_bound = str(error)
            print(
                f"tilemeter: {error}; operations are seen from Python, and their results counted: the peak is a lower bound",
                file=sys.stderr,
            )
            missing = [_OLDER, "lower bound: memory that operations take for themselves, and threads that C++ starts"]
            self.recorder = Recorder(f"{NAME} (lower bound)", version, missing)
            self._hooks = DispatchHooks(self.recorder)
        self.fail = self._hooks.fail

    def start(self, device: str | None) -> bool:
        """device: "cuda" or "cpu", whose memory the report is of; None: CUDA's where it is. Returns whether it is CUDA's."""
        has_cuda = bool(self._torch.version.cuda) and self._torch.cuda.is_available()
        if device not in ("cuda", "cpu", None):
            raise CaptureError(f'cannot capture device {device!r}: expected "cuda" or "cpu"')
        if device == "cuda" and not has_cuda:
            raise CaptureError("cannot capture device 'cuda': PyTorch finds none here")
        cuda = has_cuda if device is None else device == "cuda"
        if self._open and self._open[0] != cuda:
            raise CaptureError("a capture of another device is open")
        self._hooks.start(0, cuda)
        self._open.append(cuda)
        if cuda and isinstance(self._hooks, NativeHooks):
            # Where PyTorch initialises CUDA: before, its devices have no allocator.
            self._torch.cuda._lazy_call(self._hooks.watch_cuda)
        return cuda

    def stop(self) -> None:
        self._hooks.stop()
        self._describe_devices(self._open.pop())

    @property
    def is_own(self) -> bool:
        """False in a forked process."""
        return os.getpid() == self._owner

    def _describe_devices(self, cuda: bool) -> None:
        if not cuda:
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
            self.recorder.announce(0, "CPU", memory)
        elif self._torch.cuda.is_initialized():
            for number in range(self._torch.cuda.device_count()):
                properties = self._torch.cuda.get_device_properties(number)
                self.recorder.announce(number, properties.name, properties.total_memory)


_observer: Observer | None = None


def observer() -> Observer:
    """Raises CaptureError in one line."""
    global _observer
    if _observer is None:
        _observer = Observer()
    return _observer
