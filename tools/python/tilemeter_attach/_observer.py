# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Attaching to the package `ttnn` of this process, once."""

from __future__ import annotations

import functools
import importlib.metadata
import os
import re
import sys
import tempfile
from typing import Any, Callable

from tilemeter_attach._library import AttachError, Library
from tilemeter_attach._scopes import Scopes
from tilemeter_attach._self_test import difference_of

# Versions that were compared with TT-NN's own captures, node by node.
TESTED = ("0.79.0", "0.80.0", "0.81.1")
OLDEST = (0, 79)

_INSTEAD = "convert TT-NN's own report instead: graph_report REPORT.json OUT_DIR"


class Observer:
    """TT-NN, attached: the library, and what was put around functions of the package."""

    def __init__(self) -> None:
        ttnn: Any = sys.modules.get("ttnn")
        if ttnn is None:
            try:
                import ttnn  # type: ignore[import-not-found,no-redef]
            except ImportError as error:
                raise AttachError(f"cannot attach: no TT-NN here ({error})") from None
        self.ttnn = ttnn
        self.version = _version()
        self.library = Library()
        self.refused = ""  # why nothing can be captured any more
        self._captures: set[int] = set()
        self._recorder: Any = None  # tilemeter's extension module, where its recorder is used
        metal, cpp = _loaded("libtt_metal.so"), _loaded("_ttnncpp.so")
        try:
            self._share_recorder()
            self.library.load(metal, cpp, self.version)
        except AttachError as error:
            raise AttachError(f"cannot attach to TT-NN {self.version}: {error}; {_INSTEAD}") from None
        if difference := difference_of(self):
            raise AttachError(self._differs(difference))
        self.self_test = "on the host"
        self.scopes = Scopes(ttnn, self.library)
        self._wrap_queries()
        self._wrap_closing()
        if self.version not in TESTED:
            self._wrap_opening()

    def function_of(self, operation: Any) -> Any:
        """The function that an operation calls, without a scope of this recorder or of TT-NN's."""
        scopes = getattr(self, "scopes", None)  # there after the first self-test
        return scopes.plain(operation) if scopes is not None else operation.function

    def _differs(self, difference: str) -> str:
        return f"cannot attach to TT-NN {self.version}: the self-test differs in {difference}; {_INSTEAD}"

    def _share_recorder(self) -> None:
        """A process has one recorder: that of tilemeter's extension module, once it is there and nothing is captured."""
        module = sys.modules.get("tilemeter._tilemeter")
        if module is not None and module is not self._recorder and not self._captures:
            self.library.share(*module._recorder_tables())
            self._recorder = module

    def begin(self, no_dispatch: int, recording: str | None, flags: int, alone: bool) -> int:
        """Begins a capture; operations have scopes from then on."""
        if self.refused:
            raise AttachError(self.refused)
        self._share_recorder()
        self.scopes.enter()
        try:
            capture = self.library.begin(no_dispatch, recording, flags, alone)
        except BaseException:
            self.scopes.leave()
            raise
        self._captures.add(capture)
        if recording is not None:  # a process that is killed can't describe them any more
            self.library.describe_in_passing()
        return capture

    def end(self, capture: int, report: str | None) -> None:
        """Ends a capture, with its report or dropping it; it stays open where the report cannot be written."""
        self._check_open(capture)
        self.library.end(capture, report)
        self._ended(capture)

    def end_to_text(self, capture: int) -> bytes:
        self._check_open(capture)
        nodes = self.library.end_to_text(capture)
        self._ended(capture)
        return nodes

    def _check_open(self, capture: int) -> None:
        if capture not in self._captures:
            raise AttachError(self.refused or "this capture has ended before")

    def _ended(self, capture: int) -> None:
        self._captures.discard(capture)
        self.scopes.leave()

    def _wrap_opening(self) -> None:
        """A version that was never compared: what it tells of devices is looked at as soon as there is one."""
        for module, name in (
            (self.ttnn, "open_device"),
            (self.ttnn, "open_mesh_device"),
            (self.ttnn, "CreateDevice"),
        ):
            original = getattr(module, name, None)
            if original is not None:
                setattr(module, name, self._opening(original))

    def _opening(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def open_device(*arguments: Any, **keywords: Any) -> Any:
            device = original(*arguments, **keywords)
            if not self.refused and self.self_test == "on the host":
                try:
                    difference = difference_of(self, device)
                except Exception as error:  # noqa: BLE001: the program goes on as without us
                    difference = f"operations on the device: {error}"
                self.self_test = "on a device"
                if difference:
                    self._refuse(self._differs(difference))
            return device

        return open_device

    def _refuse(self, why: str) -> None:
        """Nothing is captured any more; what was begun is dropped."""
        self.refused = why.splitlines()[0]
        print(f"tilemeter: {self.refused}", file=sys.stderr)
        for capture in list(self._captures):
            self.library.end(capture, None)
            self._ended(capture)

    def _wrap_queries(self) -> None:
        """TT-NN's Python asks whether a capture is active to find out whether its own is the outermost."""
        graph, library = self.ttnn.graph, self.library
        original = graph.is_graph_capture_active

        @functools.wraps(original)
        def is_graph_capture_active() -> bool:
            library.hide(1)
            try:
                return bool(original())
            finally:
                library.hide(-1)

        graph.is_graph_capture_active = is_graph_capture_active

    def _wrap_closing(self) -> None:
        """Facts about a device have to be asked before it is closed."""
        for module, name in (
            (self.ttnn, "close_device"),
            (self.ttnn, "close_mesh_device"),
            (self.ttnn.device, "close_device"),
        ):
            original = getattr(module, name, None)
            if original is not None and not hasattr(original, "_tilemeter_attach"):
                setattr(module, name, self._closing(original))

    def _closing(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def close(device: Any, *arguments: Any, **keywords: Any) -> Any:
            self.describe()
            try:
                self.library.forget_device(int(device.id()))
            except Exception:  # noqa: BLE001: the device is TT-NN's, and closing it is what counts
                pass
            return original(device, *arguments, **keywords)

        close._tilemeter_attach = True  # type: ignore[attr-defined]
        return close

    def describe(self) -> None:
        """Devices and cluster descriptor from TT-NN: its report of an empty capture that was told of the devices."""
        native = self.ttnn._ttnn.graph
        with tempfile.TemporaryDirectory(prefix="tilemeter_") as folder:
            path = os.path.join(folder, "report.json")
            self.library.hide(1)
            try:
                native.begin_graph_capture()
                self.library.describe_devices()
                native.end_graph_capture_to_file(path)
                self.library.describe(path)
            except Exception as error:  # noqa: BLE001: a report without devices is better than none
                print(f"tilemeter: devices are not described: {error}", file=sys.stderr)
            finally:
                self.library.hide(-1)


_observer: Observer | None = None


def _version() -> str:
    try:
        version = importlib.metadata.version("ttnn")
    except importlib.metadata.PackageNotFoundError:
        raise AttachError(f"cannot attach: TT-NN does not say its version; {_INSTEAD}") from None
    numbers = tuple(int(each) for each in re.findall(r"\d+", version)[:2])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise AttachError(f"cannot attach to TT-NN {version}: {oldest} is the oldest that is known; {_INSTEAD}")
    return version


def _loaded(name: str) -> str:
    with open("/proc/self/maps") as lines:
        for line in lines:
            path = line.rstrip("\n").partition("/")[2]
            if path.endswith("/" + name):
                return "/" + path
    raise AttachError(f"cannot attach: TT-NN has not loaded {name}; {_INSTEAD}")


def attach() -> Observer:
    """Attaches to TT-NN, if that was not done before. Raises AttachError in one line."""
    global _observer
    if _observer is None:
        _observer = Observer()
    return _observer


def status() -> dict[str, Any]:
    """The delivered and the missing parts."""
    if _observer is None:
        return {"attached": False}
    failed, programs, unlisted = _observer.library.counts()
    return {
        "attached": True,
        "ttnn": _observer.version,
        "tested": _observer.version in TESTED,
        "self_test": _observer.self_test,
        "refused": _observer.refused,
        "shares_recorder": _observer._recorder is not None,
        "operations": len(_observer.scopes),
        "failed_callbacks": failed,
        "programs": programs,
        "programs_without_launch": unlisted,
        "missing": _observer.library.missing(),
    }
