# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Scopes around the operations of the package `ttnn`, placed while something is captured."""

from __future__ import annotations

import functools
import os
import sys
import threading
import types
from typing import Any

from tilemeter_attach._library import Library


class _Scope:
    """What an operation calls, and the same with a scope around it."""

    def __init__(self, operation: Any, attribute: str) -> None:
        self.operation, self.attribute = operation, attribute
        self.plain: Any = getattr(operation, attribute)
        self.wrapped: Any = None

    def place(self, library: Library) -> None:
        present = getattr(self.operation, self.attribute)
        if self.wrapped is None or present is not self.plain:
            self.plain = present
            self.wrapped = library.wrap(present, self.operation.python_fully_qualified_name)
        object.__setattr__(self.operation, self.attribute, self.wrapped)

    def remove(self) -> None:
        if getattr(self.operation, self.attribute) is self.wrapped:
            object.__setattr__(self.operation, self.attribute, self.plain)


class Scopes:
    """Of all operations. Thread safety: any thread."""

    def __init__(self, ttnn: Any, library: Library) -> None:
        self._ttnn, self._library = ttnn, library
        self._lock = threading.RLock()
        self._captures = 0
        self._registered = 0
        self._scopes: list[_Scope] = []
        self._known: set[int] = set()
        self._follow_slow_operations()
        self._find_operations()

    def __len__(self) -> int:
        return len(self._scopes)

    def plain(self, operation: Any) -> Any:
        """The function of an operation, without a scope."""
        for scope in self._scopes:
            if scope.operation is operation and scope.attribute == "function":
                return scope.plain
        return operation.function

    def enter(self) -> None:
        """A capture begins."""
        with self._lock:
            self._captures += 1
            if self._captures > 1:
                return
            if len(self._ttnn.decorators.REGISTERED_OPERATIONS.operations) != self._registered:
                self._find_operations()
            for scope in self._scopes:
                scope.place(self._library)

    def leave(self) -> None:
        """A capture has ended."""
        with self._lock:
            self._captures -= 1
            if self._captures == 0:
                for scope in self._scopes:
                    scope.remove()

    def _find_operations(self) -> None:
        decorators = self._ttnn.decorators
        kinds = (decorators.FastOperation, decorators.Operation)
        self._registered = len(decorators.REGISTERED_OPERATIONS.operations)
        for operation in decorators.REGISTERED_OPERATIONS:
            self._add(operation)
        # Methods of tensors are operations that are not registered: functions that hold one.
        for module in _modules(self._ttnn):
            for function in list(vars(module).values()):
                cells = function.__closure__ if isinstance(function, types.FunctionType) else None
                for cell in cells or ():
                    operation = _contents(cell)
                    if isinstance(operation, kinds):
                        self._add(operation)

    def _add(self, operation: Any) -> None:
        if id(operation) in self._known:
            return
        self._known.add(id(operation))
        # A fast operation calls `function`; a slow one what was made of it when it was registered.
        slow = isinstance(operation, self._ttnn.decorators.Operation)
        scope = _Scope(operation, "decorated_function" if slow else "function")
        self._scopes.append(scope)
        if self._captures:
            scope.place(self._library)
        if not slow and operation._slow_operation is not None:
            self._add(operation._slow_operation)

    def _follow_slow_operations(self) -> None:
        """A fast operation gets a slow one when comparisons or logging are switched on later."""
        fast = self._ttnn.decorators.FastOperation
        original = fast._slow_operation_instance

        @functools.wraps(original)
        def _slow_operation_instance(operation: Any) -> Any:
            if operation._slow_operation is not None:
                return original(operation)
            with self._lock:
                present = operation.function
                scope = next((each for each in self._scopes if each.operation is operation), None)
                if scope is None:
                    return original(operation)
                scope.remove()  # the slow one has a scope of its own
                try:
                    made = original(operation)
                finally:
                    object.__setattr__(operation, "function", present)
                self._add(made)
                return made

        fast._slow_operation_instance = _slow_operation_instance


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
