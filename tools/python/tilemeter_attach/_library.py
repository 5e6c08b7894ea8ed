# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""libtilemeter_attach_ttnn.so, which observes TT-NN and records."""

from __future__ import annotations

import ctypes
import os
import pathlib
from typing import Any

NAME = "libtilemeter_attach_ttnn.so"


class AttachError(RuntimeError):
    """Attaching, or a capture, that could not be; one line says why."""


def _path() -> pathlib.Path:
    named = os.environ.get("TILEMETER_ATTACH_LIBRARY")
    if named:
        return pathlib.Path(named)
    return pathlib.Path(__file__).resolve().parent / NAME


class PlaceError(AttachError):
    """A file that could not be written where it is wanted: said before anything runs."""


class Library:
    """Its functions, with their types."""

    def __init__(self) -> None:
        path = _path()
        try:
            self._shared = ctypes.CDLL(str(path))
            self._with_lock = ctypes.PyDLL(str(path))
        except OSError as error:
            raise AttachError(f"cannot attach: {error}") from None
        text = ctypes.c_char_p
        number = ctypes.c_uint64
        self._declare("load", [text, text, text], text)
        self._declare("share", [ctypes.c_void_p, ctypes.c_void_p], text)
        self._declare("self_test", [ctypes.c_int], None)
        self._declare("begin", [ctypes.c_int, text, ctypes.c_uint, ctypes.c_int, ctypes.POINTER(number)], text)
        self._declare("end", [number, text], text)
        self._declare("end_to_text", [number, ctypes.POINTER(ctypes.c_void_p)], text)
        self._declare("free", [ctypes.c_void_p], None)
        self._declare("describe", [text], text)
        self._declare("describe_in_passing", [], None)
        self._declare("summary", [text], text)
        self._declare("describe_devices", [], ctypes.c_size_t)
        self._declare("join", [], None)
        self._declare("leave", [], None)
        self._declare("hide", [ctypes.c_int], None)
        self._declare("forget_device", [ctypes.c_int], None)
        self._declare("missing", [], text)
        self._declare("counts", [ctypes.POINTER(number)] * 3, None)
        self._wrap: Any = self._with_lock.tilemeter_attach_wrap
        self._wrap.argtypes = [ctypes.py_object, text]
        self._wrap.restype = ctypes.py_object

    def _declare(self, name: str, arguments: list[Any], result: Any) -> None:
        function = getattr(self._shared, "tilemeter_attach_" + name)
        function.argtypes = arguments
        function.restype = result
        setattr(self, "_" + name, function)

    @staticmethod
    def _check(said: bytes | None) -> None:
        if said is not None:
            raise AttachError(said.decode(errors="replace"))

    def load(self, metal: str, ttnn: str, version: str) -> None:
        self._check(self._load(metal.encode(), ttnn.encode(), version.encode()))  # type: ignore[attr-defined]

    def share(self, emit_table: int, capture_table: int) -> None:
        self._check(self._share(emit_table, capture_table))  # type: ignore[attr-defined]

    def self_test(self, begins: bool) -> None:
        self._self_test(int(begins))  # type: ignore[attr-defined]

    def begin(self, no_dispatch: int, recording: str | None, flags: int, alone: bool) -> int:
        capture = ctypes.c_uint64()
        path = None if recording is None else recording.encode()
        self._check(self._begin(no_dispatch, path, flags, alone, ctypes.byref(capture)))  # type: ignore[attr-defined]
        return capture.value

    def end(self, capture: int, report: str | None) -> None:
        self._check(self._end(capture, None if report is None else report.encode()))  # type: ignore[attr-defined]

    def end_to_text(self, capture: int) -> bytes:
        nodes = ctypes.c_void_p()
        self._check(self._end_to_text(capture, ctypes.byref(nodes)))  # type: ignore[attr-defined]
        try:
            return ctypes.string_at(nodes)
        finally:
            self._free(nodes)  # type: ignore[attr-defined]

    def describe(self, report: str) -> None:
        self._check(self._describe(report.encode()))  # type: ignore[attr-defined]

    def describe_in_passing(self) -> None:
        self._describe_in_passing()  # type: ignore[attr-defined]

    def summary(self, report: str) -> str:
        """Operations and peaks of a report in one line; empty where it can't be read."""
        said = self._summary(os.fsencode(report))  # type: ignore[attr-defined]
        return "" if said is None else said.decode(errors="replace")

    def describe_devices(self) -> int:
        return int(self._describe_devices())  # type: ignore[attr-defined]

    def join(self) -> None:
        self._join()  # type: ignore[attr-defined]

    def leave(self) -> None:
        self._leave()  # type: ignore[attr-defined]

    def hide(self, change: int) -> None:
        self._hide(change)  # type: ignore[attr-defined]

    def forget_device(self, number: int) -> None:
        self._forget_device(number)  # type: ignore[attr-defined]

    def wrap(self, function: Any, name: str) -> Any:
        return self._wrap(function, name.encode())

    def missing(self) -> list[str]:
        """The parts that cannot be had of this version."""
        said = self._missing()  # type: ignore[attr-defined]
        return [] if said is None else said.decode().split("\n")

    def counts(self) -> tuple[int, int, int]:
        """Callbacks that failed, programs, programs whose launch was not seen."""
        numbers = [ctypes.c_uint64() for _ in range(3)]
        self._counts(*[ctypes.byref(each) for each in numbers])  # type: ignore[attr-defined]
        failed, programs, unlisted = (each.value for each in numbers)
        return failed, programs, unlisted
