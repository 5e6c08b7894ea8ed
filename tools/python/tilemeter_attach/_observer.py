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
import types
from typing import Any, Callable

from tilemeter_attach._library import AttachError, Library

# Versions that were compared with TT-NN's own captures, node by node.
TESTED = ("0.81.1",)
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
        metal, cpp = _loaded("libtt_metal.so"), _loaded("_ttnncpp.so")
        try:
            self.library.load(metal, cpp, self.version)
        except AttachError as error:
            raise AttachError(f"cannot attach to TT-NN {self.version}: {error}; {_INSTEAD}") from None
        # Objects without getters: their layout is known of the versions that were looked at (program_memory.cpp).
        self.knows_layouts = self.version.startswith("0.81.")
        self.operations = 0
        self._wrap_operations()
        self._wrap_queries()
        self._wrap_closing()

    def _wrap_operations(self) -> None:
        """A scope around every operation; it costs nothing worth mentioning while nothing is captured."""
        decorators = self.ttnn.decorators
        kinds = (decorators.FastOperation, decorators.Operation)
        operations = list(decorators.REGISTERED_OPERATIONS)
        # Methods of tensors are operations that are not registered: functions that hold one.
        for module in _modules(self.ttnn):
            for function in list(vars(module).values()):
                cells = function.__closure__ if isinstance(function, types.FunctionType) else None
                for cell in cells or ():
                    if isinstance(_contents(cell), kinds) and cell.cell_contents not in operations:
                        operations.append(cell.cell_contents)
        originals: dict[int, Any] = {}
        for operation in operations:
            # A fast operation calls `function`; a slow one what was made of it when it was registered.
            attribute = "decorated_function" if isinstance(operation, decorators.Operation) else "function"
            originals[id(operation)] = getattr(operation, attribute)
            self._wrap(operation, attribute)
        self.operations = len(operations)
        slow_instance = decorators.FastOperation._slow_operation_instance

        @functools.wraps(slow_instance)
        def _slow_operation_instance(operation: Any) -> Any:
            """Made when comparisons or logging are switched on later: around all of it, as of other slow operations."""
            if operation._slow_operation is not None or id(operation) not in originals:
                return slow_instance(operation)
            wrapped = operation.function
            object.__setattr__(operation, "function", originals[id(operation)])
            try:
                made = slow_instance(operation)
            finally:
                object.__setattr__(operation, "function", wrapped)
            self._wrap(made, "decorated_function")
            return made

        decorators.FastOperation._slow_operation_instance = _slow_operation_instance

    def _wrap(self, operation: Any, attribute: str) -> None:
        name = operation.python_fully_qualified_name
        object.__setattr__(operation, attribute, self.library.wrap(getattr(operation, attribute), name))

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
        """What is known of a device has to be asked before it is closed."""
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


def _modules(package: Any) -> list[types.ModuleType]:
    """The package's modules, also those that it loads under names of its own (ttnn.operations.core is called `core`)."""
    folder = os.path.dirname(package.__file__) + os.sep

    def is_inside(module: Any) -> bool:
        return isinstance(module, types.ModuleType) and (
            module.__name__.split(".")[0] == package.__name__ or (getattr(module, "__file__", None) or "").startswith(folder)
        )

    found = [module for module in list(sys.modules.values()) if is_inside(module)]
    known = {id(module) for module in found}
    for module in found:  # which grows
        for each in list(vars(module).values()):
            if id(each) not in known and is_inside(each):
                known.add(id(each))
                found.append(each)
    return found


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled in yet
        return None


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
    """What is delivered here and what not."""
    if _observer is None:
        return {"attached": False}
    failed, programs, unlisted = _observer.library.counts()
    return {
        "attached": True,
        "ttnn": _observer.version,
        "tested": _observer.version in TESTED,
        "operations": _observer.operations,
        "failed_callbacks": failed,
        "programs": programs,
        "programs_without_launch": unlisted,
        "missing": [] if _observer.knows_layouts else ["dataflow buffers and scratchpads outside of NO_DISPATCH"],
    }
