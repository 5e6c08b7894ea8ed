# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations of one's own, golden functions of all, and lists of what there is."""

from __future__ import annotations

import functools
import os
import sys
import types
from typing import Any, Callable, Iterator

from tilemeter._src.golden.golden_functions import Golden, golden_of
from tilemeter._src.operations import operation as _operation
from tilemeter._src.tensors.conversion import from_torch, to_torch
from tilemeter._tilemeter import MeshDevice, Operation, StorageType, Tensor

Preprocess = Callable[[Any, Any], tuple[Any, Any]]
Postprocess = Callable[[Any, Any, Any], Any]
OUTPUTS = (
    "output_tensor", "optional_tensor", "optional_output_tensor", "out", "output", "output_tensors",
    "optional_output_tensors",
)
_PACKAGE = __name__.partition(".")[0]


def get_tensors(object_value: Any, tensor_type: Any = Tensor) -> list[Any]:
    """All tensors of that type in arguments: within lists, tuples and dictionaries, too."""
    if isinstance(object_value, tensor_type):
        return [object_value]
    if isinstance(object_value, dict):
        object_value = list(object_value.values())
    if isinstance(object_value, (list, tuple)):
        return [tensor for each in object_value for tensor in get_tensors(each, tensor_type)]
    return []


def get_ttnn_tensors(object_value: Any) -> list[Tensor]:
    """All tensors of ours in arguments: within lists, tuples and dictionaries, too."""
    return get_tensors(object_value, Tensor)


def get_all_tensors(object_value: Any) -> list[Any]:
    """All tensors in arguments, torch's too."""
    return get_tensors(object_value, (Tensor, *_torch_tensor()))


def _torch_tensor() -> tuple[type, ...]:
    torch = sys.modules.get("torch")
    return () if torch is None else (torch.Tensor,)


def get_devices(object_value: Any) -> set[MeshDevice]:
    """All devices in arguments, and those that tensors in them lie on."""
    devices = set(get_tensors(object_value, MeshDevice))
    return devices | {tensor.device() for tensor in get_ttnn_tensors(object_value) if tensor.device() is not None}


