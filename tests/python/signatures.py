# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of every operation of a module with TT-NN's names, in a form of our own.

    signatures.py FILE.json     under TT-NN (`import ttnn`): writes its operations

Of each operation its overloads, of each overload its parameters in order: [name, kind, default]. Kinds are "positional" and
"keyword"; a default is null where the argument must be given, else its text ("None", "1e-05"), or "..." for an object.
"""

from __future__ import annotations

import inspect
import json
import pathlib
import sys
import types
from typing import Any

Parameters = list[list[Any]]
NAMESPACES = ("", "transformer", "experimental", "kv_cache")


def _default_text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"  # the digits of a float of 32 bits
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[]" if len(value) == 0 else "..."
    return str(value) if "." in str(value) and "object at" not in str(value) and len(str(value)) < 40 else "..."


def _split(text: str) -> list[str]:
    """The parameters between the outer parentheses of a nanobind signature."""
    parts, depth, part = [], 0, ""
    for char in text[text.index("(") + 1 :]:
        depth += (char in "[(") - (char in "])")
        if depth < 0:
            break
        if char == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += char
    return [each for each in [*parts, part.strip()] if each and each != "self"]


def _of_nanobind(overloads: tuple[tuple[Any, ...], ...]) -> list[Parameters]:
    found = []
    for text, _, *defaults in overloads:
        kind, parameters = "positional", []
        for part in _split(text):
            if part == "*":
                kind = "keyword"
            elif not part.startswith("*"):
                name, _, default = part.partition("=")
                value = default.strip()
                if value.startswith("\\"):
                    value = _default_text(defaults[0][int(value[1:])] if isinstance(defaults[0], tuple) else defaults[int(value[1:])])
                parameters.append([name.split(":")[0].strip(), kind, value if default else None])
        found.append(parameters)
    return found


def _of_python(function: Any) -> list[Parameters]:
    parameters = []
    for each in inspect.signature(function).parameters.values():
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            kind = "keyword" if each.kind == each.KEYWORD_ONLY else "positional"
            parameters.append([each.name, kind, None if each.default is each.empty else _default_text(each.default)])
    return [parameters]


def overloads_of(operation: Any) -> list[Parameters]:
    function = getattr(operation, "function", operation)
    function = getattr(function, "body", function)
    bound = getattr(function, "__nb_signature__", None) or getattr(type(function).__call__, "__nb_signature__", None)
    return _of_nanobind(bound) if bound else _of_python(function)


def operations_of(module: types.ModuleType) -> dict[str, Any]:
    """By their names after "ttnn."."""
    found = {}
    for namespace in NAMESPACES:
        place = getattr(module, namespace) if namespace else module
        for name in dir(place):
            operation = getattr(place, name)
            if not name.startswith("_") and hasattr(operation, "python_fully_qualified_name"):
                found[f"{namespace}.{name}".lstrip(".")] = operation
    return found


if __name__ == "__main__":
    import ttnn  # type: ignore[import-not-found]

    recorded = {name: overloads_of(operation) for name, operation in sorted(operations_of(ttnn).items())}
    lines = [f"{json.dumps(name)}: {json.dumps(overloads)}" for name, overloads in recorded.items()]
    pathlib.Path(sys.argv[1]).write_text("{\n" + ",\n".join(lines) + "\n}\n")
