# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations as objects: making them, golden functions, hooks; and what they need of command queues."""

from __future__ import annotations

from typing import Any

from tilemeter._operation import register_post_operation_hook as register_post_operation_hook
from tilemeter._operation import register_pre_operation_hook as register_pre_operation_hook
from tilemeter._registration import OUTPUTS as DEFAULT_OUTPUT_TENSOR_KWARG_NAMES
from tilemeter._registration import REGISTERED_OPERATIONS as REGISTERED_OPERATIONS
from tilemeter._registration import RegisteredOperations as RegisteredOperations
from tilemeter._registration import attach_golden_function as attach_golden_function
from tilemeter._registration import create_module_if_not_exists as create_module_if_not_exists
from tilemeter._registration import (
    default_postprocess_golden_function_outputs as default_postprocess_golden_function_outputs,
)
from tilemeter._registration import default_preprocess_golden_function_inputs as default_preprocess_golden_function_inputs
from tilemeter._registration import dump_operations as dump_operations
from tilemeter._registration import get_fallback_function as get_fallback_function
from tilemeter._registration import get_golden_function as get_golden_function
from tilemeter._registration import get_tensors as get_tensors
from tilemeter._registration import query_registered_operations as query_registered_operations
from tilemeter._registration import register_python_operation as register_python_operation
from tilemeter._tilemeter import MeshDevice, Operation as Operation, Tensor
from tilemeter.comparison import comp_pcc as comp_pcc
from tilemeter.device import command_queue as command_queue
from tilemeter.device import get_current_command_queue_id_for_thread as get_current_command_queue_id_for_thread

FastOperation = Operation
__all__ = ["DEFAULT_OUTPUT_TENSOR_KWARG_NAMES"]


def get_ttnn_tensors(object_value: Any) -> list[Tensor]:
    """All tensors of ours in arguments: within lists, tuples and dictionaries, too."""
    return get_tensors(object_value, Tensor)


def get_all_tensors(object_value: Any) -> list[Any]:
    """All tensors in arguments, torch's too."""
    return get_tensors(object_value, (Tensor, *_torch_tensor()))


def _torch_tensor() -> tuple[type, ...]:
    import sys

    torch = sys.modules.get("torch")
    return () if torch is None else (torch.Tensor,)


def get_devices(object_value: Any) -> set[MeshDevice]:
    """All devices in arguments, and those that tensors in them lie on."""
    devices = set(get_tensors(object_value, MeshDevice))
    return devices | {tensor.device() for tensor in get_ttnn_tensors(object_value) if tensor.device() is not None}