def _with(values: Any, tensor_type: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(values, tensor_type):
        return change(values)
    if isinstance(values, (list, tuple)):
        return type(values)([_with(each, tensor_type, change) for each in values])
    return values


def default_preprocess_golden_function_inputs(function_args: Any, function_kwargs: Any) -> tuple[Any, Any]:
    """The arguments with torch's tensors for ours."""
    args = tuple(_with(value, Tensor, to_torch) for value in function_args)
    return args, {name: _with(value, Tensor, to_torch) for name, value in function_kwargs.items()}


def default_postprocess_golden_function_outputs(output: Any, function_args: Any, function_kwargs: Any) -> Any:
    """Tensors of ours for torch's, with the type, the layout and the device of the first that was an argument."""
    import torch

    dtype = layout = None
    device: MeshDevice | None = None
    given = get_tensors((function_args, function_kwargs))
    if given:
        dtype, layout = given[0].dtype, given[0].layout
        device = given[0].device() if given[0].storage_type() == StorageType.DEVICE else None
    if not get_tensors(output, torch.Tensor):
        raise RuntimeError(f"Unsupported output type: {type(output)}")
    return _with(
        output, torch.Tensor, lambda each: from_torch(each, dtype=dtype, layout=layout, device=device)
    )


def attach_golden_function(
    operation: Any,
    golden_function: Golden | None,
    *,
    preprocess_golden_function_inputs: Preprocess | None = None,
    postprocess_golden_function_outputs: Postprocess | None = None,
    output_tensor_kwarg_names: tuple[str, ...] = OUTPUTS,
) -> None:
    """Makes golden_function the one that `operation` is compared with: it takes the operation's arguments with torch's
    tensors (without torch, NumPy's arrays), and gives such."""
    operation.golden_function = golden_function
    operation.preprocess_golden_function_inputs = (
        preprocess_golden_function_inputs or default_preprocess_golden_function_inputs
    )
    operation.postprocess_golden_function_outputs = (
        postprocess_golden_function_outputs or default_postprocess_golden_function_outputs
    )
    operation.output_tensor_kwarg_names = tuple(output_tensor_kwarg_names)


def get_golden_function(operation: Any) -> Golden:
    """The golden function of the operation, in torch. Raises RuntimeError where it has none."""
    golden: Golden | None = getattr(operation, "golden_function", None)
    if golden is None:
        raise RuntimeError(f"{operation} does not have a golden function")
    return golden


def get_fallback_function(operation: Any) -> Callable[..., Any]:
    """The golden function for tensors of ours: they go to torch, and what comes out gets the first one's type, layout and
    device. Raises RuntimeError where the operation has no golden function."""
    golden = get_golden_function(operation)

    def fallback_function(*function_args: Any, **function_kwargs: Any) -> Any:
        args, kwargs = operation.preprocess_golden_function_inputs(function_args, function_kwargs)
        return operation.postprocess_golden_function_outputs(golden(*args, **kwargs), function_args, function_kwargs)

    return fallback_function


class RegisteredOperations:
    """All operations that users can call by name."""

    def __iter__(self) -> Iterator[Operation]:
        return iter(_operation.exported())

    def __contains__(self, operation: object) -> bool:
        return operation in _operation.exported()


REGISTERED_OPERATIONS = RegisteredOperations()


def create_module_if_not_exists(module_name: str) -> types.ModuleType:
    """The module ttnn.X.Y, made where it is not there."""
    module = sys.modules[_PACKAGE]
    path = _PACKAGE
    for name in module_name.split(".")[1:]:
        path = f"{path}.{name}"
        found = getattr(module, name, None)
        if not isinstance(found, types.ModuleType):
            found = types.ModuleType(path)
            setattr(module, name, found)
            sys.modules[path] = found
        module = found
    return module


def register_python_operation(
    *,
    name: str,
    is_experimental: bool = False,
    is_method: bool = False,
    golden_function: Golden | None = None,
    preprocess_golden_function_inputs: Preprocess | None = None,
    postprocess_golden_function_outputs: Postprocess | None = None,
    output_tensor_kwarg_names: tuple[str, ...] = OUTPUTS,
    doc: str | None = None,
) -> Callable[[Callable[..., Any]], Any]:
    """Makes a function an operation "ttnn.X.name": captures show it, hooks and comparison mode see it, and, unless it is a
    method, ttnn.X has it. Raises RuntimeError for a name outside of ttnn, and one that is taken."""

    def decorate(function: Callable[..., Any]) -> Any:
        if isinstance(function, Operation):
            raise RuntimeError(f"{function} is a C++ operation, but it is being registered as a Python operation")
        module_path, _, short = name.rpartition(".")
        if not is_method:
            if not module_path:
                raise RuntimeError("Module path have to have at least 2 tokens!")
            if not module_path.startswith("ttnn"):
                raise RuntimeError('Module path must start with "ttnn."')
            if any(each.python_fully_qualified_name == name for each in REGISTERED_OPERATIONS):
                raise RuntimeError(f'Operation with name "{name}" is already registered')
        operation: Any = _operation.python_operation(name, is_method=is_method)(function)
        operation.is_experimental = is_experimental
        operation.function = function
        if doc is not None:
            operation.__doc__ = doc
        attach_golden_function(
            operation, golden_function, preprocess_golden_function_inputs=preprocess_golden_function_inputs,
            postprocess_golden_function_outputs=postprocess_golden_function_outputs,
            output_tensor_kwarg_names=output_tensor_kwarg_names,
        )
        if not is_method:
            setattr(create_module_if_not_exists(module_path), short, operation)
            return operation

        @functools.wraps(function)
        def method_call(self: Any, *function_args: Any, **function_kwargs: Any) -> Any:
            return operation(self, *function_args, **function_kwargs)

        return method_call

    return decorate


def query_registered_operations(include_experimental: bool = False) -> list[Operation]:
    """All operations, by name; those of ttnn.experimental at the end, if wanted."""
    by_name = sorted(_operation.exported(), key=lambda operation: operation.python_fully_qualified_name)
    experimental = [each for each in by_name if each.python_fully_qualified_name.startswith("ttnn.experimental.")]
    return [each for each in by_name if each not in experimental] + (experimental if include_experimental else [])


def dump_operations(csv_file: str | os.PathLike[str], include_experimental: bool = False) -> None:
    """Writes a table of all operations: name, whether it is one of C++, has a golden function, is experimental."""
    import csv

    columns = ("python_fully_qualified_name", "is_cpp_operation", "has_golden_function", "is_experimental")
    operations: list[Any] = list(query_registered_operations(include_experimental))
    operations.sort(key=lambda each: (each.is_experimental, each.is_cpp_operation, each.python_fully_qualified_name))
    with open(csv_file, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        for each in operations:
            table.writerow(
                (each.python_fully_qualified_name, each.is_cpp_operation, each.golden_function is not None, each.is_experimental)
            )


def attach_known_golden_functions() -> None:
    """Gives each operation the golden function that is known for it."""
    for operation in _operation.registered():
        attach_golden_function(operation, golden_of(operation.python_fully_qualified_name))


FastOperation = Operation
