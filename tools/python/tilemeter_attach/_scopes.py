# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Scopes around the operations of the package `ttnn`, placed while something is captured."""

from __future__ import annotations

import functools
import gc
import threading
import weakref
from typing import Any

from tilemeter_attach._library import Library

_SCOPE = "_tilemeter_scope"


class _Scope:
    """The function that an operation calls, and the same with a scope around it. An attribute of the operation: it goes
    with it, and with what the functions of a program's own operations hold."""

    def __init__(self, attribute: str) -> None:
        self.attribute = attribute
        self.plain: Any = None
        self.wrapped: Any = None

    def place(self, operation: Any, library: Library) -> None:
        present = getattr(operation, self.attribute)
        if self.wrapped is not None and present is self.wrapped:
            return
        if self.wrapped is None or present is not self.plain:
            self.plain = present
            self.wrapped = library.wrap(present, operation.python_fully_qualified_name)
        setattr(operation, self.attribute, self.wrapped)

    def remove(self, operation: Any) -> None:
        if self.wrapped is not None and getattr(operation, self.attribute) is self.wrapped:
            setattr(operation, self.attribute, self.plain)


class Scopes:
    """The scopes of all operations: those that there are, and those that the program registers later. Thread safety:
    any thread."""

    def __init__(self, ttnn: Any, library: Library) -> None:
        self._library = library
        self._lock = threading.RLock()
        self._captures = 0
        self._operations: dict[int, weakref.ref[Any]] = {}
        decorators = ttnn.decorators
        self._slow_kind = decorators.Operation
        self._follow_new_operations(decorators.FastOperation, decorators.Operation)
        # Methods of tensors and of classes are operations, too, and in no list of TT-NN's.
        kinds = (decorators.FastOperation, decorators.Operation)
        for each in gc.get_objects():
            if type(each) in kinds:
                self._add(each)
        for each in list(decorators.REGISTERED_OPERATIONS):
            self._add(each)

    def __len__(self) -> int:
        return len(self._operations)

    def plain(self, operation: Any) -> Any:
        """The function of an operation, without a scope."""
        return self._without_scope(operation.function)

    def enter(self) -> None:
        """A capture begins."""
        with self._lock:
            self._captures += 1
            if self._captures == 1:
                for operation in self._living():
                    getattr(operation, _SCOPE).place(operation, self._library)

    def leave(self) -> None:
        """A capture has ended."""
        with self._lock:
            self._captures -= 1
            if self._captures == 0:
                for operation in self._living():
                    getattr(operation, _SCOPE).remove(operation)

    def _living(self) -> list[Any]:
        operations = [reference() for reference in list(self._operations.values())]
        return [each for each in operations if each is not None]

    def _add(self, operation: Any) -> None:
        """An operation, which has a scope from here on while something is captured."""
        with self._lock:
            number = id(operation)
            if number not in self._operations:
                # A fast operation calls `function`; a slow one what was made of it when it was registered. It is set as an
                # attribute, not in vars(): once an object's dictionary has been asked for, Python looks up its attributes and
                # methods in it for good, a tenth of a microsecond for each call of the operation.
                attribute = "decorated_function" if isinstance(operation, self._slow_kind) else "function"
                setattr(operation, _SCOPE, _Scope(attribute))
                self._operations[number] = weakref.ref(operation, lambda _: self._operations.pop(number, None))
            if self._captures:
                getattr(operation, _SCOPE).place(operation, self._library)

    def _without_scope(self, function: Any) -> Any:
        with self._lock:
            for operation in self._living():
                scope = getattr(operation, _SCOPE)
                if scope.wrapped is not None and scope.wrapped is function:
                    return scope.plain
        return function

    def _follow_new_operations(self, fast: Any, slow: Any) -> None:
        made_fast, made_slow = fast.__init__, slow.__post_init__

        @functools.wraps(made_fast)
        def __init__(operation: Any, *arguments: Any, **keywords: Any) -> None:
            made_fast(operation, *arguments, **keywords)
            self._add(operation)

        @functools.wraps(made_slow)
        def __post_init__(operation: Any) -> None:
            # A fast operation makes a slow one of itself when comparisons or logging are switched on, and hands on what it
            # calls just then.
            operation.function = self._without_scope(operation.function)
            made_slow(operation)
            self._add(operation)

        fast.__init__, slow.__post_init__ = __init__, __post_init__
