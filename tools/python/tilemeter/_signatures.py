# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Calls that fit TT-NN's signatures and not ours: other names of arguments, more of them by position, arguments that change
nothing here. Asked only when a call did not fit: others cost nothing. What does not fit TT-NN either is said in its words.
"""

from __future__ import annotations

import re
from typing import Any

from tilemeter._tilemeter import Operation, Tensor, recording

_Call = tuple[list[Any], dict[str, Any]]

# TT-NN's positional arguments, where it has more of them or calls them otherwise.
_POSITIONAL = {
    "argmax": "input_tensor dim keepdim",
    "from_device": "tensor blocking",
    "full": "shape fill_value dtype layout device memory_config optional_tensor",
    "full_like": "tensor fill_value dtype layout device memory_config optional_tensor",
    "ones_like": "tensor dtype layout device memory_config optional_tensor",
    "permute": "input_tensor dims pad_value",
    "reallocate": "tensor memory_config",
    "reshard": "input_tensor output_memory_config output_tensor",
    "sigmoid_accurate": "input_tensor fast_and_approximate_mode",
    "to_layout": "tensor layout dtype memory_config sub_core_grids pad_value",
    "to_memory_config": "tensor memory_config dtype output_tensor",
    "transpose": "input_tensor dim1 dim2 pad_value",
    "typecast": "input_tensor input_dtype output_dtype",
    "zeros_like": "tensor dtype layout device memory_config optional_tensor",
}
# Names of TT-NN's, and what we may call the same.
_ALIASES = {
    "from": ("from_",),
    "input": ("input_tensor",),
    "input_a": ("input_tensor_a",),
    "input_b": ("input_tensor_b",),
    "input_tensor": ("input", "input_a", "input_tensor_a", "tensor"),
    "logical_shape": ("shape",),
    "output_dtype": ("dtype",),
    "output_tensor_shape": ("output_padded_shape",),
    "scalar": ("input_tensor_b",),
    "slice_end": ("ends",),
    "slice_start": ("starts",),
    "slice_step": ("steps",),
    "tensor": ("input_tensor",),
    "value": ("input_tensor_b", "input_tensor_c"),
}
_ANYTHING = object()
_NONE = (None,)
# Arguments that change nothing here, with these values.
_WITHOUT_EFFECT: dict[str, Any] = {
    "blocking": _ANYTHING, "compute_kernel_config": _ANYTHING, "correction": _ANYTHING,
    "disable_compensated_sum": _ANYTHING, "enable_secondary_dm": _ANYTHING, "fast_and_approximate_mode": _ANYTHING,
    "input_dtype": _ANYTHING, "mode": _ANYTHING, "reshape_tile_mode": _ANYTHING, "vector_mode": _ANYTHING,
    "config_tensor_in_dram": (None, False), "groups": (None, 1), "pad_value": (None, 0), "skip_padding_fill": (False,),
    "stable": (False,), "use_l1_small_for_semaphores": (False,), "use_low_perf": (False,),
    **dict.fromkeys(
        "block_size cache_position_modulo dram_slice_config global_cb in0_column_offset indices_tensor"
        " intermediate_memory_config memory_config mesh_mapper num_devices num_kv_heads optional_output_tensor optional_tensor"
        " output_layout output_tensor output_tile padded_shape preallocated_output prefetcher_pipes recip_tensor slice_dim"
        " sub_core_grids sub_device_id tile valid_seq_len_tensor".split(), _NONE,
    ),
}
_SIGNATURE = re.compile(r"^\s*(?:\d+\.\s*)?(?:``)?(\w+)\((.*)\) ->", re.M)
_ARGUMENT = re.compile(r"(?:^|, )(\w+)(?=: )")


def _signatures(operation: Any) -> list[str]:
    return [match.group(2) for match in _SIGNATURE.finditer(operation.native.__doc__ or "")]


def _names(signature: str) -> list[str]:
    depth, plain = 0, ""
    for letter in signature:  # what is in brackets has commas of its own
        depth += letter in "[({"
        plain += letter if depth == 0 else ""
        depth -= letter in "])}"
    return _ARGUMENT.findall(plain)


def _has_no_effect(name: str, value: Any) -> bool:
    allowed = _WITHOUT_EFFECT.get(name, ())
    if allowed is _ANYTHING:
        return True
    if value is None or isinstance(value, (bool, int, float)):
        return any(value == each and isinstance(value, bool) == isinstance(each, bool) for each in allowed)
    return False


def _padding(args: list[Any], kwargs: dict[str, Any]) -> _Call:
    """pad's older form, the shape that comes out and where the input begins in it, as what is put before and behind."""
    call = dict(zip(("input_tensor", "output_padded_shape", "input_tensor_start", "value"), args)) | kwargs
    sizes = list(call["input_tensor"].shape)
    places = zip(call["input_tensor_start"], call["output_padded_shape"], sizes)
    padding = [(start, end - start - size) for start, end, size in places]
    more = {name: value for name, value in call.items() if name not in ("output_padded_shape", "input_tensor_start")}
    return [], {**more, "padding": padding}


