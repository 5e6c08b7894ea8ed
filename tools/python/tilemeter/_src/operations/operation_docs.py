# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The texts of inspect.signature() and help() for operations: made of what the extension module knows of their
overloads."""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any, NamedTuple

_Kind = inspect._ParameterKind
_MODULE = re.compile(r"\b(?:tilemeter\.(?:_tilemeter\.)?|collections\.abc\.|typing\.)")
_MARKS = re.compile(r"[][(){},]")
_EXAMPLES = {"shape": "[1, 1, 32, 32]", "layout": "ttnn.TILE_LAYOUT", "dtype": "ttnn.bfloat16"}  # by name
_LETTERS = "abcdefgh"


class _Overload(NamedTuple):
    parameters: list[inspect.Parameter]
    returns: str
    doc: str


def split(text: str) -> list[str]:
    """At commas that stand in no brackets."""
    parts, depth, begin = [], 0, 0
    for mark in _MARKS.finditer(text):
        letter = mark[0]
        if letter in "[({":
            depth += 1
        elif letter in "])}":
            depth -= 1
        elif depth == 0:
            parts.append(text[begin : mark.start()].strip())
            begin = mark.end()
    return [each for each in [*parts, text[begin:].strip()] if each]


def _parameters(text: str, defaults: tuple[Any, ...]) -> list[inspect.Parameter]:
    found: list[inspect.Parameter] = []
    kind = _Kind.POSITIONAL_OR_KEYWORD
    for part in split(text):
        if part == "*":
            kind = _Kind.KEYWORD_ONLY
            continue
        if part == "/":
            found = [each.replace(kind=_Kind.POSITIONAL_ONLY) for each in found]
            continue
        variadic = {"**": _Kind.VAR_KEYWORD, "*": _Kind.VAR_POSITIONAL}.get(part[: len(part) - len(part.lstrip("*"))])
        declared, _, default = part.lstrip("*").partition(" = ")
        name, _, annotation = declared.partition(": ")
        value: Any = inspect.Parameter.empty
        if default.startswith("\\"):
            value = defaults[int(default[1:])]
        elif default:
            value = default
        found.append(
            inspect.Parameter(
                name,
                variadic or kind,
                default=value,
                annotation="Any" if annotation in ("object", "object | None", "") else annotation,
            )
        )
        if variadic is _Kind.VAR_POSITIONAL:
            kind = _Kind.KEYWORD_ONLY
    return _as_python_writes(found)


def _as_python_writes(parameters: list[inspect.Parameter]) -> list[inspect.Parameter]:
    """Without the defaults that stand before a parameter by place that has none: a def can't say them."""
    by_place = [each.kind is _Kind.POSITIONAL_OR_KEYWORD and each.default is inspect.Parameter.empty for each in parameters]
    last = max((at for at, is_required in enumerate(by_place) if is_required), default=-1)
    return [each.replace(default=inspect.Parameter.empty) if at < last else each for at, each in enumerate(parameters)]


def _overloads(native: Any) -> list[_Overload]:
    found = []
    for text, doc, *defaults in getattr(native, "__nb_signature__", ()):
        plain = _MODULE.sub("", text)
        begin, arrow = plain.index("(") + 1, plain.rindex(") -> ")
        given = defaults[0] if defaults and isinstance(defaults[0], tuple) else tuple(defaults)
        found.append(_Overload(_parameters(plain[begin:arrow], given), plain[arrow + 5 :], doc or ""))
    return found


def _merged(overloads: list[_Overload]) -> inspect.Signature:
    """The first overload, with the types that any of them takes under a name."""
    parameters = []
    for parameter in overloads[0].parameters:
        same = [each.annotation for overload in overloads for each in overload.parameters if each.name == parameter.name]
        kinds = list(dict.fromkeys(kind for each in same for kind in split_union(each)))
        if "None" in kinds:  # last, as people write it
            kinds.append(kinds.pop(kinds.index("None")))
        parameters.append(parameter.replace(annotation=" | ".join(kinds)))
    returns = dict.fromkeys(kind for each in overloads for kind in split_union(each.returns))
    return inspect.Signature(parameters, return_annotation=" | ".join(returns))


@functools.lru_cache(maxsize=None)
def split_union(text: str) -> list[str]:
    """At bars that stand in no brackets."""
    return split(re.sub(r" \| (?![^\[]*\])", ", ", text)) if "|" in text else [text]


def signature(operation: Any) -> inspect.Signature:
    """The signature of its first overload; help() says the others. Raises ValueError for what has none."""
    body = getattr(operation.native, "body", None)
    if body is not None:
        return inspect.signature(body)
    overloads = _overloads(operation.native)
    if not overloads:
        raise ValueError(f"no signature found for {operation!r}")
    return _merged(overloads)


def _default(value: Any) -> str:
    return str(value) if "object at" not in repr(value) and not isinstance(value, str) else repr(value)


def _call_text(parameters: list[inspect.Parameter]) -> str:
    """Names and defaults, without types."""
    words, named = [], False
    for each in parameters:
        if each.kind is _Kind.KEYWORD_ONLY and not named:
            named = True
            words.append("*")
        if each.kind in (_Kind.VAR_POSITIONAL, _Kind.VAR_KEYWORD):
            named = True
            words.append(("*" if each.kind is _Kind.VAR_POSITIONAL else "**") + each.name)
        else:
            words.append(each.name if each.default is each.empty else f"{each.name}={_default(each.default)}")
    return ", ".join(words)


def _example(name: str, overload: _Overload) -> str:
    letters = iter(_LETTERS)
    words = []
    for each in overload.parameters:
        if each.default is not each.empty or each.kind in (_Kind.VAR_POSITIONAL, _Kind.VAR_KEYWORD):
            continue
        value = next(letters, each.name) if each.annotation == "Tensor" else _EXAMPLES.get(each.name, each.name)
        words.append(f"{each.name}={value}" if each.kind is _Kind.KEYWORD_ONLY else value)
    if any(each.name == "device" and each.default is None for each in overload.parameters) and "a" not in words:
        words.append("device=device")
    if any(each.name == "memory_config" and each.default is None for each in overload.parameters):
        words.append("memory_config=ttnn.L1_MEMORY_CONFIG")
    returns = "" if overload.returns == "None" else "y = "
    return f"{returns}{name}({', '.join(words)})"


def doc(name: str, native: Any) -> str:
    """For help(): the call in one line, what it does, parameters with their types, an example."""
    overloads = _overloads(native)
    if not overloads:
        return native.__doc__ or ""
    merged = _merged(overloads)
    parameters = list(merged.parameters.values())
    prose = "\n".join(dict.fromkeys(each.doc for each in overloads if each.doc))
    lines = [f"{name}({_call_text(parameters)}) -> {merged.return_annotation}", ""]
    if prose:
        lines += [prose, ""]
    if parameters:
        lines.append("Parameters:")
        for each in parameters:
            default = "" if each.default is each.empty else f" = {_default(each.default)}"
            lines.append(f"    {each.name}: {each.annotation}{default}")
        lines.append("")
    names = [each.name for each in parameters]
    others = [each for each in overloads if [its.name for its in each.parameters] != names]
    if others:
        lines += ["Also called as:", *dict.fromkeys(f"    {name}({_call_text(each.parameters)})" for each in others), ""]
    lines += ["Example:", f"    {_example(name, overloads[0])}"]
    return "\n".join(lines)
