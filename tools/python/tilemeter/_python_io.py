# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What Python saw of each operation: the records behind X.python_io.json.

While a capture is open each call leaves a record: what is needed to write its arguments later, and nothing that
keeps a tensor alive. Text is made when the sidecar is written.
"""

from __future__ import annotations

import linecache
import pathlib
import sys
import types
from typing import Any, Iterable

from tilemeter import _tilemeter

_MAX_ELEMENTS = 32  # of one list, as TT-NN's records
_MAX_DEPTH = 4

# Arguments of these types can't change after the call: they are kept as they are.
_CONSTANT = frozenset(
    {
        int,
        float,
        bool,
        str,
        type(None),
        _tilemeter.DataType,
        _tilemeter.Layout,
        _tilemeter.MemoryConfig,
        _tilemeter.Shape,
        _tilemeter.CoreCoord,
        _tilemeter.CoreRange,
        _tilemeter.CoreRangeSet,
        _tilemeter.ShardSpec,
    }
)
_Tensor = _tilemeter.Tensor
_Mention = _tilemeter.TensorMention

# Frames of these files say nothing about the program: the package itself and the test runner.
_PACKAGE = str(pathlib.Path(__file__).resolve().parent)
_HIDDEN_PARTS = ("_pytest", "pluggy")


class _Sequence:
    """A list or tuple that holds a tensor: its elements, as far as they are kept."""

    __slots__ = ("is_tuple", "length", "elements")

    def __init__(self, is_tuple: bool, length: int, elements: list[Any] | None) -> None:
        self.is_tuple = is_tuple
        self.length = length
        self.elements = elements


def _is_torch_tensor(value: object) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def _holds_tensor(value: object, depth: int = 0) -> bool:
    if isinstance(value, _Tensor) or _is_torch_tensor(value):
        return True
    if isinstance(value, (list, tuple)):
        return depth >= _MAX_DEPTH or any(_holds_tensor(each, depth + 1) for each in value)
    return False


def _text_of(value: object) -> str:
    try:
        return str(value)
    except Exception as error:
        return f"<unprintable {type(value).__name__}: {type(error).__name__}: {error}>"


def _kept(value: Any, depth: int = 0) -> Any:
    """`value` in a form that neither changes nor keeps memory."""
    kind = type(value)
    if kind in _CONSTANT:
        return value
    if isinstance(value, _Tensor):
        return value._mention()
    if _is_torch_tensor(value):
        return f"torch.Tensor(shape={list(value.shape)}, dtype={value.dtype})"
    if isinstance(value, (list, tuple)) and _holds_tensor(value, depth):
        if depth >= _MAX_DEPTH:
            return _Sequence(kind is tuple, len(value), None)
        elements = [_kept(each, depth + 1) for each in value[:_MAX_ELEMENTS]]
        return _Sequence(isinstance(value, tuple), len(value), elements)
    return _text_of(value)


def _mention_text(mention: _tilemeter.TensorMention) -> str:
    spec = mention.spec
    fields: dict[str, object] = {
        "shape": spec.shape,
        "dtype": spec.dtype,
        "layout": spec.layout,
        "memory_config": spec.memory_config,
        "storage_type": "StorageType.DEVICE" if mention.on_device else "StorageType.HOST",
        "tensor_id": mention.tensor_id,
        "is_allocated": mention.is_allocated,
    }
    if mention.on_device:
        fields["device_id"] = mention.device_id
        fields["mesh_shape"] = mention.mesh_shape
    return f"ttnn.Tensor({', '.join(f'{key}={value}' for key, value in fields.items())})"


def argument_text(kept: Any) -> str:
    """An argument as the sidecar has it."""
    if isinstance(kept, _Mention):
        return _mention_text(kept)
    if isinstance(kept, _Sequence):
        opening, closing = ("(", ")") if kept.is_tuple else ("[", "]")
        if kept.elements is None:
            return f"{opening}... {kept.length} element(s) below the summary depth limit{closing}"
        texts = [argument_text(each) for each in kept.elements]
        if kept.length > _MAX_ELEMENTS:
            texts.append(f"... +{kept.length - _MAX_ELEMENTS} more")
        return f"{opening}{', '.join(texts)}{closing}"
    return _text_of(kept)


def tensor_ids_in(values: Iterable[Any]) -> list[int]:
    """Ids of the tensors among values, lists searched."""
    ids: list[int] = []
    for value in values:
        if isinstance(value, (_Tensor, _Mention)):
            ids.append(value.tensor_id)
        elif isinstance(value, _Sequence):
            ids.extend(tensor_ids_in(value.elements or ()))
        elif isinstance(value, (list, tuple)):
            ids.extend(tensor_ids_in(value))
    return ids


def python_stack() -> list[str]:
    """The callers outside this package, innermost first."""
    lines: list[str] = []
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        path = pathlib.PurePath(code.co_filename)
        hidden = code.co_filename.startswith(_PACKAGE) or any(part in path.parts for part in _HIDDEN_PARTS)
        if not hidden and path.parts[-2:] != ("bin", "pytest"):
            source = linecache.getline(code.co_filename, frame.f_lineno).strip()
            lines.append(f'  File "{code.co_filename}", line {frame.f_lineno}, in {code.co_name}\n    {source}\n')
        frame = frame.f_back
    return lines


class CallRecord:
    """One call of an operation."""

    __slots__ = ("name", "positional", "keyword", "outputs", "stack", "error", "captured_graph")

    def __init__(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], with_stack: bool) -> None:
        self.name = name
        self.positional = [_kept(value) for value in args]
        self.keyword = {key: _kept(value) for key, value in kwargs.items()}
        self.stack = python_stack() if with_stack else None
        self.outputs: list[int] | None = None
        self.error: tuple[str, str] | None = None
        self.captured_graph: list[dict[str, Any]] | None = None

    def as_dict(self) -> dict[str, Any]:
        arguments = {key: argument_text(value) for key, value in self.keyword.items()}
        arguments.update((str(i), argument_text(value)) for i, value in enumerate(self.positional))
        record: dict[str, Any] = {
            "name": self.name,
            "arguments": arguments,
            "input_tensor_ids": tensor_ids_in((*self.positional, *self.keyword.values())),
        }
        if self.stack is not None:
            record["python_stack_trace"] = self.stack
        if self.captured_graph is not None:
            record["captured_graph"] = self.captured_graph
        if self.outputs is not None:
            record["output_tensor_ids"] = self.outputs
        if self.error is not None:
            record["error"] = {"type": self.error[0], "message": self.error[1]}
        return record


class Recording:
    """The process's records and switches."""

    __slots__ = ("enabled", "stacks", "records")

    def __init__(self) -> None:
        self.enabled = False
        self.stacks = False
        self.records: list[CallRecord | dict[str, Any]] = []


recording = Recording()


def as_dicts(records: Iterable[CallRecord | dict[str, Any]]) -> list[dict[str, Any]]:
    return [record.as_dict() if isinstance(record, CallRecord) else record for record in records]