def _adapted(operation: Any, args: list[Any], kwargs: dict[str, Any]) -> _Call | None:
    """The call in our words; None where it fits nothing."""
    short = operation.python_fully_qualified_name.rpartition(".")[2]
    if short == "pad" and (len(args) == 4 or "output_padded_shape" in kwargs):
        args, kwargs = _padding(args, kwargs)
    ours = {name for signature in _signatures(operation) for name in _names(signature)}
    given = dict(kwargs)
    positional = _POSITIONAL.get(short, "").split()
    if positional and len(args) <= len(positional):
        by_position = dict(zip(positional, args))
        if set(by_position) & set(given):
            return None
        given, args = by_position | given, []
    changed: dict[str, Any] = {}
    for name, value in given.items():
        known = name if name in ours else next((each for each in _ALIASES.get(name, ()) if each in ours), None)
        if known is not None and known not in changed:
            changed[known] = value
        elif not _has_no_effect(name, value):
            return None
    return args, changed


def _kind(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _said(value: Any) -> str:
    if isinstance(value, (bool, str, type(None))):
        return repr(value)
    return _kind(value) if isinstance(value, Tensor) else str(value)  # a tensor's values are not read for this


def _in_ttnns_names(text: str) -> str:
    return re.sub(r"\btilemeter\.(_tilemeter\.)?", "ttnn.", text)


def _refusal(operation: Any, args: list[Any], kwargs: dict[str, Any]) -> TypeError:
    """What TT-NN says: how it was called, how it can be."""
    name = operation.python_fully_qualified_name
    short = name.rpartition(".")[2]
    called = ", ".join([*(_kind(value) for value in args), *(f"{key}={_said(value)}" for key, value in kwargs.items())])
    available = "\n  ".join(f"{short}({signature})" for signature in dict.fromkeys(_signatures(operation)))
    return TypeError(_in_ttnns_names(
        f"\n{name}(): incompatible function arguments.\n\nCalled with:\n  {short}({called})\n\n"
        f"Available signatures:\n  {available or '<unknown>'}"
    ))


def call_adapted(operation: Operation, args: Any, kwargs: dict[str, Any], error: TypeError) -> Any:
    """The call that raised error, as we say it. Raises TypeError, in TT-NN's words where the arguments were at fault."""
    if "incompatible function arguments" not in str(error):
        raise error
    adapted = _adapted(operation, list(args), kwargs)
    if adapted is not None:
        try:
            return operation.native(*adapted[0], **adapted[1])
        except TypeError as again:
            if "incompatible function arguments" not in str(again):
                raise
    raise _refusal(operation, list(args), kwargs) from error


def call_native(operation: Operation, args: Any, kwargs: dict[str, Any]) -> Any:
    """The work of an operation, as its call does it."""
    try:
        return operation.native(*args, **kwargs)
    except TypeError as error:
        if hasattr(operation.native, "body"):
            raise
        return call_adapted(operation, args, kwargs, error)


recording.call_adapted = call_adapted
